package check

import (
	"fmt"

	"fencepost/internal/text"
	"fencepost/models/fact"
	"fencepost/sim"
)

// StarvationBound holds if a client that waits is overtaken at most this often: if this many
// clients that began to wait later acquire the lock before it.
type StarvationBound struct {
	Most      int
	Ledger    *LockLedger
	Overtaken Table[int] // by client: in its present wait
}

// NewStarvationBound makes the property.
func NewStarvationBound(l *LockLedger, most int) *StarvationBound {
	return &StarvationBound{most, l, byClient[int](&l.Layout)}
}

// Bound implements [sim.Bounded].
func (c *StarvationBound) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("a client that waits is overtaken at most %s", text.Count(int64(c.Most), "time"))}
}

// Hears implements [fact.Checker].
func (*StarvationBound) Hears() []fact.Kind {
	return []fact.Kind{fact.Attempt, fact.Acquired, fact.GaveUp, fact.Crashed}
}

// Check implements [fact.Checker].
func (c *StarvationBound) Check(r *fact.Report) {
	waiting := c.Ledger.Waiting.By
	if int(r.Node) >= len(waiting) {
		return // the crash of a server
	}
	since := waiting[r.Node].Since
	if r.Kind == fact.Attempt && since == r.At {
		c.Overtaken[r.Node] = 0
	}
	if r.Kind != fact.Acquired {
		return
	}
	for i := range waiting {
		id, w := sim.NodeID(i), &waiting[i]
		if !w.Waits {
			continue
		}
		r.Saw()
		if w.Since >= since {
			continue
		}
		if c.Overtaken[i]++; c.Overtaken[i] == c.Most+1 && r.Violated(id, r.Node) {
			r.Why("%s has waited since %v and was overtaken %s, by %s last", r.Name(id), w.Since, text.Count(int64(c.Most)+1, "time"), r.Name(r.Node))
		}
	}
}
