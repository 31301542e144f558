package ntp

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// meter records what clients learn, what they do about it, and how right they are.
type meter struct {
	Polls      model.Measure `measure:"polls,counts=polled"`                         // of clients, each of all its servers
	Samples    model.Measure `measure:"samples,counts=sampled"`                      // answers that counted
	Missed     model.Measure `measure:"missed,counts=missed"`                        // polls of a server that it did not answer in time
	Undecided  model.Measure `measure:"undecided,counts=undecided"`                  // samples after which too few servers agreed
	Offset     model.Measure `measure:"offset,duration,signed,of=sampled.offset"`    // by how much a server seemed ahead
	Delay      model.Measure `measure:"delay,duration,of=sampled.delay"`             // how long both ways took together
	OffsetOff  model.Measure `measure:"offset-error,duration,signed"`                // how far the offset was from the true one
	Given      model.Measure `measure:"give-or-take,duration,of=chosen.margin"`      // what the client gave or took when it chose
	TrueError  model.Measure `measure:"true-error,duration"`                         // how far a client's clock was from true time, at each sample
	WorstError model.Measure `measure:"worst-error,duration"`                        // of all, from settle on
	ErrorAtEnd model.Measure `measure:"error-at-end,duration"`                       // of the client that is furthest off
	Steps      model.Measure `measure:"steps,counts=stepped"`                        // of clocks
	SetBack    model.Measure `measure:"set-back,duration,total,of=stepped.set-back"` // by how much they were stepped back
	Slews      model.Measure `measure:"slews,counts=slewed"`                         // begun
	SlewTime   model.Measure `measure:"slew-time,duration,total"`                    // how long clocks were slewed
	Exits      model.Measure `measure:"exits,counts=exited"`                         // daemons that gave up
	Apart      model.Measure `measure:"servers-apart,duration"`                      // the most that two servers were apart
	Each       *each

	Truth   Truth
	Settle  sim.Time
	Worst   time.Duration
	Slewing []slewing // by client
}

// slewing is whether a clock is slewed, and since when.
type slewing struct {
	is    bool
	since sim.Time
}

// each is what is measured of each client, unless there are many.
type each struct {
	ahead, slewTime []model.Measure // of true time, at the end; negative: behind
}

func addMeter(s *sim.System[Msg], l Layout, settle sim.Time) {
	m := &meter{Truth: newTruth(l), Settle: settle, Each: &each{}}
	model.AddMeter(s, m, facts)
	for c := 1; l.Clients <= 16 && c <= l.Clients; c++ {
		ahead := sim.Measure{Name: fmt.Sprintf("client-%d-ahead", c), Unit: sim.Duration, Signed: true}
		slewTime := sim.Measure{Name: fmt.Sprintf("client-%d-slew-time", c), Unit: sim.Duration, Total: true}
		m.Each.ahead, m.Each.slewTime = append(m.Each.ahead, model.Declare(s, ahead)), append(m.Each.slewTime, model.Declare(s, slewTime))
	}
}

// Begin looks at the clocks.
func (m *meter) Begin(v *sim.View[Msg]) { m.Truth.begin(v) }

// Observe implements [model.Recorder].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	client := m.Truth.isClient(o.Node)
	if client && !m.Truth.gone[o.Node-1] {
		m.wrong(v, o.Node) // until now it was as it had been
	}
	m.Truth.observe(v, o)
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
	switch n := &o.Msg; n.Kind {
	case Sampled:
		m.OffsetOff.RecordDuration(v, (n.offset() - m.Truth.behindThen(v, o)).Abs())
		m.TrueError.RecordDuration(v, m.Truth.behind(v, o.Node).Abs())
	case Stepped, SlewDone:
		m.slewn(v, o.Node)
	case Slewed:
		m.slewn(v, o.Node)
		*model.At(&m.Slewing, m.Truth.number(o.Node)) = slewing{true, v.Now()}
	}
}

// slewn adds up a slew that is over, if there was one.
func (m *meter) slewn(v *sim.View[Msg], client sim.NodeID) {
	i := m.Truth.number(client)
	slew := model.At(&m.Slewing, i)
	if !slew.is {
		return
	}
	took := v.Now().Sub(slew.since)
	m.SlewTime.RecordDuration(v, took)
	if i < len(m.Each.slewTime) {
		m.Each.slewTime[i].RecordDuration(v, took)
	}
	slew.is = false
}

// wrong looks how far the clock of a client is from true time.
func (m *meter) wrong(v *sim.View[Msg], client sim.NodeID) {
	if v.Now() >= m.Settle && !m.Truth.gone[client-1] {
		m.Worst = max(m.Worst, m.Truth.behind(v, client).Abs())
	}
}

// End looks at the clocks of all clients that are up.
func (m *meter) End(v *sim.View[Msg]) {
	worst := time.Duration(0)
	for i := range m.Truth.Clients {
		c := m.Truth.client(i)
		m.slewn(v, c)
		if m.Truth.gone[c-1] {
			continue
		}
		m.wrong(v, c)
		behind := m.Truth.behind(v, c)
		worst = max(worst, behind.Abs())
		if i < len(m.Each.ahead) {
			m.Each.ahead[i].RecordDuration(v, -behind)
		}
	}
	m.WorstError.RecordDuration(v, m.Worst)
	m.ErrorAtEnd.RecordDuration(v, worst)
	m.Apart.RecordDuration(v, m.Truth.apart)
}
