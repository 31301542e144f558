package check

import (
	"fencepost/models/fact"
	"fencepost/sim"
)

// FencedOrder holds if the operations that the store applies carry tokens that
// never decrease: what fencing promises about the effects, whatever pauses,
// clocks and networks do.
//
// Source: Kleppmann, "How to do distributed locking", 2016.
type FencedOrder struct {
	Last uint64      // token
	By   fact.Holder // that used it
}

// Hears implements [fact.Checker].
func (*FencedOrder) Hears() []fact.Kind {
	return []fact.Kind{fact.Written, fact.Shown}
}

// Check implements [fact.Checker].
func (c *FencedOrder) Check(r *fact.Report) {
	if r.Token == 0 {
		return
	}
	r.Saw()
	if r.Token >= c.Last {
		c.Last, c.By = r.Token, r.By
		return
	}
	if id, before := r.By.Node, c.By.Node; r.Violated(id, before) {
		r.Why("the store applied %s's token %d after it had seen %s's token %d", r.Name(id), r.Token, r.Name(before), c.Last)
	}
}

// Symbolic is the form for a search with symbolic time. The property looks at no instant.
func (c *FencedOrder) Symbolic() fact.Checker { return &FencedOrder{} }

// Rename implements [sim.Renamer].
func (c *FencedOrder) Rename(to sim.Renaming) { c.By = c.By.Renamed(to) }
