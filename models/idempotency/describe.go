package idempotency

import (
	"fmt"

	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
)

// usualLines is how often the log of a run says the same sort of thing, before it says it only the
// hundredth time, the thousandth and so on.
const usualLines = 40

// describer describes a run: who asks for what, what becomes of it, and what is durable when.
type describer struct {
	layout *Layout
	count  [kindCount]int
}

// describe returns "" for what is not worth a line of the log.
func (t *describer) describe(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	text := t.text(v, o)
	if text == "" {
		return ""
	}
	t.count[o.Msg.Kind]++
	if n := t.count[o.Msg.Kind]; n > usualLines {
		if !milestone(n) {
			return ""
		}
		text += fmt.Sprintf(" (the %dth such line)", n)
	}
	return text
}

// milestone reports whether n is a power of ten.
func milestone(n int) bool {
	for n > 1 && n%10 == 0 {
		n /= 10
	}
	return n == 1
}

func (t *describer) text(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	name := v.Name(o.Node)
	switch m := &o.Msg; m.Kind {
	case Asked, Retrying, Answered, GaveUp:
		return name + " " + clientText(m)
	case Refused:
		return fmt.Sprintf("%s has no room for a request and answers 503", name)
	case Claimed, Recorded, Replayed, TookOver, Fenced, Locked, Resumed:
		return name + " " + flowText(m)
	case Replied:
		if success(m.Status) || m.Status == 409 {
			return ""
		}
		return fmt.Sprintf("%s answers %s for key %d", name, answer(m.Status, m.Values[2]), m.key())
	case Unanswered:
		return name + " hears nothing from a node that it has called, and does not know what that has done"
	case Aborted:
		if m.Code == sql.ConnectionFailure {
			return ""
		}
		return fmt.Sprintf("a statement fails with %s", m.Code)
	case Effect, Removed:
		return t.effectText(m)
	case ChargeMade, ChargeAgain:
		return chargeText(m)
	case Watched:
		return fmt.Sprintf("%s of row %d is %d, after %d", t.layout.Watched, m.Values[0], m.Values[2], m.Values[1])
	case Sum, Folded, Recovery, Published, Delivered, Acknowledged, Staged:
		return otherText(m)
	}
	return ""
}

func clientText(m *Msg) string {
	switch m.Kind {
	case Asked:
		again := ""
		if m.Attempt > 1 {
			again = fmt.Sprintf(", attempt %d", m.Attempt)
		}
		return fmt.Sprintf("sends intent %d with key %d and amount %d%s", m.intent(), m.key(), m.Values[3], again)
	case Retrying:
		if m.Status == 0 {
			return fmt.Sprintf("has no answer for intent %d in time, and does not know whether it is done", m.intent())
		}
		return fmt.Sprintf("gets %d for intent %d and will ask again", m.Status, m.intent())
	case Answered:
		return fmt.Sprintf("has the final answer %s for intent %d", answer(m.Status, m.body()), m.intent())
	}
	return fmt.Sprintf("gives intent %d up, without an answer", m.intent())
}

func flowText(m *Msg) string {
	switch key := m.key(); m.Kind {
	case Claimed:
		return fmt.Sprintf("has claimed key %d", key)
	case Recorded:
		return fmt.Sprintf("has stored the answer for key %d", key)
	case Replayed:
		return fmt.Sprintf("answers key %d from the record", key)
	case TookOver:
		return fmt.Sprintf("takes key %d over: the lease of its holder has ended", key)
	case Fenced:
		return fmt.Sprintf("finds that key %d is not its own any more, and undoes what it did", key)
	case Locked:
		return fmt.Sprintf("holds the lock of key %d", key)
	}
	return fmt.Sprintf("resumes key %d where another attempt has stopped", m.key())
}

func (t *describer) effectText(m *Msg) string {
	of, intent, id, _ := m.effect()
	if m.Kind == Removed {
		return fmt.Sprintf("row %d in %s is deleted, which was of intent %d", id, t.layout.Effects[of], intent)
	}
	return fmt.Sprintf("row %d in %s is durable, of intent %d", id, t.layout.Effects[of], intent)
}

func chargeText(m *Msg) string {
	id, amount, key, intent := m.paid()
	if m.Kind == ChargeAgain {
		return fmt.Sprintf("the provider knows key %d and answers charge %d again", key, id)
	}
	return fmt.Sprintf("the provider charges %d for intent %d, under key %d: charge %d", amount, intent, key, id)
}

func otherText(m *Msg) string {
	switch id, amount := m.event(); m.Kind {
	case Sum:
		return fmt.Sprintf("the sum of what is to be conserved is %d", m.Values[0])
	case Folded:
		return fmt.Sprintf("what events are added to is %d", m.Values[0])
	case Recovery:
		return fmt.Sprintf("the recovery point of row %d is %d, after %d", m.Values[0], m.Values[2], m.Values[1])
	case Staged:
		return fmt.Sprintf("event %d is durable", id)
	case Published:
		return fmt.Sprintf("the broker has event %d of %d", id, amount)
	case Acknowledged:
		return fmt.Sprintf("event %d is acknowledged", id)
	default:
		if m.Attempt > 1 {
			return fmt.Sprintf("the broker delivers event %d for the %d. time", id, m.Attempt)
		}
		return fmt.Sprintf("the broker delivers event %d", id)
	}
}

// detailer says what is too small for the log of a run: what a node does.
type detailer struct{ layout *Layout }

func (d detailer) detail(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	switch m := &o.Msg; m.Kind {
	case Asked, Retrying, Answered, GaveUp:
		return clientText(m)
	case Began:
		return fmt.Sprintf("begins with intent %d, key %d", m.intent(), m.key())
	case Handling:
		return fmt.Sprintf("begins with event %d", m.Values[0])
	case Replied:
		return fmt.Sprintf("answers %s for key %d", answer(m.Status, m.Values[2]), m.key())
	case Processed:
		return fmt.Sprintf("has carried out key %d", m.key())
	case Claimed, Recorded, Replayed, TookOver, Fenced, Locked, Resumed:
		return flowText(m)
	case Committed:
		return fmt.Sprintf("commits a transaction that changed %d rows", m.Rows)
	case Aborted:
		return "fails a statement with " + m.Code.String()
	case Waits:
		return "lets a statement wait for another transaction"
	case Effect:
		of, intent, id, _ := m.effect()
		return fmt.Sprintf("makes row %d in %s durable, of intent %d", id, d.layout.Effects[of], intent)
	case ChargeMade:
		id, amount, _, intent := m.paid()
		return fmt.Sprintf("charges %d for intent %d: charge %d", amount, intent, id)
	case ChargeAgain:
		id, _, key, _ := m.paid()
		return fmt.Sprintf("answers charge %d again, for key %d", id, key)
	}
	return ""
}
