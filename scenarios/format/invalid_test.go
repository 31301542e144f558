package format_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fencepost/internal/whole"
	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"

	"github.com/stretchr/testify/require"
)

// counted writes 1, 2 and so on.
func counted(n int, format string) (text string) {
	for i := range n {
		text += fmt.Sprintf(format, i+1)
	}
	return text
}

func TestUnknownKeys(t *testing.T) {
	fake.Check(t, map[string]string{
		"modle: x":                              `3:1: unknown key "modle"; did you mean "model"?`,
		"charts: [x]":                           `3:1: unknown key "charts"; want one of about, source, model, seed, until, runs, params, network, clocks, costs, resume, faults, budget, expect, expect-at, show, control, vary, plots`,
		"params: {tll: 1s}":                     `3:10: unknown key "tll"; did you mean "ttl"? (at params)`,
		"network: {dealy: 1s}":                  `3:11: unknown key "dealy"; did you mean "delay"? (at network)`,
		"network: {links: [{form: store}]}":     `3:20: unknown key "form"; did you mean "from"? (at network.links.0)`,
		"network: {delay: {exq: 1s}}":           `3:19: unknown key "exq"; did you mean "exp"? (at network.delay)`,
		"network: {delay: {gclog: gc.log}}":     `3:19: unknown key "gclog"; want one of exp, uniform, lognormal, pareto, mix, csv (at network.delay)`,
		"clocks: {client-1: {dirft: 1ppm}}":     `3:21: unknown key "dirft"; did you mean "drift"? (at clocks.client-1)`,
		"expect: {on-time: {violatd: {}}}":      `3:20: unknown key "violatd"; did you mean "violated"? (at expect.on-time)`,
		"expect: {on-time: {violated: {a: 1}}}": `3:31: unknown key "a"; want one of at, nodes (at expect.on-time.violated)`,
		"expect: {writes: {at-most: 1}}":        `3:19: unknown key "at-most"; want one of least, most (at expect.writes)`,
		"model: fake":                           `3:1: duplicate key "model" (first at 1:1)`,
		"params: {ttl: 1s, ttl: 2s}":            `3:19: duplicate key "ttl" (first at 3:10)`,
	})
}

