package lock

import (
	"fmt"
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
			certified(b, s)
		})
	}
}

// BenchmarkCertifyRedlock proves mutual exclusion of Redlock: TTL 1 s, work 200 ms, an attempt 100 ms after another, delays of 1 to
// 5 ms, one pause of any client of up to 700 ms.
func BenchmarkCertifyRedlock(b *testing.B) {
	for _, instances := range []int{1, 3, 5} {
		b.Run(fmt.Sprint(instances), func(b *testing.B) {
			retry := sim.Constant(100 * ms)
			p := proof{set: short("redlock", func(p *Params) { p.Instances, p.Retry = &instances, &retry }),
				property: "mutual-exclusion", least: 1 * ms, most: 5 * ms, pause: 700 * ms}
			s := p.search()
			s.Config.Network.Order = sim.Free
			s.Limits = certify.Limits{Memory: 3 << 30}
			certified(b, s)
		})
	}
}

// certified measures a search, and says so if it ends without a proof.
func certified(b *testing.B, s *certify.Search) {
	for b.Loop() {
		r, err := s.Run(b.Context())
		require.NoError(b, err)
		b.ReportMetric(float64(r.States), "states")
		b.ReportMetric(float64(r.Memory>>20), "MB")
		b.ReportMetric(float64(r.Memory)/float64(r.States), "B/state")
		if r.Verdict != certify.Certified {
			b.Logf("%v: %v", r.Verdict, r.Bound)
		}
	}
}
