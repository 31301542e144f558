package certify

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"fencepost/sim"
	"fencepost/sim/certify/internal/dbm"
	"fencepost/sim/certify/internal/rate"
)

// space is a system with everything that may happen to it.
type space struct {
	*theatre
	fifo    bool
	delays  [][]interval // by sender and receiver
	costs   []int64      // by node: how long its steps take
	faults  []Fault
	strikes []strike
	mono    []clock // by node
	wall    []clock
	rate    rate.Rate
	like    *likeness
	trees   map[call]*known
	ignored map[call]bool
	reborn  map[crashed]reborn
	budgets int // counts of what is left to begin, see [state]

	copyWithin time.Duration
	senders    []sim.NodeID

	quietens    bool
	keepIgnored bool
	keepSerials bool
	checksNames bool
	inOrder     bool
}

// interval is a range of durations, both ends within it.
type interval struct{ least, most int64 }

// outcome is what an event may lead to: a state, or a violation.
type outcome struct {
	*draft
	violated bool
}

// errTooWide ends a search whose zones have too many variables for a key.
var errTooWide = errors.New("more than 250 instants matter at once")

// mostVariables is how many a zone that is kept may have.
const mostVariables = 250

// fire is everything that can come of the i-th pending event, if it is the first to happen. Numbers
// above these are of the faults that may begin.
func (s *space) fire(from *state, i int, base draft) ([]outcome, error) {
	if n := len(from.pending); i >= n {
		return s.strike(from, s.strikes[i-n], base)
	}
	if s.fifo && i > 0 && from.pending[i].sameLink(&from.pending[i-1]) {
		return nil, nil // another message of the link comes before it
	}
	if from.waitsForStart(&from.pending[i]) {
		return nil, nil
	}
	if base.record == nil && !from.mayBeNext(from.pending[i].at) {
		return nil, nil
	}
	base.state = *from
	d := base.copied()
	e := d.pending[i]
	if !d.fires(i, s.inOrder) {
		return nil, nil
	}
	r := &reaction{s, d.outcomes.Take(0, 4)}
	var err error
	switch {
	case e.class == wake:
		p := d.stops[e.to-1]
		d.stops[e.to-1] = nil
		err = r.leave(d, p.held, p.inbox, true)
	case e.class == restart:
		err = r.restarts(d, e)
	case d.stops[e.to-1] != nil && d.stops[e.to-1].down: // it is lost
		err = r.emit(d)
	case d.stops[e.to-1] != nil:
		err = r.waits(d, e)
	default:
		err = r.handle(d, []event{e})
	}
	if err != nil {
		return nil, err
	}
	return s.settle(r.list)
}

// waits is an event of a node that is paused: it is handled at the end of the pause.
func (r *reaction) waits(d *draft, e event) error {
	p := *d.stops[e.to-1]
	if len(p.inbox) == 0 {
		if quiet, err := r.isQuiet(d, &e); err != nil {
			return err
		} else if quiet {
			return r.react(d, []event{e})
		}
	}
	p.inbox = append(slices.Clone(p.inbox), e)
	d.stops[e.to-1] = &p
	return r.emit(d)
}

// settle drops what can have no effect and what no run has, and sorts what is pending.
func (s *space) settle(list []outcome) ([]outcome, error) {
	settled := list[:0]
	for _, o := range list {
		if o.violated {
			settled = append(settled, o)
			continue
		}
		kept := o.pending[:0]
		for _, e := range o.pending {
			if e.to != o.at && e.from != o.at { // nothing has changed since it was asked
				kept = append(kept, e)
				continue
			}
			if ignores, err := s.ignores(o.draft, &e); err != nil {
				return nil, err
			} else if !ignores {
				kept = append(kept, e)
			} else if o.record != nil {
				o.record.ignores(&e)
			}
		}
		if o.pending = kept; o.record == nil && !o.happened() {
			continue
		}
		if err := s.rank(o.draft); err != nil {
			return nil, err
		}
		o.sort(s.fifo)
		settled = append(settled, o)
	}
	return settled, nil
}

