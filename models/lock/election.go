package lock

import (
	"math"

	"fencepost/models/check"
	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// An election on a lock: its holder is the leader, and the fencing token is the term. A
// leader checks its lease and writes, over and over, until it learns that it has lost the
// lock; then it stands again. What an election owes is not one leader at an instant but one
// in a term: two that believe to lead are the lock's [check.MutualExclusion].
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

// electionMeter records how long there is no leader.
type electionMeter struct {
	Failover     model.Measure `measure:"failover,duration"` // from when the last leader is gone to the next
	AfterCrash   model.Measure `measure:"failover-after-crash,duration"`
	AfterRelease model.Measure `measure:"failover-after-release,duration"`
	Terms        model.Measure `measure:"terms,counts=acquired"`

	Ledger *check.LockLedger
	Gone   sim.Time  // when the last leader was gone
	Event  sim.Event // by which it was
	Why    sim.Kind  // of a note
}

// Observe implements [model.Recorder].
func (m *electionMeter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	switch m.Ledger.News().Change {
	case check.HasLeft:
		m.Gone, m.Event, m.Why = v.Now(), o.Event, o.Msg.Kind
	case check.Entered:
		if m.Ledger.Beliefs().Count > 1 || m.Gone == 0 {
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
