package process

import (
	"fencepost/models/clock"
	"fencepost/sim"
)

// query asks which events happened from a time of day on and before another, of a person
// who has nothing but stamps.
//
// A wall clock and a hybrid clock stamp with a time, which is compared. The stamps of
// Lamport's clock and of a vector are no times. Who asks of them can only name two events
// of a process whose log has times, here the first, and ask what is between: not before
// the first event of it from the one time on, and before the first from the other on.
//
// Source: Kulkarni et al., "Logical Physical Clocks", 2014, section 1: what neither
// logical nor physical clocks can be asked.
type query struct{ from, to int64 }

// answer is how many events there are, and what is wrong with those that are found.
type answer struct{ events, found, wrong, missed int64 }

// answer asks it of all events of a run.
func (q *query) answer(l *ledger) (a answer) {
	timed := l.kind == "wall" || l.kind == "hlc"
	from, to := q.first(l, q.from), q.first(l, q.to)
	for e := range clock.Event(len(l.events)) {
		x := &l.events[e]
		found := timed && q.from <= x.L && x.L < q.to || !timed && between(l, from, e, to)
		is := sim.Time(q.from) <= x.at && x.at < sim.Time(q.to)
		a.events += count(is)
		a.found += count(found)
		a.wrong += count(found && !is)
		a.missed += count(is && !found)
	}
	return a
}

// count is 1 for what is so.
func count(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// first is the first event of the first process whose wall clock shows at least a time;
// none if there is none.
func (q *query) first(l *ledger, at int64) clock.Event {
	for _, e := range l.chains[0] {
		if int64(l.events[e].pt) >= at {
			return e
		}
	}
	return none
}

// between reports whether an event is, by its stamp, not before one and before the other.
func between(l *ledger, from, e, to clock.Event) bool {
	if from == none {
		return false
	}
	if r := l.relation(from, e); r != clock.Before && r != clock.Equal {
		return false
	}
	return to == none || l.relation(e, to) == clock.Before
}
