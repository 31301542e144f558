package lock

import (
	"fmt"

	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// pair is two holders of which the second has just come in while the first was there. If
// one of them leaves at the same instant they do not overlap: what a client has is
// [from, to).
type pair struct {
	At            sim.Time
	Second, First sim.NodeID // None: there is no pair
}

// overlaps reports whether the two are still there now that time has moved on, and
// forgets them. It awaits that.
func (p *pair) overlaps(r *model.Report[Msg]) bool {
	switch {
	case p.Second == sim.None:
		return false
	case !p.At.Before(r.Now()):
		r.Await(p.At)
		return false
	}
	p.Second = sim.None
	return true
}

// part forgets two of which one leaves, and returns the other; [sim.None] if it is neither. A third may be there,
// which came in at the same instant.
func (p *pair) part(id sim.NodeID) (stays sim.NodeID) {
	switch {
	case p.Second == sim.None:
		return sim.None
	case id == p.Second:
		stays = p.First
	case id == p.First:
		stays = p.Second
	default:
		return sim.None
	}
	p.Second = sim.None
	return stays
}

// mutualExclusion holds if at no instant two clients believe to hold the lock. No
// lock with a lease satisfies it under unbounded pauses or partitions.
//
// Source: Dijkstra, "Solution of a Problem in Concurrent Programming Control", CACM 8(9), 1965.
type mutualExclusion struct {
	Ledger *ledger
	Pair   pair
	Since  sim.Time // when the first of the pair was paused, or Never
}

// Level implements the part of [sim.Leveled] that is the checker's.
func (*mutualExclusion) Level() sim.Level {
	return sim.Level{Text: "for how long a client believes to hold the lock after its lease has run out", Unit: sim.Duration}
}

// Check implements [model.Checker].
func (c *mutualExclusion) Check(r *model.Report[Msg]) {
	switch c.Ledger.change {
	case left:
		c.meet(r, c.Pair.part(r.Node))
		c.Ledger.Entitled.outstays(r, r.Node)
	case entered:
		r.Saw()
		c.meet(r, r.Node)
	}
}

// meet makes a client that is there one of a pair, if another is there.
func (c *mutualExclusion) meet(r *model.Report[Msg], second sim.NodeID) {
	if second == sim.None {
		return
	}
	first := c.Ledger.beliefs().other(second)
	if first == sim.None {
		return
	}
	c.Pair, c.Since = pair{r.Now(), second, first}, sim.Never
	r.Await(r.Now())
	if since, ok := r.PausedSince(first); ok {
		c.Since = since
	}
}

// End checks the time up to now.
func (c *mutualExclusion) End(r *model.Report[Msg]) {
	for id, grant := range c.Ledger.beliefs().Grant {
		if grant != 0 {
			c.Ledger.Entitled.outstays(r, sim.NodeID(id))
		}
	}
	p := c.Pair
	if !c.Pair.overlaps(r) || !r.ViolatedAt(p.At, p.Second, p.First) {
		return
	}
	pause := ""
	if c.Since != sim.Never {
		pause = fmt.Sprintf(", paused since %v,", c.Since)
	}
	does, has := "acquired", "still believed to hold the lock"
	if c.Ledger.Layout.lockless() {
		does, has = "started without a lock", "was at work"
	}
	r.Why("%s %s while %s%s %s", r.Name(p.Second), does, r.Name(p.First), pause, has)
}

// entitledExclusion holds if at no instant two clients are entitled to the lock:
// what a lease can promise while clock errors are bounded.
//
// Source: Gray and Cheriton, "Leases", SOSP 1989, section 2.
type entitledExclusion struct {
	Ledger *ledger
	Pair   pair
	Told   [2]uint64 // the grants of the last violation: one pair is one violation
}

// Check implements [model.Checker].
func (c *entitledExclusion) Check(r *model.Report[Msg]) {
	l := c.Ledger
	if l.change == left {
		c.meet(r, c.Pair.part(r.Node))
	}
	if l.may && l.Entitled.entitled(r.Now(), r.Node) {
		r.Saw()
		c.meet(r, r.Node)
	}
}

// meet makes a client that is entitled one of a pair, if another is.
func (c *entitledExclusion) meet(r *model.Report[Msg], second sim.NodeID) {
	if second == sim.None || !c.Ledger.Entitled.entitled(r.Now(), second) {
		return
	}
	if d := c.Ledger.Entitled.otherEntitled(r.Now(), second); d != sim.None {
		c.Pair = pair{r.Now(), second, d}
		r.Await(r.Now())
	}
}

// End checks the time up to now.
func (c *entitledExclusion) End(r *model.Report[Msg]) {
	p := c.Pair
	if !c.Pair.overlaps(r) {
		return
	}
	held := c.Ledger.beliefs().Grant
	grants := [2]uint64{held[min(p.Second, p.First)], held[max(p.Second, p.First)]}
	if grants == c.Told {
		return
	}
	c.Told = grants
	if r.ViolatedAt(p.At, p.Second, p.First) {
		r.Why("%s may act, and by its own clock so may %s until %v", r.Name(p.Second), r.Name(p.First), c.Ledger.Entitled.Lease[p.First].Until)
	}
}

// quorumBehindHolder holds if a client that is entitled has its key on a quorum of the
// instances. It notices a fault before a second client appears.
//
// Source: Redis documentation, "Distributed Locks with Redis", safety arguments.
type quorumBehindHolder struct {
	Quorum int
	Ledger *ledger
	Told   table[uint64] // by client: the grant that is known to lack its quorum
}

// Check implements [model.Checker].
func (c *quorumBehindHolder) Check(r *model.Report[Msg]) {
	l := c.Ledger
	if !l.may && l.instance < 0 {
		return
	}
	for i, grant := range l.beliefs().Grant {
		id := sim.NodeID(i)
		if !l.Entitled.entitled(r.Now(), id) {
			continue
		}
		r.Saw()
		n := l.Owners.of(grant)
		if n >= c.Quorum || c.Told[i] == grant {
			continue
		}
		c.Told[i] = grant
		if r.Violated(id, r.Node) {
			r.Why("%s may act, but its key is on %d of %d instances and it needs %d", r.Name(id), n, len(l.Owners.Grant), c.Quorum)
		}
	}
}

// continuousHold holds if from the instant at which a client acquires the lock until it
// leaves no other client owns it, on a quorum of the instances. It looks at locks that are
// extended: an extension that sets a key anew which was gone hides that another client has
// had the lock in between, though at no instant two are entitled.
type continuousHold struct {
	Quorum int
	Ledger *ledger
	Told   table[uint64] // by client: the grant that is known to be interrupted
}

// Check implements [model.Checker].
func (c *continuousHold) Check(r *model.Report[Msg]) {
	l := c.Ledger
	if l.change == entered {
		r.Saw()
	}
	if l.instance < 0 || l.Owners.Grant[l.instance] == 0 {
		return
	}
	owner := l.Owners.Grant[l.instance]
	if l.Owners.of(owner) < c.Quorum {
		return
	}
	for i, grant := range l.beliefs().Grant {
		id := sim.NodeID(i)
		if grant == 0 || id == core.Client(owner) || c.Told[i] == grant {
			continue
		}
		c.Told[i] = grant
		if r.Violated(id, core.Client(owner)) {
			r.Why("%s has not left, and %s owns the lock", r.Name(id), r.Name(core.Client(owner)))
		}
	}
}
