package linear

import (
	"context"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"testing"
)

// Both methods on the same histories. What the benchmark calls an operation is one whole
// history; "unknown" is 1 if porcupine hit a bound.
func BenchmarkCheck(b *testing.B) {
	for _, clients := range []int{4, 16} {
		for _, spoilt := range []bool{false, true} {
			ops := simulated(rand.New(rand.NewPCG(7, 8)), 10_000, clients)
			if spoilt {
				stale(ops)
			}
			name := fmt.Sprintf("clients=%d/linearizable=%v", clients, !spoilt)
			b.Run("zones/"+name, func(b *testing.B) {
				each(b, ops, func() { checkZones(ops, Nil) })
			})
			b.Run("porcupine/"+name, func(b *testing.B) {
				bounded := 0.0
				each(b, ops, func() {
					s := &search{ctx: context.Background(), limits: DefaultLimits(), seed: maphash.MakeSeed()}
					if _, bound := s.run(Register, ops); bound != "" {
						bounded = 1
					}
				})
				b.ReportMetric(bounded, "unknown")
			})
		}
	}
	ops := simulated(rand.New(rand.NewPCG(7, 8)), MaxOps, 16)
	b.Run("zones/clients=16/operations=1000000", func(b *testing.B) {
		each(b, ops, func() { checkZones(ops, Nil) })
	})
	shuffled := slices.Clone(ops)
	rand.New(rand.NewPCG(9, 10)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	b.Run("zones/clients=16/shuffled=1000000", func(b *testing.B) {
		each(b, ops, func() { checkZones(shuffled, Nil) })
	})
}

// A queue whose backlog grows, and one that is mostly empty.
func BenchmarkQueue(b *testing.B) {
	for _, n := range []int{10_000, MaxOps} {
		for name, enqueues := range map[string]int{"backlog": 60, "drained": 45} {
			ops := worked(rand.New(rand.NewPCG(7, 8)), n, 16, enqueues)
			b.Run(fmt.Sprintf("%s/operations=%d", name, n), func(b *testing.B) {
				each(b, ops, func() {
					if why, _ := checkQueue(ops); why != "" {
						b.Fatal(why)
					}
				})
			})
		}
	}
}

// stale makes the read in the middle return what the first write wrote.
func stale(ops []Op) {
	first := slices.IndexFunc(ops, func(o Op) bool { return o.Kind == Write })
	middle := len(ops)/2 + slices.IndexFunc(ops[len(ops)/2:], func(o Op) bool { return o.Kind == Read })
	ops[middle].Value = ops[first].Value
}

func each(b *testing.B, ops []Op, check func()) {
	b.ReportAllocs()
	for b.Loop() {
		check()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(ops)), "ns/operation")
}
