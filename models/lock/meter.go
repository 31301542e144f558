package lock

import (
	"fmt"

	"fencepost/sim"
)

// The measures of a lock, in the order in which they are declared. After them come
// the attempts and acquisitions of each client.
const (
	acquireLatency = iota // from wanting the lock to having it
	messagesPerAcquisition
	timeWithoutOwner // while somebody wanted it
	acquisitions
	attempts
	refusedAttempts
	validity        // left of the lease when it was acquired
	refusedValidity // left of an attempt whose quorum came too late
	holders         // that believed to hold the lock at once, at most
	overlap         // time for which two or more clients believed to hold the lock
	entitledOverlap
	lostUpdates
	rejectedWrites
	perClient
)

// meter records what a lock costs, and what its failures cost.
type meter struct {
	layout   Layout
	entitled entitlements
	store    updates
	wants    []sim.Time // by client: since when it wants the lock, Never if it does not
	wanting  int
	last     sim.Time // up to which the times have been added up
	most     int      // clients that believed to hold the lock at once
}

func newMeter(l Layout) *meter { return &meter{layout: l} }

func (m *meter) measures() []sim.Measure {
	list := []sim.Measure{
		acquireLatency:         {Name: "acquire-latency", Unit: sim.Duration},
		messagesPerAcquisition: {Name: "messages-per-acquisition"},
		timeWithoutOwner:       {Name: "time-without-owner", Unit: sim.Duration, Total: true},
		acquisitions:           {Name: "acquisitions", Total: true},
		attempts:               {Name: "attempts", Total: true},
		refusedAttempts:        {Name: "refused-attempts", Total: true},
		validity:               {Name: "validity", Unit: sim.Duration, Signed: true},
		refusedValidity:        {Name: "refused-validity", Unit: sim.Duration, Signed: true},
		holders:                {Name: "holders-at-once"},
		overlap:                {Name: "overlap", Unit: sim.Duration, Total: true},
		entitledOverlap:        {Name: "entitled-overlap", Unit: sim.Duration, Total: true},
		lostUpdates:            {Name: "lost-updates", Total: true},
		rejectedWrites:         {Name: "rejected-writes", Total: true},
	}
	for c := 1; c <= m.layout.Clients; c++ {
		list = append(list,
			sim.Measure{Name: fmt.Sprintf("client-%d-attempts", c), Total: true},
			sim.Measure{Name: fmt.Sprintf("client-%d-acquisitions", c), Total: true})
	}
	return list
}

// Reset implements [sim.Observer].
func (m *meter) Reset(*sim.View[Msg]) {
	m.entitled.reset(m.layout)
	m.store.reset()
	if m.wants == nil {
		m.wants = make([]sim.Time, m.layout.Clients+1)
	}
	for c := range m.wants {
		m.wants[c] = sim.Never
	}
	m.wanting, m.last, m.most = 0, 0, 0
}

// Observe implements [sim.Observer].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	m.addUp(v)
	m.entitled.observe(v, o)
	if lost, _, ok := m.store.observe(o); ok && lost != 0 {
		v.Record(lostUpdates, lost)
	}
	if o.Event == sim.Crashed && m.layout.isClient(o.Node) {
		m.wantNoMore(o.Node)
	}
	if o.Event != sim.Noted {
		return
	}
	first := perClient + 2*int(o.Node-1)
	switch o.Msg.Kind {
	case Trying:
		v.Record(attempts, 1)
		v.Record(first, 1)
		if m.wants[o.Node] == sim.Never {
			m.wants[o.Node] = v.Now()
			m.wanting++
		}
	case Acquired:
		v.Record(acquisitions, 1)
		v.Record(first+1, 1)
		v.RecordDuration(acquireLatency, v.Now().Sub(m.wants[o.Node]))
		v.Record(messagesPerAcquisition, int64(o.Msg.N))
		if o.Msg.OK {
			v.Record(validity, o.Msg.X-v.Read(o.Node, m.layout.Clock))
		}
		m.wantNoMore(o.Node)
	case Refused:
		v.Record(refusedAttempts, 1)
		if int(o.Msg.N) >= m.layout.Quorum {
			v.Record(refusedValidity, o.Msg.X)
		}
	case Failed:
		m.wantNoMore(o.Node)
	case Rejected:
		v.Record(rejectedWrites, 1)
	}
}

func (m *meter) wantNoMore(id sim.NodeID) {
	if m.wants[id] != sim.Never {
		m.wants[id] = sim.Never
		m.wanting--
	}
}

// addUp adds the time since the last observation, in which nothing changed but
// that leases may have run out.
func (m *meter) addUp(v *sim.View[Msg]) {
	now := v.Now()
	if now == m.last {
		return
	}
	since := now.Sub(m.last)
	m.most = max(m.most, m.entitled.count)
	if m.entitled.count == 0 && m.wanting > 0 {
		v.RecordDuration(timeWithoutOwner, since)
	}
	if m.entitled.count > 1 {
		v.RecordDuration(overlap, since)
		if second := m.secondLast(now); second > m.last {
			v.RecordDuration(entitledOverlap, second.Sub(m.last))
		}
	}
	m.last = now
}

// secondLast is the instant, at most now, from which fewer than two are entitled.
func (m *meter) secondLast(now sim.Time) sim.Time {
	var latest, second sim.Time
	for c, g := range m.entitled.grant {
		if g == 0 {
			continue
		}
		until := min(m.entitled.until[c], now)
		if until > latest {
			latest, second = until, latest
		} else if until > second {
			second = until
		}
	}
	return second
}

// End implements [sim.Observer].
func (m *meter) End(v *sim.View[Msg]) {
	m.addUp(v)
	v.Record(holders, int64(m.most))
}
