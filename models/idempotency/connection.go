package idempotency

import "fencepost/sim"

// connections are those of servers to one of the nodes that they call: each task has one. A
// connection brings each message once and in order, or breaks; so what is not newer than the
// last message is a copy, or comes from a connection that is broken.
type connections struct {
	First sim.NodeID // the first server
	Slots int        // tasks of each

	last []uint32 // number of the last message
}

// index is where a task's connection is kept.
func (c *connections) index(from sim.NodeID, slot uint8) int {
	return int(from-c.First)*c.Slots + int(slot)
}

// fresh reports whether a message is new, and takes it down.
func (c *connections) fresh(in *sim.In[Msg]) bool {
	i := c.index(in.From, in.Msg.Slot)
	for len(c.last) <= i {
		c.last = append(c.last, 0)
	}
	if in.Msg.Call <= c.last[i] {
		return false
	}
	c.last[i] = in.Msg.Call
	return true
}

// end closes the i-th connection up to a message, and reports whether there was none later.
func (c *connections) end(i int, call uint32) bool {
	for len(c.last) <= i {
		c.last = append(c.last, 0)
	}
	if c.last[i] > call {
		return false
	}
	c.last[i] = call
	return true
}

// reset makes it equal to another without sharing memory.
func (c *connections) reset(initial *connections) {
	last := append(c.last[:0], initial.last...)
	*c = *initial
	c.last = last
}
