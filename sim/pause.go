package sim

import (
	"fencepost/sim/internal/queue"
	"slices"
)

// This file is pauses and suspensions of nodes, with the pause at an effect boundary: a fault that is
// injected between two effects of one step. [World.beforeEffect] in out.go comes before each effect of such a step
// and injects what waits for it; the node is then paused, and [Out.other] keeps the effects that follow until [World.resume].

var (
	_ = declare(Pause, FaultKind{
		Word: "pause", Plural: "pauses", About: "the process stops: a collection, SIGSTOP. Its clocks run on",
		Clause: "is paused{length}", Begins: "{node} is paused", Subject: OneNode, Lasting: true, Stops: true,
		Keys: "at after on before by nth every for", Needs: "for", Triggered: true, Replays: true,
		Budget: Allowing{
			Count: "pauses", CountAbout: "of processes, in a run: 0", Length: "pause-for", LengthAbout: "of pauses and suspends: the search chooses",
			Nodes: "pause-nodes", NodesAbout: "the nodes of pauses and suspends: nodes", At: "pauses at", One: "pause", Many: "pauses", How: "of",
		},
		begin: func(w any, p *plan, _ int, until Time) { w.(stoppable).pause(p, until) },
	})
	_ = declare(Suspend, FaultKind{
		Word: "suspend", Plural: "pauses", About: "the host is suspended: its monotonic clock stands still, too",
		Clause: "has its host suspended{length}", Begins: "{node} is suspended", Subject: OneNode, Lasting: true, Stops: true,
		Keys: "at after on before by nth every for", Needs: "for", Triggered: true, Replays: true,
		Budget: Allowing{
			Count: "suspends", CountAbout: "of machines: 0", Length: "pause-for", Nodes: "pause-nodes", One: "suspend", Many: "suspends", How: "of",
		},
		begin: func(w any, p *plan, _ int, until Time) { w.(stoppable).pause(p, until) },
	})
	_ = declare(Crash, FaultKind{
		Word: "crash", Plural: "crashes", About: "all that is not durable is lost; without `for` it never restarts",
		Clause: "crashes", Begins: "{node} crashes", Subject: OneNode, Lasting: true, Idle: true,
		Keys: "at after on before by nth every for", Triggered: true,
		Budget: Allowing{
			Count: "crashes", CountAbout: "with a restart: 0", Length: "down-for", LengthAbout: "from crash to restart: the search chooses",
			Nodes: "crash-nodes", NodesAbout: "the nodes that crash: nodes", At: "crashes at", One: "crash", Many: "crashes", How: "down for",
		},
		begin: func(w any, p *plan, i int, until Time) { w.(stoppable).crashUntil(p, i, until) },
	})
)

// stoppable is a [World], as faults need it that stop nodes.
type stoppable interface {
	pause(p *plan, until Time)
	crashUntil(p *plan, i int, until Time)
}

// pause stops a node, or suspends its machine, until an instant.
func (w *World[M]) pause(p *plan, until Time) {
	id := p.Node
	n, a := w.nodes[id], &w.saved[id]
	if n.state&down != 0 || until <= w.now {
		return
	}
	if w.inject(p) {
		w.say(p, until, lasting(w.now, until))
	}
	if p.Do == Suspend {
		a.frozen = max(a.frozen, until)
		w.clocks[id].suspend(w.now)
		w.clockChanged(id)
		w.at(until, id, 0, unsuspendNode)
	}
	first := n.state&paused == 0
	if first {
		a.since = w.now
	}
	if n.state&busy != 0 && until > a.until { // a step under way makes no progress meanwhile
		a.occupied = a.occupied.Add(until.Sub(max(a.until, w.now)))
	}
	w.block(id, until, paused)
	if first {
		var none M
		w.notify(Paused, id, &none)
	}
}

// block keeps a node from handling anything, and its effects from leaving, until
// an instant.
func (w *World[M]) block(id NodeID, until Time, why state) {
	w.nodes[id].state |= why
	if w.handling.Self == id && w.out.mode != losing {
		w.out.mode = holding
	}
	a := &w.saved[id]
	end := &a.until
	if why == busy {
		end = &a.occupied
	}
	if until > *end {
		*end = until
		w.at(until, id, 0, unblockNode)
	}
}

// unblock lets a node resume: first what had not left leaves, then it handles what
// came meanwhile, until it is blocked anew.
func (w *World[M]) unblock(id NodeID) {
	n, a := w.nodes[id], &w.saved[id]
	if n.state&watched != 0 && w.released(id) {
		// Before its effects leave: a fault of this instant is injected before them too.
		if k, ok := w.comes(id); ok && w.askBeforeStep(id, k) {
			return
		} else if !ok && len(a.effects) > 0 {
			w.adversary.stepped[id] = w.now
		}
	}
	switch {
	case n.state&(paused|busy) == 0 || n.state&paused != 0 && w.now < a.until:
		return
	case n.state&paused != 0:
		w.resume(id)
		if n.state&busy != 0 && w.now < a.occupied {
			w.at(a.occupied, id, 0, unblockNode)
			return
		}
	case w.now < a.occupied:
		return
	}
	n.state &^= busy
	if w.release(id) {
		w.drain(id)
	}
}

