package reach

import "fencepost/sim"

// product is a space in numbers: its states are keys.
type product struct {
	nodes    []*node
	links    []*link
	buffered []*link // those with a capacity
	pauses   []pause
	budget   [budgets]budget
	faults   bool // some budget is not 0
	local    locals
	layout   layout

	aging    part // that a tick depends on
	outcomes []outcome
}

// locals computes what is not in the tables yet.
type locals interface {
	states(n *node) int // how many of it are numbered
	step(l *link, state, msg uint32) (outcome, error)
	start(n *node) (outcome, error)
	restart(n *node, state uint32) (outcome, error)
	age(n *node, state uint32) outcome
	may(pause int, state uint32) bool
}

// node is a node in numbers.
type node struct {
	id    sim.NodeID
	state field   // number of the local state
	rest  field   // ticks for which it is still suspended
	aged  []entry // by number of the state
	part  part

	crashes  bool
	own      []*link // from itself to itself
	restarts []entry // outcomes after a crash, by number of the state
}

// entry is a number in a table. The zero entry was not computed yet.
type entry struct {
	known bool
	v     uint32
}

// pause is a [Pause] in numbers.
type pause struct {
	node  *node
	ticks uint32
	may   []entry // by number of the state of its node, 1 if it may happen
}

// budget is how many faults of one kind there may be in all.
type budget struct {
	most uint32
	used field
	part part
}

// The kinds of fault.
const (
	crashes = iota
	duplicates
	losses
	budgets
)

// spend counts one more fault.
func (b *budget) spend(k key) key {
	k, _ = b.used.put(k, b.used.of(k)+1)
	return k
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
	fails            // the model is wrong, the visit ends with an error
	unknown          // the step is not in the tables, which must not change now
)

// enter enters a number into a table.
func enter(table []entry, i, v uint32) []entry {
	for uint32(len(table)) <= i {
		table = append(table, entry{})
	}
	table[i] = entry{known: true, v: v}
	return table
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
	n := int64(cap(p.outcomes)) * 64
	for _, l := range p.links {
		n += l.bytes()
	}
	for _, m := range p.nodes {
		n += 8 * int64(cap(m.aged)+cap(m.restarts))
	}
	for _, q := range p.pauses {
		n += 8 * int64(cap(q.may))
	}
	return n
}
