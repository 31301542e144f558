package broadcast

import (
	"fmt"

	"fencepost/models/clock"
	"fencepost/sim"
)

// Causal delivers a message after all that its sender had delivered or sent before it. A
// message carries how many messages of each process those are, and waits until the
// receiver has delivered as many. Messages of which neither was known to the sender of
// the other come in any order, at each process in its own.
//
// The network need keep no order, and a copy is recognised by its number.
//
// Source: Birman, Schiper and Stephenson, "Lightweight Causal and Atomic Group
// Multicast", 1991, section 5.1, the CBCAST protocol.
type Causal struct {
	self      sim.NodeID
	delivered clock.Vector // messages of each process; that of process p is at p-1
	held      holdBack     // by the sender's own counter
	spare     clock.Vector // of length 0: the rest of the page that stamps are cut from
}

// NewCausal is a process of a group of the given size.
func NewCausal(self sim.NodeID, processes int) Causal {
	return Causal{self: self, delivered: make(clock.Vector, processes), held: newHoldBack(processes)}
}

// Broadcast implements [Algorithm].
//
// Rule 1: "Before sending m, process pi increments VT(pi)[i] and timestamps m." What it
// sends it delivers next, before anything else: else the next stamp would be the same.
func (c *Causal) Broadcast(m Msg) Msg {
	m.Vector = c.stamp()
	m.Vector.Tick(int(c.self) - 1)
	c.held.addFirst(m, m.Vector[c.self-1])
	return m
}

// stampsPerPage is how many stamps one piece of memory holds.
const stampsPerPage = 64

// stamp is a copy of the vector that is not written to once it is sent.
func (c *Causal) stamp() clock.Vector {
	n := len(c.delivered)
	if cap(c.spare) < n {
		c.spare = make(clock.Vector, 0, n*stampsPerPage)
	}
	v := c.spare[:n:n]
	c.spare = c.spare[n:n]
	copy(v, c.delivered)
	return v
}

// Receive implements [Algorithm].
func (c *Causal) Receive(_ sim.NodeID, m Msg) (Msg, bool) {
	if n := m.Vector[m.Sender-1]; n > c.delivered[m.Sender-1] { // else it is a copy
		c.held.add(m, n)
	}
	return Msg{}, false
}

// Next implements [Algorithm].
//
// Rule 3: "When a message m is delivered, VT(pj) is updated" to the larger of each.
func (c *Causal) Next() (Msg, bool) {
	m := c.held.first(func(m *waiting) bool { return c.ready(&m.Msg) })
	if m == nil {
		return Msg{}, false
	}
	if err := c.delivered.Merge(m.Vector); err != nil {
		panic(fmt.Sprintf("broadcast: %v: %v", m, err))
	}
	return c.held.take(m), true
}

// ready reports whether a message may be delivered.
//
// Rule 2: "process pj ... delays delivery of m until: VT(m)[k] = VT(pj)[k]+1 if k = i,
// VT(m)[k] <= VT(pj)[k] otherwise", where i is the sender.
func (c *Causal) ready(m *Msg) bool {
	for k, n := range m.Vector {
		if k == int(m.Sender-1) {
			n--
		}
		if n > c.delivered[k] {
			return false
		}
	}
	return true
}

// Waiting implements [Algorithm].
func (c *Causal) Waiting() int { return c.held.count }

// Reset makes c equal to initial. The memory of the stamps stays where it is: a message
// that is on its way may hold some of it.
func (c *Causal) Reset(initial *Causal) {
	c.self = initial.self
	c.delivered = append(c.delivered[:0], initial.delivered...)
	c.held.reset(&initial.held)
}
