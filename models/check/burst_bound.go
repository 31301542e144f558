package check

import (
	"fmt"
	"time"

	"fencepost/models/fact"
	"fencepost/models/ratelimit/measure"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// BurstBound holds if what a bucket of b that refills n per W admits in any half-open
// window of W is at most floor((b*W + n*(W-1))/W): what the algorithm promises, not the
// limit. Of other algorithms it says nothing.
type BurstBound struct {
	Keys   int           // are numbered 1 and up
	Burst  int64         // b; 0: the algorithm has no bucket
	Limit  int64         // n
	Window time.Duration // W

	Windows measure.Windows
}

// Bound implements [sim.Bounded].
func (c *BurstBound) Bound() sim.Bound {
	if c.Burst == 0 {
		return sim.Bound{}
	}
	text := fmt.Sprintf("at most %d in any %s, of a bucket of %d that refills %d in it", c.most(), values.Length(c.Window), c.Burst, c.Limit)
	return sim.Bound{Text: text, Worst: "worst-window"}
}

// most is floor((b*W + n*(W-1))/W) with n the limit: n - n/W of it is whole.
func (c *BurstBound) most() int64 {
	n, w := c.Limit, int64(c.Window)
	return c.Burst + n - (n+w-1)/w
}

// Hears implements [fact.Checker].
func (*BurstBound) Hears() []fact.Kind { return []fact.Kind{fact.Admitted} }

// Begin implements [fact.Checker].
func (c *BurstBound) Begin(*fact.Report) { c.Windows.Grow(c.Keys, c.Window) }

// Check implements [fact.Checker].
func (c *BurstBound) Check(r *fact.Report) {
	if c.Burst == 0 {
		return
	}
	r.Saw()
	sum := c.Windows[r.ID].Admit(r.At, r.Value)
	if sum > c.most() && r.Violated(r.Node) {
		r.Why("%d were admitted in %s; a bucket of %d that refills %d in that time admits at most %d", sum, values.Length(c.Window), c.Burst, c.Limit, c.most())
	}
}
