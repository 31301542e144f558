package grid_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"
	"fencepost/scenarios/smaller"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCases: a point is the file with the changes of its case, and is called by the name.
func TestCases(t *testing.T) {
	s := fake.Good(t, fake.TwoCases)
	require.Len(t, s.Variants, 4)
	for i, settings := range [][]result.Setting{
		{{Path: "store", Value: "near"}, {Path: "params.ttl", Value: "1s"}}, {{Path: "store", Value: "near"}, {Path: "params.ttl", Value: "2s"}},
		{{Path: "store", Value: "far and slow"}, {Path: "params.ttl", Value: "1s"}}, {{Path: "store", Value: "far and slow"}, {Path: "params.ttl", Value: "2s"}},
	} {
		require.Equal(t, settings, s.Variants[i].Settings)
		require.Equal(t, settings, s.Variants[i].Scenario.Sets)
	}
	plain := fake.TwoCases[:strings.Index(fake.TwoCases, "vary")]
	require.Equal(t, fake.Good(t, plain, result.Setting{Path: "params.ttl", Value: "2s"}).Config, s.Variants[1].Scenario.Config)
	far := fake.Good(t, plain, result.Setting{Path: "network.delay", Value: "5ms"}, result.Setting{Path: "costs.store", Value: "1s"}, result.Setting{Path: "params.ttl", Value: "1s"})
	require.Equal(t, far.Config, s.Variants[2].Scenario.Config)
	require.NotEqual(t, far.Config, s.Variants[0].Scenario.Config)
	require.Equal(t, fake.Good(t, plain).Config, s.Config, "the scenario itself is that of the file")
}

// TestSetPicksCase: --set of the axis leaves one case of it, and the settings of a point
// are that point.
func TestSetPicksCase(t *testing.T) {
	all := fake.Good(t, fake.TwoCases)
	for _, v := range all.Variants {
		s := fake.Good(t, fake.TwoCases, v.Settings...)
		require.Equal(t, v.Scenario.Config, s.Config)
		require.Equal(t, v.Scenario.Program.Properties, s.Program.Properties)
		require.Equal(t, v.Scenario.Values(), s.Values())
		require.Len(t, s.Variants, 1)
		require.Equal(t, v.Settings, s.Variants[0].Settings)
	}
	s := fake.Good(t, fake.TwoCases, result.Setting{Path: "store", Value: "far and slow"})
	require.Equal(t, all.Variants[2].Settings, s.Variants[0].Settings)
	require.Equal(t, all.Variants[3].Settings, s.Variants[1].Settings)
	require.Equal(t, "params.clients=1", smaller.Of(all.Variants[2].Scenario)[0].Change)
	require.Equal(t, all.Variants[2].Scenario.Config.Network, smaller.Of(all.Variants[2].Scenario)[0].Config.Network)

	for set, want := range map[result.Setting]string{
		{Path: "store", Value: "far"}:         `--set store=far: store has no case "far"; want one of near, far and slow`,
		{Path: "store", Value: "nera"}:        `--set store=nera: store has no case "nera"; did you mean "near"?`,
		{Path: "network.delay", Value: "1ms"}: `--set network.delay=1ms: the case "far and slow" of store changes network.delay: want one that does not, as --set store=CASE, or only its own value`,
		{Path: "costs", Value: "{}"}:          `--set costs={}: the case "far and slow" of store changes costs.store: want one that does not, as --set store=CASE, or only its own value`,
	} {
		require.Equal(t, []string{want}, fake.Lines(fake.TwoCases, set))
	}
	require.Len(t, fake.Good(t, fake.TwoCases, result.Setting{Path: "store", Value: "near"}, result.Setting{Path: "network.delay", Value: "1ms"}).Variants, 2, "the case that is picked does not change it")
}

// TestControlOfCases: the control is applied to each case.
func TestControlOfCases(t *testing.T) {
	s, err := fake.LoadText(fake.TwoCases+"control: {params.work: 2s}\n", format.Options{Control: true, Sets: []result.Setting{{Path: "store", Value: "near"}}})
	require.NoError(t, err)
	require.Equal(t, []result.Setting{{Path: "store", Value: "near"}, {Path: "params.ttl", Value: "1s"}, {Path: "params.work", Value: "2s"}}, s.Variants[0].Settings)
}

