package reach

// expander finds the moves out of states. While it is frozen it changes nothing but
// itself, so that several may work side by side.
type expander struct {
	p        *product
	frozen   bool
	via      via      // by which the state was found, or 0
	touched  part     // by the move
	moves    [][]move // to the states of each worker, in order
	owner    [regions]uint8
	count    uint32 // moves, in all
	ends     int64  // states with no move
	held     int64  // steps that a full link did not let happen
	panicked string // by the last step or tick that did
	err      error
}

// move is a way out of a state.
type move struct {
	to    key
	hash  uint64
	order uint32 // among the moves of an expander
	how   how
	via   via
}

// how says what happens in a move.
type how struct {
	what What
	take uint8  // which of the messages that may arrive next
	at   uint16 // number of the link or the pause
}

// via is what is kept of the move by which a state was found: the rank of what moved among
// all that may move, and below it the parts of the state that the move depended on or
// changed. Moves without a part in common can be made in either order, and lead to the
// same. So where a state was found by one, a move of lower rank with no part in common
// leads to what is known already: it was possible before too, and what it led to there is
// nearer to the front of the queue. Such moves are counted, and not looked up.
//
// Source: Godefroid, "Partial-order methods for the verification of concurrent systems",
// 1996, chapter 5 (sleep sets).
type via uint64

// part is a set of parts: nodes, links, budgets. There may be more of them than bits.
type part uint64

const (
	parts    = 48
	lastRank = 1<<(64-parts) - 1
)

func partOf(i int) part { return 1 << (i % parts) }

func newVia(rank int, touched part) via { return via(rank)<<parts | via(touched) }

// known reports whether a move leads to a state that is known.
func (v via) known(rank int, touched part) bool {
	return via(rank) < v>>parts && v&via(touched) == 0
}

// begin throws the moves away and takes places for others.
func (x *expander) begin(moves [][]move) {
	for i := range moves {
		moves[i] = moves[i][:0]
	}
	x.moves, x.count, x.ends, x.held = moves, 0, 0, 0
}

// add adds a move.
func (x *expander) add(to key, h how, rank int) {
	order := x.count
	x.count++
	if x.via.known(rank, x.touched) {
		return
	}
	m := move{to: to, hash: to.hash(), order: order, how: h, via: newVia(rank, x.touched)}
	mine := &x.moves[x.owner[regionOf(m.hash)]]
	*mine = append(*mine, m)
}

// expand finds the moves out of a state that was found by another, up to the first in
// which a node panics. If the verdict is not that they happen, those found before are of
// no use.
func (x *expander) expand(k key, by via) (verdict, how) {
	p, before := x.p, x.count
	x.via = by
	for _, l := range p.buffered {
		c := l.content.of(k)
		if c == 0 || l.to.rest.of(k) != 0 {
			continue
		}
		for j, t := range l.contents[c].takes {
			v, h := narrow, how{what: Handle, at: uint16(l.at), take: uint8(j)}
			to, wide := l.content.put(k, t.rest)
			if x.touched = l.part; wide {
				to, v = x.handle(to, l, t.msg, 0)
			}
			if v == happens {
				x.add(to, h, l.at)
			} else if v := x.made(to, v, h, l.at); v != happens {
				return v, h
			}
		}
	}
	for i := range p.pauses {
		q := &p.pauses[i]
		if q.node.rest.of(k) != 0 {
			continue
		}
		switch x.mayPause(i, q.node.state.of(k)) {
		case unknown:
			return unknown, how{}
		case happens:
			to, _ := q.node.rest.put(k, q.ticks)
			x.touched = q.node.part
			x.add(to, how{what: Suspend, at: uint16(i)}, len(p.links)+i)
		}
	}
	if p.faults {
		if v, h := x.faults(k, len(p.links)+len(p.pauses)); v != happens {
			return v, h
		}
	}
	to, v := x.tick(k)
	switch {
	case v != happens:
		return v, how{what: Tick}
	case to != k:
		x.touched = p.aging
		x.add(to, how{what: Tick}, lastRank)
	}
	if x.count == before {
		x.ends++
	}
	return happens, how{}
}

// faults adds the moves in which something goes wrong.
func (x *expander) faults(k key, rank int) (verdict, how) {
	p := x.p
	for _, what := range []What{Duplicate, Lose} {
		if b := &p.budget[what.budget()]; b.used.of(k) != b.most {
			for _, l := range p.buffered {
				if v, h := x.mishaps(k, l, how{what: what, at: uint16(l.at)}, rank+l.at); v != happens {
					return v, h
				}
			}
		}
		rank += len(p.links)
	}
	if b := &p.budget[crashes]; b.used.of(k) != b.most {
		for i, n := range p.nodes {
			if !n.crashes {
				continue
			}
			h := how{what: Crash, at: uint16(i)}
			to, v := x.crash(k, n)
			if v := x.made(to, v, h, rank+i); v != happens {
				return v, h
			}
		}
	}
	return happens, how{}
}

