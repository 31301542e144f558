package ntp

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// The measures, in the order in which they are declared. After them come those of each
// client, unless there are many.
const (
	polls      = iota // of clients, each of all its servers
	samples           // answers that counted
	missed            // polls of a server that it did not answer in time
	undecided         // samples after which too few servers agreed
	offset            // by how much a server seemed ahead
	delay             // how long both ways took together
	offsetOff         // how far the offset was from the true one
	given             // what the client gave or took when it chose
	trueError         // how far a client's clock was from true time, at each sample
	worstError        // of all, from settle on
	errorAtEnd        // of the client that is furthest off
	steps             // of clocks
	setBack           // by how much they were stepped back
	slews             // begun
	slewTime          // how long clocks were slewed
	exits             // daemons that gave up
	apart             // the most that two servers were apart
	perClient
)

// meter records what clients learn, what they do about it, and how right they are.
type meter struct {
	truth
	settle  sim.Time
	worst   time.Duration
	slewing []sim.Time // by client: since when; Never: it is not
}

func newMeter(l Layout, settle sim.Time) *meter {
	return &meter{truth: truth{Layout: l}, settle: settle, slewing: make([]sim.Time, l.Clients)}
}

func (m *meter) measures() []sim.Measure {
	list := []sim.Measure{
		polls:      {Name: "polls", Total: true},
		samples:    {Name: "samples", Total: true},
		missed:     {Name: "missed", Total: true},
		undecided:  {Name: "undecided", Total: true},
		offset:     {Name: "offset", Unit: sim.Duration, Signed: true},
		delay:      {Name: "delay", Unit: sim.Duration},
		offsetOff:  {Name: "offset-error", Unit: sim.Duration, Signed: true},
		given:      {Name: "give-or-take", Unit: sim.Duration},
		trueError:  {Name: "true-error", Unit: sim.Duration},
		worstError: {Name: "worst-error", Unit: sim.Duration},
		errorAtEnd: {Name: "error-at-end", Unit: sim.Duration},
		steps:      {Name: "steps", Total: true},
		setBack:    {Name: "set-back", Unit: sim.Duration, Total: true},
		slews:      {Name: "slews", Total: true},
		slewTime:   {Name: "slew-time", Unit: sim.Duration, Total: true},
		exits:      {Name: "exits", Total: true},
		apart:      {Name: "servers-apart", Unit: sim.Duration},
	}
	for c := 1; m.each() && c <= m.Layout.Clients; c++ {
		list = append(list,
			sim.Measure{Name: fmt.Sprintf("client-%d-ahead", c), Unit: sim.Duration, Signed: true}, // of true time, at the end; negative: behind
			sim.Measure{Name: fmt.Sprintf("client-%d-slew-time", c), Unit: sim.Duration, Total: true})
	}
	return list
}

// each reports whether there are measures of each client.
func (m *meter) each() bool { return m.Layout.Clients <= 16 }

// What is measured of each client.
const (
	clientAhead = iota
	clientSlewTime
)

// of records something about one client, numbered from 0.
func (m *meter) of(v *sim.View[Msg], client, which int, d time.Duration) {
	if m.each() {
		v.RecordDuration(perClient+2*client+which, d)
	}
}

// Reset implements [sim.Observer].
func (m *meter) Reset(v *sim.View[Msg]) {
	m.truth.reset(v)
	m.worst = 0
	for i := range m.slewing {
		m.slewing[i] = sim.Never
	}
}

// Observe implements [sim.Observer].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	client := m.Layout.isClient(o.Node)
	if client && !m.gone[o.Node-1] {
		m.wrong(v, o.Node) // until now it was as it had been
	}
	m.truth.observe(v, o)
	if !client {
		return
	}
	m.wrong(v, o.Node)
	if o.Event == sim.Crashed {
		m.slewn(v, o.Node)
	}
	if o.Event == sim.Noted {
		m.noted(v, o)
	}
}

func (m *meter) noted(v *sim.View[Msg], o *sim.Observation[Msg]) {
	x, y := time.Duration(o.Msg.X), time.Duration(o.Msg.Y)
	switch o.Msg.Kind {
	case Polled:
		v.Record(polls, 1)
	case Missed:
		v.Record(missed, 1)
	case Undecided:
		v.Record(undecided, 1)
	case Sampled:
		v.Record(samples, 1)
		v.RecordDuration(offset, x)
		v.RecordDuration(delay, y)
		v.RecordDuration(offsetOff, (x - m.behindThen(v, o)).Abs())
		v.RecordDuration(trueError, m.behind(v, o.Node).Abs())
	case Chosen:
		v.RecordDuration(given, y)
	case Stepped:
		v.Record(steps, 1)
		v.RecordDuration(setBack, max(x-y, 0))
		m.slewn(v, o.Node)
	case Slewed:
		v.Record(slews, 1)
		m.slewn(v, o.Node)
		m.slewing[m.number(o.Node)] = v.Now()
	case SlewDone:
		m.slewn(v, o.Node)
	case Exited:
		v.Record(exits, 1)
	}
}

// number is which client a node is, from 0.
func (m *meter) number(client sim.NodeID) int { return int(client) - 1 - m.Layout.Servers }

// slewn adds up a slew that is over, if there was one.
func (m *meter) slewn(v *sim.View[Msg], client sim.NodeID) {
	i := m.number(client)
	if m.slewing[i] != sim.Never {
		took := v.Now().Sub(m.slewing[i])
		v.RecordDuration(slewTime, took)
		m.of(v, i, clientSlewTime, took)
		m.slewing[i] = sim.Never
	}
}

// wrong looks how far the clock of a client is from true time.
func (m *meter) wrong(v *sim.View[Msg], client sim.NodeID) {
	if v.Now() >= m.settle && !m.gone[client-1] {
		m.worst = max(m.worst, m.behind(v, client).Abs())
	}
}

// End implements [sim.Observer].
func (m *meter) End(v *sim.View[Msg]) {
	worst := time.Duration(0)
	for i := range m.Layout.Clients {
		c := sim.NodeID(m.Layout.Servers + 1 + i)
		m.slewn(v, c)
		if m.gone[c-1] {
			continue
		}
		m.wrong(v, c)
		behind := m.behind(v, c)
		worst = max(worst, behind.Abs())
		m.of(v, i, clientAhead, -behind)
	}
	v.RecordDuration(worstError, m.worst)
	v.RecordDuration(errorAtEnd, worst)
	v.RecordDuration(apart, m.apart)
}
