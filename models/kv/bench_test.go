package kv

import (
	"testing"
	"time"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// workload is clients that together send about 100 operations a second, half of them reads.
func workload(nodes, keys, clients int) func(*Params) {
	return func(p *Params) {
		p.Nodes = nodes
		p.Workload = &WorkloadParams{Clients: clients, Gap: sim.Exponential(time.Duration(clients) * 10 * ms), Reads: sim.Certain / 2, Keys: ptr(keys)}
	}
}

// BenchmarkRun is ten seconds of a store of five nodes, with all properties and measures.
func BenchmarkRun(b *testing.B) {
	for _, v := range []struct {
		name string
		set  func(*Params)
	}{
		{"strict", func(*Params) {}},
		{"sloppy", func(p *Params) { p.Quorum = "sloppy" }},
		{"hlc", func(p *Params) { p.Conflict.Conflict = "last-write-wins-hlc" }},
	} {
		b.Run(v.name, func(b *testing.B) {
			set := func(p *Params) {
				workload(5, 100, 10)(p)
				v.set(p)
			}
			simtest.Benchmark(b, system(b, set), sim.Config{Until: modeltest.At(10_000)}, simtest.Delay(5*ms))
		})
	}
}

// BenchmarkLarge is an hour of a thousand nodes with 10,000 keys, at 100 operations a second:
// gossip every second, anti-entropy every minute. Where each key has replicas of its own there
// is a hash tree for each key at each of them.
func BenchmarkLarge(b *testing.B) {
	for _, v := range []struct {
		name, strategy string
		delay          sim.Dist
		order          sim.Order
	}{
		{"ordered", "ordered", sim.Constant(5 * ms), sim.FIFO},
		{"hashed", "hashed", sim.Constant(5 * ms), sim.FIFO},
		{"hashed, random delays", "hashed", sim.Exponential(5 * ms), sim.Free},
		{"hashed, random delays in order", "hashed", sim.Exponential(5 * ms), sim.FIFO},
	} {
		b.Run(v.name, func(b *testing.B) {
			b.ReportAllocs()
			steps := uint64(0)
			large := system(b, func(p *Params) {
				workload(1000, 10_000, 100)(p)
				p.Ring.Strategy = v.strategy
			})
			for seed := uint64(0); b.Loop(); seed++ {
				c := sim.Config{Until: modeltest.At(3_600_000), Network: sim.Network{Default: sim.Link{Delay: v.delay}, Order: v.order}}
				w, err := sim.NewWorld(large(), c)
				if err != nil {
					b.Fatal(err)
				}
				steps += w.Run(seed).Steps
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
			b.ReportMetric(float64(steps)/float64(b.N), "steps/run")
		})
	}
}
