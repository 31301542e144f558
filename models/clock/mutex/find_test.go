package mutex

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/explore"
)

// Every schedule of one message that is late, lost or doubled, or of one pause, in a run
// of two processes that enter twice: which of them let two in, and which cannot.
func TestEverySchedule(t *testing.T) {
	lengths := explore.Lengths{List: list(7, 60, 130)}
	for _, v := range []struct {
		name   string
		budget explore.Budget
		all    [2]int // schedules, of lamport and of ricart-agrawala; 0: one lets two in
	}{
		{"late", explore.Budget{Late: 1, LateBy: lengths}, [2]int{0, 25}},
		{"two late", explore.Budget{Late: 2, LateBy: lengths}, [2]int{0, 247}},
		{"lost", explore.Budget{Lost: 1}, [2]int{0, 9}},
		{"two lost", explore.Budget{Lost: 2}, [2]int{0, 15}},
		{"twice", explore.Budget{Duplicated: 1, LateBy: lengths}, [2]int{0, 0}},
		{"paused", explore.Budget{Pauses: 2, PauseFor: lengths}, [2]int{6_688, 5_023}},
	} {
		for i, algorithm := range both {
			t.Run(v.name+" "+algorithm, func(t *testing.T) {
				p := params(algorithm, func(p *Params) { p.Processes, p.Rounds, p.Work, p.Start = 2, []int{2}, dists(50), list(0, 20) })
				s := explore.Search{Program: sim.NewProgram(p.System), Budget: v.budget, Mode: explore.Exhaustive, Seed: 1, Runs: 1_000_000,
					Config: sim.Config{Until: at(1000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(5 * ms)}}}}
				s.Targets = []int{slices.Index(s.Program.Properties, "mutual-exclusion")}
				r, err := explore.Find(context.Background(), s)
				require.NoError(t, err)
				if v.all[i] == 0 {
					require.NotNil(t, r.Found)
					return
				}
				require.Nil(t, r.Found)
				require.True(t, r.Exhausted)
				assert.Equal(t, v.all[i], r.Runs)
			})
		}
	}
}
