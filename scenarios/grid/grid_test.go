package grid_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/result"
	"fencepost/scenarios/internal/fake"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

func TestGrid(t *testing.T) {
	s := fake.Good(t, fake.Minimal+`faults: [{pause: client-1, on: checked, for: 1s}]
expect: {on-time: holds}
vary:
  params.clients: [1, 2]
  faults.0.for: [5s, {exp: 2s}, {gclog: gc.log}]
`)
	require.Len(t, s.Variants, 6)
	require.Len(t, s.Program.Nodes, 5, "the scenario itself is that of the file")
	v := s.Variants[1]
	require.Equal(t, []result.Setting{{Path: "params.clients", Value: "1"}, {Path: "faults.0.for", Value: "{exp: 2s}"}}, v.Settings)
	require.Len(t, v.Scenario.Program.Nodes, 4)
	require.Equal(t, sim.Exponential(2*time.Second), v.Scenario.Config.Faults[0].For)
	require.Equal(t, s.Expect, v.Scenario.Expect)
	require.Equal(t, s.Config.Faults[0].Name, v.Scenario.Config.Faults[0].Name, "so it draws alike")
	require.Equal(t, "fake/x", v.Scenario.Name)
	v = s.Variants[5]
	require.Equal(t, []result.Setting{{Path: "params.clients", Value: "2"}, {Path: "faults.0.for", Value: "{gclog: gc.log}"}}, v.Settings)
	require.Len(t, v.Scenario.Inputs, 1)
	require.Nil(t, s.Inputs)
	require.Nil(t, v.Scenario.Variants)

	// The settings, given as --set, are the point.
	again := fake.Good(t, fake.Minimal+"faults: [{pause: client-1, on: checked, for: 1s}]\n", s.Variants[1].Settings...)
	require.Equal(t, s.Variants[1].Scenario.Config, again.Config)
}

// TestGridCreates: a path need not be in the file.
func TestGridCreates(t *testing.T) {
	s := fake.Good(t, fake.Minimal+"vary: {network.delay: [1ms, {exp: 1ms}], clocks.client-1.drift: [10ppm]}\n")
	require.Len(t, s.Variants, 2)
	require.Equal(t, sim.PPB(10_000), s.Variants[0].Scenario.Config.Clocks[0].Rate)
}

// TestGridOfFaults: a fault of a point is checked like any other.
func TestGridOfFaults(t *testing.T) {
	require.Equal(t, []string{`4:35: there is no node "client-3"; did you mean "client-1"? (at faults.0.pause)`},
		fake.Lines(fake.Minimal+"faults: [{pause: client-1, at: 1s, for: 1s}]\nvary: {faults.0.pause: [client-1, client-3]}\n"))
	require.Equal(t, []string{`3:18: with params.clients=1: there is no node "client-2"; did you mean "client-1"? (at faults.0.crash)`},
		fake.Lines(fake.Minimal+"faults: [{crash: client-2, at: 1s}]\nvary: {params.clients: [1, 2]}\n"), "at one point the fault has no node")
}

// TestFlow: a value is written so that --set reads the same.
func TestFlow(t *testing.T) {
	for text, want := range map[string]string{
		`3s`:                           `3s`,
		`two words`:                    `two words`,
		`"5"`:                          `5`,
		`""`:                           `""`,
		`"null"`:                       `"null"`,
		`" a"`:                         `" a"`,
		`"a\tb"`:                       `"a\tb"`,
		`'[x'`:                         `"[x"`,
		`~`:                            `null`,
		`[1s, "a, b", -x, {exp: 5ms}]`: `[1s, "a, b", "-x", {exp: 5ms}]`,
		`{"a: b": [c, [d]], e: }`:      `{"a: b": [c, [d]], e: null}`,
		`"it's"`:                       `it's`,
		`["it's"]`:                     `["it's"]`,
	} {
		d, err := strict.Parse("a.yaml", []byte("x: "+text))
		require.NoError(t, err)
		got := strict.Flow(d.Lookup("x"), false)
		require.Equal(t, want, got)
		require.NoError(t, d.Set("y", got), got)
		require.Equal(t, d.Lookup("x").Items() == nil, d.Lookup("y").Items() == nil)
		require.Equal(t, got, strict.Flow(d.Lookup("y"), false))
	}
}

