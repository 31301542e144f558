package process

import (
	"fmt"
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// What clocks claim, checked of each event as it happens. The order of the stamps is
// transitive, as that of every clock is, so the one or two events right before an event
// are enough; see claims.go in package clock, which checks a run that is over.

// violated says that a claim is wrong about two events, or about b alone, and reports whether
// to say why.
func (l *ledger) violated(r *model.Report[Msg], a, b clock.Event) bool {
	if a == none || l.node(a) == l.node(b) {
		return r.Violated(l.node(b))
	}
	return r.Violated(l.node(b), l.node(a))
}

// ordersCausally holds if the stamp of an event is less than that of every event that
// happened after it.
//
// Source: Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM
// 21(7), 1978, the Clock Condition; Kulkarni et al., "Logical Physical Clocks", 2014.
type ordersCausally struct {
	Ledger *ledger
	Held   bool // the clock is held to it; else this only keeps the ledger
}

// Begin begins the ledger anew, which this property keeps for the others.
func (p *ordersCausally) Begin(*model.Report[Msg]) { p.Ledger.reset() }

// Check implements [model.Checker].
func (p *ordersCausally) Check(r *model.Report[Msg]) {
	l := p.Ledger
	l.observe(r.Now(), r.Observation)
	if p.Held && l.latest != none {
		l.after(r, l.latest)
	}
}

// after checks that an event has a stamp above those of the events right before it.
func (l *ledger) after(r *model.Report[Msg], e clock.Event) {
	for _, a := range l.before(e) {
		if a == none {
			continue
		}
		r.Saw()
		if is := l.relation(a, e); is != clock.Before && l.violated(r, a, e) {
			r.Why("%s happened before %s, and %s", l.name(r.View, a), l.name(r.View, e), words[is])
		}
	}
}

// words say how the stamps of two events stand to each other.
var words = map[clock.Relation]string{
	clock.Equal:      "their stamps are the same",
	clock.Before:     "by their stamps the first came first",
	clock.After:      "by their stamps the second came first",
	clock.Concurrent: "by their stamps they are concurrent",
}

// totalOrder holds if the order by stamp, and then by process, agrees with what happened
// before what, and no two events are the same in it. Those of one process are all in the
// order in which they happened, or there is a violation; so two that are the same would
// be neighbours.
//
// Source: Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM
// 21(7), 1978, the relation =>.
type totalOrder struct{ Ledger *ledger }

// Check implements [model.Checker].
func (p *totalOrder) Check(r *model.Report[Msg]) {
	l, e := p.Ledger, p.Ledger.latest
	if e == none {
		return
	}
	r.Saw()
	for _, a := range l.before(e) {
		if a == none {
			continue
		}
		switch c := compare(l.events[a].Stamp, l.events[e].Stamp); {
		case c > 0, c == 0 && l.node(a) > l.node(e):
			if l.violated(r, a, e) {
				r.Why("%s happened before %s, and comes after it in the order", l.name(r.View, a), l.name(r.View, e))
			}
		case c == 0 && l.node(a) == l.node(e):
			if l.violated(r, a, e) {
				r.Why("%s and %s have one place in the order", l.name(r.View, a), l.name(r.View, e))
			}
		}
	}
}

// closeToPhysical holds if stamps are close to time. Of a hybrid clock: l is never behind
// the wall clock of its process, and ahead of it by no more than the wall clocks are
// claimed to be apart. Of a wall clock: it is no further than that from the true time at
// which the event is noted.
//
// Source: Kulkarni et al., "Logical Physical Clocks", 2014, the bounds of l.
type closeToPhysical struct {
	Ledger  *ledger
	Epsilon time.Duration
}

// Bound implements [sim.Bounded].
func (p *closeToPhysical) Bound() sim.Bound {
	return sim.Bound{Text: "at most " + values.Length(p.Epsilon) + " apart"}
}

// Check implements [model.Checker].
func (p *closeToPhysical) Check(r *model.Report[Msg]) {
	l, e := p.Ledger, p.Ledger.latest
	if e == none {
		return
	}
	r.Saw()
	x := &l.events[e]
	least, off, of := time.Duration(0), time.Duration(x.ahead(x.pt)), "its wall clock"
	if l.kind == "wall" {
		least, off, of = -p.Epsilon, time.Duration(x.ahead(clock.Reading(r.Now()))), "true time"
	}
	is := "ahead of"
	if off < least {
		is = "behind"
	} else if off <= p.Epsilon {
		return
	}
	if l.violated(r, none, e) {
		r.Why("%s is %v %s %s: %s is claimed", l.name(r.View, e), off.Abs(), is, of, values.Length(p.Epsilon))
	}
}

// counterBound holds if a hybrid clock runs ahead and counts only for a reason: an l above
// the wall clock is that of an event before, and c is no more than the events before it
// with the same l. Of the events right before it one has that l, and a c that is not
// less than c-1; so the rest follows. Where the bound is durable the first event after a
// restart may begin above it, and a full counter carries into l.
//
// If no process has two events at one reading, or begins above a bound, then c is also at
// most N(e+1), N being the processes and e the readings that wall clocks are apart. That is
// checked where the granule of the wall clocks is given.
//
// Source: Kulkarni et al., "Logical Physical Clocks", 2014, the bounds of c.
type counterBound struct {
	Ledger           *ledger
	Epsilon, Granule time.Duration // Granule 0: do not check N(e+1)
	Full             int64         // a counter that carries into l; -1 if none does
	Durable          bool          // a restart begins above a bound
	Loose            bool          // c is not bound by N(e+1) any more
}

// Bound implements [sim.Bounded].
func (p *counterBound) Bound() sim.Bound {
	if p.Granule == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("at most %d", p.most()), Worst: "most-counter"}
}

