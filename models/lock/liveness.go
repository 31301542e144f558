package lock

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// spell is a time that adds up while something is so. The gaps in which it is not do not count.
type spell struct {
	Since sim.Time // when it would have begun without the gaps
	Gap   sim.Time // since when it is not so, unless it is
	On    bool
}

// restart lets the time begin anew.
func (s *spell) restart(now sim.Time) { s.Since, s.Gap = now, now }

// set says whether it is so from now on.
func (s *spell) set(now sim.Time, on bool) {
	switch {
	case on && !s.On:
		s.Since = s.Since.Add(now.Sub(s.Gap))
	case !on && s.On:
		s.Gap = now
	}
	s.On = on
}

// lasted is how long it has been so.
func (s *spell) lasted(now sim.Time) time.Duration {
	if !s.On {
		now = s.Gap
	}
	return now.Sub(s.Since)
}

// progress is what the properties of liveness have in common: the time in which clients ask for the lock and none acquires
// it. What counts is the time in which the lock owes them progress: a client that asks reaches the servers that it needs,
// and the clients and what the lock protects run. It begins anew after each fault of a node, and when a client is
// connected again with the servers that it needs.
type progress struct {
	Ledger  *ledger
	Within  time.Duration
	Outages bool // they count, too

	Owed  spell // in which some client is owed the lock
	Asked spell // in which clients ask for it
	Late  bool  // Owed has lasted for too long, and that has been said
}

// observe takes in what has happened, and whether clients ask now.
func (p *progress) observe(r *model.Report[Msg], asks bool) {
	l, now := p.Ledger, r.Now()
	if l.change == entered {
		if p.Asked.On {
			r.Saw()
		}
		p.Owed.restart(now)
		p.Asked.restart(now)
		p.Late = false
	}
	if l.anew && !p.Outages {
		p.Owed.restart(now)
		p.Late = false
	}
	p.Asked.set(now, asks)
	p.Owed.set(now, asks && (p.Outages || l.serves()))
	p.await(r)
}

// await waits for the last instant at which a client may acquire the lock, if there is one.
func (p *progress) await(r *model.Report[Msg]) (last sim.Time, owes bool) {
	last, owes = p.Owed.Since.Add(p.Within), p.Owed.On && !p.Late
	if owes && r.Now() <= last {
		r.Await(last)
	}
	return last, owes
}

// late reports whether a client that waits was to acquire the lock before now, and did not. A run that ends while clients
// ask for longer than that, and were owed less, has shown nothing. Nor has one that is shorter than that, and in most of which
// they ask in vain.
func (p *progress) late(r *model.Report[Msg]) (waits sim.NodeID, first bool) {
	if asked := p.Asked.lasted(r.Now()); r.Event == sim.Ended && (asked > p.Within || inVain(r.Now(), p.Within, asked)) {
		r.Withdraw()
	}
	last, owes := p.await(r)
	if !owes || r.Now() <= last {
		return sim.None, false
	}
	p.Late = true
	waits = p.Ledger.Waiting.first()
	return waits, r.ViolatedAt(last, waits)
}

// inVain reports whether a run that is shorter than a bound ends in a wait that takes most of it.
func inVain(end sim.Time, bound, wait time.Duration) bool {
	run := end.Sub(0)
	return run < bound && wait > run/2
}

// deadlockFree holds if, whenever clients wait, one of them acquires in time. Time in which no client waits does not
// count, nor does time in which the servers that the waiting clients need are down, paused or cut off, a client is
// paused, or the store is down: a lock owes its clients progress after the faults, and the time begins anew then. A
// holder that never leaves is no excuse. By default the time is three TTLs, or the longest critical section and the
// takeover-bound if that is more. A run that ends in a longer wait, of which too little counts, exercises nothing.
//
// Source: Redis documentation, "Distributed Locks with Redis", liveness property A.
type deadlockFree struct{ Progress progress }

// Bound implements [sim.Bounded].
func (c *deadlockFree) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("an acquisition every %v while clients wait", c.Progress.Within)}
}

// Check implements [model.Checker].
func (c *deadlockFree) Check(r *model.Report[Msg]) {
	c.Progress.observe(r, c.Progress.Ledger.Waiting.Count > 0)
}

