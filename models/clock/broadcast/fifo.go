package broadcast

import "fencepost/sim"

// FIFO delivers the messages of each sender in the order in which they were sent: it
// holds one back until all before it have come. The network need keep no order, and a
// copy is recognised by its number. It says nothing about messages of different senders.
//
// Source: Hadzilacos and Toueg, "A Modular Approach to Fault-Tolerant Broadcasts and
// Related Problems", 1994, section 3.2, FIFO broadcast.
type FIFO struct {
	next []uint32 // by process, from 1: the number of its message that is to be delivered next
	held holdBack
}

// NewFIFO is a process of a group of the given size.
func NewFIFO(processes int) FIFO {
	f := FIFO{next: make([]uint32, processes+1), held: newHoldBack(processes)}
	for p := range f.next {
		f.next[p] = 1
	}
	return f
}

// Broadcast implements [Algorithm].
func (f *FIFO) Broadcast(m Msg) Msg {
	f.held.add(m, uint64(m.Seq))
	return m
}

// Receive implements [Algorithm].
func (f *FIFO) Receive(_ sim.NodeID, m Msg) (Msg, bool) {
	if m.Seq >= f.next[m.Sender] { // else it is a copy
		f.held.add(m, uint64(m.Seq))
	}
	return Msg{}, false
}

// Next implements [Algorithm].
func (f *FIFO) Next() (Msg, bool) {
	m := f.held.first(func(m *waiting) bool { return m.Seq == f.next[m.Sender] })
	if m == nil {
		return Msg{}, false
	}
	f.next[m.Sender]++
	return f.held.take(m), true
}

// Waiting implements [Algorithm].
func (f *FIFO) Waiting() int { return f.held.count }

// Reset makes f equal to initial.
func (f *FIFO) Reset(initial *FIFO) {
	f.next = append(f.next[:0], initial.next...)
	f.held.reset(&initial.held)
}
