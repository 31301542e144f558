package policy

import (
	"time"

	"fencepost/sim"
)

// The measures, in the order in which they are declared.
const (
	admitted = iota
	rejected
	warned       // admitted above the nominal limit
	wouldReject  // by a rule in shadow mode
	withoutRule  // decisions
	worstWindow  // that any client was admitted in the longest window of the rules
	versionsUsed // at once, at most
	converge     // from publishing a version to when all limiters use it, or a later one
	queueWait
	badFiles
)

var measures = []sim.Measure{
	admitted:     {Name: "admitted", Total: true},
	rejected:     {Name: "rejected", Total: true},
	warned:       {Name: "warned", Total: true},
	wouldReject:  {Name: "shadow-rejected", Total: true},
	withoutRule:  {Name: "without-rule", Total: true},
	worstWindow:  {Name: "worst-window"},
	versionsUsed: {Name: "versions-at-once"},
	converge:     {Name: "converge", Unit: sim.Duration},
	queueWait:    {Name: "queue-wait", Unit: sim.Duration},
	badFiles:     {Name: "bad-files", Total: true},
}

// meter records the measures.
type meter struct {
	tally tally
	use   usage

	worst, versions int64
	published       []sim.Time // by version: Never, not yet or all use it
}

// Reset implements [sim.Observer].
func (m *meter) Reset(*sim.View[Msg]) {
	m.tally.reset()
	m.use.reset()
	if m.published == nil {
		m.published = make([]sim.Time, len(m.tally.book.versions))
	}
	for i := range m.published {
		m.published[i] = sim.Never
	}
	m.worst, m.versions = 0, 0
}

// Observe implements [sim.Observer].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	m.worst = max(m.worst, m.tally.admitted(v, o))
	if m.use.observe(v, o) {
		m.adopted(v)
	}
	if o.Event != sim.Noted {
		return
	}
	switch n := &o.Msg; n.Kind {
	case Published:
		if m.tally.book.versions[n.Version].problem == "" {
			m.published[n.Version] = v.Now()
		}
	case BadFile:
		v.Record(badFiles, 1)
	case Begun:
		v.RecordDuration(queueWait, time.Duration(n.X))
	case Decided:
		m.decided(v, n)
	}
}

func (m *meter) decided(v *sim.View[Msg], n *Msg) {
	if n.OK {
		v.Record(admitted, 1)
	} else {
		v.Record(rejected, 1)
	}
	if n.Flags&Warned != 0 {
		v.Record(warned, 1)
	}
	if n.Flags&Over != 0 {
		v.Record(wouldReject, 1)
	}
	if n.Rule == noRule {
		v.Record(withoutRule, 1)
	}
}

// adopted records which versions all limiters have left behind.
func (m *meter) adopted(v *sim.View[Msg]) {
	m.versions = max(m.versions, m.use.atOnce())
	for i, at := range m.published {
		if at != sim.Never && int16(i) <= m.use.least() {
			v.RecordDuration(converge, v.Now().Sub(at))
			m.published[i] = sim.Never
		}
	}
}

// End implements [sim.Observer].
func (m *meter) End(v *sim.View[Msg]) {
	v.Record(worstWindow, m.worst)
	v.Record(versionsUsed, m.versions)
}
