package certify

import "fencepost/sim"

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
)

// A recorder takes down what happens on a path, as bounds on the differences of all instants in
// which something happens, and what a schedule has to say so that it happens in a run.
type recorder struct {
	variables int
	bounds    []constraint
	grids     []grid
	pairs     [][2]int // what happened one after the other at one node, or was told to the property

	delays []delayed
	timers []drawnTimer
	stops  []stopped

	kinds map[kindOf]int // effects of a kind so far
	drawn map[sim.NodeID]uint64
	last  map[sim.NodeID]int // variables of what happened last, of [sim.None] of what the property was told
	fired []int
}

// constraint is a bound on x-y.
type constraint struct {
	x, y int
	b    bound
	why  label
}

// grid is a variable that is a whole number of units.
type grid struct {
	variable int
	unit     int64
}

// kindOf is a kind of effect of a node, and of a message its receiver: then that is what is counted.
type kindOf struct {
	node, to sim.NodeID
	kind     sim.Kind
}

// delayed is a message and the instants at which it is sent and arrives, and at which its copy does;
// never: it does not.
type delayed struct {
	msg             sim.MsgChoice
	sent, at, again int
}

const never = -1

// drawnTimer is a timer whose length is drawn.
type drawnTimer struct {
	node     sim.NodeID
	index    uint64
	dist     *sim.Dist
	set, due int
}

// stopped is a pause: before a step, or before the nth effect of a kind.
type stopped struct {
	pause     int
	node      sim.NodeID
	before    sim.Kind // with nth above 0
	nth       int
	from, end int
}

func newRecorder(events int) *recorder {
	r := &recorder{variables: events, kinds: map[kindOf]int{}, drawn: map[sim.NodeID]uint64{}, last: map[sim.NodeID]int{}}
	for i := 1; i < events; i++ {
		r.add(i, 0, zero, label{})
		r.add(0, i, zero, label{})
	}
	return r
}

func (r *recorder) add(x, y int, b bound, why label) {
	if b != unbounded {
		r.bounds = append(r.bounds, constraint{x, y, b, why})
	}
}

// happens puts what happens to a node after what happened to it before. In which order different
// nodes act is left open, but for what they tell the property: a search takes one such order for all.
func (r *recorder) happens(node sim.NodeID, at int) {
	if before, ok := r.last[node]; ok && before != at {
		r.add(before, at, zero, label{})
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
			r.add(at, pending[i].at, zero, label{})
			r.pairs = append(r.pairs, [2]int{at, pending[i].at})
		}
	}
}

func (r *recorder) variable() int {
	r.variables++
	return r.variables - 1
}

func (r *recorder) grid(v int, unit int64) { r.grids = append(r.grids, grid{v, unit}) }

// pause is a pause that begins now, before what waits for its end.
func (r *recorder) pause(d *draft, k, end int, wait *stop) {
	p := stopped{pause: k, node: d.at, from: d.now, end: end}
	if len(wait.held) > 0 {
		p.before = wait.held[0].note
		p.nth = r.kinds[kindOf{node: d.at, kind: p.before}] + 1
	}
	r.stops = append(r.stops, p)
}

// left is an effect that leaves now.
func (r *recorder) left(d *draft, h *heldEffect) { r.kinds[kindOf{node: d.at, kind: h.note}]++ }

// sent is a message that is sent now, and arrives at a variable.
func (r *recorder) sent(d *draft, h *heldEffect, at int) {
	k := kindOf{d.at, h.to, h.note}
	r.kinds[k]++
	r.delays = append(r.delays, delayed{sim.MsgChoice{Kind: h.note, From: d.at, To: h.to, Nth: r.kinds[k]}, d.now, at, never})
}

// lost is a message that is sent now, and does not arrive.
func (r *recorder) lost(d *draft, h *heldEffect) { r.sent(d, h, never) }

// copied is a copy of the message that was sent last.
func (r *recorder) copied(at int) { r.delays[len(r.delays)-1].again = at }

// armed is a timer that is set now, and due at a variable.
func (r *recorder) armed(d *draft, h *heldEffect, at int) {
	if h.drawn == nil {
		return
	}
	r.timers = append(r.timers, drawnTimer{d.at, r.drawn[d.at], h.drawn, d.now, at})
	r.drawn[d.at]++
}
