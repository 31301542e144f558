package check

import (
	"fencepost/models/fact"
	"fencepost/sim"
)

// ContinuousHold holds if from the instant at which a client acquires the lock until it
// leaves no other client owns it, on a quorum of the instances. It looks at locks that are
// extended: an extension that sets a key anew which was gone hides that another client has
// had the lock in between, though at no instant two are entitled.
type ContinuousHold struct {
	Ledger *LockLedger
	Told   Table[fact.Holder] // by client: the holder that is known to be interrupted
}

// NewContinuousHold makes the property.
func NewContinuousHold(l *LockLedger) *ContinuousHold {
	return &ContinuousHold{l, byClient[fact.Holder](&l.Layout)}
}

// Hears implements [fact.Checker].
func (*ContinuousHold) Hears() []fact.Kind {
	return []fact.Kind{fact.Acquired, fact.Owned, fact.Freed}
}

// Check implements [fact.Checker].
func (c *ContinuousHold) Check(r *fact.Report) {
	l, news := c.Ledger, c.Ledger.News()
	if news.Change == Entered {
		r.Saw()
	}
	if !news.Moved || l.Owners.Owner[news.Instance] == none {
		return
	}
	owner := l.Owners.Owner[news.Instance]
	if l.Owners.Of(owner) < l.Layout.Quorum {
		return
	}
	for i, h := range l.Beliefs().Held {
		id := sim.NodeID(i)
		if h == none || id == owner.Node || c.Told[i] == h {
			continue
		}
		c.Told[i] = h
		if r.Violated(id, owner.Node) {
			r.Why("%s has not left, and %s owns the lock", r.Name(id), r.Name(owner.Node))
		}
	}
}
