package check

import (
	"fmt"

	"fencepost/models/fact"
	"fencepost/sim"
)

// FailoverBound holds if, whenever clients stand for election and none leads, one does in time. Time in which the
// servers that candidates need are down, paused or cut off does not count, as with deadlock-free.
type FailoverBound struct{ Progress Progress }

// Bound implements [sim.Bounded].
func (c *FailoverBound) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("a leader within %v while clients stand", c.Progress.Within)}
}

// Hears implements [fact.Checker].
func (*FailoverBound) Hears() []fact.Kind {
	return append(liveness(), fact.Left, fact.Elapsed)
}

// Check implements [fact.Checker].
func (c *FailoverBound) Check(r *fact.Report) {
	c.Progress.hear(r, c.Progress.Ledger.vacant())
}

// End checks the time up to now.
func (c *FailoverBound) End(r *fact.Report) {
	if id, first := c.Progress.late(r); first {
		r.Why("%s stands for election, and there has been no leader for %v", r.Name(id), c.Progress.Within)
	}
}
