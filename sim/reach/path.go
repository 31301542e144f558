package reach

import (
	"fmt"
	"slices"
	"strings"

	"fencepost/sim"
)

// Path is a way from the start to a violation; no other is shorter.
type Path struct {
	Property string // of a [Model] that is violated; "" for a panic
	Why      string // what the invariant said, or the node and what it panicked with
	Moves    []Move
}

// Move is one move of a [Path].
type Move struct {
	What What
	Node sim.NodeID // that handles or does not get a message, is suspended or crashes; None of a tick
	Text string     // in words
}

// What is what happens in a [Move].
type What uint8

// The moves.
const (
	Handle    What = iota // a node handles a message
	Suspend               // a node is suspended
	Tick                  // a tick passes
	Crash                 // a node crashes and starts again
	Duplicate             // a node handles a message that will come again
	Lose                  // a message to a node is lost
)

// budget is the kind of fault.
func (w What) budget() int {
	switch w {
	case Crash:
		return crashes
	case Duplicate:
		return duplicates
	}
	return losses
}

// String is the move in a word.
func (w What) String() string {
	return [...]string{"handle", "suspend", "tick", "crash", "duplicate", "lose"}[w]
}

// String is the path in words, one line per move.
func (p *Path) String() string {
	var b strings.Builder
	for i, m := range p.Moves {
		fmt.Fprintf(&b, "%3d  %s\n", i+1, m.Text)
	}
	fmt.Fprintf(&b, "     violated: %s\n", p.Why)
	return b.String()
}

// path is the way to a state by its number and then by a last move. What led to a state
// is not kept: it is found again among the states one move nearer to the start, which
// lie together in the queue.
func (v *visit) path(why string, state uint64, last how) *Path {
	p := &Path{Why: why}
	for {
		p.Moves = append(p.Moves, v.words(v.set.key(state), last))
		if state == 0 {
			break
		}
		state, last = v.before(state)
	}
	slices.Reverse(p.Moves)
	return p
}

// before is the state that a state was found from, and the move.
func (v *visit) before(state uint64) (uint64, how) {
	depth, exact := slices.BinarySearch(v.levels, state)
	if !exact {
		depth--
	}
	to := v.set.key(state)
	x := expander{p: v.p, frozen: true, moves: make([][]move, 1)}
	for i := v.levels[depth-1]; i < v.levels[depth]; i++ {
		x.begin(x.moves)
		x.expand(v.set.key(i), 0)
		for _, m := range x.moves[0] {
			if m.to == to {
				return i, m.how
			}
		}
	}
	panic("reach: a state without a way to it")
}

// View is what an invariant may look at: one state. It is valid during the call.
type View[M Message] struct {
	t   *table[M]
	k   key
	buf []M
}

// Node is the local state of a node, as the pointer that was given to [Place] as P. It
// must not be changed.
func (v *View[M]) Node(id sim.NodeID) sim.Node[M] {
	return v.t.homes[id-1].node(v.t.p.nodes[id-1].state.of(v.k))
}

// Suspended is for how many more ticks a node is suspended, 0 if it is not.
func (v *View[M]) Suspended(id sim.NodeID) int { return int(v.t.p.nodes[id-1].rest.of(v.k)) }

// InFlight is the messages on the link with the given place in [Space].Links, in the
// order of sending or, if their order does not matter, in some order. The slice is valid
// until the next call.
func (v *View[M]) InFlight(link int) []M {
	l := v.t.p.links[link]
	v.buf = v.buf[:0]
	for _, m := range l.contents[l.content.of(v.k)].msgs {
		v.buf = append(v.buf, v.t.msgs[link][m])
	}
	return v.buf
}
