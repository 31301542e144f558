package ntp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

var selections = []string{"latest", "least-delay", "marzullo"}

// BenchmarkRun is an hour of two clients and four servers in a storm.
func BenchmarkRun(b *testing.B) {
	for _, selection := range selections {
		b.Run(selection, func(b *testing.B) {
			p := busy(func(p *Params) { p.Select = selection })
			simtest.Benchmark(b, p.System, sim.Config{}, storm)
		})
	}
}

// TestRunsAllocateNothing runs each selection until its memory is as large as it gets.
func TestRunsAllocateNothing(t *testing.T) {
	for _, selection := range selections {
		p := busy(func(p *Params) { p.Select = selection })
		require.Zero(t, simtest.Allocs(t, p.System, sim.Config{}, storm), selection)
	}
}