// End checks the time up to now.
func (c *deadlockFree) End(r *model.Report[Msg]) {
	if id, first := c.Progress.late(r); first {
		r.Why("%s waits, and no client has acquired the lock for %v", r.Name(id), c.Progress.Within)
	}
}

// failoverBound holds if, whenever clients stand for election and none leads, one does in time. Time in which the
// servers that candidates need are down, paused or cut off does not count, as with [deadlockFree].
type failoverBound struct{ Progress progress }

// Bound implements [sim.Bounded].
func (c *failoverBound) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("a leader within %v while clients stand", c.Progress.Within)}
}

// Check implements [model.Checker].
func (c *failoverBound) Check(r *model.Report[Msg]) {
	c.Progress.observe(r, c.Progress.Ledger.vacant())
}

// End checks the time up to now.
func (c *failoverBound) End(r *model.Report[Msg]) {
	if id, first := c.Progress.late(r); first {
		r.Why("%s stands for election, and there has been no leader for %v", r.Name(id), c.Progress.Within)
	}
}

// availableWithin holds if, whenever clients wait and no client has the lock, one acquires it in time, and outages
// count: of the servers, of the network and of the clients that wait. It is checked if the scenario says
// available-within.
type availableWithin struct{ Progress progress }

// Bound implements [sim.Bounded].
func (c *availableWithin) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("the lock for some client within %v, outages included", c.Progress.Within)}
}

// Check implements [model.Checker].
func (c *availableWithin) Check(r *model.Report[Msg]) {
	c.Progress.observe(r, c.Progress.Ledger.vacant())
}

// End checks the time up to now.
func (c *availableWithin) End(r *model.Report[Msg]) {
	if id, first := c.Progress.late(r); first {
		r.Why("%s waits, and no client has had the lock for %v", r.Name(id), c.Progress.Within)
	}
}

// takeoverBound holds if, after a holder crashes while clients wait or begin to wait, the lock is acquired again in
// time. Time in which the servers that the waiting clients need are down, paused or cut off does not count, as with
// [deadlockFree]: it begins anew then.
type takeoverBound struct {
	Within  time.Duration // TTL, slack of the server, pause between attempts and a round trip
	Ledger  *ledger
	Pending bool       // a holder has crashed
	Crashed sim.NodeID // which one
	Base    sim.Time   // since when clients have been owed the lock since then; Never: none is
	Asked   sim.Time   // since when clients have waited since then; Never: none does
}

// Bound implements [sim.Bounded].
func (c *takeoverBound) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("an acquisition within %v of the crash", c.Within)}
}

// Check implements [model.Checker].
func (c *takeoverBound) Check(r *model.Report[Msg]) {
	l := c.Ledger
	if l.change == left && r.Event == sim.Crashed && l.beliefs().Count == 0 {
		c.Pending, c.Crashed, c.Base, c.Asked = true, r.Node, sim.Never, sim.Never
	}
	if l.change == entered {
		if c.Pending {
			r.Saw()
		}
		c.late(r, r.Node)
		c.Pending = false
	}
	if !c.Pending {
		return
	}
	waits := l.Waiting.Count > 0
	began(&c.Asked, r.Now(), waits)
	if owed := waits && l.serves(); !owed {
		c.late(r, sim.None)
		c.Base = sim.Never
	} else {
		began(&c.Base, r.Now(), owed)
	}
}

// began keeps since when something is so, Never if it is not.
func began(since *sim.Time, now sim.Time, so bool) {
	switch {
	case !so:
		*since = sim.Never
	case *since == sim.Never:
		*since = now
	}
}

// late checks the time up to now, at which a client has acquired the lock or none.
func (c *takeoverBound) late(r *model.Report[Msg], by sim.NodeID) {
	if !c.Pending || c.Base == sim.Never || r.Now() <= c.Base.Add(c.Within) {
		return
	}
	if r.ViolatedAt(c.Base.Add(c.Within), c.Crashed, by) {
		r.Why("%s crashed with the lock, and no other client had it within %v of the first attempt", r.Name(c.Crashed), c.Within)
	}
}

// End checks the time up to now.
func (c *takeoverBound) End(r *model.Report[Msg]) {
	if c.Pending && c.Asked != sim.Never && r.Now() > c.Asked.Add(c.Within) {
		r.Withdraw()
	}
	c.late(r, sim.None)
}
