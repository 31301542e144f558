package check

import (
	"fmt"

	"fencepost/models/fact"
	"fencepost/sim"
)

// DeadlockFree holds if, whenever clients wait, one of them acquires in time. Time in which no client waits does not
// count, nor does time in which the servers that the waiting clients need are down, paused or cut off, a client is
// paused, or the store is down: a lock owes its clients progress after the faults, and the time begins anew then. A
// holder that never leaves is no excuse. By default the time is three TTLs, or the longest critical section and the
// takeover-bound if that is more. A run that ends in a longer wait exercises nothing, if too little of the wait counts.
//
// Source: Redis documentation, "Distributed Locks with Redis", liveness property A.
type DeadlockFree struct{ Progress Progress }

// Bound implements [sim.Bounded].
func (c *DeadlockFree) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("an acquisition every %v while clients wait", c.Progress.Within)}
}

// Hears implements [fact.Checker].
func (*DeadlockFree) Hears() []fact.Kind {
	return append(liveness(), fact.Elapsed)
}

// Check implements [fact.Checker].
func (c *DeadlockFree) Check(r *fact.Report) {
	c.Progress.hear(r, c.Progress.Ledger.Waiting.Count > 0)
}

// End checks the time up to now.
func (c *DeadlockFree) End(r *fact.Report) {
	if id, first := c.Progress.late(r); first {
		r.Why("%s waits, and no client has acquired the lock for %v", r.Name(id), c.Progress.Within)
	}
}
