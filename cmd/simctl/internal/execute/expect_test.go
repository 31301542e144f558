package execute

import (
	"cmp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/reports"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/stats"
)

var fakeProgram = sim.Program{
	Nodes:      []string{"client-1", "client-2", "redis-1"},
	Properties: []string{"mutual-exclusion", "no-lost-update"},
	Measures: []sim.Measure{
		{Name: "lost-updates", Total: true},
		{Name: "wait", Unit: sim.Duration},
		{Name: "messages-per-acquire", Per: "acquired"},
		{Name: "acquired", Total: true},
	},
}

var (
	holds   = sim.Finding{Verdict: sim.Holds}
	unknown = sim.Finding{}
)

func violated(at time.Duration, nodes ...sim.NodeID) sim.Finding {
	f := sim.Finding{Verdict: sim.Violated, Violations: 1, First: sim.Time(at)}
	copy(f.Nodes[:], nodes)
	return f
}

// tally is of runs in which mutual exclusion was found so, and no other property
// saw anything.
func tally(faults int, found ...sim.Finding) *stats.Tally {
	t := stats.NewTally(&fakeProgram, faults)
	for i, f := range found {
		r := &sim.Result{Seed: uint64(i), Properties: []sim.Finding{f, unknown}}
		for range faults {
			r.Faults = append(r.Faults, sim.Injection{First: sim.Never})
		}
		t.Add(r)
	}
	return t
}

func repeat(f sim.Finding, n int, g sim.Finding, m int) (all []sim.Finding) {
	for range n {
		all = append(all, f)
	}
	for range m {
		all = append(all, g)
	}
	return all
}

func to[T any](v T) *T { return &v }

func TestEvaluateProperty(t *testing.T) {
	want := func(v sim.Verdict) format.Expectation {
		return format.Expectation{Property: "mutual-exclusion", Verdict: v}
	}
	at := want(sim.Violated)
	at.At = to(sim.Time(10 * time.Second))
	nodes := want(sim.Violated)
	nodes.Nodes = []string{"client-1", "client-2"}
	share := format.Expectation{Property: "mutual-exclusion", Low: to(sim.Chance(100_000_000)), High: to(sim.Chance(300_000_000))}
	bad := violated(10*time.Second, 2, 1)

	for name, c := range map[string]struct {
		expect    format.Expectation
		found     []sim.Finding
		met       bool
		want, got string
	}{
		"holds":                     {want(sim.Holds), repeat(holds, 1, holds, 0), true, "holds", "holds"},
		"holds in many":             {want(sim.Holds), repeat(holds, 900, unknown, 100), true, "holds", "holds in 900 runs"},
		"does not hold":             {want(sim.Holds), repeat(bad, 1, holds, 0), false, "holds", "violated at 10.000s (client-2, client-1)"},
		"does not hold in one":      {want(sim.Holds), repeat(holds, 9, bad, 1), false, "holds", "violated in 1 of 10 runs"},
		"vacuous":                   {want(sim.Holds), repeat(unknown, 1, holds, 0), false, "holds", "not exercised"},
		"violated":                  {want(sim.Violated), repeat(bad, 1, holds, 9), true, "violated", "violated in 1 of 10 runs"},
		"not violated":              {want(sim.Violated), repeat(holds, 1, holds, 0), false, "violated", "holds"},
		"not violated, vacuous":     {want(sim.Violated), repeat(unknown, 1, holds, 0), false, "violated", "not exercised"},
		"at the instant":            {at, repeat(bad, 1, holds, 0), true, "violated at 10.000s", "violated at 10.000s (client-2, client-1)"},
		"at another instant":        {at, repeat(violated(11*time.Second), 1, holds, 0), false, "violated at 10.000s", "violated at 11.000s"},
		"at an instant, not at all": {at, repeat(holds, 1, holds, 0), false, "violated at 10.000s", "holds"},
		"these nodes":               {nodes, repeat(bad, 1, holds, 0), true, "violated (client-1, client-2)", "violated at 10.000s (client-2, client-1)"},
		"other nodes":               {nodes, repeat(violated(1, 1, 3), 1, holds, 0), false, "violated (client-1, client-2)", "violated at 0.000000001s (client-1, redis-1)"},
		"unknown":                   {want(sim.NotExercised), repeat(unknown, 1, holds, 0), true, "not exercised", "not exercised"},
		"not unknown":               {want(sim.NotExercised), repeat(holds, 1, holds, 0), false, "not exercised", "holds"},
		"share":                     {share, repeat(bad, 20, holds, 80), true, "violated in 10% to 30% of the runs", "in 20 of 100 runs, 20%"},
		"share at the edge":         {share, repeat(bad, 3, holds, 7), true, "violated in 10% to 30% of the runs", "in 3 of 10 runs, 30%"},
		"share too high":            {share, repeat(bad, 31, holds, 69), false, "violated in 10% to 30% of the runs", "in 31 of 100 runs, 31%"},
		"share too low":             {share, repeat(bad, 0, holds, 69), false, "violated in 10% to 30% of the runs", "in 0 of 69 runs, 0%"},
		"share of those checked":    {share, repeat(bad, 1, holds, 4), true, "violated in 10% to 30% of the runs", "in 1 of 5 runs, 20%"},
		"share, vacuous":            {share, repeat(unknown, 5, holds, 0), false, "violated in 10% to 30% of the runs", "not exercised"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &format.Scenario{Program: fakeProgram, Expect: []format.Expectation{c.expect}}
			got := Evaluate(s, tally(0, c.found...))
			require.Len(t, got, 1)
			require.Equal(t, []any{"mutual-exclusion", c.want, c.got, c.met, false}, []any{got[0].Name, got[0].Want, got[0].Got, got[0].Met, got[0].Implied})
			kind := cmp.Or(map[bool]string{true: reports.Violated}[c.expect.High != nil], c.expect.Verdict.String())
			require.Equal(t, kind, got[0].Kind)
		})
	}
}

