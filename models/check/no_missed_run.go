package check

import (
	"fmt"
	"time"

	"fencepost/internal/text"
	"fencepost/models/fact"
	"fencepost/sim"
)

// NoMissedRun holds if the job of each night is run before the next night begins, whatever is down meanwhile. A night
// that has not ended when the run does is not checked.
type NoMissedRun struct {
	Period time.Duration
	Done   map[int64]bool // the nights whose job was run, from Next on
	Next   int64          // the first night that is not checked yet, less 1
}

// Bound implements [sim.Bounded].
func (c *NoMissedRun) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("a run of the job every %s", text.Duration(c.Period))}
}

// Hears implements [fact.Checker].
func (*NoMissedRun) Hears() []fact.Kind {
	return []fact.Kind{fact.Written, fact.Elapsed}
}

// Check implements [fact.Checker].
func (c *NoMissedRun) Check(r *fact.Report) {
	c.Done[r.Value] = true
	c.over(r)
}

// over checks the nights that are over.
func (c *NoMissedRun) over(r *fact.Report) {
	for ; ; c.Next++ {
		night := c.Next + 1
		ends := sim.Time(0).Add(time.Duration(night+1) * c.Period)
		if r.At < ends || r.At == ends && r.Kind != fact.Ended {
			r.Await(ends)
			return
		}
		r.Saw()
		if !c.Done[night] && r.ViolatedAt(ends) {
			r.Why("the job of night %d was not run before the next night began", night)
		}
		delete(c.Done, night)
	}
}

// End checks the time up to now.
func (c *NoMissedRun) End(r *fact.Report) { c.over(r) }