func TestWrongValues(t *testing.T) {
	fake.Check(t, map[string]string{
		"about: [x]":                                  `3:8: a list is not a text: want a word or a quoted text (at about)`,
		"seed: -1":                                    `3:7: "-1" is out of range: want 0 to 18446744073709551615 (at seed)`,
		"runs: 0":                                     `3:7: runs is 0: want 1 to 1000000000 (at runs)`,
		"runs: -3":                                    `3:7: runs is -3: want 1 to 1000000000 (at runs)`,
		"runs: 1000000001":                            `3:7: runs is 1000000001: want 1 to 1000000000 (at runs)`,
		"runs: 1e3":                                   `3:7: "1e3" is not an integer: want digits such as 3 (at runs)`,
		"runs: ":                                      `3:6: no value is given: want one, or leave the entry out (at runs)`,
		"resume: later":                               `3:9: "later" is not a valid word; want one of arrival, timers-first, messages-first (at resume)`,
		"params: {ttl: 10}":                           `3:15: "10" is not a duration: want a unit, as in 10ms or 10s (at params.ttl)`,
		"params: {ttl: -5s}":                          `3:15: "-5s" has a sign: want a duration of 0 or more (at params.ttl)`,
		"params: {ttl: 0s}":                           `3:15: must be positive, got 0s (at params.ttl)`,
		"params: {start: [1s, 2s, 3s]}":               `3:9: 3 starts for 2 clients (at params)`,
		"params: {mode: wilt}":                        `3:16: "wilt" is not a valid word; did you mean "wild"? (at params.mode)`,
		"params: {again: yes}":                        `3:17: "yes" is not a boolean: want true or false (at params.again)`,
		"params: {work: {exp: 5}}":                    `3:22: "5" is not a duration: want a unit, as in 5ms or 5s (at params.work.exp)`,
		"params: {work: }":                            `3:16: no value is given: want one, or leave the entry out (at params.work)`,
		"params: 3":                                   `3:9: "3" is not a mapping: want keys such as clients, ttl, mode (at params)`,
		"network: {delay: 9999999h}":                  `3:18: "9999999h" is too large for a duration: want at most 2562047h (at network.delay)`,
		"network: {delay: [1s]}":                      `3:18: a list is not a duration: want 5ms, {exp: 5ms}, {uniform: [1ms, 9ms]}, {lognormal: {median: 1ms, p99: 20ms}}, {pareto: {least: 1ms, alpha: 1.5}}, {mix: [...]} or {csv: FILE} (at network.delay)`,
		"network: {delay: {exp: 1s, csv: a}}":         `3:18: 2 keys where one is wanted; want one of exp, uniform, lognormal, pareto, mix, csv (at network.delay)`,
		"network: {delay: {uniform: [2s, 1s]}}":       `3:28: the first duration, 2s, is above the second, 1s (at network.delay.uniform)`,
		"network: {delay: {uniform: [2s]}}":           `3:28: a list of 1: want 2 values (at network.delay.uniform)`,
		"network: {delay: {lognormal: {median: 1s}}}": `3:30: key "p99" is missing (at network.delay.lognormal)`,
		"network: {delay: {lognormal: {median: 2s, p99: 1s}}}": `3:30: lognormal: want 0 < median <= p99 <= 1000 * median, got median 2s and p99 1s (at network.delay.lognormal)`,
		"network: {loss: -1%}":                                 `3:17: "-1%" has a sign: want a proportion of 0 or more (at network.loss)`,
		"network: {loss: 2}":                                   `3:17: "2" is too large for a proportion: want at most 100% (at network.loss)`,
		"network: {duplicate: often}":                          `3:22: "often" is not a proportion: want 1%, 0.5% or a number from 0 to 1 (at network.duplicate)`,
		"network: {order: lifo}":                               `3:18: "lifo" is not a valid word; did you mean "fifo"? (at network.order)`,
		"clocks: {client-1: {drift: 1}}":                       `3:28: "1" is not a clock error: want 100ppm, 500ppb or 0.01%, with - for a slow clock (at clocks.client-1.drift)`,
		"clocks: {client-1: {drift: 51%}}":                     `3:28: a clock error of +510000ppm is out of range: want -500000ppm to +500000ppm (at clocks.client-1.drift)`,
		"clocks: {client-1: {offset: 3}}":                      `3:29: "3" is not a duration: want a unit, as in 3ms or 3s (at clocks.client-1.offset)`,
	})
}

