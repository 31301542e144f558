package permits

import (
	"fmt"

	"fencepost/sim"
)

// The measures, in the order in which they are declared. After them come the requests of
// each client that were served and that were refused, unless there are many clients.
const (
	requests  = iota // that arrived at a limiter
	served           // 200
	full             // 429
	refused          // 503
	timeouts         // 504
	noAnswer         // connections closed by a panic
	wait             // from arriving to starting
	wasted           // handlers that started for clients that had gone, whether the limiter knew or not
	peakInUse        // permits
	peakRunning
	peakWaiting
	inUseAtEnd
	runningAtEnd
	waitingAtEnd
	leaked     // permits in use at the end that are never returned
	leakedTime // such permits, times how long
	perClient
)

// meter records what a limiter does, and what its failures cost.
type meter struct {
	layout Layout
	ledger ledger
	gone   []uint32 // by client: the last request that it gave up
	last   sim.Time
	peaks  [3]int // in use, running, waiting
}

func newMeter(l Layout) *meter { return &meter{layout: l} }

func (m *meter) measures() []sim.Measure {
	list := []sim.Measure{
		requests:     {Name: "requests", Total: true},
		served:       {Name: "served", Total: true},
		full:         {Name: "rejected-429", Total: true},
		refused:      {Name: "rejected-503", Total: true},
		timeouts:     {Name: "rejected-504", Total: true},
		noAnswer:     {Name: "connections-closed", Total: true},
		wait:         {Name: "wait", Unit: sim.Duration},
		wasted:       {Name: "wasted-starts", Total: true},
		peakInUse:    {Name: "peak-in-use"},
		peakRunning:  {Name: "peak-running"},
		peakWaiting:  {Name: "peak-waiting"},
		inUseAtEnd:   {Name: "in-use-at-end"},
		runningAtEnd: {Name: "running-at-end"},
		waitingAtEnd: {Name: "waiting-at-end"},
		leaked:       {Name: "leaked-permits"},
		leakedTime:   {Name: "leaked-time", Unit: sim.Duration, Total: true},
	}
	for c := 1; m.each() && c <= m.layout.Clients; c++ {
		list = append(list,
			sim.Measure{Name: fmt.Sprintf("client-%d-served", c), Total: true},
			sim.Measure{Name: fmt.Sprintf("client-%d-rejected", c), Total: true})
	}
	return list
}

// each reports whether there are measures of each client.
func (m *meter) each() bool { return m.layout.Clients <= 16 }

// of records something about one client.
func (m *meter) of(v *sim.View[Msg], client sim.NodeID, which int) {
	if m.each() {
		v.Record(perClient+2*int(client-1)+which, 1)
	}
}

// What is measured of each client.
const (
	clientServed = iota
	clientRejected
)

// Reset implements [sim.Observer].
func (m *meter) Reset(*sim.View[Msg]) {
	m.ledger.reset(m.layout)
	if m.gone == nil {
		m.gone = make([]uint32, m.layout.Clients+1)
	}
	clear(m.gone)
	m.last, m.peaks = 0, [3]int{}
}

// Observe implements [sim.Observer].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	m.addUp(v)
	r, _ := m.ledger.observe(v, o)
	m.peaks = [3]int{max(m.peaks[0], m.ledger.inUse), max(m.peaks[1], m.ledger.running), max(m.peaks[2], m.ledger.waiting())}
	if o.Event != sim.Noted {
		return
	}
	switch msg := &o.Msg; msg.Kind {
	case Gone:
		m.gone[o.Node] = msg.Rid
	case Arrived:
		v.Record(requests, 1)
	case Started:
		v.RecordDuration(wait, v.Now().Sub(r.at))
		if m.gone[client(msg.Rid)] >= msg.Rid {
			v.Record(wasted, 1)
		}
	case Answered:
		m.answered(v, msg)
	case Panicked:
		if msg.Rid != 0 {
			v.Record(noAnswer, 1)
			m.of(v, client(msg.Rid), clientRejected)
		}
	}
}

func (m *meter) answered(v *sim.View[Msg], msg *Msg) {
	switch msg.Code {
	case OK:
		v.Record(served, 1)
		m.of(v, client(msg.Rid), clientServed)
		return
	case TooManyRequests:
		v.Record(full, 1)
	case Unavailable:
		v.Record(refused, 1)
	case GatewayTimeout:
		v.Record(timeouts, 1)
	}
	m.of(v, client(msg.Rid), clientRejected)
}

// addUp adds the time since the last observation, in which nothing changed.
func (m *meter) addUp(v *sim.View[Msg]) {
	if n := m.lost(); n > 0 && v.Now() > m.last {
		v.Record(leakedTime, int64(n)*int64(v.Now().Sub(m.last)))
	}
	m.last = v.Now()
}

// lost is how many permits are in use that are never returned.
func (m *meter) lost() int { return max(m.ledger.leaked(), 0) }

// End implements [sim.Observer].
func (m *meter) End(v *sim.View[Msg]) {
	m.addUp(v)
	v.Record(peakInUse, int64(m.peaks[0]))
	v.Record(peakRunning, int64(m.peaks[1]))
	v.Record(peakWaiting, int64(m.peaks[2]))
	v.Record(inUseAtEnd, int64(m.ledger.inUse))
	v.Record(runningAtEnd, int64(m.ledger.running))
	v.Record(waitingAtEnd, int64(m.ledger.waiting()))
	v.Record(leaked, int64(m.lost()))
}
