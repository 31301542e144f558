package idempotency

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// conserved holds if no transaction changes the sum of the columns that the flow names, or
// makes one of them negative.
//
// Source: Gray and Reuter, "Transaction Processing", 1993, section 1.2: consistency of a
// debit and credit.
type conserved struct {
	Known bool
	Sum   Value
}

// Check implements [model.Checker].
func (p *conserved) Check(r *model.Report[Msg]) {
	sum, least := r.Msg.Values[0], r.Msg.Values[1]
	if !p.Known {
		p.Known, p.Sum = true, sum
		return
	}
	r.Saw()
	switch {
	case sum != p.Sum && r.Violated(r.Node):
		r.Why("the sum is %d and was %d", sum, p.Sum)
	case sum == p.Sum && least < 0 && r.Violated(r.Node):
		r.Why("a value is %d", least)
	}
}

func (p *conserved) property() sim.Property[Msg] {
	return model.NewProperty("conserved", p, Sum).Loses(sim.Data).Needs("a transaction changes a column that the flow declares with `conserve`")
}

// monotoneRecovery holds if no recovery point of a row moves backwards.
//
// Source: Leach, "Implementing Stripe-like Idempotency Keys in Postgres", 2017.
type monotoneRecovery struct{}

// Check implements [model.Checker].
func (p *monotoneRecovery) Check(r *model.Report[Msg]) {
	r.Saw()
	key, before, after := r.Msg.Values[0], r.Msg.Values[1], r.Msg.Values[2]
	if after < before && r.Violated(r.Node) {
		r.Why("the recovery point of row %d moves from %d back to %d", key, before, after)
	}
}

func (p *monotoneRecovery) property() sim.Property[Msg] {
	return model.NewProperty("monotone-recovery", p, Recovery).Needs("a column that the flow declares with `recovery` changes")
}
