package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// BenchmarkCertifyRedis proves mutual exclusion at the edge: TTL 10 s, work 2 s, delays of 0 to 5 ms.
func BenchmarkCertifyRedis(b *testing.B) {
	for _, c := range []struct {
		name    string
		clients int
		pauses  int
		longest time.Duration
	}{{"one-pause", 2, 1, 7985 * ms}, {"two-pauses", 2, 2, 3992 * ms}, {"three-clients", 3, 1, 7985 * ms}} {
		b.Run(c.name, func(b *testing.B) {
			ttl := 10 * time.Second
			p := proof{set: func(p *Params) {
				p.Service, p.TTL, p.Clients, p.Work = "redis", &ttl, c.clients, []time.Duration{2 * time.Second}
			}, property: "mutual-exclusion", most: 5 * ms, pause: c.longest}
			s := p.search()
			s.Limits = certify.Limits{States: 1_500_000, Memory: 1 << 30}
			s.Faults[0].Nodes, s.Faults[0].Count = []sim.NodeID{1, 2, 3}[:c.clients], c.pauses
			for b.Loop() {
				r, err := s.Run(b.Context())
				require.NoError(b, err)
				b.ReportMetric(float64(r.States), "states")
				b.ReportMetric(float64(r.Memory>>20), "MB")
				if r.Verdict != certify.Certified {
					b.Fatalf("%v: %s", r.Verdict, r.Bound)
				}
			}
		})
	}
}
