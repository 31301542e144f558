package adaptive

import (
	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// meter records what a limit does, and what becomes of the requests.
type meter struct {
	Limit   kit.Measure `measure:"limit"`
	Least   kit.Measure `measure:"least-limit"`
	Most    kit.Measure `measure:"most-limit"`
	Load    kit.Measure `measure:"load"` // of the plant's CPU at the end, in percent
	Sent    kit.Measure `measure:"requests,counts=sent"`
	Useful  kit.Measure `measure:"useful,total"` // answers within the patience of the load
	Late    kit.Measure `measure:"late,total"`
	Refused kit.Measure `measure:"refused,counts=refused"`
	Latency kit.Measure `measure:"latency,duration"`
	Ignored kit.Measure `measure:"ignored-round-trips,total"`

	Now, Lowest, Highest int64 // limits
	CPU                  int64
}

// Observe implements [kit.Recorder].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch n := &o.Msg; n.Kind {
	case Limited:
		m.Now = n.limit()
		if m.Lowest == 0 {
			m.Lowest = m.Now
		}
		m.Lowest, m.Highest = min(m.Lowest, m.Now), max(m.Highest, m.Now)
	case Measured:
		m.CPU = n.percent()
	case Ignored:
		m.Ignored.Record(v, n.trips())
	case Answered:
		m.Latency.RecordDuration(v, n.took())
		if n.inTime() {
			m.Useful.Record(v, 1)
		} else {
			m.Late.Record(v, 1)
		}
	}
}

// End records what is known when the run is over.
func (m *meter) End(v *sim.View[Msg]) {
	m.Limit.Record(v, m.Now)
	m.Least.Record(v, m.Lowest)
	m.Most.Record(v, m.Highest)
	m.Load.Record(v, m.CPU)
}
