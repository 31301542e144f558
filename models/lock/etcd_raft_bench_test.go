package lock

import (
	"testing"
	"time"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// busyRaft is a minute of three servers and ten clients that take turns.
func busyRaft() Params {
	return etcdOnRaft(10, func(p *Params) {
		p.Work, p.Think, p.Rounds = []time.Duration{100 * ms}, []time.Duration{500 * ms}, []int{0}
	})
}

// BenchmarkEtcdOnRaft is a minute of three servers and ten clients.
func BenchmarkEtcdOnRaft(b *testing.B) {
	p := busyRaft()
	simtest.Benchmark(b, p.System, sim.Config{Until: at(60_000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(5 * ms)}}})
}
