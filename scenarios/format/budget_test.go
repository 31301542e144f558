package format_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
	"fencepost/sim/explore"
)

func TestBudget(t *testing.T) {
	const s = time.Second
	exp := sim.Exponential(5 * s)
	stops, err := sim.Empirical([]time.Duration{100 * ms, 200 * ms, 300 * ms})
	require.NoError(t, err)
	log, err := sim.LogNormal(ms, 20*ms)
	require.NoError(t, err)
	for text, want := range map[string]explore.Budget{
		"pauses: 2": {Pauses: 2},
		"pauses: 0, suspends: 1, crashes: 2, clock-steps: 3, slews: 4, cuts: 8, late: 5, lost: 6, duplicated: 7": {
			Suspends: 1, Crashes: 2, ClockSteps: 3, Slews: 4, Cuts: 8, Late: 5, Lost: 6, Duplicated: 7},
		"loss: 1%":                              {Loss: 10_000_000},
		"pauses: 1, pause-for: 15s":             {Pauses: 1, PauseFor: explore.Lengths{List: []time.Duration{15 * s}}},
		"suspends: 1, pause-for: [15s, 1s]":     {Suspends: 1, PauseFor: explore.Lengths{List: []time.Duration{s, 15 * s}}},
		"pauses: 1, pause-for: {exp: 5s}":       {Pauses: 1, PauseFor: explore.Lengths{Dist: &exp}},
		"pauses: 1, pause-for: {gclog: gc.log}": {Pauses: 1, PauseFor: explore.Lengths{Dist: &stops}},
		"crashes: 1, down-for: [1s, 1ms]":       {Crashes: 1, DownFor: explore.Lengths{List: []time.Duration{ms, s}}},
		"cuts: 1, cut-for: 1s":                  {Cuts: 1, CutFor: explore.Lengths{List: []time.Duration{s}}},
		"cuts: 1, cut-for: forever":             {Cuts: 1, CutForever: true},
		"cuts: 1, cut-for: [1s, forever]":       {Cuts: 1, CutForever: true, CutFor: explore.Lengths{List: []time.Duration{s}}},
		"pauses: 1, pause-nodes: client-1, clock-steps: 1, step-nodes: [redis-1, store], nodes: client-2": {
			Pauses: 1, ClockSteps: 1, PauseNodes: []sim.NodeID{1}, StepNodes: []sim.NodeID{3, 5}, Nodes: []sim.NodeID{2}},
		"crashes: 1, crash-nodes: client-1, slews: 1, slew-nodes: client-2, cuts: 1, cut-nodes: redis-1, lost: 1, message-nodes: store": {
			Crashes: 1, Slews: 1, Cuts: 1, Lost: 1, CrashNodes: []sim.NodeID{1}, SlewNodes: []sim.NodeID{2}, CutNodes: []sim.NodeID{3}, MessageNodes: []sim.NodeID{5}},
		"duplicated: 1, late-by: 1s":                              {Duplicated: 1, LateBy: explore.Lengths{List: []time.Duration{s}}},
		"clock-steps: 1, step-by: [10s, -10s]":                    {ClockSteps: 1, StepBy: []time.Duration{10 * s, -10 * s}},
		"clock-steps: 1, step-by: -3s":                            {ClockSteps: 1, StepBy: []time.Duration{-3 * s}},
		"slews: 1, slew-to: [200ppm, -200ppm]":                    {Slews: 1, SlewTo: []sim.PPB{200_000, -200_000}},
		"lost: 1, nodes: [client-2, redis-*]":                     {Lost: 1, Nodes: []sim.NodeID{2, 3, 4}},
		"pauses: 1, nodes: [store, client-1]":                     {Pauses: 1, Nodes: []sim.NodeID{1, 5}},
		"late: 1, late-by: {lognormal: {median: 1ms, p99: 20ms}}": {Late: 1, LateBy: explore.Lengths{Dist: &log}},
	} {
		loaded := fake.Good(t, fake.Minimal+"budget: {"+text+"}\n")
		require.Equal(t, &want, loaded.Budget, text)
		require.NoError(t, loaded.Budget.Check())

		if strings.Contains(text, "gclog") {
			t.Chdir(t.TempDir())
			fake.WriteFile(t, ".", "gc.log", fake.GCLog)
		}
		got, err := format.ParseBudget(asFlag(text), &loaded.Program, loaded.Config.Until)
		require.NoError(t, err, asFlag(text))
		require.Equal(t, want, got, asFlag(text))
	}
	require.Nil(t, fake.Good(t, fake.Minimal).Budget)
	s2, err := fake.LoadText(fake.Minimal+"budget: {pauses: 1}\nfaults: [{crash: store, at: 1s}]\nvary: {budget.pauses: [2, 3]}\n", format.Options{NoFaults: true})
	require.NoError(t, err)
	require.Equal(t, 1, s2.Budget.Pauses, "the faults are dropped, the budget is not")
	require.Equal(t, 3, s2.Variants[1].Scenario.Budget.Pauses)
}

