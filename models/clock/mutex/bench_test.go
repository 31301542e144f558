package mutex

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// TestRunsAllocateNothing: a world that has run once has the memory for the next runs.
func TestRunsAllocateNothing(t *testing.T) {
	for _, algorithm := range both {
		p := busy(algorithm, nil)
		w, err := sim.NewWorld(p.System(), sim.Config{Until: at(5000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(ms)}}})
		require.NoError(t, err)
		w.Run(1)
		require.Zero(t, testing.AllocsPerRun(5, func() { w.Run(1) }), algorithm)
	}
}

// BenchmarkRun is one run of ten processes that ask over and over for ten seconds.
func BenchmarkRun(b *testing.B) {
	for _, algorithm := range both {
		b.Run(algorithm, func(b *testing.B) {
			p := busy(algorithm, func(p *Params) { p.Processes = 10 })
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
