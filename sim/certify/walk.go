package certify

import (
	"fmt"
	"slices"

	"fencepost/sim"
	"fencepost/sim/certify/bounds"
	"fencepost/sim/certify/internal/dbm"
)

// walk follows a tree, both ways wherever the zone allows both. all are the variables of its first
// symbols, of which as many as state says are the state's.
func (r *reaction) walk(d *draft, c call, all []variable, state int, then func(*draft, *leaf, []variable) error) error {
	k, err := r.known(d, c, len(all), state)
	if err != nil {
		return err
	}
	of := append(d.vars.Take(0, len(all)+3), all...)
	if c.property {
		return r.from(d, &c, k, k.root, append(of, variable(d.now)), then)
	}
	if of = append(of, r.mono[c.node].of(d.now)); k.wall > k.now {
		of = append(of, r.wall[c.node].of(d.now))
	}
	return r.from(d, &c, k, k.root, of, then)
}

// known is the tree of a call.
func (s *space) known(d *draft, c call, all, state int) (*known, error) {
	k := s.trees[c]
	if k == nil {
		if err := d.learns(func() error { return s.plant(c, all, state) }); err != nil {
			return nil, err
		}
		k = s.trees[c]
	}
	return k, nil
}

// plant makes the tree of a call, of as many symbols as are the state's and in all.
func (s *space) plant(c call, all, state int) error {
	if s.trees[c] != nil {
		return nil
	}
	k := &known{root: &tree{}, now: all, wall: all}
	if !c.property && s.mono[c.node] != s.wall[c.node] {
		k.wall++
	}
	for i := range state {
		k.state = append(k.state, i)
	}
	for _, i := range []byte(c.pattern) {
		k.msg = append(k.msg, int(i))
	}
	if k.now >= sim.MaxSymbols/2 {
		return fmt.Errorf("%s has more than %d readings", s.describe(&c), sim.MaxSymbols/2)
	}
	s.trees[c] = k
	return nil
}

// from is walk from a place in the tree on.
func (r *reaction) from(d *draft, c *call, k *known, at *tree, of []variable, then func(*draft, *leaf, []variable) error) error {
	if !at.known {
		c := *c
		if err := d.learns(func() error { return r.grow(&c, k, at) }); err != nil {
			return err
		}
	}
	if c.property && r.rate > 0 && !k.trueTime(at) {
		return fmt.Errorf("%s compares readings of clocks, which have a rate, with true time", r.describe(c))
	}
	switch at.kind {
	case rounding:
		x, unit := of[at.a.symbol], int64(at.unit)
		least, most := dbm.LessThan(-r.rate.Least(at.a.offset-unit)), dbm.AtMost(r.rate.Most(at.a.offset))
		if d.starts && x == r.mono[c.node].of(d.now) { // which reads 0
			down := -bounds.Ceiling(-at.a.offset, unit)
			least, most = dbm.AtMost(-r.rate.Least(down)), dbm.AtMost(r.rate.Most(down))
		}
		v := d.variable(x.index(), least, most, label{kind: rounded}, label{kind: rounded})
		if d.record != nil {
			d.record.grid(v, unit, x.clock())
		}
		return r.from(d, c, k, at.yes, append(slices.Clone(of), x.clock().of(v)), then)
	case fork:
		x, y, by := of[at.a.symbol].index(), of[at.b.symbol].index(), at.b.offset-at.a.offset
		if of[at.a.symbol].clock() != of[at.b.symbol].clock() {
			return fmt.Errorf("%s %w", r.describe(c), errTwoClocks)
		}
		before, after := dbm.LessThan(by), dbm.AtMost(-by)
		if !c.property {
			before, after = dbm.LessThan(r.rate.Most(by)), dbm.AtMost(-r.rate.Least(by))
		}
		less, not := d.allows(x, y, before), d.allows(y, x, after)
		if less {
			y2 := d.copiedUnless(!not)
			if y2.goes(yes) && y2.constrain(x, y, before, label{kind: compared}) {
				if err := r.from(y2, c, k, at.yes, of, then); err != nil {
					return err
				}
			}
		}
		if not && d.goes(no) && d.constrain(y, x, after, label{kind: compared}) {
			return r.from(d, c, k, at.no, of, then)
		}
		return nil
	}
	if at.leaf.panics != "" {
		return fmt.Errorf("%s panics: %s", r.describe(c), at.leaf.panics)
	}
	return then(d, at.leaf, of)
}