// Check implements [model.Checker].
func (p *counterBound) Check(r *model.Report[Msg]) {
	l, e := p.Ledger, p.Ledger.latest
	if e == none {
		return
	}
	r.Saw()
	x := &l.events[e]
	p.Loose = p.Loose || x.fresh && p.Durable || x.last != none && l.events[x.last].pt >= x.pt
	if !p.reason(x) && l.violated(r, none, e) {
		r.Why("%s: no event before it gives it this stamp", l.name(r.View, e))
	}
	if p.Granule > 0 && !p.Loose && int64(x.C) > p.most() && l.violated(r, none, e) {
		r.Why("%s: the counter is above %d", l.name(r.View, e), p.most())
	}
}

// most is N(e+1).
func (p *counterBound) most() int64 {
	return int64(len(p.Ledger.names)) * (int64(p.Epsilon/p.Granule) + 1)
}

// reason reports whether the events before x explain its stamp.
func (p *counterBound) reason(x *event) bool {
	if x.fresh && p.Durable || x.C == 0 && x.L == int64(x.pt) {
		return true
	}
	last := x.last
	if x.fresh { // the clock is a new one
		last = none
	}
	for _, a := range [2]clock.Event{last, x.from} {
		if a == none {
			continue
		}
		y := &p.Ledger.events[a]
		if y.L == x.L && int64(y.C)+1 >= int64(x.C) || y.L+1 == x.L && x.C == 0 && int64(y.C) == p.Full {
			return true
		}
	}
	return last == none && x.L == 0 && x.C <= 1 // the clock begins at (0,0), which no event has
}

// asWritten holds if the events of a script have the stamps that are written down.
type asWritten struct {
	Ledger  *ledger
	Want    []expected
	Settled []bool // by event of the script: it has happened, or was refused
}

// Check implements [model.Checker].
func (p *asWritten) Check(r *model.Report[Msg]) {
	n := r.Msg.Event
	if n == noEvent {
		return
	}
	*model.At(&p.Settled, n) = true
	want := &p.Want[n]
	refused := r.Msg.Kind == Refused
	if !want.asked || !refused && p.Ledger.latest == none {
		return
	}
	r.Saw()
	switch {
	case refused && !want.refused && r.Violated(r.Node):
		r.Why("%s was refused: %s", p.Ledger.script.Events[n].Name, refusals[r.Msg.Why])
	case !refused && !want.matches(p.Ledger.kind, r.Msg.Stamp) && r.Violated(r.Node):
		r.Why("%s: written is %s", p.Ledger.name(r.View, p.Ledger.latest), p.written(want))
	}
}

// End looks for events that have not happened.
func (p *asWritten) End(r *model.Report[Msg]) {
	for i := range p.Want {
		if happened := i < len(p.Settled) && p.Settled[i]; happened || !p.Want[i].asked {
			continue
		}
		if e := &p.Ledger.script.Events[i]; r.Violated(sim.NodeID(e.Process + 1)) {
			r.Why("%s has not happened", e.Name)
		}
	}
}

// written is a stamp that was to be.
func (p *asWritten) written(w *expected) string {
	switch {
	case w.refused:
		return "that it is refused"
	case p.Ledger.kind == "pruned":
		return w.text(p.Ledger.names)
	}
	return p.Ledger.text(w.Stamp)
}

// text is the clock with the names of the processes.
func (w *expected) text(names []string) string {
	var s clock.Sparse[string]
	for _, e := range w.sparse {
		s = append(s, clock.Entry[string]{ID: names[e.ID], N: e.N})
	}
	return s.String()
}