// released reports whether a node that was paused or busy resumes at this instant.
func (w *World[M]) released(id NodeID) bool {
	n, a := w.nodes[id], &w.saved[id]
	return n.state&(paused|busy) != 0 && (n.state&paused == 0 || w.now >= a.until) && (n.state&busy == 0 || w.now >= a.occupied)
}

// comes is the kind of the first message that a node is to handle at this instant, of its
// inbox or, if there are effects to leave before that, still pending; false if there is none.
func (w *World[M]) comes(id NodeID) (Kind, bool) {
	a, q := &w.saved[id], &w.q
	if a.handled < len(a.inbox) {
		return a.inbox[a.handled].Body.msg.Label(), true
	}
	if len(a.effects) == 0 {
		return 0, false
	}
	first := queue.Key{At: int64(Never)}
	for _, k := range q.Soon() {
		e := &q.Entry(k.Slot()).Body
		if k.At == int64(w.now) && e.to == id && (e.class == message || e.class != change && e.incarnation == w.nodes[id].incarnation) && k.Less(first) {
			first = k
		}
	}
	return q.Entry(first.Slot()).Body.msg.Label(), first.At == int64(w.now)
}

// resume ends the pause of a node.
func (w *World[M]) resume(id NodeID) {
	w.nodes[id].state &^= paused
	var none M
	w.watch.Journal.ending(0)
	w.notify(Resumed, id, &none)
	if w.describing() {
		w.sayEnd(id, Pause, "resumes")
	}
	w.watch.Journal.blame(0, None, 0)
	w.arrange(&w.saved[id])
	w.changed(id)
}

// release emits the effects that were buffered, until the node is blocked
// anew. It reports whether all have left and the node is ready.
func (w *World[M]) release(id NodeID) bool {
	n, a := w.nodes[id], &w.saved[id]
	if len(a.effects) == 0 {
		return true
	}
	for i := range a.effects {
		if w.beforeEffect(id, &a.effects[i]); n.state&(paused|down) != 0 {
			a.effects = slices.Delete(a.effects, 0, min(i, len(a.effects)))
			return false
		}
		if w.trace != nil {
			w.trace.release(w, id, &a.effects[i])
		}
		w.perform(id, &a.effects[i])
		if n.state&(paused|down) != 0 {
			a.effects = slices.Delete(a.effects, 0, min(i+1, len(a.effects))) // a crash empties it
			return false
		}
	}
	a.effects = a.effects[:0]
	return true
}

// drain handles the inbox until the node is blocked anew.
func (w *World[M]) drain(id NodeID) {
	n, a := w.nodes[id], &w.saved[id]
	for a.handled < len(a.inbox) && n.state&(paused|busy|down) == 0 {
		e := &a.inbox[a.handled]
		a.handled++
		w.step(n, *e)
	}
	// What is handled is removed by halves: a node that falls behind would
	// otherwise move its whole inbox at each step.
	if a.handled > len(a.inbox)/2 {
		a.inbox = slices.Delete(a.inbox, 0, a.handled)
		a.handled = 0
	}
}

// arrange puts what came during a pause into the order in which it is handled. It
// is in order of due time and arrival already.
func (w *World[M]) arrange(a *savedState[M]) {
	if w.config.Resume == ByArrival {
		return
	}
	rank := func(e event[M]) int {
		if (e.Body.class == message) == (w.config.Resume == MessagesFirst) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(a.inbox[a.handled:], func(x, y event[M]) int { return rank(x) - rank(y) })
}

// crashUntil crashes a node, which restarts at an instant. One that is down already stays as it is.
func (w *World[M]) crashUntil(p *plan, i int, until Time) {
	if w.nodes[p.Node].state&down != 0 {
		return
	}
	if w.inject(p) {
		w.say(p, until, "")
	}
	w.crash(p.Node)
	w.at(until, p.Node, i, restartNode)
}

func (w *World[M]) crash(id NodeID) {
	n, a := w.nodes[id], &w.saved[id]
	n.incarnation++
	w.kept.pending.forget() // its timers are stale
	w.changed(id)
	n.state = n.state&^(paused|busy) | down
	a.until, a.occupied, a.frozen = 0, 0, 0
	a.inbox, a.effects, a.handled = a.inbox[:0], a.effects[:0], 0
	if w.handling.Self == id {
		w.out.mode = losing
	}
	var none M
	w.notify(Crashed, id, &none)
}

func (w *World[M]) restart(id NodeID) {
	n := w.nodes[id]
	w.slots[id].restart()
	w.changed(id)
	n.state &^= down
	w.clocks[id].reboot(w.now)
	w.clockChanged(id)
	var none M
	w.watch.Journal.ending(0)
	if w.describing() {
		w.sayEnd(id, Crash, "restarts")
	}
	w.notify(Restarted, id, &none)
	w.watch.Journal.blame(0, None, 0)
	if w.adversary != nil { // a fault of this instant was injected before the restart
		w.adversary.stepped[id] = w.now
	}
	w.step(n, event[M]{At: int64(w.now), Body: body[M]{due: int64(w.now), to: id, from: id, incarnation: n.incarnation, class: message, msg: none}})
}
