package broadcast

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// TestRunsAllocate: a world that has run once has the memory for the next runs, but for
// the pages of vectors in causal order.
func TestRunsAllocate(t *testing.T) {
	for _, order := range orders {
		p := busy(order, nil)
		broadcasts := simtest.Play(t, p.System, sim.Config{Until: at(10_000)}, simtest.Delay(ms)).Result.Steps / 5
		want := 0.0
		if order == "causal" {
			want = float64(broadcasts)/stampsPerPage + float64(p.Processes)
		}
		require.LessOrEqual(t, simtest.Allocs(t, p.System, sim.Config{Until: at(10_000)}, simtest.Delay(ms)), want, order)
	}
}

// BenchmarkRun is one run of ten processes that broadcast over and over.
func BenchmarkRun(b *testing.B) {
	for _, order := range orders {
		b.Run(order, func(b *testing.B) {
			p := busy(order, func(p *Params) { p.Processes = 10 })
			simtest.Benchmark(b, p.System, sim.Config{Until: at(10_000)}, simtest.Delay(ms))
		})
	}
}