func TestUnknownWords(t *testing.T) {
	fake.Check(t, map[string]string{
		"network: {links: [{from: clinet-1}]}":                                `3:26: there is no node "clinet-1"; did you mean "client-1"? (at network.links.0.from)`,
		"network: {links: [{to: [store, nobody]}]}":                           `3:32: there is no node "nobody"; want one of client-1, client-2, redis-1, redis-2, store (at network.links.0.to.1)`,
		"network: {links: [{to: [store, store]}]}":                            `3:32: store is in the list already (at network.links.0.to.1)`,
		"network: {links: [{to: []}]}":                                        `3:24: a list of no nodes: want at least one (at network.links.0.to)`,
		"network: {links: [{to: {a: b}}]}":                                    `3:24: a mapping is not a text: want a word or a quoted text (at network.links.0.to)`,
		"clocks: {redis-3: {drift: 1ppm}}":                                    `3:10: there is no node "redis-3"; did you mean "redis-1"? (at clocks)`,
		"costs: {rdis-*: 1ms}":                                                `3:9: no node matches "rdis-*"; did you mean "redis-1"? (at costs)`,
		"expect: {no-time: holds}":                                            `3:10: there is no property or measure "no-time"; did you mean "on-time"? (at expect)`,
		"expect: {on-time: true}":                                             `3:19: "true" is not a valid word; want one of holds, violated, not-exercised, certified (at expect.on-time)`,
		"expect: {on-time: {violated: {at: 60s}}}":                            `3:35: a violation at 1m0s would be after the run, which ends at 1m0s (at expect.on-time.violated.at)`,
		"expect: {on-time: {violated: {nodes: stroe}}}":                       `3:38: there is no node "stroe"; did you mean "store"? (at expect.on-time.violated.nodes)`,
		"expect: {on-time: {violated: {nodes: [store, client-1, client-2]}}}": `3:38: 3 nodes: want at most 2, those concerned first (at expect.on-time.violated.nodes)`,
		"expect: {on-time: {share: [0.3, 0.1]}}":                              `3:27: the first bound is above the second (at expect.on-time.share)`,
		"expect: {on-time: {share: 0.3}}":                                     `3:27: "0.3" is not a share: want its bounds, as in [0.1, 0.3] (at expect.on-time.share)`,
		"expect: {on-time: {share: [0.3, 1.1]}}":                              `3:33: "1.1" is too large for a proportion: want at most 100% (at expect.on-time.share.1)`,
		"expect: {writes: 1s}":                                                `3:18: "1s" is not an integer: want digits such as 3 (at expect.writes)`,
		"expect: {latency: 1}":                                                `3:19: "1" is not a duration: want a unit, as in 1ms or 1s (at expect.latency)`,
		"expect: {latency: {}}":                                               `3:19: no bound is given: want least, most or both (at expect.latency)`,
		"expect: {latency: {least: 2s, most: 1s}}":                            `3:27: least is above most (at expect.latency.least)`,
	})
}

func TestWrongControlOrGrid(t *testing.T) {
	fake.Check(t, map[string]string{
		"control: {params.tll: 1s}":               `3:11: unknown key "tll"; did you mean "ttl"? (at control)`,
		"control: {params.ttl: 5}":                `3:23: "5" is not a duration: want a unit, as in 5ms or 5s (at params.ttl)`,
		"control: {vary.x: 1}":                    `3:11: "vary" cannot be changed here: want another path, such as params.ttl (at control)`,
		"control: {seed: 2}":                      `3:11: "seed" cannot be changed here: want another path, such as params.ttl (at control)`,
		"control: {about: x}":                     `3:11: "about" cannot be changed here: want another path, such as params.ttl (at control)`,
		"vary: {seed: [1, 100]}":                  `3:8: "seed" cannot be changed here: want another path, such as params.ttl (at vary)`,
		"vary: {runs: {from: 1, to: 3, step: 1}}": `3:8: "runs" cannot be changed here: want another path, such as params.ttl (at vary)`,
		"vary: {model: [fake, lock]}":             `3:8: "model" cannot be changed here: want another path, such as params.ttl (at vary)`,
		"vary: {source: [a, b]}":                  `3:8: "source" cannot be changed here: want another path, such as params.ttl (at vary)`,
		"control: {a..b: 1}":                      `3:11: "a..b" is not a path: want keys and indices such as faults.0.for (at control)`,
		"vary: {params.tll: [1s, 2s]}":            `3:8: unknown key "tll"; did you mean "ttl"? (at vary)`,
		"vary: {parms.ttl: [1s, 2s]}":             `3:8: unknown key "parms"; did you mean "params"? (at vary)`,
		"vary: {faults.1.for: [1s]}":              `3:8: "1" is not an index here: want 0, which appends (at vary)`,
		"vary: {params.ttl: [1s, 2]}":             `3:25: "2" is not a duration: want a unit, as in 2ms or 2s (at params.ttl)`,
		"vary: {params.ttl: []}":                  `3:20: a list of no values: want at least one (at vary.params.ttl)`,
		"vary: {params.ttl: 1s}":                  `3:20: "1s" is not a list or range: want [a, b], lines with "- ", {from: a, to: b, step: c} or {from: a, to: b, points: 5} (at vary.params.ttl)`,
		"vary: {control.params.ttl: [1s]}":        `3:8: "control" cannot be changed here: want another path, such as params.ttl (at vary)`,
		"vary: {costs.store: [" + counted(40, "%ds,") + "], costs.client-1: [" + counted(26, "%ds,") + "]}": `3:176: a grid of 1040 points (40 x 26): want at most 1000 (at vary)`,
	})
}