// asFlag is the text of a budget as the flag has it.
func asFlag(text string) string {
	var parts []string
	for _, part := range format.SplitOutside(text, ',') {
		key, value, _ := strings.Cut(strings.TrimSpace(part), ": ")
		if list, ok := strings.CutPrefix(value, "["); ok {
			value = strings.ReplaceAll(strings.TrimSuffix(list, "]"), ", ", "|")
		}
		parts = append(parts, key+"="+value)
	}
	return strings.Join(parts, ", ")
}

func TestBudgetProblems(t *testing.T) {
	for text, want := range map[string]string{
		"{pauss: 1}":                                 `3:10: unknown key "pauss"; did you mean "pauses"? (at budget)`,
		"{pauses: -1}":                               `3:18: pauses is -1: want 0 to 64 (at budget.pauses)`,
		"{crashes: 65}":                              `3:19: crashes is 65: want 0 to 64 (at budget.crashes)`,
		"{late: 1.5}":                                `3:16: "1.5" is not an integer: want digits such as 3 (at budget.late)`,
		"{pauses: 60, late: 5}":                      `3:28: with this there are 65 faults in all: want at most 64 (at budget.late)`,
		"{loss: 2}":                                  `3:16: "2" is too large for a proportion: want at most 100% (at budget.loss)`,
		"{}":                                         `3:9: the budget allows nothing: want one count above 0, such as that of pauses (at budget)`,
		"{pauses: 0, loss: 0%}":                      `3:9: the budget allows nothing: want one count above 0, such as that of pauses (at budget)`,
		"{pause-for: 1s}":                            `3:10: pause-for without pauses or suspends: want a count above 0 there, or this left out (at budget)`,
		"{pauses: 1, down-for: 1s}":                  `3:21: down-for without crashes: want a count above 0 there, or this left out (at budget)`,
		"{pauses: 1, cut-for: 1s}":                   `3:21: cut-for without cuts: want a count above 0 there, or this left out (at budget)`,
		"{lost: 1, late-by: 1s}":                     `3:19: late-by without late or duplicated: want a count above 0 there, or this left out (at budget)`,
		"{pauses: 1, step-by: 1s}":                   `3:21: step-by without clock-steps: want a count above 0 there, or this left out (at budget)`,
		"{pauses: 1, slew-to: 1ppm}":                 `3:21: slew-to without slews: want a count above 0 there, or this left out (at budget)`,
		"{nodes: store}":                             `3:10: nodes without any fault: want one count above 0, such as that of pauses (at budget)`,
		"{pauses: 1, pause-for: 0s}":                 `3:32: a length of 0 has no effect: want one above 0 (at budget.pause-for)`,
		"{pauses: 1, pause-for: [1s, 0s]}":           `3:37: a length of 0 has no effect: want one above 0 (at budget.pause-for.1)`,
		"{pauses: 1, pause-for: -1s}":                `3:32: "-1s" has a sign: want a duration of 0 or more (at budget.pause-for)`,
		"{pauses: 1, pause-for: 5}":                  `3:32: "5" is not a duration: want a unit, as in 5ms or 5s (at budget.pause-for)`,
		"{pauses: 1, pause-for: []}":                 `3:32: a list of no values: want at least one (at budget.pause-for)`,
		"{pauses: 1, pause-for: [1s, 1000ms]}":       `3:37: 1000ms is in the list already (at budget.pause-for.1)`,
		"{pauses: 1, pause-for: {exq: 1s}}":          `3:33: unknown key "exq"; did you mean "exp"? (at budget.pause-for)`,
		"{pauses: 1, pause-for: {exp: 0s}}":          `3:32: pause-for is always 0: want lengths above 0 (at budget.pause-for)`,
		"{pauses: 1, pause-for: {gclog: nope}}":      `3:40: there is no file fake/nope (at budget.pause-for.gclog)`,
		"{clock-steps: 1, step-by: [1s, 0s]}":        `3:40: a step of 0 moves nothing (at budget.step-by.1)`,
		"{clock-steps: 1, step-by: []}":              `3:35: a list of no values: want at least one (at budget.step-by)`,
		"{slews: 1, slew-to: [5ppm, 0ppm]}":          `3:36: a rate error of 0 is no slew (at budget.slew-to.1)`,
		"{slews: 1, slew-to: 60%}":                   `3:29: a clock error of +600000ppm is out of range: want -500000ppm to +500000ppm (at budget.slew-to)`,
		"{pauses: 1, nodes: clinet-1}":               `3:28: there is no node "clinet-1"; did you mean "client-1"? (at budget.nodes)`,
		"{pauses: 1, pause-nodes: clinet-1}":         `3:34: there is no node "clinet-1"; did you mean "client-1"? (at budget.pause-nodes)`,
		"{pauses: 1, crash-nodes: client-1}":         `3:21: crash-nodes without crashes: want a count above 0 there, or this left out (at budget)`,
		"{cuts: 1, cut-for: [forever, forever]}":     `3:28: forever is in the list already (at budget.cut-for)`,
		"{pauses: 1, pause-for: forever}":            `3:32: "forever" is not a duration: want a number with a unit such as 250ms or 3s (at budget.pause-for)`,
		"{pauses: 1, nodes: []}":                     `3:28: a list of no nodes: want at least one (at budget.nodes)`,
		"{pauses: 1, nodes: [store, store]}":         `3:36: store is in the list already (at budget.nodes.1)`,
		"{pauses: 1, pause-for: [" + many(65) + "]}": `3:417: pause-for has 65 values: want at most 64 (at budget.pause-for.64)`,
		"3":  `3:9: "3" is not a mapping: want keys such as pauses, suspends, crashes (at budget)`,
		"[]": `3:9: a list is not a mapping: want keys such as pauses, suspends, crashes (at budget)`,
		"":   `3:8: no value is given: want one, or leave the entry out (at budget)`,
	} {
		assert.Equal(t, []string{want}, fake.Lines(fake.Minimal+"budget: "+text+"\n"), text)
	}
	require.Len(t, fake.Lines(fake.Minimal+"budget: {pauss: 1, crashes: -1, late-by: 0s, nodes: [x]}\n"), 4, "all at once")
	require.Equal(t, []string{`3:40: fake/gc.log has a stop of 300ms, and the run ends at 300ms, before its damage shows: ` +
		`want until above that stop and the leases that it outlasts (at budget.pause-for.gclog)`},
		fake.Lines("model: fake\nuntil: 300ms\nbudget: {pauses: 1, pause-for: {gclog: gc.log}}\n"))
}

