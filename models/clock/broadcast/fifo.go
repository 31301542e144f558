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
	held []Msg
}

// NewFIFO is a process among so many.
func NewFIFO(processes int) FIFO {
	f := FIFO{next: make([]uint32, processes+1)}
	for p := range f.next {
		f.next[p] = 1
	}
	return f
}

// Broadcast implements [Algorithm].
func (f *FIFO) Broadcast(m Msg) Msg {
	f.held = append(f.held, m)
	return m
}

// Receive implements [Algorithm].
func (f *FIFO) Receive(_ sim.NodeID, m Msg) (Msg, bool) {
	f.held = append(f.held, m)
	return Msg{}, false
}

// Next implements [Algorithm].
func (f *FIFO) Next() (Msg, bool) {
	for i := 0; i < len(f.held); {
		switch next := &f.next[f.held[i].Sender]; {
		case f.held[i].Seq < *next: // a copy
			pop(&f.held, i)
		case f.held[i].Seq == *next:
			*next++
			return pop(&f.held, i), true
		default:
			i++
		}
	}
	return Msg{}, false
}

// Waiting implements [Algorithm].
func (f *FIFO) Waiting() int { return len(f.held) }

// Reset makes f equal to initial.
func (f *FIFO) Reset(initial *FIFO) {
	f.next, f.held = append(f.next[:0], initial.next...), append(f.held[:0], initial.held...)
}
