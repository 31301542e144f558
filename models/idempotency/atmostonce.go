package idempotency

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// atMostOnce holds if no intent has two effects of a kind at a time: two rows in a table of
// effects, or two charges.
//
// Source: Helland, "Idempotence Is Not a Medical Condition", ACM Queue 2012.
type atMostOnce struct {
	Layout *Layout
	Ledger ledger
}

// Check implements [model.Checker].
func (p *atMostOnce) Check(r *model.Report[Msg]) {
	r.Saw()
	of, intent, n, fresh := p.Ledger.take(&r.Msg)
	if n > 1 && fresh && r.Msg.Kind != Removed && r.Violated(r.Node) {
		r.Why("%s has %d %s for intent %d", r.Name(r.Node), n, p.Layout.effectName(of), intent)
	}
}

func (p *atMostOnce) property() sim.Property[Msg] {
	return model.NewProperty("at-most-once", p, Effect, Removed, ChargeMade).Loses(sim.Data).Needs("a request takes effect: a row of an `effect` table, or a charge")
}
