package sim

import (
	"fmt"
	"time"
)

// Point is where in a run a [Choice] lies.
type Point uint8

// The points.
const (
	Stepping Point = iota // the node is about to act for the first time at this instant, and there is a message to handle
	Leaving               // an effect of its step is about to leave
	Sending               // a message is about to travel
)

// Choice is a point of a run at which something may go wrong.
type Choice struct {
	Point Point
	At    Time
	Node  NodeID        // that steps or sends
	To    NodeID        // of Sending
	Kind  Kind          // of the message that is handled, of the effect, or of the message that is sent
	Nth   int           // of Leaving and Sending: among the effects, or messages, of this kind and node, from 1
	Timer time.Duration // of Leaving, where the effect arms a timer: for how long
}

// FaultChoice is what an adversary does at a choice: at Stepping and Leaving a [Pause],
// [Suspend], [Crash] or [StepClock] of the node; at Sending a [Delay], [Lose] or
// [Duplicate] of the message.
type FaultChoice struct {
	Do  Action
	For time.Duration // how long it lasts, or how late the message or its copy is
	By  time.Duration // of StepClock
}

// Adversary is asked at each choice of a run what goes wrong there.
type Adversary interface {
	// Choose returns false where nothing does.
	Choose(c Choice) (FaultChoice, bool)
}

// Fault is the fault that does the same in a run without the adversary.
func (c Choice) Fault(d FaultChoice) Fault {
	f := Fault{Do: d.Do, Node: c.Node, For: Constant(d.For), By: d.By}
	switch c.Point {
	case Stepping:
		f.When.At = c.At
	case Leaving:
		f.When = When{Before: c.Kind, By: c.Node, Nth: c.Nth}
	case Sending:
		f.Node, f.Msg = None, MsgChoice{Kind: c.Kind, From: c.Node, Nth: c.Nth}
	}
	return f
}

// adversaryState is what the engine keeps for an adversary.
type adversaryState struct {
	adversary Adversary
	stepped   []Time // by node: the instant of its last step
	left      []int  // by node and kind: effects that were emitted or buffered
	sent      []int  // by node and kind: messages
	fault     Fault  // that the adversary does
	plan      plan
	stopped   bool
}

// SetAdversary makes the following runs ask a, until it is called with nil.
func (w *World[M]) SetAdversary(a Adversary) {
	if a == nil {
		w.adversary = nil
		return
	}
	if w.adversary == nil {
		n, k := len(w.names), max(len(w.system.Kinds), 1)
		w.adversary = &adversaryState{stepped: make([]Time, n), left: make([]int, n*k), sent: make([]int, n*k)}
	}
	w.adversary.adversary = a
}

// Stop ends the run under way, from within [Adversary.Choose] at Stepping. Its result
// says so, and nothing else of it counts.
func (w *World[M]) Stop() {
	w.adversary.stopped = true
	w.q.Empty()
}

func (h *adversaryState) reset() {
	for i := range h.stepped {
		h.stepped[i] = -1
	}
	clear(h.left)
	clear(h.sent)
	h.stopped = false
}

// askBeforeStep asks what goes wrong before a node does anything at this instant. It reports
// whether anything does, or the run is to end: the event at hand is then over for now,
// and in the first case comes again, since a fault that is injected when the instant begins
// finds it pending, and what a step of a clock makes due may come before it.
func (w *World[M]) askBeforeStep(id NodeID, k Kind) bool {
	h := w.adversary
	if h.stepped[id] == w.now {
		return false
	}
	h.stepped[id] = w.now
	c := Choice{Point: Stepping, At: w.now, Node: id, Kind: k}
	d, ok := h.adversary.Choose(c)
	if ok && !h.stopped {
		w.q.PutBack()
		w.applyChoice(c, d)
	}
	return ok || h.stopped
}

// askBeforeEffect asks what goes wrong before an effect leaves.
func (w *World[M]) askBeforeEffect(id NodeID, e *effect[M]) {
	k := e.msg.Label()
	if k == 0 { // no fault can name it
		return
	}
	n := &w.adversary.left[int(id)*len(w.system.Kinds)+int(k)]
	*n++
	if w.before != nil {
		for _, i := range w.before[k] { // they also count those at which another one stops the node
			if p := &w.plans[i]; p.by() == id {
				*n = p.noted
			}
		}
	}
	c := Choice{Point: Leaving, At: w.now, Node: id, Kind: k, Nth: *n}
	if e.kind == arms {
		c.Timer = time.Duration(max(e.length, 0))
	}
	if d, ok := w.adversary.adversary.Choose(c); ok {
		w.applyChoice(c, d)
	}
}

// applyChoice does to a node what the adversary chose.
func (w *World[M]) applyChoice(c Choice, d FaultChoice) {
	row := d.Do.Row()
	if row == nil || !row.AtChoice() {
		w.handling.Self = None // it is not the step that panics
		panic(fmt.Sprintf("sim: an adversary chose %v for a node", d.Do))
	}
	h := w.adversary
	h.fault = c.Fault(d)
	h.plan = plan{Fault: &h.fault, row: row, injection: Injection{First: Never}}
	row.begin(w, &h.plan, len(w.plans), w.now.Add(max(d.For, 0)))
}

// askOnSend lets the adversary do something to a message, and reports whether that is
// then not to travel as usual.
func (w *World[M]) askOnSend(from, to NodeID, m *M) bool {
	h, k := w.adversary, (*m).Label()
	n := &h.sent[int(from)*len(w.system.Kinds)+int(k)]
	*n++
	if k == 0 {
		return false
	}
	d, ok := h.adversary.Choose(Choice{Point: Sending, At: w.now, Node: from, To: to, Kind: k, Nth: *n})
	if ok && (d.Do.Row() == nil || d.Do.Of() != OneMessage) {
		w.handling.Self = None
		panic(fmt.Sprintf("sim: an adversary chose %v for a message", d.Do))
	}
	if ok && d.Do != Lose {
		w.deliver(w.now.Add(max(d.For, 0)), from, to, m)
	}
	return ok && d.Do != Duplicate
}