// TestWrongCases: each mistake is said where it stands, once.
func TestWrongCases(t *testing.T) {
	x101, changes := strings.Repeat("x", 101), func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf("clocks.c%d.offset: 1s", i))
		}
		return strings.Join(list, ", ")
	}
	many := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf("c%d: {clocks.store.offset: %ds}", i, i))
		}
		return strings.Join(list, ", ")
	}
	const name = ` of small letters, digits and -, at most 100, that is no key of the file (at vary)`
	fake.Check(t, map[string]string{
		"vary: {a: {b: {params.tll: 1s}}}":                                                `3:16: unknown key "tll"; did you mean "ttl"? (at vary.a.b)`,
		"vary: {a: {b: {params.ttl: 5}}}":                                                 `3:28: "5" is not a duration: want a unit, as in 5ms or 5s (at params.ttl)`,
		"vary: {a: {b: {params.ttl: 0s}, c: {}}}":                                         `3:28: must be positive, got 0s (at params.ttl)`,
		"vary: {a: {b: {params.ttl: }}}":                                                  `3:28: no value is given: want one, or leave the entry out (at params.ttl)`,
		"vary: {a: {b: {params.clients: 1}, c: {}}}\nfaults: [{crash: client-2, at: 1s}]": `4:18: with a=b: there is no node "client-2"; did you mean "client-1"? (at faults.0.crash)`,
		"vary: {a: {b: {vary.c: 1}}}":                                                     `3:16: "vary" cannot be changed here: want another path, such as params.ttl (at vary.a.b)`,
		"vary: {a: {b: {control: {}}}}":                                                   `3:16: "control" cannot be changed here: want another path, such as params.ttl (at vary.a.b)`,
		"vary: {a: {b: {plots.0.title: x}}}":                                              `3:16: "plots" cannot be changed here: want another path, such as params.ttl (at vary.a.b)`,
		"vary: {a: {b: {seed: 3}, c: {}}}":                                                `3:16: "seed" cannot be changed here: want another path, such as params.ttl (at vary.a.b)`,
		"vary: {a: {b: {}, c: {runs: 3}}}":                                                `3:23: "runs" cannot be changed here: want another path, such as params.ttl (at vary.a.c)`,
		"vary: {a: {b: {params.ttl: [1s]}, c: {}}}":                                       `3:28: a list is not a duration: want a number with a unit such as 250ms or 3s (at params.ttl)`,
		"vary: {a: {b: {x..y: 1}}}":                                                       `3:16: "x..y" is not a path: want keys and indices such as faults.0.for (at vary.a.b)`,
		"vary: {A: {b: {}}}":                                                              `3:8: "A" has cases, and so wants a name` + name,
		"vary: {params.ttl: {b: {params.ttl: 1s}}}":                                       `3:8: "params.ttl" has cases, and so wants a name` + name,
		"vary: {seed: {b: {params.clients: 1}}}":                                          `3:8: "seed" has cases, and so wants a name` + name,
		"vary: {time: {b: {params.clients: 1}}}":                                          `3:8: "time" has cases, and so wants a name` + name,
		"vary: {" + x101 + ": {b: {}}}":                                                   `3:8: "` + x101[:40] + `..." has cases, and so wants a name` + name,
		"vary: {a: {b: {}, c: 5}}":                                                        `3:22: "5" is not a case: want its changes, as in {params.ttl: 1s}, or {} for the file as it is (at vary.a.c)`,
		"vary: {a: {b: {}, c: }}":                                                         `3:22: nothing is not a case: want its changes, as in {params.ttl: 1s}, or {} for the file as it is (at vary.a.c)`,
		"vary: {a: {\"\": {}}}":                                                           `3:16: the name of the case is "": want 1 to 100 characters on one line, without a blank at its ends (at vary.a.)`,
		"vary: {a: {\" b\": {}}}":                                                         `3:18: the name of the case is " b": want 1 to 100 characters on one line, without a blank at its ends (at vary.a. b)`,
		"vary: {a: {" + x101 + ": {}}}":                                                   `3:115: the name of the case is "` + x101[:40] + `...": want 1 to 100 characters on one line, without a blank at its ends (at vary.a.` + x101[:60] + "...)",
		"vary: {a: {b: {}, b: {params.clients: 1}}}":                                      `3:19: duplicate key "b" (first at 3:12)`,
		"vary: {a: {b: {params.ttl: 1s, params.ttl: 2s}}}":                                `3:32: duplicate key "params.ttl" (first at 3:16)`,
		"vary: {a: {b: {" + changes(51) + "}}}":                                           `3:15: 51 changes in a case: want at most 50 (at vary.a.b)`,
		"vary: {a: {" + many(101) + "}}":                                                  `3:11: 101 cases: want at most 100 (at vary.a)`,
		"vary: {a: {" + many(11) + "}, params.ttl: {from: 1s, to: 100s, step: 1s}}":       `3:356: a grid of 1100 points (11 x 100): want at most 1000 (at vary)`,
		"vary: {a: {b: {params.ttl: 1s}}, params.ttl: [2s]}":                              `3:34: the axis "a" changes params.ttl as well (at 3:16): want one axis for it (at vary)`,
		"vary: {params.ttl: [2s], a: {b: {params.ttl: 1s}, c: {params.ttl: 3s}}}":         `3:34: the axis "params.ttl" changes params.ttl as well (at 3:8): want one axis for it (at vary.a.b)`,
		"vary: {a: {b: {params.work: 1s}}, c: {d: {params.work.exp: 2s}}}":                `3:43: the axis "a" changes params.work as well (at 3:16): want one axis for it (at vary.c.d)`,
		"vary: {a: {b: {params.work.exp: 1s}}, c: {d: {params.work: 2s}}}":                `3:16: the axis "c" changes params.work as well (at 3:47): want one axis for it (at vary.a.b)`,
		"vary: {a: {b: {params.ttl: 1s, params: {clients: 3}}, c: {}}}":                   `3:16: the case "b" changes params as well (at 3:32): want one change for it (at vary.a.b)`,
		"vary: {a: {b: {params: {clients: 3}, params.ttl: 1s}}}":                          `3:38: the case "b" changes params as well (at 3:16): want one change for it (at vary.a.b)`,
		"control: {params.work.exp: 1s, params.work: 2s}":                                 `3:11: the control changes params.work as well (at 3:32): want one change for it (at control)`,
		"vary: {params.work.exp: [1s], params.work: [2s]}":                                `3:8: the axis "params.work" changes params.work as well (at 3:31): want one axis for it (at vary)`,
	})
	paths := strings.TrimSuffix(strings.Repeat("clocks.x.offset: 1s, ", 101), ", ")
	for i := range 101 {
		paths = strings.Replace(paths, "clocks.x.", fmt.Sprintf("clocks.x%d.", i), 1)
	}
	require.Equal(t, []string{"3:7: 101 axes: want at most 100 (at vary)"}, fake.Lines(fake.Minimal+"vary: {"+strings.ReplaceAll(paths, "1s", "[1s]")+"}\n"))
	require.Equal(t, []string{"3:10: 101 changes: want at most 100 (at control)"}, fake.Lines(fake.Minimal+"control: {"+paths+"}\n"))
	// The hostile: each is refused, once, and soon.
	for _, text := range []string{
		"{" + strings.Repeat("x", 10_000) + ": {}}", `{"<b>|\n..": {}}`, "{a: {" + strings.Repeat("p.", 5000) + "q: 1}}",
		"{" + many(100) + "}, b: {" + strings.ReplaceAll(many(100), "store", "client-1") + "}, c: {" + strings.ReplaceAll(many(100), "store", "client-2") + "}, params.ttl: {from: 1s, to: 1000s, step: 1s}",
	} {
		found := fake.Lines(fake.Minimal + "vary: {a: " + text + "}\n")
		require.Len(t, found, 1, text[:10])
		require.Less(t, len(found[0]), 400)
	}
}

