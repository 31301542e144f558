package check

import (
	"fencepost/models/fact"
	"fencepost/sim"
)

// IncreasingTokens holds if the tokens are in the order of the grants: a client that was
// granted the lock later has the larger token. A counter that never issues a token
// twice is not enough: a client that is paused between the lock and its token gets
// a larger one than a client that acquired meanwhile.
//
// Source: Kleppmann, "How to do distributed locking", 2016.
type IncreasingTokens struct {
	Order  Table[grantOrder] // by client: its latest grant
	Grants int               // so far
	Latest int               // of the grants that have a token
	Last   uint64            // the largest token
	Holder sim.NodeID        // of the latest grant that has a token
}

// grantOrder is which of all grants a client's was.
type grantOrder struct {
	grant fact.Holder
	n     int // from 1
}

// NewIncreasingTokens makes the property.
func NewIncreasingTokens(l *Lock) *IncreasingTokens {
	return &IncreasingTokens{Order: byClient[grantOrder](l)}
}

// Hears implements [fact.Checker].
func (*IncreasingTokens) Hears() []fact.Kind {
	return []fact.Kind{fact.Acquired, fact.Issued}
}

// Check implements [fact.Checker].
func (c *IncreasingTokens) Check(r *fact.Report) {
	switch r.Kind {
	case fact.Issued:
		c.issued(r, r.By.Node)
	case fact.Acquired:
		c.Grants++
		c.Order[r.Node] = grantOrder{fact.Holder{Node: r.Node, Task: uint32(r.ID)}, c.Grants}
	}
}

// issued looks at a token: it must be larger than all before, and no later grant may
// have one already.
func (c *IncreasingTokens) issued(r *fact.Report, id sim.NodeID) {
	r.Saw()
	n := 0 // of a grant that is over: before all others
	if c.Order[id].grant == r.By {
		n = c.Order[id].n
	}
	if (r.Token <= c.Last || n < c.Latest) && r.Violated(id, c.Holder) {
		if r.Token <= c.Last {
			r.Why("%s was given token %d after token %d had been issued", r.Name(id), r.Token, c.Last)
		} else {
			r.Why("%s was granted the lock before %s, and got its token %d after %s had got token %d",
				r.Name(id), r.Name(c.Holder), r.Token, r.Name(c.Holder), c.Last)
		}
	}
	if c.Last = max(c.Last, r.Token); n > c.Latest {
		c.Latest, c.Holder = n, id
	}
}
