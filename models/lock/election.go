package lock

import (
	"math"

	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model"
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

// Check implements [model.Checker].
func (c *leaderPerTerm) Check(r *model.Report[Msg]) {
	r.Saw()
	id, term := core.Client(r.Msg.Grant()), r.Msg.FencingToken()
	first, taken := c.Leaders[term]
	if !taken {
		c.Leaders[term] = id
	} else if first != id && r.Violated(id, first) {
		r.Why("%s leads in term %d, in which %s has led", r.Name(id), term, r.Name(first))
	}
}

// electionMeter records how long there is no leader.
type electionMeter struct {
	Failover     model.Measure `measure:"failover,duration"` // from when the last leader is gone to the next
	AfterCrash   model.Measure `measure:"failover-after-crash,duration"`
	AfterRelease model.Measure `measure:"failover-after-release,duration"`
	Terms        model.Measure `measure:"terms,counts=acquired"`

	Ledger *ledger
	Gone   sim.Time  // when the last leader was gone
	Event  sim.Event // by which it was
	Why    sim.Kind  // of a note
}

// Observe implements [model.Recorder].
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
