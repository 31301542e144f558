package check

import (
	"fmt"
	"slices"

	"fencepost/models/fact"
	"fencepost/sim"
)

// MutualExclusion holds if at no instant two clients believe to hold the lock. No
// lock with a lease satisfies it under unbounded pauses or partitions.
//
// Source: Dijkstra, "Solution of a Problem in Concurrent Programming Control", CACM 8(9), 1965.
type MutualExclusion struct {
	Ledger *LockLedger
	Pair   Pair
	Since  sim.Time // when the first of the pair was paused, or Never
}

// Level implements the part of [sim.Leveled] that is the checker's.
func (*MutualExclusion) Level() sim.Level {
	return sim.Level{Text: "for how long a client believes to hold the lock after its lease has run out", Unit: sim.Duration}
}

// Hears implements [fact.Checker].
func (*MutualExclusion) Hears() []fact.Kind {
	return []fact.Kind{fact.Acquired, fact.Left, fact.Crashed, fact.Elapsed}
}

// Check implements [fact.Checker].
func (c *MutualExclusion) Check(r *fact.Report) {
	switch c.Ledger.News().Change {
	case HasLeft:
		c.meet(r, c.Pair.part(r.Node))
		c.Ledger.Entitled.outstays(r, r.Node)
	case Entered:
		r.Saw()
		c.meet(r, r.Node)
	}
}

// meet makes a client that is there one of a pair, if another is there.
func (c *MutualExclusion) meet(r *fact.Report, second sim.NodeID) {
	if second == sim.None {
		return
	}
	first := c.Ledger.Beliefs().Other(second)
	if first == sim.None {
		return
	}
	c.Pair, c.Since = Pair{r.At, second, first}, sim.Never
	r.Await(r.At)
	if since, ok := r.PausedSince(first); ok {
		c.Since = since
	}
}

// End checks the time up to now.
func (c *MutualExclusion) End(r *fact.Report) {
	for id, h := range c.Ledger.Beliefs().Held {
		if h != none {
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
	if c.Ledger.Layout.Lockless() {
		does, has = "started without a lock", "was at work"
	}
	r.Why("%s %s while %s%s %s", r.Name(p.Second), does, r.Name(p.First), pause, has)
}

// symbolicExclusion is [MutualExclusion] with no more than it takes.
type symbolicExclusion struct {
	Inside  Table[bool] // by client: it believes to hold the lock
	Overlap bool        // several do, since
	Since   sim.Time
}

// Symbolic is the form for a search with symbolic time.
func (c *MutualExclusion) Symbolic() fact.Checker {
	return &symbolicExclusion{Inside: byClient[bool](&c.Ledger.Layout)}
}

// Hears implements [fact.Checker].
func (*symbolicExclusion) Hears() []fact.Kind {
	return []fact.Kind{fact.Acquired, fact.Left, fact.Crashed}
}

// Check implements [fact.Checker].
func (c *symbolicExclusion) Check(r *fact.Report) {
	c.End(r)
	switch {
	case r.Kind == fact.Acquired:
		r.Saw()
		c.Inside[r.Node] = true
	case leaves(r.Fact) && int(r.Node) < len(c.Inside):
		c.Inside[r.Node] = false
	}
	if several := c.count() > 1; several != c.Overlap {
		c.Overlap, c.Since = several, 0
		if several {
			c.Since = r.At
		}
	}
}

// count is how many clients believe to hold the lock.
func (c *symbolicExclusion) count() (n int) {
	for _, inside := range c.Inside {
		if inside {
			n++
		}
	}
	return n
}

// End checks the time up to now.
func (c *symbolicExclusion) End(r *fact.Report) {
	if c.Overlap && c.Since.Before(r.At) {
		r.ViolatedAt(c.Since, r.Node)
	}
}

// Rename implements [sim.Renamer].
func (c *symbolicExclusion) Rename(to sim.Renaming) {
	before := slices.Clone(c.Inside)
	clear(c.Inside)
	for i, inside := range before {
		c.Inside[to.Node(sim.NodeID(i))] = c.Inside[to.Node(sim.NodeID(i))] || inside
	}
}