// TestTwice: a value is once in a list, however it is written.
func TestTwice(t *testing.T) {
	fake.Check(t, map[string]string{
		"vary: {params.ttl: [1s, 2s, 1000ms]}":             `3:29: 1000ms is the same value as 1s (at 3:21): want each once (at vary.params.ttl.2)`,
		"vary: {params.mode: [calm, wild, calm]}":          `3:34: calm is the same value as calm (at 3:22): want each once (at vary.params.mode.2)`,
		"vary: {params.work: [{exp: 1s}, 1s, { exp: 1s}]}": `3:37: {exp: 1s} is the same value as {exp: 1s} (at 3:22): want each once (at vary.params.work.2)`,
		"vary: {network.loss: [1%, 0.5%, 1.0%]}":           `3:33: 1.0% is the same value as 1% (at 3:23): want each once (at vary.network.loss.2)`,
	})
	require.Equal(t, []string{
		`3:25: 1s is the same value as 1s (at 3:21): want each once (at vary.params.ttl.1)`,
		`3:29: 1000ms is the same value as 1s (at 3:21): want each once (at vary.params.ttl.2)`,
	}, fake.Lines(fake.Minimal+"vary: {params.ttl: [1s, 1s, 1000ms]}\n"))
	require.Equal(t, []string{`--set vary.params.ttl=[2s, 2000ms]: 2000ms is the same value as 2s: want each once (at vary.params.ttl.1)`},
		fake.Lines(fake.Minimal+"vary: {params.ttl: [1s]}\n", result.Setting{Path: "vary.params.ttl", Value: "[2s, 2000ms]"}))
	for _, list := range []string{"params.work: [9007199254740992ns, 9007199254740993ns]", "params.work: [9223372036854775806ns, 9223372036854775807ns]", "params.work: [1s, {exp: 1s}]", "params.start: [1s, [1s]]"} {
		require.Len(t, fake.Good(t, fake.Minimal+"vary: {"+list+"}\n").Variants, 2, list)
	}
}

// TestRangeInGrid: the points of a range are those of a list, down to their settings.
func TestRangeInGrid(t *testing.T) {
	ranged := fake.Good(t, fake.Minimal+"vary:\n  params.ttl: {from: 1s, to: 3s, step: 1s}\n  params.clients: {from: 1, to: 4, points: 3, log: true}\n  network.loss: {from: 0%, to: 1%, points: 2}\n")
	listed := fake.Good(t, fake.Minimal+"vary: {params.ttl: [1s, 2s, 3s], params.clients: [1, 2, 4], network.loss: [0%, 1%]}\n")
	require.Len(t, ranged.Variants, 18)
	for i, v := range ranged.Variants {
		require.Equal(t, listed.Variants[i].Settings, v.Settings)
		require.Equal(t, listed.Variants[i].Scenario.Config, v.Scenario.Config)
		require.Equal(t, listed.Variants[i].Scenario.Program.Nodes, v.Scenario.Program.Nodes)
	}
}

