package ntp

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// WithinBound holds if the offset of each sample of a server that is right is no further
// from the true one than half the delay, what the client's oscillator gained or lost during
// the exchange, and the most that the server's own clock has ever been off. The last is at
// most the accuracy that makes a server right.
//
// Source: RFC 5905, section 8: the error is at most half of the delay.
type WithinBound struct {
	truth
	sim.Check
	before []time.Duration // by client: how far behind its wall clock was at the last poll
	polled []bool

	offset, actual, bound time.Duration // of the first violation
}

// Name implements [sim.Property].
func (p *WithinBound) Name() string { return "within-bound" }

// Reset implements [sim.Observer].
func (p *WithinBound) Reset(v *sim.View[Msg]) {
	p.truth.reset(v)
	p.Clear()
	if p.before == nil {
		p.before, p.polled = make([]time.Duration, v.Nodes()+1), make([]bool, v.Nodes()+1)
	}
	clear(p.before)
	clear(p.polled)
	p.offset, p.actual, p.bound = 0, 0, 0
}

// Observe implements [sim.Observer].
func (p *WithinBound) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.truth.observe(v, o)
	if o.Event != sim.Noted {
		return
	}
	raw := p.rawBehind(v, o.Node)
	switch o.Msg.Kind {
	case Polled:
		p.before[o.Node], p.polled[o.Node] = raw, true
	case Sampled:
		if !p.right(o.Msg.Who) {
			return
		}
		p.Saw()
		drifted := time.Duration(0)
		if p.polled[o.Node] {
			drifted = (raw - p.before[o.Node]).Abs()
		}
		offset, was := time.Duration(o.Msg.X), p.behindThen(v, o)
		bound := time.Duration(o.Msg.Y+1)/2 + drifted + p.worst[o.Msg.Who-1]
		if (offset-was).Abs() > bound+rounding && p.Violate(v.Now(), o.Node, o.Msg.Who) {
			p.offset, p.actual, p.bound = offset, was, bound
		}
	}
}

// End implements [sim.Observer].
func (p *WithinBound) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *WithinBound) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("%s takes its clock to be %s by %s, give or take %v: it is %s", v.Name(n[0]), aside(p.offset), v.Name(n[1]), p.bound, aside(p.actual))
}
