package process

import (
	"slices"

	"fencepost/models/clock"
	"fencepost/sim/model"
)

// maxCompared is how many pairs of events are looked at one by one.
const maxCompared = 1 << 20

// wrong counts the pairs of events of which the stamps say what is not so.
type wrong struct{ made, missed, turned uint64 }

// pairs counts them, with the memory for it.
type pairs struct{ Stamps []Stamp } // in the order of the stamps

// wrong counts the pairs of a run. detects is the property detects-concurrency, nil if the clock is
// not held to it. Where that would take a look at each of too many pairs it returns false.
func (p *pairs) wrong(l *ledger, detects *model.Property[Msg], ordered, concurrent uint64) (w wrong, ok bool) {
	switch {
	case detects != nil && detects.Finding().Violations == 0 && !l.scalar():
		return w, true
	case l.scalar() && l.causal(): // then events with one stamp are concurrent
		return wrong{made: concurrent - p.equal(l.events)}, true
	case ordered+concurrent > maxCompared:
		return w, false
	}
	for b := range clock.Event(len(l.events)) {
		for a := range b {
			before, says := l.history.Before(a, b), l.relation(a, b)
			switch ordered := says == clock.Before || says == clock.After; {
			case before && says == clock.After:
				w.turned++
			case before && !ordered:
				w.missed++
			case !before && ordered:
				w.made++
			}
		}
	}
	return w, true
}

// causal reports whether no stamp contradicts what happened before what.
func (l *ledger) causal() bool {
	for e := range clock.Event(len(l.events)) {
		for _, a := range l.before(e) {
			if a != none && l.relation(a, e) != clock.Before {
				return false
			}
		}
	}
	return true
}

// equal is how many pairs of events share a stamp.
func (p *pairs) equal(events []event) (equal uint64) {
	p.Stamps = p.Stamps[:0]
	for i := range events {
		p.Stamps = append(p.Stamps, events[i].Stamp)
	}
	slices.SortFunc(p.Stamps, compare)
	same := uint64(0) // as the one before and those before that
	for i := range p.Stamps {
		if i > 0 && compare(p.Stamps[i-1], p.Stamps[i]) == 0 {
			same++
		} else {
			same = 0
		}
		equal += same
	}
	return equal
}
