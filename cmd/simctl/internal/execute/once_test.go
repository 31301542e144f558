package execute

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// counted is a world that counts its runs.
type counted struct {
	sim.Runner
	runs *int
}

func (w counted) Run(seed uint64) *sim.Result { *w.runs++; return w.Runner.Run(seed) }

// TestASingleRunIsRunOnce, for its result and its log; the first violations of more runs are run again.
func TestASingleRunIsRunOnce(t *testing.T) {
	for runs, want := range map[int]int{1: 1, 3: 4} {
		s, err := scenarios.Load("redlock/gc-pause", format.Options{})
		require.NoError(t, err)
		s.Runs, s.Plots = runs, nil // a plot over time is of a run of its own
		n, build := 0, s.Program.NewWorld
		s.Program.NewWorld = func(c sim.Config) (sim.Runner, error) {
			w, err := build(c)
			return counted{w, &n}, err
		}
		r, err := Run(t.Context(), &Plan{Scenario: s, Jobs: 1})
		require.NoError(t, err)
		require.Equal(t, want, n)
		require.NotEmpty(t, r.Logs[0].Moments)
		require.NotEmpty(t, property(t, r, "mutual-exclusion").First.Why)
	}
}
