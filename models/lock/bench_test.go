package lock

import (
	"testing"
	"time"

	"fencepost/sim"
)

// BenchmarkRedlockGCPause is the scenario lock/redlock-gc-pause: whole runs, with
// all properties and measures, worlds reused.
func BenchmarkRedlockGCPause(b *testing.B) {
	p := Params{Service: "redlock", Clients: 2, Tokens: "counter", Start: []time.Duration{0, 10_010 * ms}, Work: []time.Duration{90 * ms, 1_975 * ms}, Hold: []time.Duration{0, 5 * time.Second}}
	c := sim.Config{Until: at(60_000), Faults: []sim.Fault{{Name: "pause", Do: sim.Pause, Node: 1, When: sim.When{Note: Checked}, For: sim.Constant(15 * time.Second)}}}
	c.Network.Default.Delay = sim.Constant(5 * ms)
	w, err := sim.NewWorld(p.System(), c)
	if err != nil {
		b.Fatal(err)
	}
	w.Run(1)
	b.ReportAllocs()
	steps := uint64(0)
	for i := 0; b.Loop(); i++ {
		steps += w.Run(uint64(i)).Steps
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "runs/s")
	b.ReportMetric(float64(steps)/float64(b.N), "steps/run")
}
