package mutex

import (
	"slices"

	"fencepost/models/clock"
	"fencepost/sim"
)

// Lamport is a process of the algorithm of 1978: everybody keeps the queue of all
// requests, in the order of their stamps, and the process at its head enters.
//
// It needs every message to arrive once, and messages from one process to another in the
// order in which they were sent; then it promises
//
//	I    a process that has been granted the resource releases it before another gets it
//	II   requests are granted in the order in which they are made
//	III  if everybody who is granted the resource releases it, every request is granted
//
// for 3(N-1) messages each.
//
// Source: Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System",
// 1978, rules 1 to 5.
type Lamport struct {
	self  sim.NodeID
	clock clock.Lamport
	queue []Stamp  // requests, in the order =>
	heard []uint64 // by process, from 1: the latest stamp that has come from it
}

// NewLamport is a process of a group of the given size.
func NewLamport(self sim.NodeID, processes int) Lamport {
	return Lamport{self: self, heard: make([]uint64, processes+1)}
}

// Request implements [Algorithm].
//
// Rule 1: "process Pi sends the message Tm:Pi requests resource to every other process,
// and puts that message on its request queue".
func (l *Lamport) Request() Msg {
	t := l.clock.Tick()
	l.insert(Stamp{C: t, P: l.self})
	return Msg{Kind: Request, Stamp: t}
}

// Receive implements [Algorithm].
//
// Rule 2: "When process Pj receives the message Tm:Pi requests resource, it places it on
// its request queue and sends a (timestamped) acknowledgment message to Pi." A footnote
// lets it be silent if it has already sent Pi something later; here it never is.
//
// Rule 4: "When process Pj receives a Pi releases resource message, it removes any Tm:Pi
// requests resource message from its request queue."
func (l *Lamport) Receive(from sim.NodeID, m Msg) (ack Msg, now bool) {
	receive(&l.clock, m)
	l.heard[from] = max(l.heard[from], m.Stamp)
	switch m.Kind {
	case Request:
		l.insert(Stamp{C: m.Stamp, P: from})
		return Msg{Kind: Reply, Stamp: l.clock.Tick()}, true
	case Release:
		l.remove(from)
	}
	return Msg{}, false
}

// Granted implements [Algorithm].
//
// Rule 5: "(i) There is a Tm:Pi requests resource message in its request queue which is
// ordered before any other request in its queue by the relation =>. (ii) Pi has received
// a message from every other process timestamped later than Tm."
func (l *Lamport) Granted() bool {
	if len(l.queue) == 0 || l.queue[0].P != l.self {
		return false
	}
	for p := 1; p < len(l.heard); p++ {
		last := Stamp{C: l.heard[p], P: sim.NodeID(p)}
		if last.P != l.self && last.Compare(l.queue[0]) < 0 {
			return false
		}
	}
	return true
}

// Release implements [Algorithm].
//
// Rule 3: "process Pi removes any Tm:Pi requests resource message from its request queue
// and sends a (timestamped) Pi releases resource message to every other process."
func (l *Lamport) Release(tell []sim.NodeID) (Msg, []sim.NodeID) {
	l.remove(l.self)
	for p := 1; p < len(l.heard); p++ {
		if id := sim.NodeID(p); id != l.self {
			tell = append(tell, id)
		}
	}
	return Msg{Kind: Release, Stamp: l.clock.Tick()}, tell
}

// insert puts a request in its place. One that comes twice is one request.
func (l *Lamport) insert(s Stamp) {
	if i, there := slices.BinarySearchFunc(l.queue, s, Stamp.Compare); !there {
		l.queue = slices.Insert(l.queue, i, s)
	}
}

func (l *Lamport) remove(p sim.NodeID) {
	l.queue = slices.DeleteFunc(l.queue, func(s Stamp) bool { return s.P == p })
}

// Reset makes l equal to initial.
func (l *Lamport) Reset(initial *Lamport) {
	queue, heard := append(l.queue[:0], initial.queue...), append(l.heard[:0], initial.heard...)
	*l = *initial
	l.queue, l.heard = queue, heard
}

// Recover takes over, from before a crash, the clock, or everything.
func (l *Lamport) Recover(before *Lamport, everything bool) {
	if everything {
		l.Reset(before)
	}
	l.clock = before.clock
}
