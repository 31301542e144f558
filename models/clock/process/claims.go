package process

import (
	"fmt"
	"time"

	"fencepost/models/clock"
	"fencepost/models/internal/values"
	"fencepost/sim"
)

// What clocks claim, judged of each event as it happens. The order of the stamps is
// transitive, as that of every clock is, so the one or two events right before an event
// are enough; see claims.go in package clock, which judges a run that is over.

// claim is what each property has.
type claim struct {
	sim.Check
	ledger *ledger
	held   bool // the clock is held to it; else nothing is seen
	seen   int

	a, b clock.Event // of the first violation
	what string      // in words, what the clock says
}

func (c *claim) reset() {
	c.Clear()
	c.ledger.reset()
	c.seen, c.a, c.b, c.what = 0, none, none, ""
}

// next takes in an observation, and returns the event that it told of.
func (c *claim) next(v *sim.View[Msg], o *sim.Observation[Msg]) (e clock.Event, ok bool) {
	if c.seen++; c.seen > c.ledger.seen { // no other property has done so
		c.ledger.observe(v.Now(), o)
	}
	return c.ledger.latest, c.held && c.ledger.latest != none
}

// End implements [sim.Observer].
func (c *claim) End(*sim.View[Msg]) {}

// violate records that a claim is wrong about two events, or about b alone.
func (c *claim) violate(v *sim.View[Msg], a, b clock.Event, what string) {
	nodes := []sim.NodeID{c.ledger.node(b)}
	if a != none && c.ledger.node(a) != nodes[0] {
		nodes = append(nodes, c.ledger.node(a))
	}
	if c.Violate(v.Now(), nodes...) {
		c.a, c.b, c.what = a, b, what
	}
}

// before are the events right before e: on its process, and the send of what it receives.
func (l *ledger) before(e clock.Event) [2]clock.Event {
	return [2]clock.Event{l.events[e].last, l.events[e].from}
}

// OrdersCausally holds if the stamp of an event is less than that of every event that
// happened after it.
//
// Source: Lamport 1978, the Clock Condition; Kulkarni et al. 2014.
type OrdersCausally struct{ claim }

// Name implements [sim.Property].
func (p *OrdersCausally) Name() string { return "orders-causally" }

// Reset implements [sim.Observer].
func (p *OrdersCausally) Reset(*sim.View[Msg]) { p.reset() }

// Observe implements [sim.Observer].
func (p *OrdersCausally) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	e, ok := p.next(v, o)
	if !ok {
		return
	}
	for _, a := range p.ledger.before(e) {
		if a == none {
			continue
		}
		p.Saw()
		if r := p.ledger.relation(a, e); r != clock.Before {
			p.violate(v, a, e, r.String())
		}
	}
}

// Why implements [sim.Property].
func (p *OrdersCausally) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s happened before %s, and %s", p.ledger.name(v, p.a), p.ledger.name(v, p.b), words[p.what])
}

// words say how the stamps of two events stand to each other.
var words = map[string]string{
	clock.Equal.String():      "their stamps are the same",
	clock.Before.String():     "by their stamps the first came first",
	clock.After.String():      "by their stamps the second came first",
	clock.Concurrent.String(): "by their stamps they are concurrent",
}

// TotalOrder holds if the order by stamp, and then by process, agrees with what happened
// before what, and no two events are the same in it. Those of one process are all in the
// order in which they happened, or there is a violation; so two that are the same would
// be neighbours.
//
// Source: Lamport 1978, the relation =>.
type TotalOrder struct{ claim }

// Name implements [sim.Property].
func (p *TotalOrder) Name() string { return "total-order" }

// Reset implements [sim.Observer].
func (p *TotalOrder) Reset(*sim.View[Msg]) { p.reset() }

// Observe implements [sim.Observer].
func (p *TotalOrder) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	e, ok := p.next(v, o)
	if !ok {
		return
	}
	p.Saw()
	for _, a := range p.ledger.before(e) {
		if a == none {
			continue
		}
		switch c := compare(p.ledger.events[a].Stamp, p.ledger.events[e].Stamp); {
		case c > 0, c == 0 && p.ledger.node(a) > p.ledger.node(e):
			p.violate(v, a, e, ">")
		case c == 0 && p.ledger.node(a) == p.ledger.node(e):
			p.violate(v, a, e, "=")
		}
	}
}

