package replicas

import (
	"testing"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// BenchmarkRun is one whole run, with all properties and measures, worlds reused: the 101
// writes of siblings-explode under each way that has siblings, and clients at three
// replicas.
func BenchmarkRun(b *testing.B) {
	for _, v := range []struct {
		name   string
		params Params
		until  sim.Time
	}{
		{"101 writes/vnode", explode("vnode", 101), at(1020)},
		{"101 writes/dvv", explode("dvv", 101), at(1020)},
		{"101 writes/dvvset", explode("dvvset", 101), at(1020)},
		{"three replicas/client-vectors", loads("client-vectors", func(*Params) {}), at(3000)},
		{"three replicas/dvvset", loads("dvvset", func(*Params) {}), at(3000)},
		{"three replicas/last-write-wins", loads("last-write-wins", func(*Params) {}), at(3000)},
	} {
		b.Run(v.name, func(b *testing.B) {
			simtest.Benchmark(b, v.params.System, sim.Config{Until: v.until}, simtest.Delay(ms))
		})
	}
}
