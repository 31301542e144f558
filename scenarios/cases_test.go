package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const twoCases = minimal + `faults: [{pause: client-1, on: checked, for: 15s}]
vary:
  store:
    near: {}
    far and slow: {network.delay: 5ms, costs.store: 1s}
  params.ttl: [1s, 2s]
`

// TestCases: a point is the file with the changes of its case, and is called by the name.
func TestCases(t *testing.T) {
	s := good(t, twoCases)
	require.Len(t, s.Variants, 4)
	for i, settings := range [][]Setting{
		{{"store", "near"}, {"params.ttl", "1s"}}, {{"store", "near"}, {"params.ttl", "2s"}},
		{{"store", "far and slow"}, {"params.ttl", "1s"}}, {{"store", "far and slow"}, {"params.ttl", "2s"}},
	} {
		require.Equal(t, settings, s.Variants[i].Settings)
		require.Equal(t, settings, s.Variants[i].Scenario.Sets)
	}
	plain := twoCases[:strings.Index(twoCases, "vary")]
	require.Equal(t, good(t, plain, Setting{"params.ttl", "2s"}).Config, s.Variants[1].Scenario.Config)
	far := good(t, plain, Setting{"network.delay", "5ms"}, Setting{"costs.store", "1s"}, Setting{"params.ttl", "1s"})
	require.Equal(t, far.Config, s.Variants[2].Scenario.Config)
	require.NotEqual(t, far.Config, s.Variants[0].Scenario.Config)
	require.Equal(t, good(t, plain).Config, s.Config, "the scenario itself is that of the file")
}

// TestSetPicksCase: --set of the axis leaves one case of it, and the settings of a point
// are that point.
func TestSetPicksCase(t *testing.T) {
	all := good(t, twoCases)
	for _, v := range all.Variants {
		s := good(t, twoCases, v.Settings...)
		require.Equal(t, v.Scenario.Config, s.Config)
		require.Equal(t, v.Scenario.Program.Properties, s.Program.Properties)
		require.Equal(t, v.Scenario.Values(), s.Values())
		require.Len(t, s.Variants, 1)
		require.Equal(t, v.Settings, s.Variants[0].Settings)
	}
	s := good(t, twoCases, Setting{"store", "far and slow"})
	require.Equal(t, all.Variants[2].Settings, s.Variants[0].Settings)
	require.Equal(t, all.Variants[3].Settings, s.Variants[1].Settings)
	require.Equal(t, []string{"params.clients=1"}, changesOf(all.Variants[2].Scenario.Smaller()))
	require.Equal(t, all.Variants[2].Scenario.Config.Network, all.Variants[2].Scenario.Smaller()[0].Config.Network)

	for set, want := range map[Setting]string{
		{"store", "far"}:         `--set store=far: store has no case "far"; want one of near, far and slow`,
		{"store", "nera"}:        `--set store=nera: store has no case "nera"; did you mean "near"?`,
		{"network.delay", "1ms"}: `--set network.delay=1ms: the case "far and slow" of store changes network.delay: want one that does not, as --set store=CASE, or only its own value`,
		{"costs", "{}"}:          `--set costs={}: the case "far and slow" of store changes costs.store: want one that does not, as --set store=CASE, or only its own value`,
	} {
		require.Equal(t, []string{want}, lines(twoCases, set))
	}
	require.Len(t, good(t, twoCases, Setting{"store", "near"}, Setting{"network.delay", "1ms"}).Variants, 2, "the case that is picked does not change it")
}

// TestRecordOfCase: a replay file holds the name of the case, and replays its changes.
func TestRecordOfCase(t *testing.T) {
	s := good(t, twoCases).Variants[2].Scenario
	f := failureOf(t, s)
	r, err := NewRecord(s, f, RecordOptions{})
	require.NoError(t, err)
	require.Equal(t, s.Sets, r.Settings)
	back, err := ReadRecord(strings.NewReader(string(written(t, r))))
	require.NoError(t, err)
	again, err := back.replay(fakeModels)
	require.NoError(t, err)
	require.True(t, again.Reproduced && again.Same)
}

