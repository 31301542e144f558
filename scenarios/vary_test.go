package scenarios

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

func TestGrid(t *testing.T) {
	s := good(t, minimal+`faults: [{pause: client-1, on: checked, for: 1s}]
expect: {on-time: holds}
vary:
  params.clients: [1, 2]
  faults.0.for: [5s, {exp: 2s}, {gclog: gc.log}]
`)
	require.Len(t, s.Variants, 6)
	require.Len(t, s.Program.Nodes, 5, "the scenario itself is that of the file")
	v := s.Variants[1]
	require.Equal(t, []Setting{{"params.clients", "1"}, {"faults.0.for", "{exp: 2s}"}}, v.Settings)
	require.Len(t, v.Scenario.Program.Nodes, 4)
	require.Equal(t, sim.Exponential(2*time.Second), v.Scenario.Config.Faults[0].For)
	require.Equal(t, s.Expect, v.Scenario.Expect)
	require.Equal(t, s.Config.Faults[0].Name, v.Scenario.Config.Faults[0].Name, "so it draws alike")
	require.Equal(t, "fake/x", v.Scenario.Name)
	v = s.Variants[5]
	require.Equal(t, []Setting{{"params.clients", "2"}, {"faults.0.for", "{gclog: gc.log}"}}, v.Settings)
	require.Len(t, v.Scenario.Inputs, 1)
	require.Nil(t, s.Inputs)
	require.Nil(t, v.Scenario.Variants)

	// The settings, given as --set, are the point.
	again := good(t, minimal+"faults: [{pause: client-1, on: checked, for: 1s}]\n", s.Variants[1].Settings...)
	require.Equal(t, s.Variants[1].Scenario.Config, again.Config)
}

// TestGridCreates: a path need not be in the file.
func TestGridCreates(t *testing.T) {
	s := good(t, minimal+"vary: {network.delay: [1ms, {exp: 1ms}], clocks.client-1.drift: [10ppm]}\n")
	require.Len(t, s.Variants, 2)
	require.Equal(t, sim.PPB(10_000), s.Variants[0].Scenario.Config.Clocks[0].Rate)
}

// TestGridOfFaults: a fault of a point is checked like any other.
func TestGridOfFaults(t *testing.T) {
	require.Equal(t, []string{`4:35: there is no node "client-3"; did you mean "client-1"? (at faults.0.pause)`},
		lines(minimal+"faults: [{pause: client-1, at: 1s, for: 1s}]\nvary: {faults.0.pause: [client-1, client-3]}\n"))
	require.Equal(t, []string{`3:18: with params.clients=1: there is no node "client-2"; did you mean "client-1"? (at faults.0.crash)`},
		lines(minimal+"faults: [{crash: client-2, at: 1s}]\nvary: {params.clients: [1, 2]}\n"), "at one point the fault has no node")
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
		got := flow(d.Lookup("x"), false)
		require.Equal(t, want, got)
		require.NoError(t, d.Set("y", got), got)
		require.Equal(t, d.Lookup("x").Items() == nil, d.Lookup("y").Items() == nil)
		require.Equal(t, got, flow(d.Lookup("y"), false))
	}
}

// TestTwice: a value is once in a list, however it is written.
func TestTwice(t *testing.T) {
	checkProblems(t, map[string]string{
		"vary: {params.ttl: [1s, 2s, 1000ms]}":             `3:29: 1000ms is the same value as 1s (at 3:21): want each once (at vary.params.ttl.2)`,
		"vary: {params.mode: [calm, wild, calm]}":          `3:34: calm is the same value as calm (at 3:22): want each once (at vary.params.mode.2)`,
		"vary: {params.work: [{exp: 1s}, 1s, { exp: 1s}]}": `3:37: {exp: 1s} is the same value as {exp: 1s} (at 3:22): want each once (at vary.params.work.2)`,
		"vary: {network.loss: [1%, 0.5%, 1.0%]}":           `3:33: 1.0% is the same value as 1% (at 3:23): want each once (at vary.network.loss.2)`,
	})
	require.Equal(t, []string{
		`3:25: 1s is the same value as 1s (at 3:21): want each once (at vary.params.ttl.1)`,
		`3:29: 1000ms is the same value as 1s (at 3:21): want each once (at vary.params.ttl.2)`,
	}, lines(minimal+"vary: {params.ttl: [1s, 1s, 1000ms]}\n"))
	require.Equal(t, []string{`--set vary.params.ttl=[2s, 2000ms]: 2000ms is the same value as 2s: want each once (at vary.params.ttl.1)`},
		lines(minimal+"vary: {params.ttl: [1s]}\n", Setting{"vary.params.ttl", "[2s, 2000ms]"}))
	for _, list := range []string{"params.work: [9007199254740992ns, 9007199254740993ns]", "params.work: [9223372036854775806ns, 9223372036854775807ns]", "params.work: [1s, {exp: 1s}]", "params.start: [1s, [1s]]"} {
		require.Len(t, good(t, minimal+"vary: {"+list+"}\n").Variants, 2, list)
	}
}
