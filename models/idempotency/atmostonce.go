package idempotency

import (
	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// atMostOnce holds if no intent has two effects of a kind at a time: two rows in a table of
// effects, or two charges.
//
// Source: Helland, "Idempotence Is Not a Medical Condition", ACM Queue 2012.
type atMostOnce struct {
	Layout *Layout
	Counts table[counts]
}

// counts are the effects of one intent: by table, and last the charges.
type counts [maxEffects + 1]uint16

// maxEffects is how many tables of effects a flow may have.
const maxEffects = 4

// effectsOf counts what a note says, and is how many there are then, and of what.
func effectsOf(counted *table[counts], m *Msg) (of int, intent Value, n uint16) {
	switch m.Kind {
	case ChargeMade:
		_, _, _, intent = m.paid()
		of = maxEffects
	default:
		var t Value
		t, intent, _, _ = m.effect()
		of = int(t)
	}
	c := counted.at(intent)
	if m.Kind == Removed {
		c[of]--
	} else {
		c[of]++
	}
	return of, intent, c[of]
}

// Check implements [kit.Checker].
func (p *atMostOnce) Check(r *kit.Report[Msg]) {
	r.Saw()
	of, intent, n := effectsOf(&p.Counts, &r.Msg)
	if n > 1 && r.Msg.Kind != Removed && r.Violated(r.Node) {
		r.Why("%s has %d %s for intent %d", r.Name(r.Node), n, p.Layout.effectName(of), intent)
	}
}

func (p *atMostOnce) property() sim.Property[Msg] {
	return kit.NewProperty("at-most-once", p, Effect, Removed, ChargeMade)
}
