package check

import (
	"fencepost/models/fact"
	"fencepost/sim"
)

// EntitledExclusion holds if at no instant two clients are entitled to the lock:
// what a lease can promise while clock errors are bounded.
//
// Source: Gray and Cheriton, "Leases", SOSP 1989, section 2.
type EntitledExclusion struct {
	Ledger *LockLedger
	Pair   Pair
	Told   [2]fact.Holder // of the last violation: one pair is one violation
}

// Hears implements [fact.Checker].
func (*EntitledExclusion) Hears() []fact.Kind {
	return []fact.Kind{fact.Acquired, fact.Left, fact.Extended, fact.Crashed, fact.ClockChanged, fact.Elapsed}
}

// Check implements [fact.Checker].
func (c *EntitledExclusion) Check(r *fact.Report) {
	l, news := c.Ledger, c.Ledger.News()
	if news.Change == HasLeft {
		c.meet(r, c.Pair.part(r.Node))
	}
	if news.May && l.Entitled.entitled(r.At, r.Node) {
		r.Saw()
		c.meet(r, r.Node)
	}
}

// meet makes a client that is entitled one of a pair, if another is.
func (c *EntitledExclusion) meet(r *fact.Report, second sim.NodeID) {
	if second == sim.None || !c.Ledger.Entitled.entitled(r.At, second) {
		return
	}
	if d := c.Ledger.Entitled.otherEntitled(r.At, second); d != sim.None {
		c.Pair = Pair{r.At, second, d}
		r.Await(r.At)
	}
}

// End checks the time up to now.
func (c *EntitledExclusion) End(r *fact.Report) {
	p := c.Pair
	if !c.Pair.overlaps(r) {
		return
	}
	held := c.Ledger.Beliefs().Held
	both := [2]fact.Holder{held[min(p.Second, p.First)], held[max(p.Second, p.First)]}
	if both == c.Told {
		return
	}
	c.Told = both
	if r.ViolatedAt(p.At, p.Second, p.First) {
		r.Why("%s may act, and by its own clock so may %s until %v", r.Name(p.Second), r.Name(p.First), c.Ledger.Entitled.Lease[p.First].Until)
	}
}
