// Package properties are those that every form of a fleet is checked by, over true time, and that read more than facts. A
// property of one form is in the package of the form.
package properties

import (
	"time"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// oneAnswer holds if every request gets one answer at most, and one that was asked at
// least Patience before the end gets one; a queue may keep it waiting for its turn as
// well. A limiter or a client that crashes takes with
// it what had not been answered; none of these is owed an answer, nor those that are asked
// while the limiter is down.
type oneAnswer struct {
	Layout core.Layout

	Asked core.Questions
	Down  []bool // by limiter
}

// Patience is how long a client waits for an answer before it counts as none.
const Patience = time.Minute

// NewOneAnswer makes the property one-answer: every request gets one answer.
func NewOneAnswer(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("one-answer", &oneAnswer{Layout: l}, message.Asked, message.Answered).Also(sim.Crashed, sim.Restarted).
		Needs("a request must be answered, or wait beyond the bound")
}

// Bound implements [sim.Bounded].
func (p *oneAnswer) Bound() sim.Bound {
	return sim.Bound{Text: "one answer within " + values.Length(p.Layout.Patience)}
}

// Begin implements [model.Checker].
func (p *oneAnswer) Begin(*model.Report[message.Msg]) {
	p.Asked.Grow(p.Layout.Clients)
	p.Down = core.Resized(p.Down, p.Layout.Limiters)
}

// Check implements [model.Checker].
func (p *oneAnswer) Check(r *model.Report[message.Msg]) {
	limiter := int(r.Node - p.Layout.First)
	isLimiter := limiter >= 0 && limiter < p.Layout.Limiters
	m := &r.Msg
	switch {
	case r.Event == sim.Crashed:
		p.excuse(r.Node)
		if isLimiter {
			p.Down[limiter] = true
		}
	case r.Event == sim.Restarted:
		if isLimiter {
			p.Down[limiter] = false
		}
	case m.Kind == message.Asked:
		p.Asked.Ask(m.ID, r.Now(), m.To())
		if to := int(m.To()) - int(p.Layout.First); to >= 0 && to < p.Layout.Limiters && p.Down[to] {
			p.Asked.Of(m.ID).Asked = core.Excused
		}
	case m.Kind == message.Answered:
		r.Saw()
		q := p.Asked.Of(m.ID)
		if q.Asked == core.Over && r.Violated(r.Node) {
			r.Why("request %s of %s was answered twice", message.RequestName(m.ID), r.Name(message.ClientOf(m.ID)))
		}
		q.Asked = core.Over
	}
}

// excuse lets go of what a limiter or a client had open when it crashed.
func (p *oneAnswer) excuse(crashed sim.NodeID) {
	for client, list := range p.Asked {
		for i := range list {
			if q := &list[i]; q.Asked >= 0 && (q.To == crashed || sim.NodeID(client+1) == crashed) {
				q.Asked = core.Excused
			}
		}
	}
}

// End implements [model.Checker].
func (p *oneAnswer) End(r *model.Report[message.Msg]) {
	for i, list := range p.Asked {
		client := sim.NodeID(i + 1)
		for n, q := range list {
			if q.Asked < 0 || r.Now().Sub(q.Asked) < p.Layout.Patience {
				continue
			}
			r.Saw()
			if r.ViolatedAt(q.Asked.Add(p.Layout.Patience), client) {
				r.Why("request %s of %s has no answer after %s", message.RequestName(message.RequestID(client, uint32(n+1))), r.Name(client), values.Length(p.Layout.Patience))
			}
		}
	}
}
