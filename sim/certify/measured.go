package certify

import (
	"fmt"
	"slices"

	"fencepost/sim/certify/bounds"
	"fencepost/sim/certify/internal/dbm"
)

// A timer may be as long as what lies between two readings, of which neither need be that of now: what
// is left of a key, as a server says it, or what was left of a wait before a pause. Such a timer is due
// at now + at - less, which is no bound on the difference of two instants. A zone has what follows from it
// for each two: that due - now is in the range of at - less, and due - at in that of now - less. Where less
// is now, due is at, and nothing is lost.
//
// On a path the length is made one number before it is played.

// measured is such a timer, set now.
func (r *reaction) measured(d *draft, h *heldEffect, then func(*draft) error) error {
	x, y, by := h.at.symbol.index(), h.less.index(), h.at.offset
	clock := h.at.symbol.clock()
	if clock != h.less.clock() {
		return fmt.Errorf("%s sets a timer, and %w", r.names[d.at-1], errTwoClocks)
	}
	most, short := d.longest(x, y), d.longest(y, x)
	switch {
	case most == dbm.Unbounded || short == dbm.Unbounded:
		return fmt.Errorf("%s sets a timer that may be of any length: that is not covered", r.names[d.at-1])
	case r.rate == 0 && d.record == nil && dbm.Plus(short, dbm.AtMost(-by)) > dbm.Zero:
		return fmt.Errorf("%s sets a timer that may be of less than 0", r.names[d.at-1])
	}
	least, longest := dbm.Plus(short, dbm.AtMost(-by)), dbm.Plus(most, dbm.AtMost(by))
	if r.rate > 0 {
		low, _ := short.Limit()
		high, _ := most.Limit()
		low, high = r.rate.Reads(-low, -1)+by, r.rate.Reads(high, 1)+by
		least, longest = dbm.AtMost(-max(r.rate.Least(low), 0)), dbm.AtMost(r.rate.Most(high))
	}
	at := d.variable(d.now, least, longest, label{kind: timerLeast}, label{kind: timerMost})
	switch {
	case y == d.now && clock == r.mono[d.at]:
		d.constrain(at, x, dbm.AtMost(r.rate.Most(by)), label{kind: timerMost})
		d.constrain(x, at, dbm.AtMost(-r.rate.Least(by)), label{kind: timerLeast})
	case r.rate == 0:
		d.constrain(at, x, dbm.Plus(d.longest(d.now, y), dbm.AtMost(by)), label{kind: timerMost})
		d.constrain(x, at, dbm.Plus(d.longest(y, d.now), dbm.AtMost(-by)), label{kind: timerLeast})
	}
	d.push(event{class: timer, to: d.at, from: d.at, msg: h.msg, symbols: h.symbols, at: at})
	if d.record != nil {
		d.record.spans = append(d.record.spans, span{d.now, at, x, y, by})
	}
	return then(d)
}

// longest is a bound on the difference of two variables.
func (d *draft) longest(x, y int) dbm.Bound {
	if d.record != nil {
		return d.record.longest(x, y)
	}
	return d.zone.At(x, y)
}

// span is a timer that is set at an instant, and due as long after it as from one reading to another, and by besides.
type span struct {
	set, due, to, from int
	by                 int64
}

// longest is the bound on the difference of two instants that follows from those of the path.
func (r *recorder) longest(x, y int) dbm.Bound {
	switch most, strict, ok := bounds.Between(r.variables, r.list(), x, y); {
	case !ok:
		return dbm.Unbounded
	case strict:
		return dbm.LessThan(most)
	default:
		return dbm.AtMost(most)
	}
}

// measured is a path on which each of these timers is as long as it is to be, if there is one among the
// lengths that are tried: what it is, and what lies between its readings.
func (r *recorder) measured() (*recorder, bool) {
	at, ok := r.solve()
	for _, s := range r.spans {
		if !ok {
			return r, false
		}
		ok = false
		for _, length := range []int64{at[s.to] - at[s.from] + s.by, at[s.due] - at[s.set]} {
			c := *r
			c.bounds = slices.Clone(r.bounds)
			c.apartBy(s.due, s.set, length)
			c.apartBy(s.to, s.from, length-s.by)
			if at, ok = c.solve(); ok {
				r = &c
				break
			}
		}
	}
	return r, ok
}

// apartBy puts an instant as long after another.
func (r *recorder) apartBy(x, y int, length int64) {
	r.add(x, y, dbm.AtMost(length), label{})
	r.add(y, x, dbm.AtMost(-length), label{})
}
