package chain

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// CallsBound holds if no operation makes more than this many calls of the limiter, all
// layers together.
//
// Source: Beyer et al., "Site Reliability Engineering", chapter 22.
type CallsBound struct {
	Layout Layout
	Most   int

	sim.Check
	calls map[uint64]int // by operation of a client, which a layer may continue when it is over
	root  uint64
}

// Name implements [sim.Property].
func (p *CallsBound) Name() string { return "calls-bound" }

// Bound implements [sim.Bounded].
func (p *CallsBound) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("at most %d calls for an operation", p.Most)}
}

// Reset implements [sim.Observer].
func (p *CallsBound) Reset(*sim.View[Msg]) {
	p.Clear()
	clear(p.calls)
	p.root = 0
}

// Observe implements [sim.Observer].
func (p *CallsBound) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted || o.Msg.Kind != Called || !p.Layout.calls(o.Node) {
		return
	}
	p.Saw()
	if p.calls == nil {
		p.calls = make(map[uint64]int)
	}
	root := o.Msg.Root
	p.calls[root]++
	if p.calls[root] == p.Most+1 && p.Violate(v.Now(), caller(root), o.Node) {
		p.root = root
	}
}

// End implements [sim.Observer].
func (p *CallsBound) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *CallsBound) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("operation %d of %s takes more than %d calls", uint32(p.root), v.Name(caller(p.root)), p.Most)
}

// NoStarvation holds if no operation of a client stays open longer than the bound: it
// succeeds, or the client gives up.
type NoStarvation struct {
	Layout Layout
	Within time.Duration

	sim.Check
	open  map[uint64]bool
	order []begun // operations in the order in which they began
	first int     // of those that may still be open
}

type begun struct {
	root uint64
	at   sim.Time
}

// Name implements [sim.Property].
func (p *NoStarvation) Name() string { return "no-starvation" }

// Bound implements [sim.Bounded].
func (p *NoStarvation) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("done or given up within %v", p.Within)}
}

// Reset implements [sim.Observer].
func (p *NoStarvation) Reset(*sim.View[Msg]) {
	p.Clear()
	clear(p.open)
	p.order, p.first = p.order[:0], 0
}

// Observe implements [sim.Observer].
func (p *NoStarvation) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.check(v.Now())
	if o.Event == sim.Crashed {
		p.forget(o.Node)
	}
	if o.Event != sim.Noted || !p.Layout.isClient(o.Node) {
		return
	}
	switch o.Msg.Kind {
	case Begun:
		if p.open == nil {
			p.open = make(map[uint64]bool)
		}
		p.open[o.Msg.Root] = true
		p.order = append(p.order, begun{o.Msg.Root, v.Now()})
	case Succeeded, GaveUp:
		p.Saw()
		delete(p.open, o.Msg.Root)
	}
}

// check looks at the operations whose time is up.
func (p *NoStarvation) check(now sim.Time) {
	for ; p.first < len(p.order); p.first++ {
		b := p.order[p.first]
		due := b.at.Add(p.Within)
		if due >= now {
			return
		}
		if p.open[b.root] {
			p.Violate(due, caller(b.root))
			delete(p.open, b.root)
		}
	}
	p.order, p.first = p.order[:0], 0
}

// forget drops the operations of a client that has crashed.
func (p *NoStarvation) forget(id sim.NodeID) {
	for _, b := range p.order[p.first:] {
		if caller(b.root) == id {
			delete(p.open, b.root)
		}
	}
}

// End implements [sim.Observer].
func (p *NoStarvation) End(v *sim.View[Msg]) { p.check(v.Now()) }

// Why implements [sim.Property].
func (p *NoStarvation) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("an operation of %s is neither done nor given up after %v", v.Name(p.Finding().Nodes[0]), p.Within)
}
