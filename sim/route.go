package sim

import (
	"fmt"

	"fencepost/sim/internal/dist"
)

// send puts a message on the network. The link or, where the network keeps no
// order, the sender has a stream of draws: one draw is used up whatever happens, so
// that no fault moves the draws of others.
func (w *World[M]) send(from, to NodeID, m *M) {
	if at := w.route(from, to, m); at != nowhere {
		w.deliver(at, from, to, m)
	}
}

// noSuchNode panics within the step that sends to a node that does not exist.
func noSuchNode(to NodeID, nodes int) {
	panic(fmt.Sprintf("sim: a message to node %d, of %d nodes", to, nodes))
}

// nowhere is when a message arrives that does not.
const nowhere Time = -1

// route is when a message arrives, if the faults let it through and it is not lost.
func (w *World[M]) route(from, to NodeID, m *M) Time {
	l := w.net.link(from, to)
	stream, sent := None, &w.nodes[from].sent
	var s *linkState
	if w.net.Order == FIFO {
		s = w.net.state(from, to)
		stream, sent = to, &s.sent
	}
	i := *sent
	*sent++
	delay := dist.Fixed(&l.Delay)
	if dist.Draws(&l.Delay) {
		delay = l.Delay.Sample(w.src.at(Delays, from, stream, i))
	}
	if w.guarded && w.intercept(from, to, *m, delay, s) {
		if w.adversary != nil {
			w.adversary.sent[int(from)*len(w.system.Kinds)+int((*m).Label())]++
		}
		return nowhere
	}
	if w.adversary != nil && w.askOnSend(from, to, m) {
		return nowhere
	}
	if l.Loss > 0 && dist.Hits(l.Loss, w.src.at(Losses, from, stream, i)) {
		if w.trace != nil {
			w.trace.lost(w, from, to, *m)
		}
		w.lost(from, to, *m)
		return nowhere
	}
	at := s.keepOrder(w.now.Add(delay))
	if l.Duplicate > 0 && dist.Hits(l.Duplicate, w.src.at(Duplicates, from, stream, i)) {
		again := l.Delay.Sample(w.src.at(Duplicates, from, stream, ^i))
		w.deliver(at.Add(again), from, to, m)
	}
	return at
}

// deliver lets a copy of a message arrive.
func (w *World[M]) deliver(at Time, from, to NodeID, m *M) {
	e := &w.q.Push(int64(at)).Body
	e.due, e.to, e.from, e.incarnation, e.class, e.msg = int64(w.now), to, from, 0, message, *m
}
