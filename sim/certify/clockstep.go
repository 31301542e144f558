package certify

import (
	"slices"
	"time"

	"fencepost/sim"
	"fencepost/sim/certify/bounds"
	"fencepost/sim/certify/internal/dbm"
)

// A reading is a variable: the instant at which its clock reads it, if nothing happens to the clock.
// A wall clock that is stepped ahead reads everything that much sooner, so that each of its readings that
// anything holds moves that much back, and nothing else changes: what the clock reads now is the
// instant of now as ever. All move by one amount. A zone bounds each of them, and their differences
// stay; that they are all as far from the rest it does not say, so that it may hold more than the runs have.
// On a path the amount is made one for all before it is played.

// step is a step of a node's wall clock now.
func (r *reaction) step(d *draft, k int) error {
	f, of := &r.faults[k], r.wall[d.at]
	least, most, low, high := f.steps()
	var from, to []int
	d.rename(func(v *variable) {
		if v.clock() != of {
			return
		}
		i := slices.Index(from, v.index())
		if i < 0 {
			i = len(from)
			from = append(from, v.index())
			to = append(to, d.variable(v.index(), dbm.AtMost(most), dbm.AtMost(-least), label{kind: high, n: k}, label{kind: low, n: k}))
		}
		*v = of.of(to[i])
	})
	if d.record != nil {
		d.record.begins(d, k, never, nil)
		d.record.moved(of, from, to)
	} else {
		for i := range from {
			for j := range from {
				if i != j && !d.zone.Constrain(to[i], to[j], d.zone.At(from[i], from[j])) {
					return nil
				}
			}
		}
	}
	var alarms []event
	d.pending = slices.DeleteFunc(d.pending, func(e event) bool {
		if e.class != alarm || e.to != d.at {
			return false
		}
		alarms = append(alarms, e)
		return true
	})
	return r.ring(d, alarms)
}

// rename gives the symbols of all that is remembered other numbers. States share what they do not
// change, so that what is renamed is copied.
func (s *state) rename(do func(*variable)) {
	list := func(l *[]variable) {
		*l = slices.Clone(*l)
		for i := range *l {
			do(&(*l)[i])
		}
	}
	events := func(l *[]event) {
		*l = slices.Clone(*l)
		for i := range *l {
			e := &(*l)[i]
			if list(&e.symbols); e.class == alarm {
				do(&e.due.symbol)
			}
		}
	}
	for i := range s.nodes {
		list(&s.nodes[i].symbols)
	}
	list(&s.property.symbols)
	events(&s.pending)
	for i, p := range s.stops {
		if p == nil {
			continue
		}
		c := stop{p.down, p.inbox, slices.Clone(p.held)}
		events(&c.inbox)
		for j := range c.held {
			h := &c.held[j]
			if list(&h.symbols); h.dated() {
				do(&h.at.symbol)
			}
			if h.differs {
				do(&h.less)
			}
		}
		s.stops[i] = &c
	}
}

// ring sets alarms as their clock reads now.
func (r *reaction) ring(d *draft, alarms []event) error {
	if len(alarms) == 0 {
		return r.emit(d)
	}
	e := &alarms[0]
	h := heldEffect{effect: effect{kind: sim.Sets, msg: e.msg}, symbols: e.symbols, at: e.due}
	return r.set(d, &h, func(d *draft) error { return r.ring(d, alarms[1:]) })
}

// moved are the readings that the step of a clock moves, and where they lie then.
func (r *recorder) moved(c clock, from, to []int) {
	f := &r.faults[len(r.faults)-1]
	f.clock = c
	for i := range from {
		f.moved = append(f.moved, [2]int{from[i], to[i]})
	}
}

// stepped is a path on which each step of a clock moves all readings by the same amount, if there is
// one among the amounts that are tried: what some reading moves by, the same in whole milliseconds, of
// which some readings are, and the ends of the range.
func (r *recorder) stepped(faults []Fault) (*recorder, bool) {
	for i := range r.faults {
		f := &r.faults[i]
		if f.clock == 0 {
			continue
		}
		at, ok := r.solve()
		if !ok {
			return r, false
		}
		var tries []int64
		for _, m := range f.moved {
			by := at[m[0]] - at[m[1]]
			tries = append(tries, by, bounds.Ceiling(by-int64(time.Millisecond)+1, int64(time.Millisecond)))
		}
		least, most, _, _ := faults[f.fault].steps()
		tries = append(tries, most, least)
		found := false
		for _, by := range tries {
			if c := r.steppedBy(i, by); !found {
				if _, found = c.solve(); found {
					r = c
				}
			}
		}
		if !found {
			return r, false
		}
	}
	return r, true
}

// stepsOf is how often the clock of a reading had been stepped.
func (r *recorder) stepsOf(g *grid) (n int) {
	for i := range r.faults[:g.steps] {
		if f := &r.faults[i]; g.clock != 0 && f.clock == g.clock {
			n++
		}
	}
	return n
}

// steppedBy is a path with the amount of a step.
func (r *recorder) steppedBy(i int, by int64) *recorder {
	c := *r
	c.bounds, c.faults, c.grids = slices.Clone(r.bounds), slices.Clone(r.faults), slices.Clone(r.grids)
	f := &c.faults[i]
	f.by = time.Duration(by)
	for _, m := range f.moved {
		c.add(m[0], m[1], dbm.AtMost(by), label{})
		c.add(m[1], m[0], dbm.AtMost(-by), label{})
	}
	for k := range c.grids {
		if g := &c.grids[k]; g.clock == f.clock && g.steps > i {
			g.ahead += by
			g.known++
		}
	}
	return &c
}