// many is a list of so many lengths.
func many(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("%dms", 100+i))
	}
	return strings.Join(list, ",")
}

func TestParseBudgetProblems(t *testing.T) {
	p := fake.Models[0].New().Program()
	for text, want := range map[string]string{
		"":                            `--budget: the budget is empty: want a fault of at least one kind, as in pauses=1`,
		" ":                           `--budget: the budget is empty: want a fault of at least one kind, as in pauses=1`,
		"pauss=1":                     `--budget pauss=1: unknown key "pauss"; did you mean "pauses"?`,
		"pauses":                      `--budget pauses: no value is given: want KEY=VALUE, such as pauses=1`,
		"pauses=1,pause-for=":         `--budget pause-for=: no value is given: want KEY=VALUE, such as pause-for=15s`,
		"pauses: 1":                   `--budget pauses: 1: unknown key "pauses: 1"; did you mean "pauses"?`,
		"none,lost=1":                 "--budget none: none is the whole budget: want it alone, or no none",
		"pauses=1,pauses=2":           `--budget pauses=2: "pauses" is given twice`,
		"pauses=1,":                   `--budget: a part between two commas is empty: want KEY=VALUE, such as pauses=1`,
		"pauses=x":                    `--budget pauses=x: "x" is not an integer: want digits such as 3`,
		"pauses=65":                   `--budget pauses=65: pauses is 65: want 0 to 64`,
		"pauses=0":                    `--budget: the budget allows nothing: want one count above 0, such as that of pauses`,
		"pauses=1,down-for=1s":        `--budget down-for=1s: down-for without crashes: want a count above 0 there, or this left out`,
		"pauses=1,pause-for=1s|0s":    `--budget pause-for=1s|0s: a length of 0 has no effect: want one above 0`,
		"pauses=1,pause-for=1s|":      `--budget pause-for=1s|: "" is not a duration: want a number with a unit such as 250ms or 3s`,
		"pauses=1,pause-for={exp: 1s": `--budget pause-for={exp: 1s: not valid YAML: a "{" is not closed, or a "," is missing`,
		"pauses=1,pause-for={exp:1s}": `--budget pause-for={exp:1s}: unknown key "exp:1s"; want one of exp, uniform, lognormal, pareto, mix, csv, gclog`,
		"pauses=1,nodes=clinet-1":     `--budget nodes=clinet-1: there is no node "clinet-1"; did you mean "client-1"?`,
		"pauses=1,nodes=store|store":  `--budget nodes=store|store: store is in the list already`,
		"late=1,late-by={csv: no}":    `--budget late-by={csv: no}: there is no file no`,
		"slews=1,slew-to=5":           `--budget slew-to=5: "5" is not a clock error: want 100ppm, 500ppb or 0.01%, with - for a slow clock`,
		strings.Repeat("x", 1<<17):    `--budget: the budget is too long: want at most 64 KiB`,
	} {
		_, err := format.ParseBudget(text, &p, sim.Time(time.Minute))
		assert.EqualError(t, err, want, strict.Excerpt(text))
	}
	_, err := format.ParseBudget("pauss=1,crashes=x,late=-1", &p, sim.Time(time.Minute))
	require.Len(t, err.(*format.Invalid).Problems, 3, "all at once")
}

