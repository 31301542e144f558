package check

import (
	"fencepost/models/fact"
	"fencepost/sim"
)

// QuorumBehindHolder holds if a client that is entitled has its key on a quorum of the
// instances. It notices a fault before a second client appears.
//
// Source: Redis documentation, "Distributed Locks with Redis", safety arguments.
type QuorumBehindHolder struct {
	Ledger *LockLedger
	Told   Table[fact.Holder] // by client: the holder that is known to lack its quorum
}

// NewQuorumBehindHolder makes the property.
func NewQuorumBehindHolder(l *LockLedger) *QuorumBehindHolder {
	return &QuorumBehindHolder{l, byClient[fact.Holder](&l.Layout)}
}

// Hears implements [fact.Checker].
func (*QuorumBehindHolder) Hears() []fact.Kind {
	return []fact.Kind{fact.Acquired, fact.Extended, fact.Owned, fact.Freed, fact.ClockChanged}
}

// Check implements [fact.Checker].
func (c *QuorumBehindHolder) Check(r *fact.Report) {
	l, news := c.Ledger, c.Ledger.News()
	if !news.May && !news.Moved {
		return
	}
	for i, h := range l.Beliefs().Held {
		id := sim.NodeID(i)
		if !l.Entitled.entitled(r.At, id) {
			continue
		}
		r.Saw()
		n := l.Owners.Of(h)
		if n >= l.Layout.Quorum || c.Told[i] == h {
			continue
		}
		c.Told[i] = h
		if r.Violated(id, r.Node) {
			r.Why("%s may act, but its key is on %d of %d instances and it needs %d", r.Name(id), n, len(l.Owners.Owner), l.Layout.Quorum)
		}
	}
}
