package simtest

import (
	"testing"

	"fencepost/sim"
)

// benchSeeds is how many runs a benchmark goes through again and again.
const benchSeeds = 16

// Benchmark measures whole runs, with all that is checked and measured, of a world that has
// run before: their time, also per step, and what they allocate.
func Benchmark[M sim.Message](b *testing.B, system func() sim.System[M], config sim.Config, change ...Change) {
	b.Helper()
	w := again(b, system, config, change)
	b.ReportAllocs()
	steps := uint64(0)
	for seed := uint64(0); b.Loop(); seed++ {
		steps += w.Run(seed % benchSeeds).Steps
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
	b.ReportMetric(float64(steps)/float64(b.N), "steps/run")
}

// Allocs is how often the run of seed 1 allocates when it is played again.
func Allocs[M sim.Message](t testing.TB, system func() sim.System[M], config sim.Config, change ...Change) float64 {
	t.Helper()
	w := again(t, system, config, change)
	return testing.AllocsPerRun(5, func() { w.Run(1) })
}

// again is a world that has run.
func again[M sim.Message](t testing.TB, system func() sim.System[M], config sim.Config, change []Change) sim.Runner {
	t.Helper()
	p := sim.NewProgram(system)
	alter(&config, &p, change)
	w := newWorld(t, &p, config)
	noPanic(t, w.Run(1))
	return w
}