// ignores reports whether an event can have no effect.
func (s *space) ignores(d *draft, e *event) (bool, error) {
	if s.keepIgnored || e.class == wake || s.costs[e.to] > 0 || d.stops[e.to-1] != nil && d.stops[e.to-1].down {
		return false, nil
	}
	n := &d.nodes[e.to-1]
	all := d.vars.Clone(n.symbols, 8)
	c := call{node: e.to, from: e.from, state: n.id, msg: e.msg, last: d.isLast(e)}
	if c.pattern = joined(&all, e.symbols); e.class == alarm {
		c.ended, c.offset = true, e.due.offset
		c.pattern += joined(&all, []variable{e.due.symbol})
	}
	if known, ok := s.ignored[c]; ok {
		return known, nil
	}
	state := len(n.symbols)
	err := d.learns(func() error { s.tryIgnore(c, state); return nil })
	return s.ignored[c], err
}

// isLast reports whether an event is a message, and the only one of its sender that is on its way to the node.
func (d *draft) isLast(e *event) bool {
	if e.from == e.to {
		return false
	}
	n := 0
	count := func(list []event) {
		for i := range list {
			if f := &list[i]; f.to == e.to && f.from == e.from {
				n++
			}
		}
	}
	count(d.pending)
	if p := d.stops[e.to-1]; p != nil {
		count(p.inbox)
	}
	return n == 1
}

// tryIgnore asks a node, whose state has as many symbols, whether an event can have no effect.
func (s *space) tryIgnore(c call, state int) {
	var own, said []int
	for i := range state {
		own = append(own, i)
	}
	for _, i := range []byte(c.pattern) {
		said = append(said, int(i))
	}
	var due int64
	if c.ended {
		last := len(said) - 1
		due = sim.Symbol(s.search, said[last], c.offset)
		said = said[:last]
	}
	s.put(s.node[c.node], c.state, own, s.Node(c.node))
	s.put(s.messages, c.msg, said, s.Message())
	s.ignored[c] = s.Ignores(c.node, c.from, sim.Wall(due), c.last)
}

// joined adds the variables that are new to a list, and says where in it each is.
func joined(all *[]variable, more []variable) string {
	b := make([]byte, len(more))
	for i, v := range more {
		j := slices.Index(*all, v)
		if j < 0 {
			j = len(*all)
			*all = append(*all, v)
		}
		b[i] = byte(j)
	}
	return string(b)
}

// reaction is how a node reacts to an event, in all the ways that there are.
type reaction struct {
	*space
	list []outcome
}

// emit adds a state to the outcomes.
func (r *reaction) emit(d *draft) error {
	r.list = append(r.list, outcome{draft: d})
	return nil
}

// broken adds a violation of the property.
func (r *reaction) broken(d *draft) {
	if d.record != nil || d.happened() {
		r.list = append(r.list, outcome{d, true})
	}
}

// interrupted is d where a pause begins now, with what has to wait for its end, or, between two
// effects, a crash.
func (r *reaction) interrupted(d *draft, wait stop) error {
	for k := range r.faults {
		p := &r.faults[k]
		if !r.may(d, k, len(wait.held) > 0) {
			continue
		}
		c := d.copied()
		if p.Do == sim.Crash {
			if c.goes(crashes, byte(k)) {
				if err := r.crash(c, k, true, wait.held); err != nil {
					return err
				}
			}
			continue
		}
		if !c.goes(pauses, byte(k)) {
			continue
		}
		c.left[k]--
		w := wait
		c.stops[c.at-1] = &w
		at := c.variable(c.now, dbm.AtMost(-int64(p.Least)), dbm.AtMost(int64(p.Most)), label{kind: faultLeast, n: k}, label{kind: faultMost, n: k})
		c.push(event{class: wake, to: c.at, from: c.at, at: at})
		if c.record != nil {
			c.record.begins(c, k, at, w.held)
		}
		if err := r.emit(c); err != nil {
			return err
		}
	}
	return nil
}

