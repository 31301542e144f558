package check

import (
	"fmt"
	"time"

	"fencepost/models/fact"
	"fencepost/sim"
)

// TakeoverBound holds if, after a holder crashes while clients wait or begin to wait, the lock is acquired again in
// time. Time in which the servers that the waiting clients need are down, paused or cut off does not count, as with
// deadlock-free: it begins anew then.
type TakeoverBound struct {
	Within  time.Duration // TTL, slack of the server, pause between attempts and a round trip
	Ledger  *LockLedger
	Pending bool       // a holder has crashed
	Crashed sim.NodeID // which one
	Base    sim.Time   // since when clients have been owed the lock since then; Never: none is
	Asked   sim.Time   // since when clients have waited since then; Never: none does
}

// Bound implements [sim.Bounded].
func (c *TakeoverBound) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("an acquisition within %v of the crash", c.Within)}
}

// Hears implements [fact.Checker].
func (*TakeoverBound) Hears() []fact.Kind {
	return liveness()
}

// Check implements [fact.Checker].
func (c *TakeoverBound) Check(r *fact.Report) {
	l, change := c.Ledger, c.Ledger.News().Change
	if change == HasLeft && r.Kind == fact.Crashed && l.Beliefs().Count == 0 {
		c.Pending, c.Crashed, c.Base, c.Asked = true, r.Node, sim.Never, sim.Never
	}
	if change == Entered {
		if c.Pending {
			r.Saw()
		}
		c.late(r, r.Node)
		c.Pending = false
	}
	if !c.Pending {
		return
	}
	waits := l.Waiting.Count > 0
	began(&c.Asked, r.At, waits)
	if owed := waits && l.serves(); !owed {
		c.late(r, sim.None)
		c.Base = sim.Never
	} else {
		began(&c.Base, r.At, owed)
	}
}

// began keeps since when something is so, Never if it is not.
func began(since *sim.Time, now sim.Time, so bool) {
	switch {
	case !so:
		*since = sim.Never
	case *since == sim.Never:
		*since = now
	}
}

// late checks the time up to now, at which a client has acquired the lock or none.
func (c *TakeoverBound) late(r *fact.Report, by sim.NodeID) {
	if !c.Pending || c.Base == sim.Never || r.At <= c.Base.Add(c.Within) {
		return
	}
	if r.ViolatedAt(c.Base.Add(c.Within), c.Crashed, by) {
		r.Why("%s crashed with the lock, and no other client had it within %v of the first attempt", r.Name(c.Crashed), c.Within)
	}
}

// End checks the time up to now.
func (c *TakeoverBound) End(r *fact.Report) {
	if c.Pending && c.Asked != sim.Never && r.At > c.Asked.Add(c.Within) {
		r.Withdraw()
	}
	c.late(r, sim.None)
}
