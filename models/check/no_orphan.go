package check

import (
	"fmt"
	"time"

	"fencepost/models/fact"
	"fencepost/sim"
	"fencepost/sim/model"
)

// NoOrphan holds if no key outlives its client's interest by more than the TTL:
// from the instant a client has left or given up an attempt, the keys of that
// attempt are gone within TTL and a millisecond.
//
// Source: Redis documentation, "Distributed Locks with Redis", retry on failure.
type NoOrphan struct {
	TTL    time.Duration
	Ledger *LockLedger
	Told   Table[bool]   // by instance: its present key is known to be an orphan
	Gone   Table[Lease]  // by instance: when its present key is gone, whether or not the instance is up
	Try    Table[uint32] // by client: its latest attempt
	Ended  attempts
}

// attempts is when a client lost interest in an attempt, by client and attempt; Never
// before that.
type attempts [][]sim.Time

// Reset forgets the attempts.
func (a attempts) Reset() {
	for c := range a {
		a[c] = a[c][:0]
	}
}

// NewNoOrphan makes the property.
func NewNoOrphan(ledger *LockLedger, ttl time.Duration) *NoOrphan {
	l := &ledger.Layout
	return &NoOrphan{ttl, ledger, byInstance[bool](l), byInstance[Lease](l), byClient[uint32](l), make(attempts, l.Clients+1)}
}

// Bound implements [sim.Bounded].
func (c *NoOrphan) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("no key for more than %v after it is given up", c.TTL+time.Millisecond)}
}

// Hears implements [fact.Checker].
func (*NoOrphan) Hears() []fact.Kind {
	return []fact.Kind{fact.Owned, fact.Freed, fact.Left, fact.Attempt, fact.Refused, fact.Crashed, fact.ClockChanged}
}

// Check implements [fact.Checker].
func (c *NoOrphan) Check(r *fact.Report) {
	if news := c.Ledger.News(); news.Moved {
		key := c.Ledger.Owners.Owner[news.Instance]
		r.Saw()
		c.end(r, news.Instance, news.Key, key)
		c.set(r, news.Instance, key)
		return
	}
	switch l := &c.Ledger.Layout; {
	case r.Kind == fact.ClockChanged && l.IsServer(r.Node) && !l.Replicated:
		c.Gone[r.Node-l.FirstServer].retime(r, r.Node, sim.WallClock)
	case !l.IsClient(r.Node):
	case r.Kind == fact.Attempt:
		c.lose(r)
		c.Try[r.Node] = r.By.Task
		*model.At(&c.Ended[r.Node], r.By.Task) = sim.Never // it may have given up an earlier attempt with the same value
	case leaves(r.Fact) || r.Kind == fact.Refused:
		c.lose(r)
	}
}

// lose notes that a client is no longer interested in its latest attempt.
func (c *NoOrphan) lose(r *fact.Report) {
	if try := c.Try[r.Node]; try != 0 && c.Ended[r.Node][try] == sim.Never {
		c.Ended[r.Node][try] = r.At
	}
}

// deadline is the last instant at which the keys of a holder may be there.
func (c *NoOrphan) deadline(h fact.Holder) sim.Time {
	if int(h.Task) >= len(c.Ended[h.Node]) {
		return sim.Never
	}
	return c.Ended[h.Node][h.Task].Add(c.TTL + time.Millisecond)
}

// set looks at the key that an instance now has.
func (c *NoOrphan) set(r *fact.Report, i int, h fact.Holder) {
	if c.Told[i] = h != none && r.At > c.deadline(h); c.Told[i] {
		c.violated(r, r.At, h, i)
	}
	c.Gone[i] = Lease{Reading: r.Until, Endless: !r.Ends}
	c.Gone[i].retime(r, r.Node, sim.WallClock)
}

// end looks at the key that an instance had until now, or until its time was over:
// an instance that is paused or down says so late.
func (c *NoOrphan) end(r *fact.Report, i int, h, next fact.Holder) {
	if h == none || c.Told[i] || h == next {
		return
	}
	if last := c.deadline(h); min(r.At, c.Gone[i].Until) > last {
		c.violated(r, last, h, i)
	}
}

func (c *NoOrphan) violated(r *fact.Report, at sim.Time, h fact.Holder, i int) {
	id, server := h.Node, c.Ledger.Layout.FirstServer+sim.NodeID(i)
	if r.ViolatedAt(at, id, server) {
		r.Why("a key of %s was still on %s more than %v after %s had lost interest in it", r.Name(id), r.Name(server), c.TTL, r.Name(id))
	}
}

// End looks at the keys that are there at the end. One that was given up for most of a run that is shorter than the bound
// shows nothing.
func (c *NoOrphan) End(r *fact.Report) {
	for i, h := range c.Ledger.Owners.Owner {
		c.end(r, i, h, none)
		if h != none && r.Kind == fact.Ended {
			if given := c.deadline(h).Add(-c.TTL); c.deadline(h) != sim.Never && inVain(r.At, c.TTL, r.At.Sub(given)) {
				r.Withdraw()
			}
		}
	}
}
