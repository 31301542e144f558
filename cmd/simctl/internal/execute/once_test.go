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

// TestASingleRunIsRunOnce, for its result and its log; the first violations of more runs are run again, and the first run for a
// timeline, unless the report is plain.
func TestASingleRunIsRunOnce(t *testing.T) {
	for _, c := range []struct {
		runs  int
		plain bool
		want  int
	}{{1, true, 1}, {1, false, 2}, {3, true, 4}, {3, false, 5}} {
		s, err := scenarios.Load("redlock/gc-pause", format.Options{})
		require.NoError(t, err)
		s.Runs = c.runs
		n, build := 0, s.Program.NewWorld
		s.Program.NewWorld = func(c sim.Config) (sim.Runner, error) {
			w, err := build(c)
			return counted{w, &n}, err
		}
		r, err := Run(t.Context(), &Plan{Scenario: s, Plain: c.plain, Jobs: 1})
		require.NoError(t, err)
		require.Equal(t, c.want, n)
		require.Equal(t, c.plain, r.Timeline == nil)
		require.NotEmpty(t, r.Logs[0].Moments)
		require.NotEmpty(t, property(t, r, "mutual-exclusion").First.Why)
	}
}
