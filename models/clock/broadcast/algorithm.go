package broadcast

import "fencepost/sim"

// Algorithm is what one process does so that messages are delivered in an order. The
// processes are 1 to N. After Broadcast and Receive ask Next until it has no more.
type Algorithm interface {
	// Broadcast stamps a message of the process itself, which is sent to every other
	// process; the process delivers it, too.
	Broadcast(m Msg) Msg
	// Receive takes in what has come from another process. If now, the answer is sent to
	// every other process at once.
	Receive(from sim.NodeID, m Msg) (answer Msg, now bool)
	// Next is the next message to deliver, if there is one.
	Next() (m Msg, ok bool)
	// Waiting is how many messages have come that are not yet to be delivered.
	Waiting() int
}

// pop takes the i-th message out of a list. The rest keeps its order.
func pop(list *[]Msg, i int) Msg {
	m := (*list)[i]
	copy((*list)[i:], (*list)[i+1:])
	(*list)[len(*list)-1] = Msg{}
	*list = (*list)[:len(*list)-1]
	return m
}
