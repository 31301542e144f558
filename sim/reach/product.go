package reach

import "fencepost/sim"

// product is a space in numbers: its states are keys.
type product struct {
	nodes  []*node
	links  []*link
	pauses []pause
	local  locals
	layout layout

	outcomes []outcome
	moves    []move // out of the states of one batch, in order
	ends     int64  // states of the batch with no move
	held     int64  // steps that a full link did not let happen
	panicked string // by the last step or tick that did
}

// locals computes what is not in the tables yet.
type locals interface {
	states(n *node) int // how many of it are numbered
	step(l *link, state, msg uint32) (outcome, error)
	start(n *node) (outcome, error)
	age(n *node, state uint32) outcome
	may(pause int, state uint32) bool
}

// node is a node in numbers.
type node struct {
	id    sim.NodeID
	state field  // number of the local state
	rest  field  // ticks for which it is still suspended
	aged  []line // by number of the state
}

// line is a number in a table. The zero line was not computed yet.
type line struct {
	known bool
	v     uint32
}

// pause is a [Pause] in numbers.
type pause struct {
	node  *node
	ticks uint32
	may   []line // by number of the state of its node, 1 if it may happen
}

// outcome is what becomes of one message at one local state.
type outcome struct {
	verdict verdict
	next    uint32
	sends   []send
	text    string // of a panic
}

type send struct {
	link *link
	msg  uint32
}

// verdict says whether a move happens.
type verdict uint8

const (
	happens  verdict = iota
	waits            // the message stays on its link
	overflow         // a link has no room
	panics           // the node panics: a violation
	narrow           // the layout has to be widened first
	fails            // the model is wrong, the visit ends with err
)

// move is a way out of a state.
type move struct {
	what  What
	at    uint16 // number of the link or the pause
	take  uint16 // which of the messages that may arrive next
	from  uint32 // number of the state in its batch
	bad   bool   // the node panics
	to    key
	place uint64 // see set.touch
}

// expand appends the moves out of a state to p.moves, up to the first that panics.
func (p *product) expand(k key, from uint32) (verdict, error) {
	before := len(p.moves)
	for i, l := range p.links {
		c := l.content.of(k)
		if c == 0 || l.to.rest.of(k) != 0 {
			continue
		}
		for j, t := range l.contents[c].takes {
			v, err := narrow, error(nil)
			to, wide := l.content.put(k, t.rest)
			if wide {
				to, v, err = p.handle(to, l, t.msg, 0)
			}
			m := move{what: Handle, at: uint16(i), take: uint16(j), from: from, to: to}
			switch v {
			case happens:
				p.moves = append(p.moves, m)
			case overflow:
				p.held++
			case panics:
				return p.bad(m)
			case narrow, fails:
				return v, err
			}
		}
	}
	for i := range p.pauses {
		q := &p.pauses[i]
		if q.node.rest.of(k) == 0 && p.mayPause(i, q.node.state.of(k)) {
			to, _ := q.node.rest.put(k, q.ticks)
			p.moves = append(p.moves, move{what: Suspend, at: uint16(i), from: from, to: to})
		}
	}
	to, v := p.tick(k)
	m := move{what: Tick, from: from, to: to}
	switch {
	case v == panics:
		return p.bad(m)
	case v == narrow:
		return narrow, nil
	case to != k:
		p.moves = append(p.moves, m)
	}
	if len(p.moves) == before {
		p.ends++
	}
	return happens, nil
}

// bad appends a move in which a node panics.
func (p *product) bad(m move) (verdict, error) {
	m.bad = true
	p.moves = append(p.moves, m)
	return panics, nil
}

// maxRendezvous bounds how many steps may happen within one.
const maxRendezvous = 32

// handle lets the receiver of a link handle a message.
func (p *product) handle(k key, l *link, msg uint32, depth int) (key, verdict, error) {
	state := l.to.state.of(k)
	i := l.steps.at(state, msg)
	if i == 0 {
		o, err := p.local.step(l, state, msg)
		if err != nil {
			return k, fails, err
		}
		p.outcomes = append(p.outcomes, o)
		i = uint32(len(p.outcomes))
		l.steps.set(state, msg, i)
	}
	return p.apply(k, l.to, &p.outcomes[i-1], depth)
}

// apply is the state after a step with the given outcome.
func (p *product) apply(k key, n *node, o *outcome, depth int) (key, verdict, error) {
	if o.verdict != happens {
		if o.verdict == panics {
			p.panicked = o.text
		}
		return k, o.verdict, nil
	}
	k, wide := n.state.put(k, o.next)
	if !wide {
		return k, narrow, nil
	}
	for _, s := range o.sends {
		l := s.link
		if l.capacity == 0 {
			if l.to.rest.of(k) != 0 {
				return k, waits, nil
			}
			if depth == maxRendezvous {
				return k, fails, errCircle
			}
			var v verdict
			var err error
			if k, v, err = p.handle(k, l, s.msg, depth+1); v != happens {
				return k, v, err
			}
			continue
		}
		c := l.put(l.content.of(k), s.msg)
		if c == full {
			return k, overflow, nil
		}
		if k, wide = l.content.put(k, c); !wide {
			return k, narrow, nil
		}
	}
	return k, happens, nil
}

// tick is the state after a tick.
func (p *product) tick(k key) (key, verdict) {
	for _, n := range p.nodes {
		if rest := n.rest.of(k); rest != 0 {
			k, _ = n.rest.put(k, rest-1)
			continue
		}
		state := n.state.of(k)
		if state >= uint32(len(n.aged)) || !n.aged[state].known {
			o := p.local.age(n, state)
			if o.verdict == panics {
				p.panicked = o.text
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

// mayPause reports whether a pause may happen in a local state of its node.
func (p *product) mayPause(i int, state uint32) bool {
	q := &p.pauses[i]
	if state >= uint32(len(q.may)) || !q.may[state].known {
		v := uint32(0)
		if p.local.may(i, state) {
			v = 1
		}
		q.may = enter(q.may, state, v)
	}
	return q.may[state].v != 0
}

// enter enters a number into a table.
func enter(table []line, i, v uint32) []line {
	for uint32(len(table)) <= i {
		table = append(table, line{})
	}
	table[i] = line{known: true, v: v}
	return table
}

// start is the state in which every node has been started, in order.
func (p *product) start() (key, verdict, error) {
	k := first
	for _, n := range p.nodes {
		o, err := p.local.start(n)
		if err != nil {
			return k, fails, err
		}
		var v verdict
		if k, v, err = p.apply(k, n, &o, 0); v != happens {
			return k, v, err
		}
	}
	return k, happens, nil
}

// fit makes every field need the bits that its numbers take by now.
func (p *product) fit() {
	for _, n := range p.nodes {
		n.state.fit(p.local.states(n))
	}
	for _, l := range p.links {
		if l.capacity > 0 {
			l.content.fit(len(l.contents))
		}
	}
}

// widen makes the layout wide enough for every number there is by now, and reports
// whether a key is.
func (p *product) widen() bool {
	p.fit()
	return p.layout.widen()
}

// bytes is what the tables take.
func (p *product) bytes() int64 {
	n := int64(cap(p.outcomes))*64 + int64(cap(p.moves))*48
	for _, l := range p.links {
		n += l.bytes()
	}
	for _, m := range p.nodes {
		n += 8 * int64(cap(m.aged))
	}
	for _, q := range p.pauses {
		n += 8 * int64(cap(q.may))
	}
	return n
}
