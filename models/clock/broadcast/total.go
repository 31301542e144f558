package broadcast

import (
	"fmt"
	"slices"

	"fencepost/models/clock"
	"fencepost/sim"
)

// Total delivers all messages in the order of their stamps, at every process: a message
// is delivered when it has the smallest stamp of those that have come, and every process
// has been heard of with a later one, so that nothing smaller can come any more. To be
// heard of, each process acknowledges each message to all: N(N-1) messages for one.
//
// It needs every message to arrive once, and messages from one process to another in the
// order in which they were sent; and all processes to live.
//
// Source: Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System",
// 1978: "A process can execute a command timestamped T when it has learned of all commands
// issued by all other processes with timestamps less than or equal to T."
type Total struct {
	self  sim.NodeID
	clock clock.Lamport
	queue []Msg    // in the order of stamps
	heard []uint64 // by process, from 1: the latest stamp that has come from it
}

// NewTotal is a process of a group of the given size.
func NewTotal(self sim.NodeID, processes int) Total {
	return Total{self: self, heard: make([]uint64, processes+1)}
}

// stampOf is a message in the total order.
func stampOf(m Msg) clock.Stamp[sim.NodeID] {
	return clock.Stamp[sim.NodeID]{C: m.Stamp(), P: m.Sender}
}

// byStamp compares messages by their place in the total order.
func byStamp(a, b Msg) int { return stampOf(a).Compare(stampOf(b)) }

// Broadcast implements [Algorithm].
func (t *Total) Broadcast(m Msg) Msg {
	m = stamped(m, t.clock.Tick())
	t.insert(m)
	return m
}

// Receive implements [Algorithm].
func (t *Total) Receive(from sim.NodeID, m Msg) (answer Msg, now bool) {
	if _, err := t.clock.Receive(m.Stamp()); err != nil {
		panic(fmt.Sprintf("broadcast: %v: %v", m, err)) // a clock here counts up by one from 0
	}
	t.heard[from] = max(t.heard[from], m.Stamp())
	if m.Kind != Cast {
		return Msg{}, false
	}
	t.insert(m)
	return ack(&m, t.clock.Tick()), true
}

// Next implements [Algorithm].
func (t *Total) Next() (Msg, bool) {
	if len(t.queue) == 0 {
		return Msg{}, false
	}
	first := stampOf(t.queue[0])
	for p := 1; p < len(t.heard); p++ {
		last := clock.Stamp[sim.NodeID]{C: t.heard[p], P: sim.NodeID(p)}
		if last.P != t.self && last.Compare(first) < 0 { // its sender is heard of by the message itself
			return Msg{}, false
		}
	}
	return pop(&t.queue, 0), true
}

// insert puts a message in its place. One that comes twice is one message, as long as it
// is in the queue.
func (t *Total) insert(m Msg) {
	if i, there := slices.BinarySearchFunc(t.queue, m, byStamp); !there || t.queue[i].Seq != m.Seq {
		t.queue = slices.Insert(t.queue, i, m)
	}
}

// Waiting implements [Algorithm].
func (t *Total) Waiting() int { return len(t.queue) }

// Reset makes t equal to initial.
func (t *Total) Reset(initial *Total) {
	t.self, t.clock = initial.self, initial.clock
	t.queue, t.heard = append(t.queue[:0], initial.queue...), append(t.heard[:0], initial.heard...)
}
