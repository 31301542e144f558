package check

import (
	"slices"

	"fencepost/models/fact"
	"fencepost/sim"
)

// OneInside holds if at no instant two processes are in the critical section. One
// that is paused there is in; one that has crashed is not.
//
// Source: Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM
// 21(7), 1978, condition (I).
type OneInside struct{ In []sim.NodeID }

// Hears implements [fact.Checker].
func (*OneInside) Hears() []fact.Kind { return []fact.Kind{fact.Acquired, fact.Left, fact.Crashed} }

// Check implements [fact.Checker].
func (c *OneInside) Check(r *fact.Report) {
	if leaves(r.Fact) {
		c.In = slices.DeleteFunc(c.In, func(id sim.NodeID) bool { return id == r.Node })
		return
	}
	r.Saw()
	if i := slices.IndexFunc(c.In, func(id sim.NodeID) bool { return id != r.Node }); i >= 0 && r.Violated(r.Node, c.In[i]) {
		r.Why("%s entered while %s was in", r.Name(r.Node), r.Name(c.In[i]))
	}
	c.In = append(c.In, r.Node)
}