// TestHeader has mistakes in what minimal has right.
func TestHeader(t *testing.T) {
	for text, want := range map[string][]string{
		"until: 1s":                {`1:1: key "model" is missing`},
		"model: fake":              {`1:1: key "until" is missing`},
		"model: fake\nuntil: 0s":   {`2:8: until is 0: want the length of a run, such as 60s (at until)`},
		"model: fake\nuntil: 60":   {`2:8: "60" is not a duration: want a unit, as in 60ms or 60s (at until)`},
		"model: fake\nuntil: -1s":  {`2:8: "-1s" has a sign: want a duration of 0 or more (at until)`},
		"model: fkae\nuntil: 1s":   {`1:8: there is no model "fkae"; did you mean "fake"? (at model)`},
		"model: [a]\nuntil: 1s":    {`1:8: a list is not a text: want a word or a quoted text (at model)`},
		"model:\nuntil: 1s":        {`1:7: no value is given: want one, or leave the entry out (at model)`},
		"- model: fake":            {`1:1: a list is not a mapping: want keys such as about, source, model`},
		"model: fake\n\tuntil: 1s": {`2:1: a tab is used for indentation: want spaces`},
		"modle: fake\nuntil: 1s\nfaults: [{pause: nobody, on: nothing, for: 5}]\nexpect: {x: y}": {
			`1:1: unknown key "modle"; did you mean "model"?`,
			`3:44: "5" is not a duration: want a unit, as in 5ms or 5s (at faults.0.for)`},
	} {
		require.Equal(t, want, fake.Lines(text), text)
	}
}

// TestWrongParameters: while they are wrong, a word that is unknown may be right,
// unless it is clearly misspelt.
func TestWrongParameters(t *testing.T) {
	text := fake.Minimal + "params: {cleints: 3}\nfaults: [{pause: client-3, on: checked, for: 1s}, {pause: clinet-3, on: chekced, for: 1s}]\nexpect: {extra: holds}\n"
	require.Equal(t, []string{
		`3:10: unknown key "cleints"; did you mean "clients"? (at params)`,
		`4:59: there is no node "clinet-3"; did you mean "client-1"? (at faults.1.pause)`,
		`4:73: no node ever notes "chekced"; did you mean "checked"? (at faults.1.on)`,
	}, fake.Lines(text))
}

func TestSetMistakes(t *testing.T) {
	text := fake.Minimal + "faults: [{pause: client-1, at: 1s, for: 1s}]\n"
	for _, c := range []struct{ path, value, want string }{
		{"params.ttl", "5", `--set params.ttl=5: "5" is not a duration: want a unit, as in 5ms or 5s`},
		{"params.ttl", "0s", `--set params.ttl=0s: must be positive, got 0s`},
		{"params.tll", "5s", `--set params.tll=5s: unknown key "tll"; did you mean "ttl"? (at params)`},
		{"faults.0.pause", "clinet-1", `--set faults.0.pause=clinet-1: there is no node "clinet-1"; did you mean "client-1"?`},
		{"faults.0.at", "70s", `--set faults.0.at=70s: the fault begins at 1m10s, after the run, which ends at 1m0s`},
		{"faults.7", "x", `--set faults.7=x: "7" is not an index here: want 0 to 1, where 1 appends`},
		{"faults.0.for", "[1s", `--set faults.0.for=[1s: not valid YAML: a "[" is not closed, or a "," is missing`},
		{"faults.0.for", "{gclog: /no/such.log}", `--set faults.0.for={gclog: /no/such.log}: there is no file /no/such.log (at faults.0.for.gclog)`},
		{"a..b", "1", `--set a..b=1: "a..b" is not a path: want keys and indices such as faults.0.for`},
	} {
		got := fake.Lines(text, result.Setting{Path: c.path, Value: c.value})
		require.Equal(t, []string{strings.Replace(c.want, " (at params)", "", 1)}, got, c.path)
	}
}

