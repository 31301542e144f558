package mutex

import "fencepost/sim"

// The measures, in the order in which they are declared.
const (
	entries  = iota
	messages // requests, replies and releases that were sent
	perEntry // messages
	deferred // replies that had to wait
	wait     // from asking to entering; or from the restart of one that still waits
	handover // from leaving to the next who enters, if somebody waits
	peak     // processes in the critical section at once
	unserved // processes that wait at the end
)

var measures = []sim.Measure{
	entries:  {Name: "entries", Total: true},
	messages: {Name: "messages", Total: true},
	perEntry: {Name: "messages-per-entry", Per: "entries"},
	deferred: {Name: "deferred", Total: true},
	wait:     {Name: "wait", Unit: sim.Duration},
	handover: {Name: "handover", Unit: sim.Duration},
	peak:     {Name: "peak-inside"},
	unserved: {Name: "unserved", Total: true},
}

// meter records what entering costs.
type meter struct {
	crowd crowd
	left  sim.Time // when somebody left while others waited and nobody was in, else Never
	most  int      // at once inside
}

// Reset implements [sim.Observer].
func (m *meter) Reset(v *sim.View[Msg]) {
	m.crowd.reset(v.Nodes())
	m.left, m.most = sim.Never, 0
}

// Observe implements [sim.Observer].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	since := m.crowd.since[o.Node]
	m.crowd.observe(v, o)
	if o.Event != sim.Noted {
		return
	}
	switch o.Msg.Kind {
	case Requested:
		m.sent(v, int(o.Msg.N))
	case Replied:
		m.sent(v, 1)
	case Deferred:
		v.Record(deferred, 1)
	case Entered:
		v.Record(entries, 1)
		v.RecordDuration(wait, v.Now().Sub(since))
		if m.left != sim.Never {
			v.RecordDuration(handover, v.Now().Sub(m.left))
		}
		m.left, m.most = sim.Never, max(m.most, len(m.crowd.in))
	case Left:
		m.sent(v, int(o.Msg.N))
		if m.left = sim.Never; len(m.crowd.in) == 0 && m.crowd.waiting() > 0 {
			m.left = v.Now()
		}
	}
}

func (m *meter) sent(v *sim.View[Msg], n int) {
	v.Record(messages, int64(n))
	v.Record(perEntry, int64(n))
}

// End implements [sim.Observer].
func (m *meter) End(v *sim.View[Msg]) {
	v.Record(peak, int64(m.most))
	v.Record(unserved, int64(m.crowd.waiting()))
}