// FuzzParseBudget: whatever a flag says, it is read or refused in printable words; what
// is read can be searched with, and says the same as a file.
func FuzzParseBudget(f *testing.F) {
	for _, text := range []string{
		"pauses=2,pause-for=15s|1s,crashes=1,late=1,late-by={exp: 5s}", "loss=1%", "clock-steps=1, step-by=-1s|1s",
		"slews=1,slew-to=5ppm,nodes=redis-*|store", "pauses=1,pause-nodes=client-1,clock-steps=1,step-nodes=redis-1", "cuts=1,cut-for=1s|forever,cut-nodes=store", "lost=1,message-nodes=client-*|x", "pauses=[1,2]", "pauses={,}|\"", "late=1,late-by={lognormal: {median: 1ms, p99: 2s}}", "a=b,,=",
	} {
		f.Add(text)
	}
	p := fake.Models[0].New().Program()
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "gclog") || strings.Contains(text, "csv") {
			return // it names a file of this machine
		}
		b, err := format.ParseBudget(text, &p, sim.Time(time.Minute))
		if err == nil {
			require.False(t, b.IsZero())
			require.NoError(t, b.Check())
			return
		}
		e, ok := err.(*format.Invalid)
		require.True(t, ok && len(e.Problems) > 0 && utf8.ValidString(e.Error()), "%v", err)
	})
}
