package fleet

import (
	"fmt"

	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// spacing holds if a queue never starts two requests of a key closer than its service
// time. Of other algorithms it says nothing.
type spacing struct {
	Layout Layout

	Last []sim.Time // start by key; -1 for none
}

func newSpacing(l Layout) sim.Property[Msg] {
	return kit.NewProperty("spacing", &spacing{Layout: l}, Started)
}

// Bound implements [sim.Bounded].
func (p *spacing) Bound() sim.Bound {
	if p.Layout.Service == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("starts at least %v apart", p.Layout.Service)}
}

// Begin implements [kit.Checker].
func (p *spacing) Begin(*kit.Report[Msg]) {
	p.Last = resized(p.Last, p.Layout.Keys+1)
	for i := range p.Last {
		p.Last[i] = -1
	}
}

// Check implements [kit.Checker].
func (p *spacing) Check(r *kit.Report[Msg]) {
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
	Layout Layout

	Admitted questions // when each was, in numbers of admissions
	Count    sim.Time
	Latest   []sim.Time // started, by key
}

func newFifo(l Layout) sim.Property[Msg] {
	return kit.NewProperty("fifo", &fifo{Layout: l}, Admitted, Started)
}

// Begin implements [kit.Checker].
func (p *fifo) Begin(*kit.Report[Msg]) {
	p.Admitted.grow(p.Layout.Clients)
	p.Latest = resized(p.Latest, p.Layout.Keys+1)
}

// Check implements [kit.Checker].
func (p *fifo) Check(r *kit.Report[Msg]) {
	if p.Layout.Service == 0 {
		return
	}
	m := &r.Msg
	if m.Kind == Admitted {
		p.Count++
		p.Admitted.ask(m.ID, p.Count, r.Node)
		return
	}
	r.Saw()
	latest, number := &p.Latest[m.Key], p.Admitted.of(m.ID).asked
	if number < *latest && r.Violated(r.Node) {
		r.Why("request %s of %s started after one that was admitted later", requestName(m.ID), r.Name(clientOf(m.ID)))
	}
	*latest = max(*latest, number)
}
