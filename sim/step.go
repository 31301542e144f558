package sim

import "fmt"

// handled is the step that is under way.
type handled[M Message] struct {
	handling  In[M] // if Self is not None; the rest of it is set in careful steps only
	log, mock []effect[M]
	left      int // of log: how many are emitted at once
	mockDrawn uint64
}

// enterStep counts a step and takes it into the digest.
func (w *World[M]) enterStep(e *body[M]) {
	w.steps++
	w.handling.Self, w.out.self = e.to, e.to
	if w.steps%stuckAfter == 0 {
		w.mustProgress()
	}
	w.digest = e.msg.Fold(w.digest.Fold(uint64(w.now), uint64(e.from)<<32|uint64(e.to)))
}

// step lets a node handle a message that did not come from the queue just now. It
// lies in the slot of the event that made the node handle it.
func (w *World[M]) step(n *node[M], m event[M]) {
	e := w.q.Popped()
	*e = m
	w.handle(n, &e.Body)
}

// handle lets a node handle the message of an event.
func (w *World[M]) handle(n *node[M], e *body[M]) {
	w.enterStep(e)
	in := In[M]{e.to, e.from, Mono(w.now), Boot(w.now), Wall(w.now), e.msg}
	if n.state&skewed != 0 {
		c := &w.clocks[e.to]
		in.Mono, in.Boot, in.Wall = c.mono(w.now), c.boot(w.now), c.wall(w.now)
	}
	if n.state&(exact|costly) != 0 {
		w.handling = in
		w.carefulStep(n)
	} else {
		n.node.Step(in, &w.out)
	}
	w.out.mode = leaving
	w.handling.Self = None
}

// unusual handles what is not simply a message to a node that is ready.
func (w *World[M]) unusual(due *event[M]) {
	e := &due.Body
	if e.class == change {
		w.change(e.to, e.due)
		return
	}
	n, a := w.nodes[e.to], &w.saved[e.to]
	if n.state&(watched|paused|busy|down) == watched && (e.class == message || e.incarnation == n.incarnation) {
		if w.askBeforeStep(e.to, e.msg.Label()) {
			return
		}
	}
	switch {
	case e.class != message && e.incarnation != n.incarnation: // armed before a crash
	case n.state&down != 0:
		if w.trace != nil {
			w.trace.lost(w, e.from, e.to, e.msg)
		}
		w.missed(e)
	case n.state&(paused|busy) != 0:
		a.inbox = append(a.inbox, *due)
	default:
		w.handle(n, e)
	}
}

// stuckAfter is how many steps at one instant are too many.
const stuckAfter = 1 << 20

// mustProgress ends a run in which time stands still, as when a message that takes
// no time is answered at once, forever; or one that has used up its sequences.
func (w *World[M]) mustProgress() {
	if w.now == w.checked {
		panic(fmt.Sprintf("time does not pass: more than %d steps at %v", stuckAfter, w.now))
	}
	if w.q.Seq() > maxEvents {
		panic("sim: more than 2^40 events in one run")
	}
	w.checked = w.now
}

// configuredCost is what a step of a node costs without a fault.
func (w *World[M]) configuredCost(id NodeID) Dist {
	if int(id) > len(w.config.Costs) {
		return Dist{}
	}
	return w.config.Costs[id-1]
}

// setCost makes each step of a node, from the next one on, cost as much as a distribution says.
func (w *World[M]) setCost(id NodeID, cost Dist) {
	w.saved[id].cost = cost
	if n := w.nodes[id]; cost.IsZero() {
		n.state &^= costly
	} else {
		n.state |= costly
	}
}

// carefulStep is a step that costs time, is traced, or is run twice.
func (w *World[M]) carefulStep(n *node[M]) {
	w.log, w.left = w.log[:0], 0
	w.out.mode = logging
	self := w.handling.Self
	if w.steps == w.fork {
		w.src.fork(w.forkSeed, w.forkMinimal)
	}
	if w.skip != nil && w.skip(Handling{w.now, self, w.handling.From, w.handling.Msg.Label(), w.handling.Msg.Fold(0)}) {
		return
	}
	w.changed(self)
	var before Node[M]
	if w.watch.Journal != nil {
		before = w.slots[self].twin()
		w.enter(w.q.Popped())
	}
	if n.state&costly != 0 {
		a := &w.saved[self]
		cost := a.cost.Sample(w.src.at(Costs, self, None, a.costs))
		a.costs++
		if cost > 0 {
			w.out.mode = holding
			w.block(self, w.now.Add(cost), busy)
		}
	}
	var twin Node[M]
	if w.config.Twice {
		twin = w.slots[self].twin()
		w.mockDrawn = w.saved[self].drawn
	}
	n.node.Step(w.handling, &w.out)
	if twin != nil {
		w.compare(twin)
	}
	if w.trace != nil {
		w.trace.step(w)
	}
	if w.watch.Journal != nil {
		// A comparison reads the whole state, so only where it decides.
		w.leave(len(w.log) == 0 && w.slots[self].same(before))
	}
}

// compare runs the step a second time on a copy of the state.
func (w *World[M]) compare(twin Node[M]) {
	w.mock = w.mock[:0]
	w.out.mode = mocking
	twin.Step(w.handling, &w.out)
	if !sameEffects(w.log, w.mock) || !w.slots[w.handling.Self].alike(twin) {
		panic("sim: the same state and message gave two different steps")
	}
}