// TestAtOnce loads the files in testdata/invalid and compares all that is said.
func TestAtOnce(t *testing.T) {
	files, err := filepath.Glob("testdata/invalid/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		_, err = fake.LoadText(string(text), format.Options{Sets: []result.Setting{{Path: "params.start", Value: "5"}, {Path: "faults.1.nht", Value: "2"}}})
		require.Error(t, err)
		golden := strings.TrimSuffix(file, format.Suffix) + ".txt"
		if os.Getenv("UPDATE_GOLDEN") != "" {
			require.NoError(t, os.WriteFile(golden, []byte(err.Error()+"\n"), 0o644))
		}
		want, readErr := os.ReadFile(golden)
		require.NoError(t, readErr)
		require.Equal(t, string(want), err.Error()+"\n")
		again, err2 := json.Marshal(err)
		require.NoError(t, err2)
		var back format.Invalid
		require.NoError(t, json.Unmarshal(again, &back))
		require.Equal(t, err.Error(), back.Error(), "the JSON holds all of it")
	}
}

func TestStructured(t *testing.T) {
	_, err := fake.LoadText(fake.Minimal+"faults: [{pause: clinet-1, at: 1s, for: 1s}]\n", format.Options{})
	require.Equal(t, []format.Problem{{File: "fake/x.yaml", Line: 3, Column: 18, Path: "faults.0.pause", Text: "clinet-1",
		Message: `there is no node "clinet-1"; did you mean "client-1"?`, Nearest: "client-1",
		Excerpt: "        3 | faults: [{pause: clinet-1, at: 1s, for: 1s}]\n          |                  ^^^^^^^^"}}, err.(*format.Invalid).Problems)
	_, err = fake.LoadText(fake.Minimal+"vary: {params.tll: [1s, 2s]}\n", format.Options{})
	require.Equal(t, []format.Problem{{File: "fake/x.yaml", Line: 3, Column: 8, Path: "vary", Text: "params.tll",
		Message: `unknown key "tll"; did you mean "ttl"?`, Nearest: "ttl",
		Excerpt: "        3 | vary: {params.tll: [1s, 2s]}\n          |        ^^^^^^^^^^"}}, err.(*format.Invalid).Problems)
}

func TestManyProblems(t *testing.T) {
	_, err := fake.LoadText(fake.Minimal+"faults: ["+strings.Repeat("x, ", 5000)+"]\nvary: {params.ttl: ["+counted(100, "%d, ")+"]}\n", format.Options{})
	e := err.(*format.Invalid)
	require.Len(t, e.Problems, format.MaxProblems)
	require.Equal(t, 5000-format.MaxProblems, e.More)
	_, err = fake.LoadText(fake.Minimal+"vary: {params.ttl: ["+counted(900, "%d, ")+"]}\n", format.Options{})
	require.Len(t, err.(*format.Invalid).Problems, format.MaxProblems)
}

