package mutex

import (
	"fmt"

	"fencepost/models/clock"
	"fencepost/sim"
)

// Algorithm is what one process does so that only one at a time enters. The processes are
// 1 to N; a message that is returned is to be sent, and each one that arrives is to be
// given to Receive. When anything has happened, ask Granted.
type Algorithm interface {
	// Request asks to enter, and is sent to every other process. A process asks again
	// only when it has been granted what it asked for, and has released it.
	Request() Msg
	// Receive takes a message in. If now, the reply is sent back at once.
	Receive(from sim.NodeID, m Msg) (reply Msg, now bool)
	// Granted reports whether the process may enter, or is in.
	Granted() bool
	// Release leaves. The message is for the processes that are appended to tell.
	Release(tell []sim.NodeID) (Msg, []sim.NodeID)
}

// receive is the receipt of a message by a clock.
func receive(c *clock.Lamport, m Msg) {
	if _, err := c.Receive(m.Stamp); err != nil {
		panic(fmt.Sprintf("mutex: %v: %v", m, err)) // a clock here counts up by one from 0
	}
}
