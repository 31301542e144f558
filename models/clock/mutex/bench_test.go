package mutex

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// TestRunsAllocateNothing: a world that has run once has the memory for the next runs.
func TestRunsAllocateNothing(t *testing.T) {
	for _, algorithm := range both {
		p := busy(algorithm, nil)
		require.Zero(t, simtest.Allocs(t, p.System, sim.Config{Until: at(5000)}, simtest.Delay(ms)), algorithm)
	}
}

// BenchmarkRun is one run of ten processes that ask over and over for ten seconds.
func BenchmarkRun(b *testing.B) {
	for _, algorithm := range both {
		b.Run(algorithm, func(b *testing.B) {
			p := busy(algorithm, func(p *Params) { p.Processes = 10 })
			simtest.Benchmark(b, p.System, sim.Config{Until: at(10_000)}, simtest.Delay(ms))
		})
	}
}
