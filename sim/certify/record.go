package certify

import (
	"slices"
	"time"

	"fencepost/sim"
	"fencepost/sim/certify/internal/dbm"
)

// label says where a bound comes from.
type label struct {
	kind labelKind
	n, m int // of a pause its number, of a delay its link
}

type labelKind uint8

const (
	ordered labelKind = iota
	delayLeast
	delayMost
	faultLeast
	faultMost
	timerLeast
	timerMost
	alarmed
	rounded
	compared
	copying
	costs
)

// A recorder takes down what happens on a path, as bounds on the differences of all instants in
// which something happens, and what a schedule has to say so that it happens in a run.
type recorder struct {
	memory    *memory // of the states on it
	variables int
	bounds    []constraint
	late      []constraint // of what comes too late to have an effect
	grids     []grid
	pairs     [][2]int // what happened one after the other at one node, or was told to the property

	moves  []passed
	spans  []span
	delays []delayed
	copies []delayed
	timers []drawnTimer
	faults []begun

	real  []sim.NodeID   // by the place that nodes which are alike have: which of them is there; none: itself
	kinds map[kindOf]int // effects of a kind so far
	drawn map[sim.NodeID]uint64
	last  map[sim.NodeID]int // variables of what happened last, of [sim.None] of what the property was told
	fired []int

	before map[int]int // by the variable of what is pending: that of what happened last to its node meanwhile
}

// constraint is a bound on x-y.
type constraint struct {
	x, y int
	b    dbm.Bound
	why  label
}

// grid is a variable that is a whole number of units, as a clock reads it that has been stepped so often.
type grid struct {
	variable int
	unit     int64
	clock    clock
	steps    int   // of any clock
	ahead    int64 // of true time, by those steps of this clock that are known
	known    int   // how many are
}

// kindOf is a kind of effect of a node, and of a message its receiver: then that is what is counted.
type kindOf struct {
	node, to sim.NodeID
	kind     sim.Kind
}

// delayed is a message, or a copy of one, and the instants at which it is sent and arrives, or [never] does.
type delayed struct {
	msg      sim.MsgChoice
	sent, at int
}

// drawnTimer is a timer whose length is drawn.
type drawnTimer struct {
	node     sim.NodeID
	index    uint64
	dist     *sim.Dist
	set, due int
}

// begun is a fault that begins: before a step, or before the nth effect of a kind.
type begun struct {
	fault     int
	node      sim.NodeID
	before    sim.Kind // with nth above 0
	nth       int
	from, end int
	clock     clock         // of a step of one
	moved     [][2]int      // readings, and where they lie after it
	by        time.Duration // how far it is stepped, once that is known
}

func newRecorder(events int) *recorder {
	r := &recorder{memory: new(memory), variables: events, kinds: map[kindOf]int{}, drawn: map[sim.NodeID]uint64{}, last: map[sim.NodeID]int{}, before: map[int]int{}}
	for i := 1; i < events; i++ {
		r.add(i, 0, dbm.Zero, label{})
		r.add(0, i, dbm.Zero, label{})
	}
	return r
}

func (r *recorder) add(x, y int, b dbm.Bound, why label) {
	if b != dbm.Unbounded {
		r.bounds = append(r.bounds, constraint{x, y, b, why})
	}
}

// happens puts what happens to a node after what happened to it before. In which order different
// nodes act is left open, but for what they tell the property: a search takes one such order for all.
func (r *recorder) happens(node sim.NodeID, at int) {
	node = r.of(node)
	if before, ok := r.last[node]; ok && before != at {
		r.add(before, at, dbm.Zero, label{})
		r.pairs = append(r.pairs, [2]int{before, at})
	}
	r.last[node] = at
	if node != sim.None {
		r.fired = append(r.fired, at)
	}
}

// finish puts what has not happened after all that has.
func (r *recorder) finish(pending []event) {
	for i := range pending {
		for _, at := range r.fired {
			r.add(at, pending[i].at, dbm.Zero, label{})
			r.pairs = append(r.pairs, [2]int{at, pending[i].at})
		}
	}
}

// ignores is what has no effect from now on, as it comes after what has happened to its node. Sooner it may have one.
func (r *recorder) ignores(e *event) {
	if at, ok := r.before[e.at]; ok {
		r.late = append(r.late, constraint{x: at, y: e.at, b: dbm.Zero})
	}
}

// of is the node that has the place of a node.
func (r *recorder) of(place sim.NodeID) sim.NodeID {
	if r.real == nil {
		return place
	}
	return r.real[place]
}

// place gives alike nodes other places.
func (r *recorder) place(to places) {
	real := make([]sim.NodeID, len(to))
	for i, p := range to {
		real[p] = r.of(sim.NodeID(i))
	}
	r.real = real
}

func (r *recorder) variable() int {
	r.variables++
	return r.variables - 1
}

func (r *recorder) grid(v int, unit int64, c clock) {
	r.grids = append(r.grids, grid{variable: v, unit: unit, clock: c, steps: len(r.faults)})
}

// begins is a fault that begins now: before what has not left of a step, if there is any.
func (r *recorder) begins(d *draft, k, end int, held []heldEffect) {
	f := begun{fault: k, node: r.of(d.at), from: d.now, end: end}
	if len(held) > 0 {
		f.before = held[0].note
		f.nth = r.kinds[kindOf{node: r.of(d.at), kind: f.before}] + 1
	}
	r.faults = append(r.faults, f)
}

// dropped are effects that never leave. Their timers were drawn all the same, and the first counts as one of its kind where a
// fault began before it.
func (r *recorder) dropped(node sim.NodeID, held []heldEffect) {
	if len(held) > 0 {
		k := kindOf{node: r.of(node), kind: held[0].note}
		if slices.ContainsFunc(r.faults, func(f begun) bool { return f.node == k.node && f.before == k.kind && f.nth == r.kinds[k]+1 }) {
			r.kinds[k]++
		}
	}
	for i := range held {
		if held[i].drawn != nil {
			r.drawn[r.of(node)]++
		}
	}
}

// left is an effect that leaves now.
func (r *recorder) left(d *draft, h *heldEffect) { r.kinds[kindOf{node: r.of(d.at), kind: h.note}]++ }

// armed is a timer that is set now, and due at a variable.
func (r *recorder) armed(d *draft, h *heldEffect, at int) {
	if h.drawn == nil {
		return
	}
	node := r.of(d.at)
	r.timers = append(r.timers, drawnTimer{node, r.drawn[node], h.drawn, d.now, at})
	r.drawn[node]++
}
