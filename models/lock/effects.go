package lock

import (
	"cmp"
	"slices"

	"fencepost/internal/text"
	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// fencedOrder holds if the operations that the store applies carry tokens that
// never decrease: what fencing promises about the effects, whatever pauses,
// clocks and networks do.
//
// Source: Kleppmann, "How to do distributed locking", 2016.
type fencedOrder struct {
	Last, By uint64 // token, and the grant that used it
}

// Check implements [model.Checker].
func (c *fencedOrder) Check(r *model.Report[Msg]) {
	token, grant := r.Msg.FencingToken(), r.Msg.Grant()
	if token == 0 {
		return
	}
	r.Saw()
	if token >= c.Last {
		c.Last, c.By = token, grant
		return
	}
	if id, before := core.Client(grant), core.Client(c.By); r.Violated(id, before) {
		r.Why("the store applied %s's token %d after it had seen %s's token %d", r.Name(id), token, r.Name(before), c.Last)
	}
}

// increasingTokens holds if the tokens are in the order of the grants: a client that was
// granted the lock later has the larger token. A counter that never issues a token
// twice is not enough: a client that is paused between the lock and its token gets
// a larger one than a client that acquired meanwhile.
//
// Source: Kleppmann, "How to do distributed locking", 2016.
type increasingTokens struct {
	Order  table[grantOrder] // by client: its latest grant
	Grants int               // so far
	Latest int               // of the grants that have a token
	Last   uint64            // the largest token
	Holder sim.NodeID        // of the latest grant that has a token
}

// grantOrder is which of all grants a client's was.
type grantOrder struct {
	grant uint64
	n     int // from 1
}

// Check implements [model.Checker].
func (c *increasingTokens) Check(r *model.Report[Msg]) {
	switch m := &r.Msg; m.Kind {
	case core.Issued:
		c.issued(r, m.Grant())
	case core.Acquired:
		c.Grants++
		c.Order[r.Node] = grantOrder{core.GrantOf(r.Node, m.Try), c.Grants}
	}
}

// issued looks at a token: it must be larger than all before, and no later grant may
// have one already.
func (c *increasingTokens) issued(r *model.Report[Msg], grant uint64) {
	r.Saw()
	token, id := r.Msg.FencingToken(), core.Client(grant)
	n := 0 // of a grant that is over: before all others
	if c.Order[id].grant == grant {
		n = c.Order[id].n
	}
	if (token <= c.Last || n < c.Latest) && r.Violated(id, c.Holder) {
		if token <= c.Last {
			r.Why("%s was given token %d after token %d had been issued", r.Name(id), token, c.Last)
		} else {
			r.Why("%s was granted the lock before %s, and got its token %d after %s had got token %d",
				r.Name(id), r.Name(c.Holder), token, r.Name(c.Holder), c.Last)
		}
	}
	if c.Last = max(c.Last, token); n > c.Latest {
		c.Latest, c.Holder = n, id
	}
}

// noLostUpdate holds if the store's counter is the number of increments that it
// applied. An increment is lost when a later write, computed from a value read
// before it, overwrites it.
//
// Source: Berenson et al., "A Critique of ANSI SQL Isolation Levels", SIGMOD 1995, P4.
type noLostUpdate struct{ Ledger *ledger }

// Level implements the part of [sim.Leveled] that is the checker's.
func (*noLostUpdate) Level() sim.Level {
	return sim.Level{Text: "by how much a write is applied after the lease that it was made under has run out", Unit: sim.Duration}
}

// Check implements [model.Checker].
func (c *noLostUpdate) Check(r *model.Report[Msg]) {
	r.Saw()
	grant := r.Msg.Grant()
	by := core.Client(grant)
	if held := c.Ledger.beliefs().Grant[by]; held == 0 || held == grant { // it has not acquired again
		c.Ledger.Entitled.outstays(r, by)
	}
	lost := c.Ledger.lost
	if before := core.Client(c.Ledger.over); lost > 0 && r.Violated(by, before) {
		r.Why("%s wrote a counter that it had read before %s's write: %s lost", r.Name(by), r.Name(before), text.Count(lost, "increment"))
	}
}

// updates is the store's counter as its notes tell it.
type updates struct {
	Counter int64
	Made    int64      // increments, each once however often it arrives
	Writer  uint64     // the grant that wrote last
	Wrote   increments // that have been counted
}

func newUpdates(l *Layout) updates { return updates{Wrote: make(increments, l.Clients+1)} }

// write is an increment of a grant: how many the client has made before.
type write struct {
	grant uint64
	n     uint16
}

// compare orders the increments of a client as it made them.
func (w write) compare(v write) int {
	return cmp.Or(cmp.Compare(w.grant, v.grant), cmp.Compare(w.n, v.n))
}

// increments is a set of increments, by client and in the order in which it made them.
type increments [][]write

// Reset empties the set.
func (s increments) Reset() {
	for c := range s {
		s[c] = s[c][:0]
	}
}

// add reports whether an increment is new. Nearly all come in order.
func (s increments) add(w write) bool {
	list := s[core.Client(w.grant)]
	i, known := len(list), false
	if i > 0 && list[i-1].compare(w) >= 0 {
		i, known = slices.BinarySearchFunc(list, w, write.compare)
	}
	if !known {
		s[core.Client(w.grant)] = slices.Insert(list, i, w)
	}
	return !known
}

// observe reports how many increments more are missing from the counter after an
// applied write than before it, and whose write came before.
func (u *updates) observe(o *sim.Observation[Msg]) (lost int64, over uint64, applied bool) {
	if o.Event != sim.Noted || o.Msg.Kind != core.Applied {
		return 0, 0, false
	}
	before, over := u.Made-u.Counter, u.Writer
	if u.Wrote.add(write{o.Msg.Grant(), o.Msg.Before()}) {
		u.Made++
	}
	u.Counter, u.Writer = o.Msg.Counter(), o.Msg.Grant()
	return u.Made - u.Counter - before, over, true
}
