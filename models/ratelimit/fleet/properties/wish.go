package properties

import (
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/models/ratelimit/measure"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// users are what each user of a wish was admitted within its window.
type users []measure.Window

// Reset begins anew.
func (u users) Reset() {
	for i := range u {
		u[i].Clear()
	}
}

// grow makes the windows of a layout.
func (u *users) grow(l *core.Layout) {
	for l.Wish.Given() && len(*u) < max(l.Clients, l.Keys) {
		*u = append(*u, measure.NewWindow(l.Wish.Window))
	}
}

// rejectedWithinRule holds if no request is rejected that the wish of the scenario allows: with it, no more than the wish's
// limit would have been admitted of its user in the window that ends then.
type rejectedWithinRule struct {
	Layout core.Layout

	Users users
}

// NewRejectedWithinRule makes the property rejected-within-rule: nothing that the wish allows is rejected.
func NewRejectedWithinRule(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("rejected-within-rule", &rejectedWithinRule{Layout: l}, message.Admitted, message.Rejected).
		Needs("params.wish must say what each user is to get, and a request must be decided")
}

// Bound implements [sim.Bounded].
func (p *rejectedWithinRule) Bound() sim.Bound { return sim.Bound{Text: p.Layout.Wish.String()} }

// Begin implements [model.Checker].
func (p *rejectedWithinRule) Begin(*model.Report[message.Msg]) { p.Users.grow(&p.Layout) }

// Check implements [model.Checker].
func (p *rejectedWithinRule) Check(r *model.Report[message.Msg]) {
	w, m := &p.Layout.Wish, &r.Msg
	if !w.Given() {
		return
	}
	r.Saw()
	window := &p.Users[p.Layout.Wisher(m)]
	if m.Kind == message.Admitted {
		window.Admit(r.Now(), int64(m.Cost))
		return
	}
	client := message.ClientOf(m.ID)
	if sum := window.Sum(r.Now()); sum+int64(m.Cost) <= w.Limit && r.Violated(client) {
		r.Why("%s is rejected after %d in %s, and the wish allows %d", r.Name(client), sum, values.Length(w.Window), w.Limit)
	}
}

// admittedOverRule holds if no request is admitted that the wish of the scenario forbids: with it, no more than the wish's
// limit has been admitted of its user in the window that ends then.
type admittedOverRule struct {
	Layout core.Layout

	Users users
}

// NewAdmittedOverRule makes the property admitted-over-rule: nothing that the wish forbids is admitted.
func NewAdmittedOverRule(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("admitted-over-rule", &admittedOverRule{Layout: l}, message.Admitted).
		Needs("params.wish must say what each user is to get, and a request must be admitted")
}

// Bound implements [sim.Bounded].
func (p *admittedOverRule) Bound() sim.Bound { return sim.Bound{Text: p.Layout.Wish.String()} }

// Begin implements [model.Checker].
func (p *admittedOverRule) Begin(*model.Report[message.Msg]) { p.Users.grow(&p.Layout) }

// Check implements [model.Checker].
func (p *admittedOverRule) Check(r *model.Report[message.Msg]) {
	w, m := &p.Layout.Wish, &r.Msg
	if !w.Given() {
		return
	}
	r.Saw()
	client := message.ClientOf(m.ID)
	if sum := p.Users[p.Layout.Wisher(m)].Admit(r.Now(), int64(m.Cost)); sum > w.Limit && r.Violated(client) {
		r.Why("with what %s is admitted it is %d in %s, and the wish allows %d", r.Name(client), sum, values.Length(w.Window), w.Limit)
	}
}
