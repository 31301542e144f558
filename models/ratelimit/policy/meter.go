package policy

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// meter records what limits do to requests, and how long limiters disagree about them.
type meter struct {
	Admitted    model.Measure `measure:"admitted,counts=decided,if=yes"`
	Rejected    model.Measure `measure:"rejected,counts=decided,if=!yes"`
	Warned      model.Measure `measure:"warned,counts=decided,if=warned"`        // admitted above the nominal limit
	WouldReject model.Measure `measure:"shadow-rejected,counts=decided,if=over"` // by a rule in shadow mode
	WithoutRule model.Measure `measure:"without-rule,counts=decided,if=none"`    // decisions
	WorstWindow model.Measure `measure:"worst-window"`                           // that any client was admitted in the longest window of the rules
	AtOnce      model.Measure `measure:"versions-at-once"`                       // that are used
	Converge    model.Measure `measure:"converge,duration"`                      // from publishing a version to when all limiters use it, or a later one
	QueueWait   model.Measure `measure:"queue-wait,duration,of=begun.waited"`
	BadFiles    model.Measure `measure:"bad-files,counts=bad-file"`

	Tally           tally
	Use             usage
	Worst, Versions int64
	Published       []publication // that not all limiters use yet, in order
}

// publication is a version that was published.
type publication struct {
	version int16
	at      sim.Time
}

// Observe implements [model.Recorder].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch n := &o.Msg; n.Kind {
	case Published:
		if m.Tally.book.versions[n.Version].problem == "" {
			m.Published = append(m.Published, publication{n.Version, v.Now()})
		}
	case Adopted:
		m.Use.adopt(v.Now(), o.Node, n.Version)
		m.Versions = max(m.Versions, m.Use.atOnce())
		m.converged(v)
	case Decided:
		m.Worst = max(m.Worst, m.Tally.admitted(v.Now(), n))
	}
}

// converged records which versions all limiters use by now, or have left behind.
func (m *meter) converged(v *sim.View[Msg]) {
	n := 0
	for n < len(m.Published) && m.Published[n].version <= m.Use.least() {
		m.Converge.RecordDuration(v, v.Now().Sub(m.Published[n].at))
		n++
	}
	m.Published = append(m.Published[:0], m.Published[n:]...)
}

// End records what is known when the run is over.
func (m *meter) End(v *sim.View[Msg]) {
	m.WorstWindow.Record(v, m.Worst)
	m.AtOnce.Record(v, m.Versions)
}