// leaves is what an effect does when it leaves.
func (r *reaction) leaves(d *draft, h *heldEffect, then func(*draft) error) error {
	switch h.kind {
	case sim.Sends:
		return r.send(d, h, then)
	case sim.Arms:
		if h.differs {
			return r.measured(d, h, then)
		}
		at := d.variable(d.now, dbm.AtMost(-max(r.rate.Least(h.least), 0)), dbm.AtMost(r.rate.Most(h.most)), label{kind: timerLeast}, label{kind: timerMost})
		d.push(event{class: timer, to: d.at, from: d.at, msg: h.msg, symbols: h.symbols, at: at})
		if d.record != nil {
			d.record.armed(d, h, at)
		}
	case sim.Sets:
		return r.set(d, h, then)
	case sim.Notes:
		return r.tell(d, h, then)
	}
	return then(d)
}

// set is an alarm, which is due at once where its reading is over.
func (r *reaction) set(d *draft, h *heldEffect, then func(*draft) error) error {
	x, least, most := h.at.symbol.index(), r.rate.Least(h.at.offset), r.rate.Most(h.at.offset)
	if h.at.symbol.clock() != r.wall[d.at] {
		return fmt.Errorf("%s sets an alarm, and %w", r.names[d.at-1], errTwoClocks)
	}
	e := event{class: alarm, to: d.at, from: d.at, msg: h.msg, symbols: h.symbols, due: h.at}
	before, after := dbm.LessThan(most), dbm.AtMost(-least) // of now and the symbol
	isAhead, isOver := d.allows(d.now, x, before), d.allows(x, d.now, after)
	if isAhead {
		f := d.copiedUnless(!isOver)
		if f.goes(ahead) && f.constrain(d.now, x, before, label{kind: compared}) {
			e := e
			e.at = f.variable(x, dbm.AtMost(-least), dbm.AtMost(most), label{kind: alarmed}, label{kind: alarmed})
			if r.rate == 0 || f.constrain(f.now, e.at, dbm.Zero, label{kind: alarmed}) {
				f.push(e)
				if err := then(f); err != nil {
					return err
				}
			}
		}
	}
	if isOver && d.goes(already) && d.constrain(x, d.now, after, label{kind: compared}) {
		e.at = d.variable(d.now, dbm.Zero, dbm.Zero, label{kind: alarmed}, label{kind: alarmed})
		d.push(e)
		return then(d)
	}
	return nil
}

// tell lets the property hear of a note.
func (r *reaction) tell(d *draft, h *heldEffect, then func(*draft) error) error {
	return r.hears(d, sim.Noted, h.msg, h.symbols, then)
}

// hears lets the property hear of what happens to a node.
func (r *reaction) hears(d *draft, of sim.Event, msg uint32, symbols []variable, then func(*draft) error) error {
	if d.record != nil {
		d.record.happens(sim.None, d.now)
	} else if !d.happens(sim.None) {
		return nil
	}
	all := d.vars.Clone(d.property.symbols, 8)
	c := call{property: true, event: of, node: d.at, state: d.property.id, msg: msg, pattern: joined(&all, symbols)}
	return r.walk(d, c, all, len(d.property.symbols), func(d *draft, l *leaf, of []variable) error {
		if l.violated {
			r.broken(d)
			return nil
		}
		d.property = part{l.id, d.variables(l.symbols, of)}
		return then(d)
	})
}

// end lets the property hear that the run is over, which is later than all that has happened.
func (s *space) end(from *state, base draft) ([]outcome, error) {
	base.state = *from
	d := base.copied()
	if d.record != nil {
		d.now = d.record.variable()
		d.record.happens(sim.None, d.now)
	} else {
		d.now = d.zone.Grow(&d.bounds)
	}
	for _, v := range d.property.symbols {
		if !d.constrain(v.index(), d.now, dbm.Negative, label{kind: ordered}) {
			return nil, nil
		}
	}
	r := &reaction{space: s}
	all := d.vars.Clone(d.property.symbols, 8)
	c := call{property: true, ended: true, state: d.property.id}
	err := r.walk(d, c, all, len(all), func(d *draft, l *leaf, _ []variable) error {
		if l.violated {
			r.list = append(r.list, outcome{d, true})
		}
		return nil
	})
	return r.list, err
}
