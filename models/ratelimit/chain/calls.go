package chain

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// callsBound holds if no operation makes more than this many calls of the limiter, all
// layers together.
//
// Source: Beyer et al., "Site Reliability Engineering", chapter 22.
type callsBound struct {
	Layout Layout
	Most   int

	Calls map[uint64]int // by operation of a client, which a layer may continue when it is over
}

// Bound implements [sim.Bounded].
func (p *callsBound) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("at most %d calls for an operation", p.Most)}
}

// Check implements [model.Checker].
func (p *callsBound) Check(r *model.Report[Msg]) {
	if !p.Layout.calls(r.Node) {
		return
	}
	r.Saw()
	root := r.Msg.Root
	p.Calls[root]++
	if whose := caller(root); p.Calls[root] == p.Most+1 && r.Violated(whose, r.Node) {
		r.Why("operation %d of %s takes more than %d calls", uint32(root), r.Name(whose), p.Most)
	}
}

// noStarvation holds if no operation of a client stays open longer than the bound: it
// succeeds, or the client gives up.
type noStarvation struct {
	Layout Layout
	Within time.Duration

	Open  map[uint64]bool
	Order []begun // operations in the order in which they began
	First int     // of those that may still be open
}

type begun struct {
	root uint64
	at   sim.Time
}

// Bound implements [sim.Bounded].
func (p *noStarvation) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("done or given up within %v", p.Within)}
}

// Check implements [model.Checker].
func (p *noStarvation) Check(r *model.Report[Msg]) {
	p.End(r)
	if r.Event == sim.Crashed {
		p.forget(r.Node)
	}
	if r.Event != sim.Noted || !p.Layout.isClient(r.Node) {
		return
	}
	switch r.Msg.Kind {
	case Begun:
		p.Open[r.Msg.Root] = true
		p.Order = append(p.Order, begun{r.Msg.Root, r.Now()})
	case Succeeded, GaveUp:
		r.Saw()
		delete(p.Open, r.Msg.Root)
	}
}

// End looks at the operations whose time is up.
func (p *noStarvation) End(r *model.Report[Msg]) {
	for ; p.First < len(p.Order); p.First++ {
		b := p.Order[p.First]
		due := b.at.Add(p.Within)
		if due >= r.Now() {
			return
		}
		if p.Open[b.root] {
			delete(p.Open, b.root)
			if whose := caller(b.root); r.ViolatedAt(due, whose) {
				r.Why("an operation of %s is neither done nor given up after %v", r.Name(whose), p.Within)
			}
		}
	}
	p.Order, p.First = p.Order[:0], 0
}

// forget drops the operations of a client that has crashed.
func (p *noStarvation) forget(id sim.NodeID) {
	for _, b := range p.Order[p.First:] {
		if caller(b.root) == id {
			delete(p.Open, b.root)
		}
	}
}