// TestManyOverlaps: of three axes that change one value, two are said to be too many.
func TestManyOverlaps(t *testing.T) {
	require.Equal(t, []string{
		`3:42: the axis "a" changes params.ttl as well (at 3:16): want one axis for it (at vary.b.d)`,
		`3:60: the axis "a" changes params.ttl as well (at 3:16): want one axis for it (at vary)`,
	}, fake.Lines(fake.Minimal+"vary: {a: {c: {params.ttl: 1s}}, b: {d: {params.ttl: 2s}}, params.ttl: [3s]}\n"))
	require.Equal(t, []string{
		`3:16: the case "c" changes params as well (at 3:32): want one change for it (at vary.a.c)`,
		`3:49: the case "d" changes params as well (at 3:65): want one change for it (at vary.a.d)`,
	}, fake.Lines(fake.Minimal+"vary: {a: {c: {params.ttl: 1s, params: {}}, d: {params.ttl: 2s, params: {}}}}\n"))
}

// TestCasesAtTheirLimits: what is just allowed, and what only looks wrong.
func TestCasesAtTheirLimits(t *testing.T) {
	var changes, cases []string
	for i := range 50 {
		changes = append(changes, fmt.Sprintf("network.links.%d: {delay: %dms}", i, i+1))
	}
	require.Len(t, fake.Good(t, fake.Minimal+"vary: {a: {b: {"+strings.Join(changes, ", ")+"}}}\n").Variants, 1)
	for i := range 100 {
		cases = append(cases, fmt.Sprintf("c%d: {clocks.store.offset: %ds}", i, i))
	}
	require.Len(t, fake.Good(t, fake.Minimal+"vary: {a: {"+strings.Join(cases, ", ")+"}}\n").Variants, 100)
	name := strings.Repeat("x", 100)
	require.Len(t, fake.Good(t, fake.Minimal+"vary: {"+name+": {"+name+": {}}}\n").Variants, 1)

	s := fake.Good(t, fake.Minimal+"vary: {a: {from: {}, to: {params.clients: 5}}}\n")
	require.Equal(t, [][]result.Setting{{{Path: "a", Value: "from"}}, {{Path: "a", Value: "to"}}}, [][]result.Setting{s.Variants[0].Settings, s.Variants[1].Settings}, "no range")
	require.Len(t, fake.Good(t, fake.Minimal+"vary: {a: {b: {params.ttl: 1s}, c: {params: {ttl: 2s}}}}\n").Variants, 2, "two cases may")
	require.Len(t, fake.Good(t, fake.Minimal+"params: {}\n", result.Setting{Path: "params.ttl", Value: "1s"}, result.Setting{Path: "params", Value: "{clients: 1}"}).Sets, 2, "settings are in order")

	const work = fake.Minimal + "vary: {a: {b: {params.work: {exp: 1s}}}}\n"
	require.Equal(t, []string{`--set params.work.exp=2s: the case "b" of a changes params.work: want one that does not, as --set a=CASE, or only its own value`},
		fake.Lines(work, result.Setting{Path: "params.work.exp", Value: "2s"}))
}

