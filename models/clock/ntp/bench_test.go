package ntp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

var everySelection = []string{"latest", "least-delay", "marzullo"}

// BenchmarkRun is an hour of two clients and four servers in a storm.
func BenchmarkRun(b *testing.B) {
	for _, selection := range everySelection {
		b.Run(selection, func(b *testing.B) {
			p := busy(func(p *Params) { p.Select = selection })
			simtest.Benchmark(b, p.System, sim.Config{}, storm)
		})
	}
}

// TestRunsAllocateNothing runs each selection until its memory is as large as it gets. Only
// the words for the first violation of a property are made anew.
func TestRunsAllocateNothing(t *testing.T) {
	for _, selection := range everySelection {
		p := busy(func(p *Params) { p.Select = selection })
		allowed := map[string]float64{"latest": 10, "least-delay": 10}[selection] // two properties, five words each
		require.LessOrEqual(t, simtest.Allocs(t, p.System, sim.Config{}, storm), allowed, selection)
	}
}
