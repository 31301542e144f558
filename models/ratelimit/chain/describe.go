package chain

import (
	"fmt"

	"fencepost/models/ratelimit/retry"
	"fencepost/sim"
)

// describer says in words what happens to a chain, for one run: of each kind the first, and
// then the thousandth, ten-thousandth and so on, since there are many.
type describer struct {
	layout Layout
	count  [64]int         // by kind
	done   map[uint64]bool // operations that are carried out, if once is enough
}

// describe returns "" for what is not worth a line of the log.
func (t *describer) describe(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	if o.Msg.Kind == Served {
		return t.served(v, &o.Msg)
	}
	t.count[o.Msg.Kind]++
	n := t.count[o.Msg.Kind]
	if n > 1 && !milestone(n) && (o.Msg.Kind != Shedding || n > 10) {
		return ""
	}
	text := t.first(v, o)
	if milestone(n) && text != "" {
		text += fmt.Sprintf(", the %dth time", n)
	}
	return text
}

// served describes the first operations that are carried out again, if once is enough.
func (t *describer) served(v *sim.View[Msg], m *Msg) string {
	if t.layout.Operation == retry.Idempotent {
		return ""
	}
	if t.done == nil {
		t.done = map[uint64]bool{}
	}
	was := t.done[m.Root]
	t.done[m.Root] = true
	if !was {
		return ""
	}
	if t.count[Served]++; t.count[Served] > 10 {
		return ""
	}
	return fmt.Sprintf("the database carries out operation %d of %s again", uint32(m.Root), v.Name(caller(m.Root)))
}

// milestone reports whether n is 1000 or ten times another.
func milestone(n int) bool {
	for n > 1000 && n%10 == 0 {
		n /= 10
	}
	return n == 1000
}

// first is what it is when it happens first.
func (t *describer) first(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	m, name, x := &o.Msg, v.Name(o.Node), o.Msg.Wait
	whose := v.Name(caller(m.ID))
	switch m.Kind {
	case Called:
		return name + " calls"
	case Succeeded:
		return name + " has what it wanted"
	case Suppressed:
		return name + " refuses its own call: the limiter accepts too few"
	case TimedOut:
		return name + " hears nothing and waits no longer"
	case Retrying:
		return fmt.Sprintf("%s will call again in %v", name, x)
	case GaveUp:
		return name + " gives up an operation"
	case Late:
		return fmt.Sprintf("an answer reaches %s, which does not wait for it any more", name)
	case Rejected:
		switch {
		case m.Wait < 0:
			return fmt.Sprintf("the %s refuses %s and says nothing", name, whose)
		case m.Wait == 0:
			return fmt.Sprintf("the %s refuses %s: %d", name, whose, m.Status)
		}
		return fmt.Sprintf("the %s refuses %s: %d, retry after %v", name, whose, m.Status, x)
	case Dropped:
		return fmt.Sprintf("the queue drops a request of %s: after %v it would be too late", whose, x)
	case Shedding:
		return fmt.Sprintf("the %s %s", name, letsIn(m.Shed()))
	case Replayed:
		return fmt.Sprintf("the database has carried out operation %d of %s already, and answers from its record", uint32(m.Root), v.Name(caller(m.Root)))
	case Failed:
		return fmt.Sprintf("the database answers %s with an error", whose)
	}
	return ""
}

// detail says what is too small for the log of a run: what a node does.
func detail(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	m := &o.Msg
	which := fmt.Sprintf("operation %d of %s", uint32(m.ID), v.Name(caller(m.ID)))
	switch m.Kind {
	case Begun:
		return fmt.Sprintf("begins operation %d", uint32(m.ID))
	case Called:
		return fmt.Sprintf("makes call %d for operation %d", m.Attempt, uint32(m.ID))
	case Refused:
		return fmt.Sprintf("is refused with %d", m.Status)
	case TimedOut:
		return fmt.Sprintf("stops waiting for call %d", m.Attempt)
	case Retrying:
		return fmt.Sprintf("will call again in %v", m.Wait)
	case Succeeded:
		return fmt.Sprintf("has operation %d done after %v", uint32(m.ID), m.Wait)
	case GaveUp:
		return fmt.Sprintf("gives up operation %d", uint32(m.ID))
	case Admitted:
		return "admits " + which
	case Rejected:
		return "refuses " + which
	case Queued:
		return fmt.Sprintf("keeps %s: %d wait", which, m.Waiting())
	case Dropped:
		return fmt.Sprintf("drops %s, which has waited %v", which, m.Wait)
	case Taken:
		return fmt.Sprintf("hands over %s, which has waited %v", which, m.Wait)
	case Shedding:
		return letsIn(m.Shed())
	case Served:
		return "carries out " + which
	case Replayed:
		return "answers " + which + " from its record"
	case Failed:
		return "fails " + which
	}
	return ""
}
