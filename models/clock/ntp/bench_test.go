package ntp

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// BenchmarkRun is an hour of two clients and four servers in a storm.
func BenchmarkRun(b *testing.B) {
	for _, selection := range []string{"latest", "least-delay", "marzullo"} {
		b.Run(selection, func(b *testing.B) {
			p := busy(func(p *Params) { p.Select = selection })
			program := sim.NewProgram(p.System)
			var c sim.Config
			storm(&c, &program)
			w, err := program.NewWorld(c)
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

// TestRunsAllocateNothing runs each selection until its memory is as large as it gets.
func TestRunsAllocateNothing(t *testing.T) {
	for _, selection := range []string{"latest", "least-delay", "marzullo"} {
		p := busy(func(p *Params) { p.Select = selection })
		program := sim.NewProgram(p.System)
		var c sim.Config
		storm(&c, &program)
		w, err := program.NewWorld(c)
		require.NoError(t, err)
		w.Run(1)
		require.Zero(t, testing.AllocsPerRun(3, func() { w.Run(1) }), selection)
	}
}
