package shipped

import (
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/scenarios"
	"fencepost/scenarios/digest"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// TestGoldenDigests: the first runs of every scenario are those of scenarios/testdata/digests.txt.
func TestGoldenDigests(t *testing.T) {
	want, err := os.ReadFile("../../../../scenarios/testdata/digests.txt")
	require.NoError(t, err)
	var got strings.Builder
	for _, name := range scenarios.Names() {
		got.WriteString(outcomeOf(t, name).digests.line(t, name))
	}
	require.Equal(t, string(want), got.String(), "digests changed; if that is meant, run go test ./scenarios with UPDATE_GOLDEN=1 and say why")
}

// recorder keeps the first runs of each point of a scenario that is run for other tests.
type recorder struct {
	mu     sync.Mutex
	points [][]sim.Result // by point and run; those that are to come have no step
}

// recordRuns makes all worlds of a scenario record their runs.
func recordRuns(s *format.Scenario) *recorder {
	r := &recorder{}
	for i, p := range Points(s) {
		r.points = append(r.points, make([]sim.Result, min(p.Runs, digest.Runs)))
		build := p.Program.NewWorld
		p.Program.NewWorld = func(c sim.Config) (sim.Runner, error) {
			w, err := build(c)
			return recorded{w, func(seed uint64, result *sim.Result) { r.keep(i, seed-p.Seed, result) }}, err
		}
	}
	return r
}

// keep keeps a run of a point, unless it is kept already: what is made of a run later runs it again.
func (r *recorder) keep(point int, run uint64, result *sim.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if runs := r.points[point]; run < uint64(len(runs)) && runs[run].Steps == 0 {
		runs[run] = sim.Result{Digest: result.Digest, Steps: result.Steps, Panic: result.Panic}
	}
}

// line is the line of the runs in scenarios/testdata/digests.txt.
func (r *recorder) line(t *testing.T, name string) string {
	var sum digest.Sum
	for i, runs := range r.points {
		for j := range runs {
			require.NotZero(t, runs[j].Steps, "%s: run %d of point %d", name, j, i)
			require.Nil(t, runs[j].Panic, name)
			sum.Add(i, &runs[j])
		}
	}
	return sum.Line(name)
}

// recorded is a world that calls keep with each run.
type recorded struct {
	sim.Runner
	keep func(seed uint64, r *sim.Result)
}

// Run implements [sim.Runner].
func (w recorded) Run(seed uint64) *sim.Result {
	r := w.Runner.Run(seed)
	w.keep(seed, r)
	return r
}
