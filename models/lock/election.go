package lock

import (
	"fmt"
	"math"
	"time"

	"fencepost/models/internal/kit"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// An election on a lock: its holder is the leader, and the fencing token is the term. A
// leader checks its lease and writes, over and over, until it learns that it has lost the
// lock; then it stands again. What an election owes is not one leader at an instant but one
// in a term: two that believe to lead are the lock's [mutualExclusion].
//
// Source: Burrows, "The Chubby lock service for loosely-coupled distributed systems", 2006,
// section 2.4, sequencers.

// lead plans the next write of a leader, which resigns once its time is over. It also
// resigns when the number of a write has no room in a message.
func (c *Critical) lead(out *sim.Out[Msg]) (over bool) {
	if c.resigns || c.writes == math.MaxUint16 {
		return c.leave(out, core.New(core.Released))
	}
	out.After(c.Beat, core.New(core.Pulse).Of(c.hold.Try))
	return false
}

// pulsed begins the next read-modify-write of a leader.
func (c *Critical) pulsed(out *sim.Out[Msg]) {
	c.hasRead, c.written = false, false
	out.Send(c.Store, core.NewRead(c.hold.Try, c.token))
}

// leaderPerTerm holds if no two clients lead in one term.
//
// Source: Ongaro and Ousterhout, "In Search of an Understandable Consensus Algorithm", 2014, figure 3, Election Safety.
type leaderPerTerm struct{ Leaders map[uint64]sim.NodeID }

// Check implements [kit.Checker].
func (c *leaderPerTerm) Check(r *kit.Report[Msg]) {
	r.Saw()
	id, term := core.Client(r.Msg.Grant()), r.Msg.FencingToken()
	first, taken := c.Leaders[term]
	if !taken {
		c.Leaders[term] = id
	} else if first != id && r.Violated(id, first) {
		r.Why("%s leads in term %d, in which %s has led", r.Name(id), term, r.Name(first))
	}
}

// failoverBound holds if, whenever clients stand for election and none leads, one does in
// time. As with [deadlockFree], nothing counts while some node is stopped or a server is
// down, and the time begins anew after a fault: a partition is no fault here.
type failoverBound struct {
	Ledger  *ledger
	Within  time.Duration
	Base    sim.Time // since when candidates have been without a leader
	Stopped bool     // some node was stopped or down after the last observation
	Late    bool     // since Base, and said so
}

// Bound implements [sim.Bounded].
func (c *failoverBound) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("a leader within %v while clients stand", c.Within)}
}

// Check implements [kit.Checker].
func (c *failoverBound) Check(r *kit.Report[Msg]) {
	was := c.Ledger.ownerless && c.Ledger.waited
	if r.Event != sim.Noted {
		c.Stopped = c.Ledger.Layout.stopped(r.View)
	}
	if c.leaderless() && (!was || r.Event != sim.Noted) {
		r.Saw()
		c.Base, c.Late = r.Now(), false
	}
	c.await(r)
}

// await waits for the last instant at which there may be no leader, if there is one.
func (c *failoverBound) await(r *kit.Report[Msg]) (last sim.Time, waits bool) {
	last, waits = c.Base.Add(c.Within), !c.Late && !c.Stopped && c.leaderless()
	if waits && r.Now() <= last {
		r.Await(last)
	}
	return last, waits
}

func (c *failoverBound) leaderless() bool {
	return c.Ledger.beliefs().Count == 0 && c.Ledger.Waiting.Count > 0
}

// End checks the time up to now.
func (c *failoverBound) End(r *kit.Report[Msg]) {
	last, waits := c.await(r)
	if !waits || r.Now() <= last {
		return
	}
	c.Late = true
	if id := c.Ledger.Waiting.first(); r.ViolatedAt(last, id) {
		r.Why("%s stands for election, and there has been no leader for %v", r.Name(id), c.Within)
	}
}

// electionMeter records how long there is no leader.
type electionMeter struct {
	Failover     kit.Measure `measure:"failover,duration"` // from when the last leader is gone to the next
	AfterCrash   kit.Measure `measure:"failover-after-crash,duration"`
	AfterRelease kit.Measure `measure:"failover-after-release,duration"`
	Terms        kit.Measure `measure:"terms,counts=acquired"`

	Ledger *ledger
	Gone   sim.Time  // when the last leader was gone
	Event  sim.Event // by which it was
	Why    sim.Kind  // of a note
}

// Observe implements [kit.Recorder].
func (m *electionMeter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	switch m.Ledger.change {
	case left:
		m.Gone, m.Event, m.Why = v.Now(), o.Event, o.Msg.Kind
	case entered:
		if m.Ledger.beliefs().Count > 1 || m.Gone == 0 {
			return
		}
		without := v.Now().Sub(m.Gone)
		m.Failover.RecordDuration(v, without)
		switch {
		case m.Event == sim.Crashed:
			m.AfterCrash.RecordDuration(v, without)
		case m.Why == core.Released:
			m.AfterRelease.RecordDuration(v, without)
		}
	}
}