// TestInvalidRanges: what is wrong with a range is said where it stands.
func TestInvalidRanges(t *testing.T) {
	const at = " (at vary.params.ttl"
	for text, want := range map[string]string{
		"{from: 1s, step: 1s}":                     `3:20: key "to" is missing` + at + ")",
		"{from: 1s, to: 2s}":                       `3:20: a range without step or points: want how far apart its values are, or how many` + at + ")",
		"{from: 1s, too: 2s}":                      `3:31: unknown key "too"; did you mean "to"?` + at + ")",
		"{from: 1s, to: 2s, step: 1s, points: 2}":  `3:20: a range with step and points: want one of them` + at + ")",
		"{from: 1s, to: 2s, step: 1s, log: true}":  `3:20: a logarithmic range without points: want how many, as in points: 7` + at + ")",
		"{from: 2s, to: 1s, points: 2}":            `3:35: the range ends at 1s, before its start, 2s: want the smaller first` + at + ".to)",
		"{from: 0s, to: 1s, points: 2, log: true}": `3:27: a logarithmic range from 0s: want a start above 0` + at + ".from)",
		"{from: 1s, to: 2s, step: 0s}":             `3:45: the step is 0s: want one above 0` + at + ".step)",
		"{from: 1s, to: 2s, points: 1}":            `3:47: points is 1: want 2 or more, since both ends are among them` + at + ".points)",
		"{from: 0, to: 1, points: 5}":              `3:45: 5 points, and there are only 2 whole numbers from 0 to 1; a share is written as 1% or 0.01` + at + ".points)",
		"{from: 0ns, to: 1ns, points: 5}":          `3:49: 5 points from 0ns to 1ns are finer than values can be: want at most 2` + at + ".points)",
		"{from: 1s, to: 2s, step: 1s, round: 1s}":  `3:20: a range with step and round: want points, since what has a step is not rounded` + at + ")",
		"{from: 1s, to: 2s, points: 2, round: 0s}": `3:57: round is 0s: want more than 0` + at + ".round)",
		"{x: [1s]}":                                              `3:20: a mapping that is no range: want {from: a, to: b, step: c}, a list, or cases such as {small: {params.ttl: 1s}, large: {params.ttl: 9s}}; the path of a value is one key, as in "params.ttl: [5s, 10s]"` + at + ")",
		"{from: soon, to: 1s, points: 2}":                        `3:27: "soon" is no number that a range can begin with: want one such as 3, 0.5, 250ms, 1%, 4KiB or 100/min` + at + ".from)",
		"{from: 1s, to: 5, points: 2}":                           `3:35: "5" is not a duration: want one like the start of the range` + at + ".to)",
		"{from: 1/s, to: 5/min, points: 2}":                      `3:36: "5/min" is not a rate in "/s": want one like the start of the range` + at + ".to)",
		"{from: 1, to: 2s, points: 2}":                           `3:34: "2s" is not a whole number: want one like the start of the range` + at + ".to)",
		"{from: 1, to: 99999999999999999999, step: 1}":           `3:34: "99999999999999999999" is too large for a range` + at + ".to)",
		"{from: 0, to: 0.0000000001, points: 2}":                 `3:34: "0.0000000001" is too fine for a range: want at most nine decimals of a number, and none of a count` + at + ".to)",
		"{from: [1s], to: 2s, points: 2}":                        `3:27: a list is not a number: want one such as 3, 0.5, 250ms, 1%, 4KiB or 100/min` + at + ".from)",
		"{from: 1s, to: 1000000000s, step: 1s}":                  `3:8: a grid of 1000000000 points: want at most 1000 (at vary)`,
		"{from: 1ns, to: 2562047h, points: 9000000000000000000}": `3:8: a grid of 9000000000000000000 points: want at most 1000 (at vary)`,
		"{from: 0s, to: 9s, step: 3s}":                           `3:20: must be positive, got 0s (at params.ttl)`,
	} {
		require.Equal(t, []string{want}, fake.Lines(fake.Minimal+"vary: {params.ttl: "+text+"}\n"), text)
	}
	billion := "vary: {clocks.store.offset: {from: 1s, to: 1000s, step: 1s}, clocks.client-1.offset: {from: 1s, to: 1000s, step: 1s}, params.ttl: {from: 1s, to: 1000s, step: 1s}}\n"
	require.Equal(t, []string{`3:62: a grid of 1000000000 points (1000 x 1000 x 1000): want at most 1000 (at vary)`}, fake.Lines(fake.Minimal+billion))
}
