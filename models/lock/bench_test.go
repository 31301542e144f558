package lock

import (
	"testing"
	"time"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// BenchmarkRedlockGCPause is the scenario lock/redlock-gc-pause: whole runs, with
// all properties and measures, worlds reused.
func BenchmarkRedlockGCPause(b *testing.B) {
	p := Params{Service: "redlock", Clients: 2, Tokens: "counter", Start: []time.Duration{0, 10_010 * ms}, Work: []time.Duration{90 * ms, 1_975 * ms}, Hold: []time.Duration{0, 5 * time.Second}}
	simtest.Benchmark(b, p.System, sim.Config{Until: at(60_000)}, simtest.Delay(5*ms),
		simtest.Strike("client-1", sim.Fault{Do: sim.Pause, When: sim.When{Note: Checked}, For: sim.Constant(15 * time.Second)}))
}