// TestNamesOfCases: a name may be any text on a line, and --set takes it as it is.
func TestNamesOfCases(t *testing.T) {
	for _, name := range []string{"<b>", "a|b", "..", "[x", "{y", "null", "~", "true", "5s", "a, b", "ä=ö", `"quoted"`, "100 %"} {
		text := fake.Minimal + "vary: {a: {'" + name + "': {params.ttl: 1s}, other: {}}}\n"
		s := fake.Good(t, text)
		require.Equal(t, []result.Setting{{Path: "a", Value: name}}, s.Variants[0].Settings)
		again := fake.Good(t, text, s.Variants[0].Settings...)
		require.Len(t, again.Variants, 1)
		require.Equal(t, s.Variants[0].Settings, again.Variants[0].Settings)
		require.Equal(t, s.Variants[0].Scenario.Values(), again.Values())
	}
}

// FuzzCases: the settings of each point, given as --set, are the point.
func FuzzCases(f *testing.F) {
	f.Add("a: {b: {params.ttl: 1s}, c: {}}, params.clients: [1, 2]")
	f.Add("a: {b: {params.ttl: 1s, faults.0: {crash: store, at: 1s}}}, d: {e: {costs.store: 1ms}, '~': {clocks.store.drift: 1ppm}}")
	f.Add("a: {from: {}, to: {params.clients: 5}}, params.ttl: {from: 1s, to: 3s, step: 1s}")
	f.Add("a: {b: {params.work.exp: 1s}}, c: {d: {params.work: 2s}}")
	f.Fuzz(func(t *testing.T, vary string) {
		text := fake.Minimal + "vary: {" + vary + "}\n"
		s, err := fake.LoadText(text, format.Options{})
		if err != nil {
			require.NotEmpty(t, fake.LinesOf(err), "%v", err)
			return
		}
		for _, v := range s.Variants[:min(len(s.Variants), 10)] {
			again, err := fake.LoadText(text, format.Options{Sets: v.Settings})
			require.NoError(t, err)
			assert.Equal(t, v.Scenario.Values(), again.Values())
			assert.True(t, slices.ContainsFunc(again.Variants, func(o format.Variant) bool { return slices.Equal(o.Settings, v.Settings) }))
		}
	})
}
