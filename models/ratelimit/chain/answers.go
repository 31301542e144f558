package chain

import (
	"fmt"

	"fencepost/sim"
)

// OneAnswer holds if no call is answered twice and no operation ends twice.
type OneAnswer struct {
	sim.Check
	seen  map[answer]bool
	first answer
}

// answer is that to one call of an operation, or with attempt 0 the operation's end.
type answer struct {
	id      uint64
	attempt uint32
}

// Name implements [sim.Property].
func (p *OneAnswer) Name() string { return "one-answer" }

// Reset implements [sim.Observer].
func (p *OneAnswer) Reset(*sim.View[Msg]) {
	p.Clear()
	clear(p.seen)
	p.first = answer{}
}

// Observe implements [sim.Observer].
func (p *OneAnswer) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	m := &o.Msg
	a := answer{m.ID, m.Attempt}
	switch m.Kind {
	case Served, Failed, Replayed:
	case Rejected:
		if m.Wait < 0 {
			return
		}
	case Succeeded, GaveUp:
		a.attempt = 0
	default:
		return
	}
	p.Saw()
	if p.seen[a] && p.Violate(v.Now(), o.Node, caller(m.ID)) {
		p.first = a
	}
	if p.seen == nil {
		p.seen = make(map[answer]bool)
	}
	p.seen[a] = true
}

// End implements [sim.Observer].
func (p *OneAnswer) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *OneAnswer) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	if p.first.attempt == 0 {
		return fmt.Sprintf("operation %d of %s ended twice", uint32(p.first.id), v.Name(n[1]))
	}
	return fmt.Sprintf("%s answered call %d of operation %d of %s, which had an answer", v.Name(n[0]), p.first.attempt, uint32(p.first.id), v.Name(n[1]))
}

// AnsweredInTime holds if every call is answered before its caller has no patience left:
// with success, a refusal or an error. A client that hears nothing has waited in vain, and
// does not know whether it was carried out.
//
// Source: RFC 6585, section 4; RFC 9110, section 15.6.4.
type AnsweredInTime struct {
	Layout Layout

	sim.Check
	first answer
}

// Name implements [sim.Property].
func (p *AnsweredInTime) Name() string { return "answered-in-time" }

// Bound implements [sim.Bounded].
func (p *AnsweredInTime) Bound() sim.Bound {
	if p.Layout.Timeout == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("an answer within %v", p.Layout.Timeout)}
}

// Reset implements [sim.Observer].
func (p *AnsweredInTime) Reset(*sim.View[Msg]) {
	p.Clear()
	p.first = answer{}
}

// Observe implements [sim.Observer].
func (p *AnsweredInTime) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted || !p.Layout.calls(o.Node) {
		return
	}
	switch o.Msg.Kind {
	case Refused, Succeeded:
		p.Saw()
	case TimedOut:
		p.Saw()
		if p.Violate(v.Now(), o.Node) {
			p.first = answer{o.Msg.ID, o.Msg.Attempt}
		}
	}
}

// End implements [sim.Observer].
func (p *AnsweredInTime) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *AnsweredInTime) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s heard nothing of call %d of its operation %d in time", v.Name(p.Finding().Nodes[0]), p.first.attempt, uint32(p.first.id))
}