func TestEvaluateMeasure(t *testing.T) {
	const lost, wait, ratio, acquired = 0, 1, 2, 3
	runs := func(runs ...[]sim.Sample) *stats.Tally {
		t := stats.NewTally(&fakeProgram, 0)
		for _, samples := range runs {
			t.Add(&sim.Result{Properties: []sim.Finding{holds, holds}, Samples: samples})
		}
		return t
	}
	rec := func(measure int, value int64) sim.Sample { return sim.Sample{Measure: measure, Value: value} }
	exactly := func(v int64) format.Bound { return format.Bound{Least: &v, Most: &v} }
	for name, c := range map[string]struct {
		measure   string
		bound     format.Bound
		tally     *stats.Tally
		met       bool
		want, got string
	}{
		"total":              {"lost-updates", exactly(1), runs([]sim.Sample{rec(lost, 1)}), true, "1", "1"},
		"total of none":      {"lost-updates", exactly(0), runs(nil), true, "0", "0"},
		"total not met":      {"lost-updates", exactly(1), runs(nil), false, "1", "0"},
		"total of every run": {"lost-updates", exactly(1), runs([]sim.Sample{rec(lost, 1)}, []sim.Sample{rec(lost, 1), rec(lost, 2)}), false, "1", "1 to 3"},
		"at most":            {"lost-updates", format.Bound{Most: to(int64(3))}, runs(nil, []sim.Sample{rec(lost, 3)}), true, "at most 3", "0 to 3"},
		"values":             {"wait", format.Bound{Least: to(int64(5e6)), Most: to(int64(60e9))}, runs([]sim.Sample{rec(wait, 5e6), rec(wait, 60e9)}), true, "5ms to 60s", "5ms to 60s"},
		"a value too low":    {"wait", format.Bound{Least: to(int64(5e6))}, runs([]sim.Sample{rec(wait, 5e6-1), rec(wait, 6e6)}), false, "at least 5ms", "0.004999999s to 6ms"},
		"no value":           {"wait", format.Bound{Least: to(int64(0))}, runs(nil), false, "at least 0s", "nothing was recorded"},
		"ratio":              {"messages-per-acquire", format.Bound{Least: to(int64(3)), Most: to(int64(4))}, runs([]sim.Sample{rec(ratio, 4), rec(acquired, 1)}, []sim.Sample{rec(ratio, 6), rec(acquired, 2)}), true, "3 to 4", "3.333"},
		"ratio just above":   {"messages-per-acquire", exactly(3), runs([]sim.Sample{rec(ratio, 3_000_000_001), rec(acquired, 1_000_000_000)}), false, "3", "3"},
		"ratio to nothing":   {"messages-per-acquire", format.Bound{Least: to(int64(0))}, runs([]sim.Sample{rec(ratio, 4)}), false, "at least 0", "nothing to divide by: no acquired"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &format.Scenario{Program: fakeProgram, Expect: []format.Expectation{
				{Property: "mutual-exclusion", Verdict: sim.Holds}, {Measure: c.measure, Want: c.bound}}}
			got := Evaluate(s, c.tally)
			require.Len(t, got, 2)
			require.Equal(t, reports.Expectation{Name: c.measure, Kind: reports.Measured, Want: c.want, Got: c.got, Met: c.met}, got[1])
		})
	}
}

func TestEvaluateImplied(t *testing.T) {
	scripted := sim.Fault{Name: "pause client-1", When: sim.When{Note: 1}}
	drawn := sim.Fault{Name: "crash", When: sim.When{Every: sim.Exponential(time.Second)}}
	s := &format.Scenario{Program: fakeProgram, Config: sim.Config{Faults: []sim.Fault{scripted, drawn}}}

	require.Equal(t, []reports.Expectation{
		{Name: "mutual-exclusion", Kind: reports.Holds, Want: "holds", Got: "violated in 1 of 2 runs", Implied: true},
		{Name: "pause client-1", Kind: reports.Holds, Want: "injected", Got: "never injected", Implied: true},
	}, Evaluate(s, tally(2, holds, violated(1))))

	once := tally(2, holds)
	once.Add(&sim.Result{Properties: []sim.Finding{holds, holds}, Faults: []sim.Injection{{Count: 1}, {First: sim.Never}}})
	require.Empty(t, Evaluate(s, once), "one run is enough")

	s.Config.Faults = nil
	require.Equal(t, []reports.Expectation{{Name: "some-property", Kind: reports.Holds, Want: "exercised", Got: "no property was exercised", Implied: true}}, Evaluate(s, tally(0, unknown)))

	s.Expect = []format.Expectation{{Property: "mutual-exclusion", Verdict: sim.Holds}}
	broken := tally(0)
	broken.Add(&sim.Result{Properties: []sim.Finding{holds, holds}, Panic: &sim.Panic{At: 1e9, Name: "redis-1", Value: "what?"}})
	require.Equal(t, []reports.Expectation{
		{Name: "mutual-exclusion", Kind: reports.Holds, Want: "holds", Got: "not exercised: no run reached its end"},
		{Name: "no-panic", Kind: reports.Holds, Want: "no panic", Got: "redis-1 panicked at 1.000s: what?", Implied: true},
	}, Evaluate(s, broken))
}