// TestBadInputIsCheap: nothing that a file may hold takes longer than the patience
// of a test run.
func TestBadInputIsCheap(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 x\n")
	for i := 1; i <= 10; i++ {
		fmt.Fprintf(&bomb, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	grid := "vary: {params.ttl: [" + counted(1000, "%ds,") + "]}\n"
	size := whole.Of(1, 10)
	for name, text := range map[string]string{
		"alias bomb": bomb.String(),
		"deep":       fake.Minimal + "params: " + strings.Repeat("[", size*20_000),
		"wide":       fake.Minimal + "faults: [" + strings.Repeat("{},", size*30_000) + "]",
		"wide grid":  fake.Minimal + "about: [" + strings.Repeat("x,", 4000) + "]\n" + grid,
		"long":       fake.Minimal + "about: " + strings.Repeat("x", size*100_000),
		"faults":     fake.Minimal + "faults: [" + strings.Repeat("{crash: client-1, at: 1s},", size*3_000) + "]",
		"nodes":      fake.Minimal + "network: {links: [" + strings.Repeat("{from: '*'},", size*6_000) + "]}",
	} {
		_, err := fake.LoadText(text, format.Options{})
		require.NotPanics(t, func() { _ = fmt.Sprint(err) }, name)
	}
	require.Contains(t, fake.Lines(fake.Minimal+bomb.String()), `3:5: anchors are not supported: write the value out`)
	require.Equal(t, []string{`4:8: a grid of 1000 points over a file of 11008 values: want at most 5000000 values at all points together (at vary)`},
		fake.Lines(fake.Minimal + "faults: [" + strings.Repeat("{crash: client-1, at: 1s},", 3334) + "]\n" + grid)[:1])
}

// TestUnreadParameter: a parameter that could not be read is said to be wrong once, and the
// model still finds what is wrong with the others.
func TestUnreadParameter(t *testing.T) {
	require.Equal(t, []string{
		`3:15: a list is not a duration: want a number with a unit such as 250ms or 3s (at params.ttl)`,
		`3:30: want 1 to 9 clients, got 99 (at params.clients)`,
	}, fake.Lines(fake.Minimal+"params: {ttl: [1s], clients: 99}\n"))
	require.Equal(t, []string{`--set params.ttl=[1s]: a list is not a duration: want a number with a unit such as 250ms or 3s`},
		fake.Lines(fake.Minimal, result.Setting{Path: "params.ttl", Value: "[1s]"}))
}

// TestWrongParetoAndMix: what is wrong with the parts of a mix is said at the part.
func TestWrongParetoAndMix(t *testing.T) {
	for delay, want := range map[string]string{
		"{pareto: {least: 1ms, alpha: 0.9}}":   `3:27: pareto: want an alpha from 1 to 1000, got 0.9 (at network.delay.pareto)`,
		"{pareto: {least: 1ms, alpha: 1.5e3}}": `3:47: "1.5e3": not an exponent: want 1 to 1000 with at most six decimals, such as 1.51 (at network.delay.pareto.alpha)`,
		"{pareto: {least: 0s, alpha: 2}}":      `3:27: pareto: want a least above 0s, got 0s (at network.delay.pareto)`,
		"{pareto: {least: 1ms}}":               `3:27: key "alpha" is missing (at network.delay.pareto)`,

		"{mix: [{share: 50%, of: 1ms}, {share: 40%, of: {exp: 2ms}}]}": `3:24: mix: the shares add up to 90%: want 100% (at network.delay.mix)`,
		"{mix: [{share: 50%, of: 1ms}, {share: 50%, of: {mix: []}}]}":  `3:65: a mix in a mix: want its parts in the list itself (at network.delay.mix.1.of)`,
		"{mix: [{share: 50%, of: 1ms}, {share: 50%, of: {ex: 1s}}]}":   `3:66: unknown key "ex"; did you mean "exp"? (at network.delay.mix.1.of)`,
		"{mix: [{share: 0%, of: 1ms}, {share: 100%, of: 2ms}]}":        `3:24: mix: part 1: want a share above 0% and below 100%, got 0% (at network.delay.mix)`,
	} {
		fake.Check(t, map[string]string{"network: {delay: " + delay + "}": want})
	}
}
