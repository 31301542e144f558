package ntp

import (
	"fmt"
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
)

// NoFalseticker holds if the interval that a client believes in holds the true offset,
// whenever more than half of its servers have never been wrong, and have answered one of
// the last [Depth] polls: a client cannot tell a right server that is silent from a wrong
// one. The most that a right server has ever been off is allowed for. Clocks that gain or
// lose more than the client takes for the most can violate it, too: see [BoundedRate].
//
// Source: RFC 5905, section 11.2.1; Marzullo 1984.
type NoFalseticker struct {
	truth
	sim.Check
	polls                []uint32      // by client: of the last poll; 0 of those that listen
	heard                []uint32      // by client and server: of the last answer; 0: none
	offset, give, actual time.Duration // of the first violation
}

// Name implements [sim.Property].
func (p *NoFalseticker) Name() string { return "no-falseticker" }

// Reset implements [sim.Observer].
func (p *NoFalseticker) Reset(v *sim.View[Msg]) {
	p.truth.reset(v)
	p.Clear()
	if p.polls == nil {
		p.polls, p.heard = make([]uint32, p.Layout.Clients), make([]uint32, p.Layout.Clients*p.Layout.Servers)
	}
	clear(p.polls)
	clear(p.heard)
	p.offset, p.give, p.actual = 0, 0, 0
}

// Observe implements [sim.Observer].
func (p *NoFalseticker) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.truth.observe(v, o)
	if !p.Layout.isClient(o.Node) {
		return
	}
	c := int(o.Node) - 1 - p.Layout.Servers
	heard := p.heard[c*p.Layout.Servers:][:p.Layout.Servers]
	switch {
	case o.Event == sim.Crashed:
		p.polls[c] = 0
		clear(heard)
	case o.Event != sim.Noted:
	case o.Msg.Kind == Polled:
		p.polls[c] = o.Msg.N
	case o.Msg.Kind == Sampled:
		heard[o.Msg.Who-1] = o.Msg.N
	case o.Msg.Kind == Chosen:
		p.judge(v, o, p.polls[c], heard)
	}
}

func (p *NoFalseticker) judge(v *sim.View[Msg], o *sim.Observation[Msg], poll uint32, heard []uint32) {
	right, worst := 0, time.Duration(0)
	for s, n := range heard {
		if n > 0 && (poll == 0 || poll-n < Depth) && p.right(sim.NodeID(s+1)) {
			right, worst = right+1, max(worst, p.worst[s])
		}
	}
	if 2*right <= p.Layout.Servers {
		return
	}
	p.Saw()
	late := sim.Mono(v.Read(o.Node, sim.MonoClock)).Sub(sim.Mono(o.Msg.Z))
	offset, was := time.Duration(o.Msg.X), p.behindThen(v, o)
	give := time.Duration(o.Msg.Y) + clock.Drift(late, p.Layout.Drift) + worst
	if (offset-was).Abs() > give+rounding && p.Violate(v.Now(), o.Node) {
		p.offset, p.give, p.actual = offset, give, was
	}
}

// End implements [sim.Observer].
func (p *NoFalseticker) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *NoFalseticker) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s takes its clock to be %s, give or take %v: it is %s, and most servers are right",
		v.Name(p.Finding().Nodes[0]), aside(p.offset), p.give, aside(p.actual))
}
