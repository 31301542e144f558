package process

import (
	"fmt"

	"fencepost/models/clock"
	"fencepost/sim"
)

// order hands the events of a run on, with their stamps.
type order struct {
	ledger    *ledger
	view      *sim.View[Msg]
	describer *describer
}

// Clock implements [sim.EventOrder].
func (o *order) Clock() string { return o.ledger.kind }

// Partial implements [sim.EventOrder].
func (o *order) Partial() bool { return !o.ledger.scalar() }

// Len implements [sim.EventOrder].
func (o *order) Len() int { return len(o.ledger.events) }

// Event implements [sim.EventOrder].
func (o *order) Event(i int) sim.OrderedEvent {
	l, x := o.ledger, &o.ledger.events[i]
	e := sim.OrderedEvent{Node: l.node(clock.Event(i)), At: x.at, Stamp: l.text(x.Stamp), Text: o.describer.event(o.view, clock.Event(i)), From: int(x.from)}
	if x.number != noEvent {
		e.Name = l.script.Events[x.number].Name
	} else {
		e.Name = fmt.Sprintf("%s:%d", o.view.Name(e.Node), l.history.Index(clock.Event(i)))
	}
	return e
}

// Says implements [sim.EventOrder].
func (o *order) Says(a, b int) string {
	return o.ledger.relation(clock.Event(a), clock.Event(b)).String()
}
