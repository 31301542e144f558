package fleet

import "fencepost/sim"

// questions are the requests of a run: by client less 1, and by their number less 1.
type questions [][]question

// question is a request: whom it was sent to last, and when.
type question struct {
	asked sim.Time // or answered, or excused
	to    sim.NodeID
}

const (
	over    sim.Time = -1 - iota // answered
	excused                      // whoever had it has crashed: nobody owes an answer
)

// Reset forgets the requests of a run.
func (q questions) Reset() {
	for i := range q {
		q[i] = q[i][:0]
	}
}

// grow makes room for the requests of so many clients.
func (q *questions) grow(clients int) {
	for len(*q) < clients {
		*q = append(*q, nil)
	}
}

// ask takes in that a request was asked, perhaps again.
func (q questions) ask(id uint64, now sim.Time, to sim.NodeID) {
	list := &q[clientOf(id)-1]
	for len(*list) < int(uint32(id)) {
		*list = append(*list, question{excused, sim.None})
	}
	(*list)[uint32(id)-1] = question{now, to}
}

// of is what is known of a request that has been asked.
func (q questions) of(id uint64) *question { return &q[clientOf(id)-1][uint32(id)-1] }
