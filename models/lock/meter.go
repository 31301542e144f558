package lock

import (
	"fmt"

	"fencepost/models/check"
	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// meter records what a lock costs, and what its failures cost.
type meter struct {
	AcquireLatency         model.Measure `measure:"acquire-latency,duration"` // from wanting the lock to having it
	MessagesPerAcquisition model.Measure `measure:"messages-per-acquisition"`
	TimeWithoutOwner       model.Measure `measure:"time-without-owner,duration,total"` // while some client wanted it
	Acquisitions           model.Measure `measure:"acquisitions,counts=acquired"`
	Attempts               model.Measure `measure:"attempts,counts=trying"`
	RefusedAttempts        model.Measure `measure:"refused-attempts,counts=refused"`
	Validity               model.Measure `measure:"validity,duration,signed"`         // left of the lease when it was acquired
	RefusedValidity        model.Measure `measure:"refused-validity,duration,signed"` // left of an attempt whose quorum came too late
	Holders                model.Measure `measure:"holders-at-once"`                  // that believed to hold the lock, at most
	Overlap                model.Measure `measure:"overlap,duration,total"`           // for which two or more clients believed to hold the lock
	EntitledOverlap        model.Measure `measure:"entitled-overlap,duration,total"`
	LostUpdates            model.Measure `measure:"lost-updates,total"`
	RejectedWrites         model.Measure `measure:"rejected-writes,counts=rejected"`
	ByClient               []perClient   // and of each client its own

	Ledger *check.LockLedger
	Last   sim.Time // up to which the times have been added up
	Most   int      // clients that believed to hold the lock at once
	After  standing // after the last observation
}

// perClient are the measures of one client.
type perClient struct{ attempts, acquisitions model.Measure }

// standing is what a ledger says of all clients.
type standing struct {
	believe int      // clients that believe to hold the lock
	wait    bool     // some client wants it
	second  sim.Time // the instant from which fewer than two are entitled, if more than one believes
}

// addMeter adds the measures to a system that has its kinds.
func addMeter(s *sim.System[Msg], l *check.LockLedger) {
	m := &meter{Ledger: l, ByClient: make([]perClient, l.Layout.Clients+1)}
	model.AddMeter(s, m)
	for c := 1; c <= l.Layout.Clients; c++ {
		m.ByClient[c].attempts = model.Declare(s, sim.Measure{Name: fmt.Sprintf("client-%d-attempts", c), Total: true})
		m.ByClient[c].acquisitions = model.Declare(s, sim.Measure{Name: fmt.Sprintf("client-%d-acquisitions", c), Total: true})
	}
}

// Kinds are the notes that change what it remembers, or are measured.
func (m *meter) Kinds() []sim.Kind {
	return []sim.Kind{core.Acquired, core.Released, core.Expired, core.Stale, core.LockLost, core.Extended, core.Trying, core.Failed, core.Refused, core.Applied}
}

// Observe implements [model.Recorder].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	m.addUp(v)
	l := m.Ledger
	m.After = standing{believe: l.Beliefs().Count, wait: l.Waiting.Count > 0}
	if m.After.believe > 1 {
		m.After.second = l.Entitled.Second()
	}
	if o.Event != sim.Noted {
		return
	}
	switch o.Msg.Kind {
	case core.Trying:
		m.ByClient[o.Node].attempts.Record(v, 1)
	case core.Acquired:
		m.ByClient[o.Node].acquisitions.Record(v, 1)
		m.AcquireLatency.RecordDuration(v, v.Now().Sub(l.Waiting.By[o.Node].Since))
		m.MessagesPerAcquisition.Record(v, int64(o.Msg.Messages()))
		if o.Msg.Ends() {
			m.Validity.Record(v, o.Msg.Until()-v.Read(o.Node, l.Entitled.Clock))
		}
	case core.Refused:
		if o.Msg.GrantedBy() >= l.Layout.Quorum {
			m.RefusedValidity.RecordDuration(v, o.Msg.Validity())
		}
	case core.Applied:
		if lost := l.News().Lost; lost != 0 {
			m.LostUpdates.Record(v, lost)
		}
	}
}

// addUp adds the time since the last observation, in which nothing changed but
// that leases may have run out.
func (m *meter) addUp(v *sim.View[Msg]) {
	now, believe := v.Now(), m.After.believe
	if now == m.Last {
		return
	}
	since := now.Sub(m.Last)
	m.Most = max(m.Most, believe)
	if believe == 0 && m.After.wait {
		m.TimeWithoutOwner.RecordDuration(v, since)
	}
	if believe > 1 {
		m.Overlap.RecordDuration(v, since)
		if second := min(m.After.second, now); second > m.Last {
			m.EntitledOverlap.RecordDuration(v, second.Sub(m.Last))
		}
	}
	m.Last = now
}

// End records what the whole run gives.
func (m *meter) End(v *sim.View[Msg]) {
	m.addUp(v)
	m.Holders.Record(v, int64(m.Most))
}
