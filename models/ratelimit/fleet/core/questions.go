package core

import (
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// Questions are the requests of a run: by client less 1, and by their number less 1.
type Questions [][]question

// question is a request: whom it was sent to last, and when.
type question struct {
	Asked sim.Time // or answered, or excused
	To    sim.NodeID
}

const (
	Over    sim.Time = -1 - iota // answered
	Excused                      // the limiter that had it has crashed: no answer is owed
)

// Reset forgets the requests of a run.
func (q Questions) Reset() {
	for i := range q {
		q[i] = q[i][:0]
	}
}

// Grow makes room for the requests of the given number of clients.
func (q *Questions) Grow(clients int) {
	for len(*q) < clients {
		*q = append(*q, nil)
	}
}

// Ask takes in that a request was asked, perhaps again.
func (q Questions) Ask(id uint64, now sim.Time, to sim.NodeID) {
	list := &q[message.ClientOf(id)-1]
	for len(*list) < int(uint32(id)) {
		*list = append(*list, question{Excused, sim.None})
	}
	(*list)[uint32(id)-1] = question{now, to}
}

// Of is what is known of a request that has been asked.
func (q Questions) Of(id uint64) *question { return &q[message.ClientOf(id)-1][uint32(id)-1] }
