package chain

import (
	"fmt"

	"fencepost/sim"
	"fencepost/sim/model"
)

// oneAnswer holds if no call is answered twice and no operation ends twice.
type oneAnswer struct{ Seen map[answer]bool }

// answer is that to one call of an operation, or with attempt 0 the operation's end.
type answer struct {
	id      uint64
	attempt uint32
}

// Check implements [model.Checker].
func (p *oneAnswer) Check(r *model.Report[Msg]) {
	m := &r.Msg
	a := answer{m.ID, m.Attempt}
	switch {
	case m.Kind == Rejected && m.retryAfter() < 0:
		return
	case m.Kind == Succeeded || m.Kind == GaveUp:
		a.attempt = 0
	}
	r.Saw()
	if whose := caller(a.id); p.Seen[a] && r.Violated(r.Node, whose) {
		if a.attempt == 0 {
			r.Why("operation %d of %s ended twice", uint32(a.id), r.Name(whose))
		} else {
			r.Why("%s answered call %d of operation %d of %s, which had an answer", r.Name(r.Node), a.attempt, uint32(a.id), r.Name(whose))
		}
	}
	p.Seen[a] = true
}

// answeredInTime holds if every call is answered before its caller has no patience left:
// with success, a refusal or an error. A client that hears nothing has waited in vain, and
// does not know whether it was carried out.
//
// Source: RFC 6585, section 4; RFC 9110, section 15.6.4.
type answeredInTime struct{ Layout Layout }

// Bound implements [sim.Bounded].
func (p *answeredInTime) Bound() sim.Bound {
	if p.Layout.Timeout == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("an answer within %v", p.Layout.Timeout)}
}

// Check implements [model.Checker].
func (p *answeredInTime) Check(r *model.Report[Msg]) {
	if !p.Layout.calls(r.Node) {
		return
	}
	r.Saw()
	if r.Msg.Kind == TimedOut && r.Violated(r.Node) {
		r.Why("%s heard nothing of call %d of its operation %d in time", r.Name(r.Node), r.Msg.Attempt, uint32(r.Msg.ID))
	}
}
