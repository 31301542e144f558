package zklock

import (
	"fmt"

	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// meter records what the lock on ZooKeeper costs besides: the waiters that are woken, the
// lists that they ask for, and how long a dead session lives.
type meter struct {
	WakeUps         model.Measure `measure:"wake-ups,counts=zk-woken"`
	Releases        model.Measure `measure:"releases,total"` // of a lock that others waited for or not
	PerRelease      model.Measure `measure:"wake-ups-per-release,per=releases"`
	Lists           model.Measure `measure:"lists,counts=zk-listing"`
	ListBytes       model.Measure `measure:"list-bytes,total"`
	Handover        model.Measure `measure:"messages-per-handover"` // from a release to the next grant: events, lists and their replies
	ExpiryLag       model.Measure `measure:"expiry-lag,duration"`   // of a session, from the latest sign of life that reached the server
	Suspensions     model.Measure `measure:"suspensions,counts=zk-suspended"`
	ExpiredSessions model.Measure `measure:"expired-sessions,counts=zk-session-ended"`

	Messages  int64 // since the latest release
	Releasing bool
}

// Observe implements [model.Recorder].
func (m *meter) Observe(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch o.Msg.Kind {
	case core.Freed:
		m.Releases.Record(v, 1)
		m.Releasing, m.Messages = true, 0
	case core.ZKWoken:
		m.PerRelease.Record(v, 1)
		m.Messages++
	case core.ZKListing:
		m.ListBytes.Record(v, o.Msg.Bytes())
		m.Messages += 2
	case core.ZKSessionEnded:
		m.ExpiryLag.RecordDuration(v, o.Msg.Silence())
	case core.Acquired:
		if m.Releasing && m.Messages > 0 {
			m.Handover.Record(v, m.Messages)
		}
		m.Releasing = false
	}
}

// Extend adds to a system what only this lock has: its measures, what a timeline
// shows of a session, and what is told of it.
func Extend(s *sim.System[core.Msg]) {
	model.AddMeter(s, &meter{})
	s.States = append(s.States, sim.State[core.Msg]{Name: "its session is SUSPENDED",
		Enter: []sim.Kind{core.ZKSuspended}, Leave: []sim.Kind{core.ZKResumed, core.ZKLost, core.ZKExpired}})
	describe := s.Describe
	s.Describe = func() func(*sim.View[core.Msg], *sim.Observation[core.Msg]) string {
		of := describe()
		return func(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) string {
			text := of(v, o)
			if text == "" && o.Event == sim.Noted {
				text = describeSession(v, o)
			}
			return text
		}
	}
}

// describeSession says in words what becomes of a session.
func describeSession(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) string {
	name := v.Name(o.Node)
	switch m := &o.Msg; m.Kind {
	case core.ZKSuspended:
		return name + " is SUSPENDED: it hears nothing from ZooKeeper"
	case core.ZKResumed:
		return name + " is reconnected to its session"
	case core.ZKLost:
		return name + " takes its session to be LOST"
	case core.ZKExpired:
		return name + " learns that its session has expired"
	case core.ZKSessionEnded:
		return fmt.Sprintf("the session of %s expires, %v after its last sign of life", v.Name(m.SessionClient()), m.Silence())
	}
	return ""
}