// mishaps adds the moves in which a message of a link from another node is handled and
// not taken away, or taken away and not handled.
func (x *expander) mishaps(k key, l *link, h how, rank int) (verdict, how) {
	c := l.content.of(k)
	if c == 0 || !l.travels || h.what == Duplicate && l.to.rest.of(k) != 0 {
		return happens, h
	}
	for j, t := range l.contents[c].takes {
		h.take = uint8(j)
		b := &x.p.budget[h.what.budget()]
		x.touched = l.part | b.part
		to := b.spend(k)
		v := happens
		if h.what == Duplicate {
			to, v = x.handle(to, l, t.msg, 0)
		} else if next, wide := l.content.put(to, t.rest); wide {
			to = next
		} else {
			v = narrow
		}
		if v := x.made(to, v, h, rank); v != happens {
			return v, h
		}
	}
	return happens, h
}

// made adds a move if it happens, and otherwise says what else there is to do about it.
func (x *expander) made(to key, v verdict, h how, rank int) verdict {
	switch v {
	case happens:
		x.add(to, h, rank)
	case overflow:
		x.held++
	case waits:
	default:
		return v
	}
	return happens
}

// crash is the state after a crash of a node: it has started again, and what it had sent
// itself is gone.
func (x *expander) crash(k key, n *node) (key, verdict) {
	b := &x.p.budget[crashes]
	x.touched = n.part | b.part
	state := n.state.of(k)
	k = b.spend(k)
	if state >= uint32(len(n.restarts)) || !n.restarts[state].known {
		if x.frozen {
			return k, unknown
		}
		o, err := x.p.local.restart(n, state)
		if err != nil {
			x.err = err
			return k, fails
		}
		n.restarts = enter(n.restarts, state, uint32(len(x.p.outcomes)))
		x.p.outcomes = append(x.p.outcomes, o)
	}
	k, _ = n.rest.put(k, 0)
	for _, l := range n.own {
		x.touched |= l.part
		k, _ = l.content.put(k, 0)
	}
	return x.apply(k, n, &x.p.outcomes[n.restarts[state].v], 0)
}

// maxRendezvous bounds how many steps may happen within one.
const maxRendezvous = 32

// handle lets the receiver of a link handle a message.
func (x *expander) handle(k key, l *link, msg uint32, depth int) (key, verdict) {
	x.touched |= l.to.part
	state := l.to.state.of(k)
	i := l.steps.at(state, msg)
	if i == 0 {
		if x.frozen {
			return k, unknown
		}
		o, err := x.p.local.step(l, state, msg)
		if err != nil {
			x.err = err
			return k, fails
		}
		x.p.outcomes = append(x.p.outcomes, o)
		i = uint32(len(x.p.outcomes))
		l.steps.set(state, msg, i)
	}
	return x.apply(k, l.to, &x.p.outcomes[i-1], depth)
}

// apply is the state after a step with the given outcome.
func (x *expander) apply(k key, n *node, o *outcome, depth int) (key, verdict) {
	if o.verdict != happens {
		if o.verdict == panics {
			x.panicked = o.text
		}
		return k, o.verdict
	}
	k, wide := n.state.put(k, o.next)
	if !wide {
		return k, narrow
	}
	for _, s := range o.sends {
		l := s.link
		if l.capacity == 0 {
			x.touched |= l.to.part
			if l.to.rest.of(k) != 0 {
				return k, waits
			}
			if depth == maxRendezvous {
				x.err = errCircle
				return k, fails
			}
			var v verdict
			if k, v = x.handle(k, l, s.msg, depth+1); v != happens {
				return k, v
			}
			continue
		}
		x.touched |= l.part
		before := l.content.of(k)
		c, known := l.known(before, s.msg)
		if !known {
			if x.frozen {
				return k, unknown
			}
			c = l.put(before, s.msg)
		}
		if c == full {
			return k, overflow
		}
		if k, wide = l.content.put(k, c); !wide {
			return k, narrow
		}
	}
	return k, happens
}

// tick is the state after a tick.
func (x *expander) tick(k key) (key, verdict) {
	for _, n := range x.p.nodes {
		if rest := n.rest.of(k); rest != 0 {
			k, _ = n.rest.put(k, rest-1)
			continue
		}
		state := n.state.of(k)
		if state >= uint32(len(n.aged)) || !n.aged[state].known {
			if x.frozen {
				return k, unknown
			}
			o := x.p.local.age(n, state)
			if o.verdict == panics {
				x.panicked = o.text
				return k, panics
			}
			n.aged = enter(n.aged, state, o.next)
		}
		var wide bool
		if k, wide = n.state.put(k, n.aged[state].v); !wide {
			return k, narrow
		}
	}
	return k, happens
}

// mayPause says whether a pause happens in a local state of its node, or waits.
func (x *expander) mayPause(i int, state uint32) verdict {
	q := &x.p.pauses[i]
	if state >= uint32(len(q.may)) || !q.may[state].known {
		if x.frozen {
			return unknown
		}
		v := uint32(waits)
		if x.p.local.may(i, state) {
			v = uint32(happens)
		}
		q.may = enter(q.may, state, v)
	}
	return verdict(q.may[state].v)
}

// start is the state in which every node has been started, in order.
func (x *expander) start() (key, verdict) {
	k := first
	for _, n := range x.p.nodes {
		o, err := x.p.local.start(n)
		if err != nil {
			x.err = err
			return k, fails
		}
		var v verdict
		if k, v = x.apply(k, n, &o, 0); v != happens {
			return k, v
		}
	}
	return k, happens
}
