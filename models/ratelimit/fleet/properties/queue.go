package properties

import (
	"fmt"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
)

// spacing holds if a queue never starts two requests of a key closer than its service
// time. Of other algorithms it says nothing.
type spacing struct {
	Layout core.Layout

	Last []sim.Time // start by key; -1 for none
}

// NewSpacing makes the property spacing: a queue starts requests at least its service time apart.
func NewSpacing(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("spacing", &spacing{Layout: l}, message.Started).
		Needs("params.algorithm must be leaky-queue, and two requests of a key must start")
}

// Bound implements [sim.Bounded].
func (p *spacing) Bound() sim.Bound {
	if p.Layout.Service == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("starts at least %v apart", p.Layout.Service)}
}

// Begin implements [model.Checker].
func (p *spacing) Begin(*model.Report[message.Msg]) {
	p.Last = core.Resized(p.Last, p.Layout.Keys+1)
	for i := range p.Last {
		p.Last[i] = -1
	}
}

// Check implements [model.Checker].
func (p *spacing) Check(r *model.Report[message.Msg]) {
	if p.Layout.Service == 0 {
		return
	}
	last := &p.Last[r.Msg.Key]
	if *last >= 0 {
		r.Saw()
		if gap := r.Now().Sub(*last); gap < p.Layout.Service && r.Violated(r.Node) {
			r.Why("two requests of a key started %v apart; the service time is %v", gap, p.Layout.Service)
		}
	}
	*last = r.Now()
}

// fifo holds if the requests of a queue start in the order in which they were admitted,
// those that start at all. Of other algorithms it says nothing.
type fifo struct {
	Layout core.Layout

	Admitted core.Questions // when each was, in numbers of admissions
	Count    sim.Time
	Latest   []sim.Time // started, by key
}

// NewFifo makes the property fifo: a queue starts requests in the order of their admission.
func NewFifo(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("fifo", &fifo{Layout: l}, message.Admitted, message.Started).
		Needs("params.algorithm must be leaky-queue, and a request must start")
}

// Begin implements [model.Checker].
func (p *fifo) Begin(*model.Report[message.Msg]) {
	p.Admitted.Grow(p.Layout.Clients)
	p.Latest = core.Resized(p.Latest, p.Layout.Keys+1)
}

// Check implements [model.Checker].
func (p *fifo) Check(r *model.Report[message.Msg]) {
	if p.Layout.Service == 0 {
		return
	}
	m := &r.Msg
	if m.Kind == message.Admitted {
		p.Count++
		p.Admitted.Ask(m.ID, p.Count, r.Node)
		return
	}
	r.Saw()
	latest, number := &p.Latest[m.Key], p.Admitted.Of(m.ID).Asked
	if number < *latest && r.Violated(r.Node) {
		r.Why("request %s of %s started after one that was admitted later", message.RequestName(m.ID), r.Name(message.ClientOf(m.ID)))
	}
	*latest = max(*latest, number)
}
