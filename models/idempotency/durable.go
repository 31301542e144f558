package idempotency

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// acknowledgedIsDurable holds if a client that has got a success has its effect: it is
// committed then, and is at the end of the run. It checks nothing of a flow without effects.
type acknowledgedIsDurable struct {
	Layout       *Layout
	Ledger       ledger
	Acknowledged table[acknowledged]
}

// acknowledged is an intent that a client holds for done.
type acknowledged struct {
	Client sim.NodeID
	At     sim.Time
}

// Check implements [model.Checker].
func (p *acknowledgedIsDurable) Check(r *model.Report[Msg]) {
	m := &r.Msg
	switch {
	case m.Kind != Answered:
		_, intent, _, _ := p.Ledger.take(m)
		a := p.Acknowledged.find(intent)
		if m.Kind == Removed && a != nil && !p.Ledger.has(intent) && r.Violated(r.Node, a.Client) {
			r.Why("the effect of intent %d is gone, which %s was told of at %v", intent, r.Name(a.Client), a.At)
		}
	case p.Layout.success(m.Status) && p.Layout.effects():
		r.Saw()
		intent := m.intent()
		*p.Acknowledged.at(intent) = acknowledged{Client: r.Node, At: r.Now()}
		if !p.Ledger.has(intent) && r.Violated(r.Node) {
			r.Why("%s gets the answer %s for intent %d, which has no effect", r.Name(r.Node), answer(m.Status, m.body()), intent)
		}
	}
}

func (p *acknowledgedIsDurable) property() sim.Property[Msg] {
	return model.NewProperty("acknowledged-is-durable", p, Answered, Effect, Removed, ChargeMade).Loses(sim.Data).Needs("a client gets a success from a flow that has an `effect` table or charges")
}
