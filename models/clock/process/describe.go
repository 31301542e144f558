package process

import (
	"fmt"
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// describer says in words what happens. The observers have seen it before.
type describer struct{ ledger *ledger }

// describe tells of every event of a script. Of a pattern, of which there are many, it tells
// those that clocks refuse, and those whose stamps are not above those before them.
func (t *describer) describe(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	switch {
	case o.Event != sim.Noted:
		return ""
	case o.Msg.Kind == Refused:
		return v.Name(o.Node) + " " + t.refused(v, o)
	case t.ledger.latest == none:
		return ""
	}
	e := t.ledger.latest
	wrong := t.wrong(v, e)
	if t.ledger.events[e].number == noEvent && wrong == "" {
		return ""
	}
	return v.Name(o.Node) + " " + t.event(v, e) + wrong
}

// detail says what a process does.
func (t *describer) detail(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	switch {
	case o.Event != sim.Noted:
		return ""
	case o.Msg.Kind == Refused:
		return t.refused(v, o)
	case o.Msg.Kind == Bound:
		return "makes durable that no stamp will be above " + values.Length(time.Duration(o.Msg.bound()))
	case t.ledger.latest != none:
		return t.event(v, t.ledger.latest)
	}
	return ""
}

// event is an event of a process in words, and its stamp.
func (t *describer) event(v *sim.View[Msg], e clock.Event) string {
	l := t.ledger
	x := &l.events[e]
	name, stamp := fmt.Sprintf("event %d", l.history.Index(e)), l.text(x.Stamp)
	if x.number != noEvent {
		name = l.script.Events[x.number].Name
	}
	switch {
	case x.from != none && l.events[x.from].number != noEvent:
		return fmt.Sprintf("receives %s of %s: %s is %s", l.script.Events[l.events[x.from].number].Name, v.Name(l.node(x.from)), name, stamp)
	case x.from != none:
		return fmt.Sprintf("receives event %d of %s: %s is %s", l.history.Index(x.from), v.Name(l.node(x.from)), name, stamp)
	case x.kind == Sent:
		return fmt.Sprintf("sends %s: %s", name, stamp)
	}
	return fmt.Sprintf("does %s: %s", name, stamp)
}

// wrong says whether the stamp of an event is not above those of the events before it.
func (t *describer) wrong(v *sim.View[Msg], e clock.Event) string {
	for _, a := range t.ledger.before(e) {
		if a != none && t.ledger.relation(a, e) != clock.Before {
			return fmt.Sprintf(", which is not after %s", t.ledger.name(v, a))
		}
	}
	return ""
}

// refused is what a clock gives no stamp to.
func (t *describer) refused(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	m := &o.Msg
	what := "an event"
	if m.Event != noEvent {
		what = t.ledger.script.Events[m.Event].Name
	}
	if m.From > 0 {
		what = fmt.Sprintf("a message of %s with the stamp %s", v.Name(sim.NodeID(m.From)), t.ledger.text(m.Stamp))
	}
	return fmt.Sprintf("refuses %s: %s", what, refusals[m.Why])
}