// may reports whether a pause may begin at the node now or, between two effects, a crash.
func (r *reaction) may(d *draft, k int, between bool) bool {
	f := &r.faults[k]
	return d.left[k] > 0 && (f.Do == sim.Pause || f.Do == sim.Crash && between) && slices.Contains(f.Nodes, d.at)
}

// interruptible reports whether any may.
func (r *reaction) interruptible(d *draft, between bool) bool {
	for k := range r.faults {
		if r.may(d, k, between) {
			return true
		}
	}
	return false
}

// handle lets the node handle messages, one after the other.
func (r *reaction) handle(d *draft, inbox []event) error {
	if len(inbox) == 0 {
		return r.emit(d)
	}
	if r.interruptible(d, false) {
		if quiet, err := r.isQuiet(d, &inbox[0]); err != nil {
			return err
		} else if quiet {
			return r.react(d, inbox)
		}
		if err := r.interrupted(d, stop{inbox: inbox}); err != nil {
			return err
		}
		if !d.goes(happens) {
			return nil
		}
	}
	return r.react(d, inbox)
}

// called is the step that handles an event, and the variables of what it knows.
func (r *reaction) called(d *draft, e *event) (c call, all []variable) {
	n, said := &d.nodes[e.to-1], e.symbols
	if r.rate > 0 && e.from != e.to {
		said = d.owned(said, foreign(e.to), 0)
	}
	all = d.vars.Clone(n.symbols, 8)
	return call{node: e.to, from: e.from, state: n.id, msg: e.msg, pattern: joined(&all, said)}, all
}

// react is handle, once nothing comes before that.
func (r *reaction) react(d *draft, inbox []event) error {
	e := &inbox[0]
	c, all := r.called(d, e)
	return r.walk(d, c, all, len(d.nodes[e.to-1].symbols), func(d *draft, l *leaf, of []variable) error {
		d.nodes[e.to-1] = part{l.id, d.variables(l.symbols, of)}
		held := d.held.Take(0, len(l.effects))
		for i := range l.effects {
			f := &l.effects[i]
			h := heldEffect{effect: *f, symbols: d.variables(f.symbols, of)}
			if f.dated() {
				h.at, h.less = due{of[f.at.symbol], f.at.offset}, of[f.less.symbol]
			}
			held = append(held, h)
		}
		busy := r.costs[e.to] > 0
		if r.scattered(held) && (busy || r.interruptible(d, true)) {
			return fmt.Errorf("%s: %w", r.names[e.to-1], errScattered)
		}
		if busy {
			return r.occupied(d, stop{inbox: inbox[1:], held: held})
		}
		return r.leave(d, held, inbox[1:], true)
	})
}

// leave lets effects leave in their order, and then the node handle what else there is. Before each effect a pause
// may begin, or a crash, and before the first of a block between any of the block.
func (r *reaction) leave(d *draft, held []heldEffect, inbox []event, first bool) error {
	for len(held) > 0 && held[0].kind == sim.Notes && !held[0].watched { // nothing depends on when it leaves
		if d.record != nil {
			d.record.left(d, &held[0])
		}
		held = held[1:]
	}
	if len(held) == 0 {
		return r.handle(d, inbox)
	}
	if r.interruptible(d, true) {
		if err := r.interrupted(d, stop{inbox: inbox, held: held}); err != nil {
			return err
		}
		if first {
			if err := r.split(d, held, inbox); err != nil {
				return err
			}
		}
		if !d.goes(happens) {
			return nil
		}
	}
	if d.record != nil {
		d.record.left(d, &held[0])
	}
	next := len(held) == 1 || !r.together(&held[0], &held[1])
	return r.leaves(d, &held[0], func(d *draft) error { return r.leave(d, held[1:], inbox, next) })
}