// TestControlOfCases: the control is applied to each case.
func TestControlOfCases(t *testing.T) {
	s, err := loadText(twoCases+"control: {params.work: 2s}\n", Options{Control: true, Sets: []Setting{{"store", "near"}}})
	require.NoError(t, err)
	require.Equal(t, []Setting{{"store", "near"}, {"params.ttl", "1s"}, {"params.work", "2s"}}, s.Variants[0].Settings)
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
	checkProblems(t, map[string]string{
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
	require.Equal(t, []string{"3:7: 101 axes: want at most 100 (at vary)"}, lines(minimal+"vary: {"+strings.ReplaceAll(paths, "1s", "[1s]")+"}\n"))
	require.Equal(t, []string{"3:10: 101 changes: want at most 100 (at control)"}, lines(minimal+"control: {"+paths+"}\n"))
	// The hostile: each is refused, once, and soon.
	for _, text := range []string{
		"{" + strings.Repeat("x", 10_000) + ": {}}", `{"<b>|\n..": {}}`, "{a: {" + strings.Repeat("p.", 5000) + "q: 1}}",
		"{" + many(100) + "}, b: {" + strings.ReplaceAll(many(100), "store", "client-1") + "}, c: {" + strings.ReplaceAll(many(100), "store", "client-2") + "}, params.ttl: {from: 1s, to: 1000s, step: 1s}",
	} {
		found := lines(minimal + "vary: {a: " + text + "}\n")
		require.Len(t, found, 1, text[:10])
		require.Less(t, len(found[0]), 400)
	}
}

// TestManyOverlaps: of three axes that change one value, two are said to be too many.
func TestManyOverlaps(t *testing.T) {
	require.Equal(t, []string{
		`3:42: the axis "a" changes params.ttl as well (at 3:16): want one axis for it (at vary.b.d)`,
		`3:60: the axis "a" changes params.ttl as well (at 3:16): want one axis for it (at vary)`,
	}, lines(minimal+"vary: {a: {c: {params.ttl: 1s}}, b: {d: {params.ttl: 2s}}, params.ttl: [3s]}\n"))
	require.Equal(t, []string{
		`3:16: the case "c" changes params as well (at 3:32): want one change for it (at vary.a.c)`,
		`3:49: the case "d" changes params as well (at 3:65): want one change for it (at vary.a.d)`,
	}, lines(minimal+"vary: {a: {c: {params.ttl: 1s, params: {}}, d: {params.ttl: 2s, params: {}}}}\n"))
}

// TestCasesAtTheirLimits: what is just allowed, and what only looks wrong.
func TestCasesAtTheirLimits(t *testing.T) {
	var changes, cases []string
	for i := range 50 {
		changes = append(changes, fmt.Sprintf("network.links.%d: {delay: %dms}", i, i+1))
	}
	require.Len(t, good(t, minimal+"vary: {a: {b: {"+strings.Join(changes, ", ")+"}}}\n").Variants, 1)
	for i := range 100 {
		cases = append(cases, fmt.Sprintf("c%d: {clocks.store.offset: %ds}", i, i))
	}
	require.Len(t, good(t, minimal+"vary: {a: {"+strings.Join(cases, ", ")+"}}\n").Variants, 100)
	name := strings.Repeat("x", 100)
	require.Len(t, good(t, minimal+"vary: {"+name+": {"+name+": {}}}\n").Variants, 1)

	s := good(t, minimal+"vary: {a: {from: {}, to: {params.clients: 5}}}\n")
	require.Equal(t, [][]Setting{{{"a", "from"}}, {{"a", "to"}}}, [][]Setting{s.Variants[0].Settings, s.Variants[1].Settings}, "no range")
	require.Len(t, good(t, minimal+"vary: {a: {b: {params.ttl: 1s}, c: {params: {ttl: 2s}}}}\n").Variants, 2, "two cases may")
	require.Len(t, good(t, minimal+"params: {}\n", Setting{"params.ttl", "1s"}, Setting{"params", "{clients: 1}"}).Sets, 2, "settings are in order")

	const work = minimal + "vary: {a: {b: {params.work: {exp: 1s}}}}\n"
	require.Equal(t, []string{`--set params.work.exp=2s: the case "b" of a changes params.work: want one that does not, as --set a=CASE, or only its own value`},
		lines(work, Setting{"params.work.exp", "2s"}))
}

// TestNamesOfCases: a name may be any text on a line, and --set takes it as it is.
func TestNamesOfCases(t *testing.T) {
	for _, name := range []string{"<b>", "a|b", "..", "[x", "{y", "null", "~", "true", "5s", "a, b", "ä=ö", `"quoted"`, "100 %"} {
		text := minimal + "vary: {a: {'" + name + "': {params.ttl: 1s}, other: {}}}\n"
		s := good(t, text)
		require.Equal(t, []Setting{{"a", name}}, s.Variants[0].Settings)
		again := good(t, text, s.Variants[0].Settings...)
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
		text := minimal + "vary: {" + vary + "}\n"
		s, err := loadText(text, Options{})
		if err != nil {
			require.NotEmpty(t, linesOf(err), "%v", err)
			return
		}
		for _, v := range s.Variants[:min(len(s.Variants), 10)] {
			again, err := loadText(text, Options{Sets: v.Settings})
			require.NoError(t, err)
			assert.Equal(t, v.Scenario.Values(), again.Values())
			assert.True(t, slices.ContainsFunc(again.Variants, func(o Variant) bool { return slices.Equal(o.Settings, v.Settings) }))
		}
	})
}