// Why implements [sim.Property].
func (p *TotalOrder) Why(v *sim.View[Msg]) string {
	if p.what == "=" {
		return fmt.Sprintf("%s and %s have one place in the order", p.ledger.name(v, p.a), p.ledger.name(v, p.b))
	}
	return fmt.Sprintf("%s happened before %s, and comes after it in the order", p.ledger.name(v, p.a), p.ledger.name(v, p.b))
}

// CloseToPhysical holds if stamps are close to time. Of a hybrid clock: l is never behind
// the wall clock of its process, and ahead of it by no more than the wall clocks are
// claimed to be apart. Of a wall clock: it is no further than that from the true time at
// which the event is noted.
//
// Source: Kulkarni et al. 2014, the bounds of l.
type CloseToPhysical struct {
	Epsilon time.Duration

	claim
}

// Name implements [sim.Property].
func (p *CloseToPhysical) Name() string { return "close-to-physical" }

// Bound implements [sim.Bounded].
func (p *CloseToPhysical) Bound() sim.Bound {
	if !p.held {
		return sim.Bound{}
	}
	return sim.Bound{Text: "at most " + values.Length(p.Epsilon) + " apart"}
}

// Reset implements [sim.Observer].
func (p *CloseToPhysical) Reset(*sim.View[Msg]) { p.reset() }

// Observe implements [sim.Observer].
func (p *CloseToPhysical) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	e, ok := p.next(v, o)
	if !ok {
		return
	}
	p.Saw()
	x := &p.ledger.events[e]
	least, off, of := time.Duration(0), time.Duration(x.L-int64(x.pt)), "its wall clock"
	if p.ledger.kind == "wall" {
		least, off, of = -p.Epsilon, time.Duration(x.L-int64(v.Now())), "true time"
	}
	switch {
	case off > p.Epsilon:
		p.violate(v, none, e, fmt.Sprintf("%v ahead of %s", off, of))
	case off < least:
		p.violate(v, none, e, fmt.Sprintf("%v behind %s", -off, of))
	}
}

// Why implements [sim.Property].
func (p *CloseToPhysical) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s is %s: %s is claimed", p.ledger.name(v, p.b), p.what, values.Length(p.Epsilon))
}

// CounterBound holds if a hybrid clock runs ahead and counts only for a reason: an l above
// the wall clock is that of an event before, and c is no more than the events before it
// with the same l. Of the events right before it one has that l, and a c that is not
// less than c-1; so the rest follows. Where the bound is durable the first event after a
// restart may begin above it, and a full counter carries into l.
//
// If no process has two events at one reading, or begins above a bound, then c is also at
// most N(e+1), N being the processes and e the readings that wall clocks are apart. That is
// judged where the granule of the wall clocks is given.
//
// Source: Kulkarni et al. 2014, the bounds of c.
type CounterBound struct {
	Epsilon, Granule time.Duration // Granule 0: do not judge N(e+1)
	Full             int64         // a counter that carries into l; -1 if none does
	Durable          bool          // a restart begins above a bound

	claim
	loose bool // c is not bound by N(e+1) any more
}

// Name implements [sim.Property].
func (p *CounterBound) Name() string { return "counter-bound" }

// Bound implements [sim.Bounded].
func (p *CounterBound) Bound() sim.Bound {
	if !p.held || p.Granule == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("at most %d", p.most()), Worst: "most-counter"}
}

// Reset implements [sim.Observer].
func (p *CounterBound) Reset(*sim.View[Msg]) {
	p.reset()
	p.loose = false
}

// Observe implements [sim.Observer].
func (p *CounterBound) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	e, ok := p.next(v, o)
	if !ok {
		return
	}
	p.Saw()
	l := p.ledger
	x := &l.events[e]
	p.loose = p.loose || x.fresh && p.Durable || x.last != none && l.events[x.last].pt >= x.pt
	if !p.reason(x) {
		p.violate(v, none, e, "no event before it gives it this stamp")
	}
	if p.Granule > 0 && !p.loose {
		if most := p.most(); int64(x.C) > most {
			p.violate(v, none, e, fmt.Sprintf("the counter is above %d", most))
		}
	}
}

