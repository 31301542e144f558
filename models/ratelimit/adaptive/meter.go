package adaptive

import (
	"time"

	"fencepost/sim"
)

// The measures, in the order in which they are declared.
const (
	limitAtEnd = iota
	leastLimit
	mostLimit
	loadAtEnd // of the plant's CPU, in percent
	sent
	useful // answers within the patience of who asked
	late
	refused
	latency
	ignored // round trips that span a pause
)

var measures = []sim.Measure{
	limitAtEnd: {Name: "limit"},
	leastLimit: {Name: "least-limit"},
	mostLimit:  {Name: "most-limit"},
	loadAtEnd:  {Name: "load"},
	sent:       {Name: "requests", Total: true},
	useful:     {Name: "useful", Total: true},
	late:       {Name: "late", Total: true},
	refused:    {Name: "refused", Total: true},
	latency:    {Name: "latency", Unit: sim.Duration},
	ignored:    {Name: "ignored-round-trips", Total: true},
}

// meter records the measures.
type meter struct {
	limit, least, most int64
	load               int64
}

// Reset implements [sim.Observer].
func (m *meter) Reset(*sim.View[Msg]) { *m = meter{} }

// Observe implements [sim.Observer].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch n := &o.Msg; n.Kind {
	case Limited:
		m.limit = int64(n.N)
		if m.least == 0 {
			m.least = m.limit
		}
		m.least, m.most = min(m.least, m.limit), max(m.most, m.limit)
	case Measured:
		m.load = int64(n.N)
	case Ignored:
		v.Record(ignored, int64(n.N))
	case Refused:
		v.Record(refused, 1)
	case Sent:
		v.Record(sent, 1)
	case Answered:
		v.RecordDuration(latency, time.Duration(n.X))
		if n.OK {
			v.Record(useful, 1)
		} else {
			v.Record(late, 1)
		}
	}
}

// End implements [sim.Observer].
func (m *meter) End(v *sim.View[Msg]) {
	v.Record(limitAtEnd, m.limit)
	v.Record(leastLimit, m.least)
	v.Record(mostLimit, m.most)
	v.Record(loadAtEnd, m.load)
}
