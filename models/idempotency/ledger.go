package idempotency

import (
	"fencepost/models/check"
	"fencepost/models/fact"
)

// maxEffects is how many tables of effects a flow may have. That number is the sort of the charges.
const maxEffects = 4

// facts says which note is which fact.
var facts = fact.Map(
	fact.Row[Msg]{Note: Effect, Fact: fact.Effect, Fill: effectRow},
	fact.Row[Msg]{Note: Removed, Fact: fact.Undone, Fill: effectRow},
	fact.Row[Msg]{Note: ChargeMade, Fact: fact.Effect, Fill: chargeMade},
)

func effectRow(m *Msg, f *fact.Fact) {
	table, intent, id, _ := m.effect()
	f.N, f.ID, f.Token = uint16(table), uint64(intent), uint64(id)
}

func chargeMade(m *Msg, f *fact.Fact) {
	id, _, _, intent := m.paid()
	f.N, f.ID, f.Token = maxEffects, uint64(intent), uint64(id)
}

// ledger is the effects that there are, for the properties and measures that read more than facts.
type ledger struct{ check.Effects }

// take takes in a note about an effect: of what sort it is, of which intent, and how many there
// are then. It is not fresh if the ledger knows it already.
func (l *ledger) take(m *Msg) (of int, intent Value, n uint16, fresh bool) {
	f := fact.Fact{Kind: fact.Effect}
	switch m.Kind {
	case ChargeMade:
		chargeMade(m, &f)
	case Removed:
		f.Kind = fact.Undone
		effectRow(m, &f)
	default:
		effectRow(m, &f)
	}
	n, fresh = l.Take(&f)
	return int(f.N), Value(f.ID), n, fresh
}

// has reports whether an intent has an effect.
func (l *ledger) has(intent Value) bool { return l.Has(uint64(intent)) }
