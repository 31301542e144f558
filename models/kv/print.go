package kv

import (
	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// What the verdicts of properties depend on, for a search that compares states. When something
// happened that only the words of a violation tell is no part of it.

// Print implements [sim.Printer].
func (p *quorumRead) Print(to *sim.Print) {
	to.Fold(uint64(len(p.Acked)))
	for i := range p.Acked {
		printObjects(to, p.Acked[i].all)
	}
	for i := range p.Since {
		printObjects(to, p.Since[i].all)
	}
	for _, o := range p.Collected {
		to.Fold(o.Digest())
	}
}

// printObjects takes in a set of objects, whose order does not matter.
func printObjects(to *sim.Print, set []*version.Object) {
	sum := uint64(0)
	for _, o := range set {
		sum += o.Digest()
	}
	to.Fold(uint64(len(set)), sum)
}

// Print implements [sim.Printer].
func (p *convergence) Print(to *sim.Print) {
	if p.Within == 0 {
		return
	}
	to.Fold(uint64(p.Fault), uint64(p.Latest), uint64(len(p.Written)))
	for key, w := range p.Written {
		to.Fold(uint64(w.at), core.One(w.was))
		for id := range p.Nodes {
			to.Fold(p.Stores[stored(sim.NodeID(id+1), uint32(key))].Digest())
		}
	}
	for key := len(p.Written); key < p.Ring.Keys(); key++ { // stored, and not acknowledged
		for id := range p.Nodes {
			to.Fold(p.Stores[stored(sim.NodeID(id+1), uint32(key))].Digest())
		}
	}
}

// Print implements [sim.Printer].
func (p *available) Print(to *sim.Print) {
	to.Fold(uint64(len(p.Open)))
	for i := range p.Open {
		q := &p.Open[i]
		if !q.Out {
			to.Fold(0)
			continue
		}
		to.Fold(1|core.One(q.At)<<1|core.One(q.Exempt)<<2|uint64(q.Req)<<32, uint64(q.Node), uint64(q.Since))
	}
}
