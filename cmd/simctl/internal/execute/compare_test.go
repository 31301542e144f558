package execute

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/reports"
	"fencepost/reports/layout"
	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// TestCompareInterrupted keeps what is done of a thousand million runs: the same as if
// so many had been wanted.
func TestCompareInterrupted(t *testing.T) {
	c := clocks(t)
	ctx, stop := context.WithCancel(t.Context())
	c.Runs = 1_000_000_000
	c.Progress = func(g Progress) {
		require.Equal(t, 2*c.Runs, g.Total)
		if g.Done >= 200 {
			stop()
		}
	}
	got, err := Compare(ctx, c, &reports.Compare{})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1_000_000_000, got.RunsWanted)
	var text bytes.Buffer
	require.NoError(t, got.WriteText(&text, layout.Style{}))
	require.Contains(t, text.String(), "of 1,000,000,000 runs\n")

	c.Runs, c.Progress, got.RunsWanted = got.Runs, nil, 0
	want, err := Compare(t.Context(), c, &reports.Compare{})
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// clocks compares a vector with a Lamport clock.
func clocks(t *testing.T) *Comparison {
	c := &Comparison{Seed: 1, Runs: 3, Command: func(int, uint64) string { return "again" }}
	for _, clock := range []string{"vector", "lamport"} {
		s, err := scenarios.Load("clock/compare", format.Options{Sets: []result.Setting{{Path: "params.clock", Value: clock}}})
		require.NoError(t, err)
		for _, v := range s.Variants {
			if v.Settings[0].Value == clock {
				c.Candidates = append(c.Candidates, Candidate{Name: clock, Scenario: v.Scenario})
			}
		}
	}
	return c
}

// TestCompareTells says of the first violation how it came about.
func TestCompareTells(t *testing.T) {
	r, err := Compare(t.Context(), clocks(t), &reports.Compare{})
	require.NoError(t, err)
	require.Equal(t, "vector", r.Candidates[0].Name, "the best is first")
	require.Equal(t, "again", r.Candidates[1].Reproduce)
	require.Equal(t, []string{"params.clock"}, r.Apart)
	for _, p := range r.Candidates[1].Properties {
		if p.First != nil {
			require.NotEmpty(t, p.First.Why)
		}
	}
}

func TestShared(t *testing.T) {
	all, some := Shared([]sim.Program{
		{Properties: []string{"a", "b"}, Measures: []sim.Measure{{Name: "m"}, {Name: "n"}, {Name: "c"}}},
		{Properties: []string{"b", "c"}, Measures: []sim.Measure{{Name: "m"}, {Name: "n", Total: true}}},
	})
	require.Equal(t, []string{"b", "m"}, all)
	require.Equal(t, []string{"a", "n", "c"}, some, "n is something else in the other, and c a property")
}
