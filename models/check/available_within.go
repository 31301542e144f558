package check

import (
	"fmt"

	"fencepost/models/fact"
	"fencepost/sim"
)

// AvailableWithin holds if, whenever clients wait and no client has the lock, one acquires it in time, and outages
// count: of the servers, of the network and of the clients that wait. It is checked if the scenario says
// available-within.
type AvailableWithin struct{ Progress Progress }

// Bound implements [sim.Bounded].
func (c *AvailableWithin) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("the lock for some client within %v, outages included", c.Progress.Within)}
}

// Hears implements [fact.Checker].
func (*AvailableWithin) Hears() []fact.Kind {
	return append(liveness(), fact.Left, fact.Elapsed)
}

// Check implements [fact.Checker].
func (c *AvailableWithin) Check(r *fact.Report) {
	c.Progress.hear(r, c.Progress.Ledger.vacant())
}

// End checks the time up to now.
func (c *AvailableWithin) End(r *fact.Report) {
	if id, first := c.Progress.late(r); first {
		r.Why("%s waits, and no client has had the lock for %v", r.Name(id), c.Progress.Within)
	}
}
