package idempotency

// ledger is the effects that there are, as the notes of database and provider say. A node that
// crashes when it has committed and has not yet said so says it when it is back, and may say it
// twice then; so effects are told apart by their ids.
type ledger struct {
	Rows   table[Value]  // by id and sort: the intent, Null when it has been removed
	Counts table[counts] // by intent
}

// counts are the effects of one intent: by table, and last the charges.
type counts [maxEffects + 1]uint16

// maxEffects is how many tables of effects a flow may have.
const maxEffects = 4

// Reset forgets all.
func (l *ledger) Reset() {
	l.Rows.Reset()
	l.Counts.Reset()
}

// take takes in a note about an effect: of what sort it is, of which intent, and how many there
// are then. It is not fresh if the ledger knows it already.
func (l *ledger) take(m *Msg) (of int, intent Value, n uint16, fresh bool) {
	var id Value
	if m.Kind == ChargeMade {
		of = maxEffects
		id, _, _, intent = m.paid()
	} else {
		var table Value
		table, intent, id, _ = m.effect()
		of = int(table)
	}
	row, c := id*(maxEffects+1)+Value(of), l.Counts.at(intent)
	known := l.Rows.find(row)
	switch {
	case m.Kind == Removed && known != nil && *known != Null:
		*known = Null
		c[of]--
	case m.Kind != Removed && known == nil:
		*l.Rows.at(row) = intent
		c[of]++
	default:
		return of, intent, c[of], false
	}
	return of, intent, c[of], true
}

// has reports whether an intent has an effect.
func (l *ledger) has(intent Value) bool {
	c := l.Counts.find(intent)
	return c != nil && *c != counts{}
}
