package mutex

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// Progress holds if everybody who asks enters in time, unless it crashes itself: whatever
// becomes of the others. The time of one that comes back and still waits begins anew. Who has asked less than that before the end is not judged.
//
// Source: Lamport 1978, condition (III), with a bound: one crashed process blocks
// everybody.
type Progress struct {
	Within time.Duration

	sim.Check
	crowd   crowd
	late    []bool // by process: that it waits for too long has been said
	next    sim.Time
	blocked sim.NodeID // at the first violation: who was down
}

// Name implements [sim.Property].
func (p *Progress) Name() string { return "progress" }

// Bound implements [sim.Bounded].
func (p *Progress) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("each enters within %v", p.Within)}
}

// Reset implements [sim.Observer].
func (p *Progress) Reset(v *sim.View[Msg]) {
	p.Clear()
	p.crowd.reset(v.Nodes())
	if p.late == nil {
		p.late = make([]bool, v.Nodes()+1)
	}
	clear(p.late)
	p.next, p.blocked = sim.Never, sim.None
}

// Observe implements [sim.Observer].
func (p *Progress) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if v.Now() > p.next {
		p.judge(v, v.Now()-1)
	}
	p.crowd.observe(v, o)
	if o.Event != sim.Noted {
		return
	}
	switch o.Msg.Kind {
	case Requested, Resumed:
		p.late[o.Node] = false
		p.next = min(p.next, v.Now().Add(p.Within))
	case Entered:
		p.Saw()
	}
}

// judge looks for those that had to enter up to an instant.
func (p *Progress) judge(v *sim.View[Msg], upTo sim.Time) {
	p.next = sim.Never
	for i, since := range p.crowd.since {
		if since == sim.Never || p.late[i] {
			continue
		}
		due := since.Add(p.Within)
		if due > upTo {
			p.next = min(p.next, due)
			continue
		}
		p.late[i] = true
		if p.Violate(due, sim.NodeID(i)) {
			p.blocked = down(v)
		}
	}
}

// down is a process that is down, None if all are up.
func down(v *sim.View[Msg]) sim.NodeID {
	for id := sim.NodeID(1); int(id) <= v.Nodes(); id++ {
		if v.Down(id) {
			return id
		}
	}
	return sim.None
}

// End implements [sim.Observer].
func (p *Progress) End(v *sim.View[Msg]) { p.judge(v, v.Now()) }

// Why implements [sim.Property].
func (p *Progress) Why(v *sim.View[Msg]) string {
	text := fmt.Sprintf("%s had asked %v before, and was not let in", v.Name(p.Finding().Nodes[0]), p.Within)
	if p.blocked != sim.None {
		text += fmt.Sprintf(": %s was down", v.Name(p.blocked))
	}
	return text
}
