package model_test

import (
	"testing"

	"fencepost/sim"
	"fencepost/sim/model"
)

// BenchmarkReset is what a run pays for a property with eight fields, two of them maps or
// slices.
func BenchmarkReset(b *testing.B) {
	p := model.NewProperty("sights", &sights{Limit: 9, Allowed: []int{7}})
	for b.Loop() {
		p.Reset(nil)
	}
}

// BenchmarkObserve is what a note costs that a property looks at, and one that it does not.
func BenchmarkObserve(b *testing.B) {
	p := model.NewProperty("last", &newest{}, Paid)
	p.Reset(nil)
	for name, kind := range map[string]sim.Kind{"looked-at": Paid, "not-looked-at": Pay} {
		b.Run(name, func(b *testing.B) {
			o := sim.Observation[Msg]{Node: 1, Msg: Msg{Kind: kind}}
			for b.Loop() {
				p.Observe(nil, &o)
			}
		})
	}
}

// newest remembers a node.
type newest struct{ Node sim.NodeID }

func (n *newest) Check(r *model.Report[Msg]) { n.Node = r.Node }
