package ntp

import (
	"fmt"
	"math/bits"
	"time"

	"fencepost/sim"
)

// BoundedError holds if from Settle on the corrected clock of each client is never further
// than Epsilon from true time.
//
// It looks whenever the client notes something, a fault changes its clocks or ends it, and
// at the end. In between the error changes evenly, so that it can tell when it became too large.
type BoundedError struct {
	Epsilon time.Duration
	Settle  sim.Time

	truth
	sim.Check
	last  []point // by client
	first point   // violation
}

// point is an error at an instant.
type point struct {
	at  sim.Time
	off time.Duration
}

// Name implements [sim.Property].
func (p *BoundedError) Name() string { return "bounded-error" }

// Bound implements [sim.Bounded].
func (p *BoundedError) Bound() sim.Bound {
	text := fmt.Sprintf("at most %v from true time", p.Epsilon)
	if p.Settle > 0 {
		text += fmt.Sprintf(", from %v on", p.Settle)
	}
	return sim.Bound{Text: text}
}

// Reset implements [sim.Observer].
func (p *BoundedError) Reset(v *sim.View[Msg]) {
	p.truth.reset(v)
	p.Clear()
	if p.last == nil {
		p.last = make([]point, p.Layout.Clients)
	}
	for i := range p.last {
		p.last[i] = point{v.Now(), p.behind(v, p.client(i))}
	}
	p.first = point{}
}

// client is the i-th client, from 0.
func (p *BoundedError) client(i int) sim.NodeID { return sim.NodeID(p.Layout.Servers + 1 + i) }

// Observe implements [sim.Observer].
func (p *BoundedError) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	client := p.Layout.isClient(o.Node)
	if client && !p.gone[o.Node-1] { // until now it was as it had been
		p.judge(v, o.Node)
	}
	p.truth.observe(v, o)
	if client {
		p.last[int(o.Node)-1-p.Layout.Servers] = point{v.Now(), p.behind(v, o.Node)}
		p.judge(v, o.Node)
	}
}

// End implements [sim.Observer].
func (p *BoundedError) End(v *sim.View[Msg]) {
	for i := range p.last {
		p.judge(v, p.client(i))
	}
}

// judge looks at the time since a client was last seen.
func (p *BoundedError) judge(v *sim.View[Msg], client sim.NodeID) {
	if v.Now() < p.Settle || p.gone[client-1] {
		return
	}
	p.Saw()
	last, now := p.last[int(client)-1-p.Layout.Servers], point{v.Now(), p.behind(v, client)}
	from := last
	if from.at < p.Settle {
		from = between(last, now, p.Settle)
	}
	switch {
	case from.off.Abs() > p.Epsilon:
		now = from
	case now.off.Abs() > p.Epsilon:
		now = p.crossing(from, now)
	default:
		return
	}
	if p.Violate(now.at, client) {
		p.first = now
	}
}

// crossing is when the error became too large: at the one it was not, at the other it is.
func (p *BoundedError) crossing(a, b point) point {
	low, high := a, b
	for high.at-low.at > 1 {
		if m := between(a, b, low.at+(high.at-low.at)/2); m.off.Abs() > p.Epsilon {
			high = m
		} else {
			low = m
		}
	}
	return high
}

// between is the error at an instant between two others.
func between(a, b point, at sim.Time) point {
	if b.at == a.at {
		return point{at, b.off}
	}
	way := b.off - a.off
	hi, lo := bits.Mul64(uint64(way.Abs()), uint64(at-a.at))
	part, _ := bits.Div64(hi, lo, uint64(b.at-a.at)) // less than all of it
	if way < 0 {
		return point{at, a.off - time.Duration(part)}
	}
	return point{at, a.off + time.Duration(part)}
}

// Why implements [sim.Property].
func (p *BoundedError) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("the clock of %s is %s, and %v is allowed", v.Name(p.Finding().Nodes[0]), aside(p.first.off), p.Epsilon)
}
