package permits

import (
	"fmt"

	"fencepost/sim"
	"fencepost/sim/model"
)

// meter records what a limiter does, and what its failures cost.
type meter struct {
	Requests     model.Measure `measure:"requests,counts=arrived"`
	Served       model.Measure `measure:"served,total"`       // 200
	Full         model.Measure `measure:"rejected-429,total"` // the queue was full
	Refused      model.Measure `measure:"rejected-503,total"` // while it is shut down
	Timeouts     model.Measure `measure:"rejected-504,total"`
	NoAnswer     model.Measure `measure:"connections-closed,total"` // by a panic
	Wait         model.Measure `measure:"wait,duration"`            // from arriving to starting
	Wasted       model.Measure `measure:"wasted-starts,total"`      // for clients that had gone, whether the limiter knew or not
	PeakInUse    model.Measure `measure:"peak-in-use"`              // permits
	PeakRunning  model.Measure `measure:"peak-running"`
	PeakWaiting  model.Measure `measure:"peak-waiting"`
	InUseAtEnd   model.Measure `measure:"in-use-at-end"`
	RunningAtEnd model.Measure `measure:"running-at-end"`
	WaitingAtEnd model.Measure `measure:"waiting-at-end"`
	Leaked       model.Measure `measure:"leaked-permits"`             // in use at the end, and never returned
	LeakedTime   model.Measure `measure:"leaked-time,duration,total"` // such permits, times how long
	ByClient     []perClient   // and of each client its own, unless there are many

	Book                    *book
	Lost                    int      // permits in use that are never returned, since the last observation
	Gone                    []uint32 // by client: the last request that it gave up
	Last                    sim.Time // up to which leaked time has been added up
	InUse, Running, Waiting int      // at most so far
}

// perClient are the measures of one client.
type perClient struct{ served, rejected model.Measure }

// addMeter adds the measures to a system that has its kinds.
func addMeter(s *sim.System[Msg], b *book) {
	m := &meter{Book: b}
	l := &b.Ledger.layout
	if l.Clients <= 16 {
		m.ByClient = make([]perClient, l.Clients+1)
	}
	model.AddMeter(s, m)
	for c := 1; c < len(m.ByClient); c++ {
		m.ByClient[c].served = model.Declare(s, sim.Measure{Name: fmt.Sprintf("client-%d-served", c), Total: true})
		m.ByClient[c].rejected = model.Declare(s, sim.Measure{Name: fmt.Sprintf("client-%d-rejected", c), Total: true})
	}
}

// Observe implements [model.Recorder].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	m.addUp(v)
	l := &m.Book.Ledger
	m.Lost = max(l.leaked(), 0)
	m.InUse, m.Running, m.Waiting = max(m.InUse, l.inUse), max(m.Running, l.running), max(m.Waiting, l.waiting())
	if o.Event != sim.Noted {
		return
	}
	switch n := &o.Msg; n.Kind {
	case Gone:
		*model.At(&m.Gone, o.Node) = n.Rid
	case Started:
		m.Wait.RecordDuration(v, v.Now().Sub(m.Book.was.at))
		if *model.At(&m.Gone, client(n.Rid)) >= n.Rid {
			m.Wasted.Record(v, 1)
		}
	case Answered:
		m.answered(v, n)
	case Panicked:
		if n.Rid != 0 {
			m.NoAnswer.Record(v, 1)
			m.rejected(v, n)
		}
	}
}

func (m *meter) answered(v *sim.View[Msg], n *Msg) {
	switch n.status() {
	case OK:
		m.Served.Record(v, 1)
		if len(m.ByClient) > 0 {
			m.ByClient[client(n.Rid)].served.Record(v, 1)
		}
		return
	case TooManyRequests:
		m.Full.Record(v, 1)
	case Unavailable:
		m.Refused.Record(v, 1)
	case GatewayTimeout:
		m.Timeouts.Record(v, 1)
	}
	m.rejected(v, n)
}

func (m *meter) rejected(v *sim.View[Msg], n *Msg) {
	if len(m.ByClient) > 0 {
		m.ByClient[client(n.Rid)].rejected.Record(v, 1)
	}
}

// addUp adds the time since the last observation, in which nothing changed.
func (m *meter) addUp(v *sim.View[Msg]) {
	if m.Lost > 0 && v.Now() > m.Last {
		m.LeakedTime.Record(v, int64(m.Lost)*int64(v.Now().Sub(m.Last)))
	}
	m.Last = v.Now()
}

// End records what is known when the run is over.
func (m *meter) End(v *sim.View[Msg]) {
	m.addUp(v)
	m.PeakInUse.Record(v, int64(m.InUse))
	m.PeakRunning.Record(v, int64(m.Running))
	m.PeakWaiting.Record(v, int64(m.Waiting))
	m.InUseAtEnd.Record(v, int64(m.Book.Ledger.inUse))
	m.RunningAtEnd.Record(v, int64(m.Book.Ledger.running))
	m.WaitingAtEnd.Record(v, int64(m.Book.Ledger.waiting()))
	m.Leaked.Record(v, int64(m.Lost))
}