// most is N(e+1).
func (p *CounterBound) most() int64 {
	return int64(len(p.ledger.names)) * (int64(p.Epsilon/p.Granule) + 1)
}

// reason reports whether the events before x explain its stamp.
func (p *CounterBound) reason(x *event) bool {
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
		y := &p.ledger.events[a]
		if y.L == x.L && int64(y.C)+1 >= int64(x.C) || y.L+1 == x.L && x.C == 0 && int64(y.C) == p.Full {
			return true
		}
	}
	return last == none && x.L == 0 && x.C <= 1 // the clock begins at (0,0), which no event has
}

// Why implements [sim.Property].
func (p *CounterBound) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s: %s", p.ledger.name(v, p.b), p.what)
}

// AsWritten holds if the events of a script have the stamps that are written down.
type AsWritten struct {
	claim
	want    []expected
	settled []bool // by event of the script: it has happened, or was refused
	missing int    // event of the script that has not happened, or noEvent
	reason  Refusal
}

// Name implements [sim.Property].
func (p *AsWritten) Name() string { return "as-written" }

// Reset implements [sim.Observer].
func (p *AsWritten) Reset(*sim.View[Msg]) {
	p.reset()
	if p.settled == nil {
		p.settled = make([]bool, len(p.want))
	}
	clear(p.settled)
	p.missing, p.reason = noEvent, 0
}

// Observe implements [sim.Observer].
func (p *AsWritten) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	e, ok := p.next(v, o)
	if p.held && o.Event == sim.Noted && o.Msg.Event != noEvent {
		p.settled[o.Msg.Event] = true
		if o.Msg.Kind == Refused {
			p.refuse(v, o)
		}
	}
	if !ok || p.ledger.events[e].number == noEvent {
		return
	}
	x := &p.ledger.events[e]
	w := &p.want[x.number]
	if !w.asked {
		return
	}
	p.Saw()
	if !w.matches(p.ledger.kind, x.Stamp) {
		p.violate(v, none, e, p.written(w))
	}
}

// refuse judges an event to which the clock gave no stamp.
func (p *AsWritten) refuse(v *sim.View[Msg], o *sim.Observation[Msg]) {
	w := &p.want[o.Msg.Event]
	if !w.asked {
		return
	}
	p.Saw()
	if !w.refused && p.Violate(v.Now(), o.Node) {
		p.missing, p.reason = int(o.Msg.Event), o.Msg.Why
	}
}

// End implements [sim.Observer].
func (p *AsWritten) End(v *sim.View[Msg]) {
	for i := range p.want {
		if p.held && p.want[i].asked && !p.settled[i] && p.Violate(v.Now(), sim.NodeID(p.ledger.script.Events[i].Process+1)) {
			p.missing = i
		}
	}
}

// written is a stamp that was to be.
func (p *AsWritten) written(w *expected) string {
	switch {
	case w.refused:
		return "that it is refused"
	case p.ledger.kind == "pruned":
		return w.text(p.ledger.names)
	}
	return p.ledger.text(w.Stamp)
}

// text is the clock with the names of the processes.
func (w *expected) text(names []string) string {
	var s clock.Sparse[string]
	for _, e := range w.sparse {
		s = append(s, clock.Entry[string]{ID: names[e.ID], N: e.N})
	}
	return s.String()
}

// Why implements [sim.Property].
func (p *AsWritten) Why(v *sim.View[Msg]) string {
	switch {
	case p.missing == noEvent:
		return fmt.Sprintf("%s: written is %s", p.ledger.name(v, p.b), p.what)
	case p.reason != 0:
		return fmt.Sprintf("%s was refused: %s", p.ledger.script.Events[p.missing].Name, refusals[p.reason])
	}
	return p.ledger.script.Events[p.missing].Name + " has not happened"
}
