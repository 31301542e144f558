package broadcast

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// TestRunsAllocate: a world that has run once has the memory for the next runs, but for
// the pages of vectors in causal order.
func TestRunsAllocate(t *testing.T) {
	for _, order := range orders {
		p := busy(order, nil)
		w, err := sim.NewWorld(p.System(), sim.Config{Until: at(10_000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(ms)}}})
		require.NoError(t, err)
		broadcasts := w.Run(1).Steps / 5
		want := 0.0
		if order == "causal" {
			want = float64(broadcasts)/stampsPerPage + float64(p.Processes)
		}
		require.LessOrEqual(t, testing.AllocsPerRun(5, func() { w.Run(1) }), want, order)
	}
}

// BenchmarkRun is one run of ten processes that broadcast over and over.
func BenchmarkRun(b *testing.B) {
	for _, order := range orders {
		b.Run(order, func(b *testing.B) {
			p := busy(order, func(p *Params) { p.Processes = 10 })
			w, err := sim.NewWorld(p.System(), sim.Config{Until: at(10_000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(ms)}}})
			require.NoError(b, err)
			w.Run(1)
			b.ReportAllocs()
			steps := uint64(0)
			for seed := uint64(0); b.Loop(); seed++ {
				steps += w.Run(seed % 16).Steps
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
		})
	}
}
