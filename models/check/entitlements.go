package check

import (
	"fencepost/models/fact"
	"fencepost/sim"
)

// Lease is a time that is over when a clock of a node reaches a reading.
type Lease struct {
	Reading int64
	Endless bool
	Until   sim.Time // the instant at which the clock will reach it
}

// retime calculates the instant, which a fault of the clock moves unless it is past.
func (l *Lease) retime(r *fact.Report, id sim.NodeID, clock sim.ClockID) {
	until := sim.Never
	if !l.Endless {
		until = r.When(id, clock, l.Reading)
	}
	if until > r.At || l.Until > r.At {
		l.Until = until
	}
}

// Entitlements is which clients are entitled to the lock: those that believe to hold it, and would still find their
// lease valid if they looked at their clock now.
type Entitlements struct {
	Beliefs Beliefs
	Clock   sim.ClockID
	Lease   Table[Lease] // by client: up to which it may act
}

func newEntitlements(l *Lock) Entitlements {
	return Entitlements{Beliefs{Held: byClient[fact.Holder](l)}, l.Clock, byClient[Lease](l)}
}

// hear reports whether the fact may have entitled its client, and what it did to the beliefs.
func (e *Entitlements) hear(r *fact.Report) (may bool, change Change) {
	change = e.Beliefs.hear(r.Fact)
	if int(r.Node) >= len(e.Lease) || e.Beliefs.Held[r.Node] == none {
		return false, change
	}
	l := &e.Lease[r.Node]
	switch {
	case change == Entered:
		*l = Lease{Reading: r.Until, Endless: !r.Ends}
	case r.Kind == fact.Extended:
		l.Reading = r.Until
	case r.Kind != fact.ClockChanged:
		return false, change
	}
	l.retime(r, r.Node, e.Clock)
	return true, change
}

// entitled reports whether a client is entitled now.
func (e *Entitlements) entitled(now sim.Time, id sim.NodeID) bool {
	return e.Beliefs.Held[id] != none && now < e.Lease[id].Until
}

// outstays tells a property how long ago the latest lease of a client has run out, less than 0 if it has not.
func (e *Entitlements) outstays(r *fact.Report, id sim.NodeID) {
	if until := e.Lease[id].Until; until != sim.Never {
		r.Near(int64(r.At.Sub(until)))
	}
}

// otherEntitled is another client that is entitled now, [sim.None] if there is none.
func (e *Entitlements) otherEntitled(now sim.Time, id sim.NodeID) sim.NodeID {
	for c := range e.Lease {
		if d := sim.NodeID(c); d != id && e.entitled(now, d) {
			return d
		}
	}
	return sim.None
}

// Second is the instant from which fewer than two of those that believe to hold the lock are entitled to it, if nothing
// else happens.
func (e *Entitlements) Second() sim.Time {
	var latest, second sim.Time
	for c, h := range e.Beliefs.Held {
		if h == none {
			continue
		}
		if until := e.Lease[c].Until; until > latest {
			latest, second = until, latest
		} else if until > second {
			second = until
		}
	}
	return second
}
