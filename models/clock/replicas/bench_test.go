package replicas

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
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
			w, err := sim.NewWorld(v.params.System(), sim.Config{Until: v.until,
				Network: sim.Network{Default: sim.Link{Delay: sim.Constant(ms)}}})
			require.NoError(b, err)
			w.Run(1)
			b.ReportAllocs()
			steps := uint64(0)
			for seed := uint64(0); b.Loop(); seed++ {
				steps += w.Run(seed % 16).Steps
			}
			b.ReportMetric(float64(steps)/float64(b.N), "steps/run")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
		})
	}
}
