package ntp

import (
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/model"
)

// noFalseticker holds if the interval that a client believes in holds the true offset,
// whenever more than half of its servers have never been wrong, and have answered one of
// the last [Depth] polls: a client cannot tell a right server that is silent from a wrong
// one. The most that a right server has ever been off is allowed for. Clocks that gain or
// lose more than the client takes for the most can violate it, too: see bounded-rate.
//
// Source: RFC 5905, section 11.2.1; Marzullo, "Maintaining the Time in a Distributed System",
// 1984.
type noFalseticker struct {
	Truth Truth
	Polls []uint32 // by client: of the last poll; 0 of those that listen
	Heard []uint32 // by client and server: of the last answer; 0: none
}

// Begin looks at the clocks.
func (p *noFalseticker) Begin(r *model.Report[Msg]) { p.Truth.begin(r.View) }

// Check implements [model.Checker].
func (p *noFalseticker) Check(r *model.Report[Msg]) {
	p.Truth.observe(r.View, r.Observation)
	if !p.Truth.isClient(r.Node) {
		return
	}
	client, servers := p.Truth.number(r.Node), p.Truth.Servers
	model.At(&p.Heard, (client+1)*servers-1)
	polls, heard := model.At(&p.Polls, client), p.Heard[client*servers:][:servers]
	switch {
	case r.Event == sim.Crashed:
		*polls = 0
		clear(heard)
	case r.Event != sim.Noted:
	case r.Msg.Kind == Polled:
		*polls = r.Msg.number()
	case r.Msg.Kind == Sampled:
		heard[r.Msg.server()-1] = r.Msg.number()
	case r.Msg.Kind == Chosen:
		p.chosen(r, *polls, heard)
	}
}

func (p *noFalseticker) chosen(r *model.Report[Msg], poll uint32, heard []uint32) {
	right, worst := 0, time.Duration(0)
	for s, n := range heard {
		if n > 0 && (poll == 0 || poll-n < Depth) && p.Truth.right(sim.NodeID(s+1)) {
			right, worst = right+1, max(worst, p.Truth.worst[s])
		}
	}
	if 2*right <= p.Truth.Servers {
		return
	}
	r.Saw()
	late := sim.Mono(r.Read(r.Node, sim.MonoClock)).Sub(r.Msg.at())
	offset, was := r.Msg.offset(), p.Truth.behindThen(r.View, r.Observation)
	margin := r.Msg.margin() + clock.Drift(late, p.Truth.Drift) + worst
	if (offset-was).Abs() > margin+rounding && r.Violated(r.Node) {
		r.Why("%s takes its clock to be %s, give or take %v: it is %s, and most servers are right", r.Name(r.Node), aside(offset), margin, aside(was))
	}
}
