package policy

import (
	"fmt"
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
		if m.tally.book.versions[n.Version].problem == nil {
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

// teller says in words what happens, for one run.
type teller struct {
	book    *book
	first   sim.NodeID // of the clients
	refused []bool     // by client: that it is refused has been told
	warned  []bool
}

func newTeller(b *book, first sim.NodeID, clients int) *teller {
	return &teller{b, first, make([]bool, clients), make([]bool, clients)}
}

// tell returns "" for what is not worth telling.
func (t *teller) tell(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	if o.Event != sim.Noted {
		return ""
	}
	m, name := &o.Msg, v.Name(o.Node)
	switch m.Kind {
	case Published:
		return fmt.Sprintf("version %d of the rules is published", m.Version)
	case Adopted:
		if m.Version == 0 {
			return name + " goes without rules"
		}
		return fmt.Sprintf("%s uses version %d", name, m.Version)
	case BadFile:
		return fmt.Sprintf("%s cannot load %s", name, t.book.problem(m.Version))
	case Decided:
		return t.decided(v, m)
	}
	return ""
}

// decided tells of the first refusal after an admission, and of the first warning.
func (t *teller) decided(v *sim.View[Msg], m *Msg) string {
	client := v.Name(t.first + sim.NodeID(m.Client))
	again, warnedBefore := t.refused[m.Client], t.warned[m.Client]
	t.refused[m.Client] = !m.OK
	t.warned[m.Client] = m.Flags&Warned != 0
	switch {
	case !m.OK && !again:
		return fmt.Sprintf("%s is refused by %s of version %d", client, t.book.name(m.Version, m.Rule), m.Version)
	case m.OK && again:
		return fmt.Sprintf("%s is admitted again, by %s of version %d", client, t.book.name(m.Version, m.Rule), m.Version)
	case m.Flags&Warned != 0 && !warnedBefore:
		return fmt.Sprintf("%s is above its limit, and warned", client)
	}
	return ""
}
