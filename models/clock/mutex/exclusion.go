package mutex

import (
	"fmt"

	"fencepost/sim"
)

// MutualExclusion holds if at no instant two processes are in the critical section. One
// that is paused there is in; one that has crashed is not.
//
// Source: Lamport 1978, condition (I).
type MutualExclusion struct {
	sim.Check
	crowd crowd
}

// Name implements [sim.Property].
func (p *MutualExclusion) Name() string { return "mutual-exclusion" }

// Reset implements [sim.Observer].
func (p *MutualExclusion) Reset(v *sim.View[Msg]) {
	p.Clear()
	p.crowd.reset(v.Nodes())
}

// Observe implements [sim.Observer].
func (p *MutualExclusion) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event == sim.Noted && o.Msg.Kind == Entered {
		p.Saw()
		if other := p.crowd.other(o.Node); other != sim.None {
			p.Violate(v.Now(), o.Node, other)
		}
	}
	p.crowd.observe(v, o)
}

// End implements [sim.Observer].
func (p *MutualExclusion) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *MutualExclusion) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("%s entered while %s was in", v.Name(n[0]), v.Name(n[1]))
}

// InRequestOrder holds if processes enter in the order of the stamps of their requests: no
// one enters while one with a smaller stamp waits, or after one with a larger stamp. As
// long as the clocks are Lamport's, that is: if one request happened before another, it
// is granted first.
//
// Source: Lamport 1978, condition (II).
type InRequestOrder struct {
	sim.Check
	crowd   crowd
	latest  Stamp // of those that have entered
	stamps  [2]Stamp
	waiting bool // at the first violation: the other still waits
}

// Name implements [sim.Property].
func (p *InRequestOrder) Name() string { return "in-request-order" }

// Reset implements [sim.Observer].
func (p *InRequestOrder) Reset(v *sim.View[Msg]) {
	p.Clear()
	p.crowd.reset(v.Nodes())
	p.latest, p.stamps, p.waiting = Stamp{}, [2]Stamp{}, false
}

// Observe implements [sim.Observer].
func (p *InRequestOrder) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.crowd.observe(v, o)
	if o.Event != sim.Noted || o.Msg.Kind != Entered {
		return
	}
	p.Saw()
	own := Stamp{C: o.Msg.C, P: o.Node}
	if own.Compare(p.latest) < 0 {
		p.violate(v, own, p.latest, false)
		return
	}
	p.latest = own
	for id := sim.NodeID(1); int(id) <= v.Nodes(); id++ {
		if other := (Stamp{C: p.crowd.stamps[id], P: id}); p.crowd.waits(id) && other.Compare(own) < 0 {
			p.violate(v, own, other, true)
			return
		}
	}
}

func (p *InRequestOrder) violate(v *sim.View[Msg], own, other Stamp, waiting bool) {
	if p.Violate(v.Now(), own.P, other.P) {
		p.stamps, p.waiting = [2]Stamp{own, other}, waiting
	}
}

// End implements [sim.Observer].
func (p *InRequestOrder) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *InRequestOrder) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	if p.waiting {
		return fmt.Sprintf("%s entered by a request stamped %d, while %s waited with one stamped %d", v.Name(n[0]), p.stamps[0].C, v.Name(n[1]), p.stamps[1].C)
	}
	return fmt.Sprintf("%s entered by a request stamped %d, after %s had entered by one stamped %d", v.Name(n[0]), p.stamps[0].C, v.Name(n[1]), p.stamps[1].C)
}
