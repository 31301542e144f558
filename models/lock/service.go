package lock

import (
	"fmt"
	"time"

	"fencepost/internal/text"
	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// ownerRelease holds if a client deletes no key but its own.
//
// Source: Redis documentation, "Distributed Locks with Redis", correct implementation with a single instance.
type ownerRelease struct{ Ledger *ledger }

// Check implements [model.Checker].
func (c *ownerRelease) Check(r *model.Report[Msg]) {
	deleter, deleted := r.Msg.Deleted()
	if c.Ledger.instance < 0 || !deleted {
		return
	}
	r.Saw()
	if by, owner := core.Client(deleter), core.Client(c.Ledger.key); by != owner && r.Violated(by, owner) {
		r.Why("%s deleted the key of %s", r.Name(by), r.Name(owner))
	}
}

// starvationBound holds if a client that waits is overtaken at most this often: if this many
// clients that began to wait later acquire the lock before it.
type starvationBound struct {
	Most      int
	Ledger    *ledger
	Overtaken table[int] // by client: in its present wait
}

// Bound implements [sim.Bounded].
func (c *starvationBound) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("a client that waits is overtaken at most %s", text.Count(int64(c.Most), "time"))}
}

// Check implements [model.Checker].
func (c *starvationBound) Check(r *model.Report[Msg]) {
	waiting := c.Ledger.Waiting.By
	if int(r.Node) >= len(waiting) {
		return // the crash of a server
	}
	since := waiting[r.Node].since
	if r.Msg.Kind == core.Trying && since == r.Now() {
		c.Overtaken[r.Node] = 0
	}
	if r.Event != sim.Noted || r.Msg.Kind != core.Acquired {
		return
	}
	for i := range waiting {
		id, w := sim.NodeID(i), &waiting[i]
		if !w.waits {
			continue
		}
		r.Saw()
		if w.since >= since {
			continue
		}
		if c.Overtaken[i]++; c.Overtaken[i] == c.Most+1 && r.Violated(id, r.Node) {
			r.Why("%s has waited since %v and was overtaken %s, by %s last", r.Name(id), w.since, text.Count(int64(c.Most)+1, "time"), r.Name(r.Node))
		}
	}
}

// noOrphan holds if no key outlives its client's interest by more than the TTL:
// from the instant a client has left or given up an attempt, the keys of that
// attempt are gone within TTL and a millisecond.
//
// Source: Redis documentation, "Distributed Locks with Redis", retry on failure.
type noOrphan struct {
	TTL    time.Duration
	Ledger *ledger
	Told   table[bool]   // by instance: its present key is known to be an orphan
	Gone   table[lease]  // by instance: when its present key is gone, whether or not the instance is up
	Try    table[uint32] // by client: its latest attempt
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

// Bound implements [sim.Bounded].
func (c *noOrphan) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("no key for more than %v after it is given up", c.TTL+time.Millisecond)}
}

// Check implements [model.Checker].
func (c *noOrphan) Check(r *model.Report[Msg]) {
	if i := c.Ledger.instance; i >= 0 {
		key := c.Ledger.Owners.Grant[i]
		r.Saw()
		c.end(r, i, c.Ledger.key, key)
		c.set(r, i, key)
		return
	}
	switch l := &c.Ledger.Layout; {
	case r.Event == sim.ClockChanged && l.isServer(r.Node) && !l.Replicated:
		c.Gone[r.Node-l.FirstServer].retime(r.View, r.Node, sim.WallClock)
	case !l.isClient(r.Node):
	case r.Event == sim.Noted && r.Msg.Kind == core.Trying:
		c.lose(r)
		c.Try[r.Node] = uint32(r.Msg.Grant())
		*model.At(&c.Ended[r.Node], c.Try[r.Node]) = sim.Never // it may have given up an earlier attempt with the same value
	case leaves(r.Observation) || r.Event == sim.Noted && r.Msg.Kind == core.Refused:
		c.lose(r)
	}
}

// lose notes that a client is no longer interested in its latest attempt.
func (c *noOrphan) lose(r *model.Report[Msg]) {
	if try := c.Try[r.Node]; try != 0 && c.Ended[r.Node][try] == sim.Never {
		c.Ended[r.Node][try] = r.Now()
	}
}

// deadline is the last instant at which a grant's keys may be there.
func (c *noOrphan) deadline(grant uint64) sim.Time {
	id, try := core.Client(grant), int(uint32(grant))
	if try >= len(c.Ended[id]) {
		return sim.Never
	}
	return c.Ended[id][try].Add(c.TTL + time.Millisecond)
}

// set looks at the key that an instance now has.
func (c *noOrphan) set(r *model.Report[Msg], i int, g uint64) {
	if c.Told[i] = g != 0 && r.Now() > c.deadline(g); c.Told[i] {
		c.violated(r, r.Now(), g, i)
	}
	c.Gone[i] = lease{Reading: r.Msg.Until(), Endless: !r.Msg.Ends()}
	c.Gone[i].retime(r.View, r.Node, sim.WallClock)
}

// end looks at the key that an instance had until now, or until its time was over:
// an instance that is paused or down says so late.
func (c *noOrphan) end(r *model.Report[Msg], i int, grant, next uint64) {
	if grant == 0 || c.Told[i] || grant == next {
		return
	}
	if last := c.deadline(grant); min(r.Now(), c.Gone[i].Until) > last {
		c.violated(r, last, grant, i)
	}
}

func (c *noOrphan) violated(r *model.Report[Msg], at sim.Time, grant uint64, i int) {
	id, server := core.Client(grant), c.Ledger.Layout.FirstServer+sim.NodeID(i)
	if r.ViolatedAt(at, id, server) {
		r.Why("a key of %s was still on %s more than %v after %s had lost interest in it", r.Name(id), r.Name(server), c.TTL, r.Name(id))
	}
}

// End looks at the keys that are left. One that was given up for most of a run that is shorter than the bound shows nothing.
func (c *noOrphan) End(r *model.Report[Msg]) {
	for i, g := range c.Ledger.Owners.Grant {
		c.end(r, i, g, 0)
		if g != 0 && r.Event == sim.Ended {
			if given := c.deadline(g).Add(-c.TTL); c.deadline(g) != sim.Never && inVain(r.Now(), c.TTL, r.Now().Sub(given)) {
				r.Withdraw()
			}
		}
	}
}
