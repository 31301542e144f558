package mutex

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// meter records what entering costs.
type meter struct {
	Entries  model.Measure `measure:"entries,counts=entered"`
	Messages model.Measure `measure:"messages,total"` // requests, replies and releases that were sent
	PerEntry model.Measure `measure:"messages-per-entry,per=entries"`
	Deferred model.Measure `measure:"deferred,counts=deferred"`
	Wait     model.Measure `measure:"wait,duration"`     // from asking to entering; or from the restart of one that still waits
	Handover model.Measure `measure:"handover,duration"` // from leaving to the next who enters, if a process waits
	Peak     model.Measure `measure:"peak-inside"`
	Unserved model.Measure `measure:"unserved,total"` // processes that wait at the end

	Crowd crowd
	Left  sim.Time // when a process left while others waited and none was in, else Never
	Most  int      // at once inside
}

// Observe implements [model.Recorder].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	since := m.Crowd.since[o.Node]
	m.Crowd.observe(v.Now(), o)
	if o.Event != sim.Noted {
		return
	}
	switch o.Msg.Kind {
	case Requested:
		m.sent(v, o.Msg.Messages)
	case Replied:
		m.sent(v, 1)
	case Entered:
		m.Wait.RecordDuration(v, v.Now().Sub(since))
		if m.Left != sim.Never {
			m.Handover.RecordDuration(v, v.Now().Sub(m.Left))
		}
		m.Left, m.Most = sim.Never, max(m.Most, len(m.Crowd.in))
	case Left:
		m.sent(v, o.Msg.Messages)
		if m.Left = sim.Never; len(m.Crowd.in) == 0 && m.Crowd.waiting() > 0 {
			m.Left = v.Now()
		}
	}
}

func (m *meter) sent(v *sim.View[Msg], n int32) {
	m.Messages.Record(v, int64(n))
	m.PerEntry.Record(v, int64(n))
}

// End records what is known when the run is over.
func (m *meter) End(v *sim.View[Msg]) {
	m.Peak.Record(v, int64(m.Most))
	m.Unserved.Record(v, int64(m.Crowd.waiting()))
}
