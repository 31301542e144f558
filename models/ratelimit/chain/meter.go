package chain

import (
	"time"

	"fencepost/sim"
)

// The measures of a chain, in the order in which they are declared.
const (
	operationsBegun = iota
	calls
	callsPerSuccess
	retries
	peakCalls // in a slot of 100 ms, without the first: everybody may begin at once
	refusals
	timeouts
	suppressed
	gaveUp
	admitted
	rejected
	dropped
	served
	useful
	wasted // served, and its client waited no longer
	repeated
	lastSuccess
	latency
	queueWait
	queueLength
	replays
)

// slot is what calls are counted in for their peak.
const slot = 100 * time.Millisecond

var measures = []sim.Measure{
	operationsBegun: {Name: "operations", Total: true},
	calls:           {Name: "calls", Total: true},
	callsPerSuccess: {Name: "calls-per-success", Per: "useful"},
	retries:         {Name: "retries", Total: true},
	peakCalls:       {Name: "peak-calls"},
	refusals:        {Name: "refusals", Total: true},
	timeouts:        {Name: "timeouts", Total: true},
	suppressed:      {Name: "suppressed", Total: true},
	gaveUp:          {Name: "gave-up", Total: true},
	admitted:        {Name: "admitted", Total: true},
	rejected:        {Name: "rejected", Total: true},
	dropped:         {Name: "dropped", Total: true},
	served:          {Name: "served", Total: true},
	useful:          {Name: "useful", Total: true},
	wasted:          {Name: "wasted", Total: true},
	repeated:        {Name: "carried-out-again", Total: true},
	lastSuccess:     {Name: "last-success", Unit: sim.Duration},
	latency:         {Name: "latency", Unit: sim.Duration},
	queueWait:       {Name: "queue-wait-time", Unit: sim.Duration},
	queueLength:     {Name: "queue-length"},
	replays:         {Name: "answered-from-record", Total: true},
}

// meter records what a chain does, and what for.
type meter struct {
	layout  Layout
	classed bool // it counts each class

	slot, calls, peak int64
	last              sim.Time // success
	longest           int64    // queue
	served, useful    int64
	done              map[uint64]bool // operations that have been carried out
}

// Reset implements [sim.Observer].
func (m *meter) Reset(*sim.View[Msg]) {
	done := m.done
	clear(done)
	*m = meter{layout: m.layout, classed: m.classed, done: done}
}

// Observe implements [sim.Observer].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	if m.classed {
		m.class(v, o)
	}
	switch o.Msg.Kind {
	case Admitted:
		v.Record(admitted, 1)
	case Rejected:
		v.Record(rejected, 1)
	case Dropped:
		v.Record(dropped, 1)
	case Queued:
		m.longest = max(m.longest, o.Msg.Count)
	case Taken:
		v.Record(queueWait, int64(o.Msg.Wait))
	case Served:
		m.serve(v, o.Msg.Root)
	case Replayed:
		v.Record(replays, 1)
	}
	if m.layout.calls(o.Node) {
		m.call(v, o)
	}
	if m.layout.isClient(o.Node) {
		m.operation(v, o)
	}
}

func (m *meter) serve(v *sim.View[Msg], root uint64) {
	v.Record(served, 1)
	m.served++
	if m.done == nil {
		m.done = make(map[uint64]bool)
	}
	if m.done[root] {
		v.Record(repeated, 1)
	}
	m.done[root] = true
}

// call is what a caller of the limiter notes.
func (m *meter) call(v *sim.View[Msg], o *sim.Observation[Msg]) {
	switch o.Msg.Kind {
	case Called:
		v.Record(calls, 1)
		v.Record(callsPerSuccess, 1)
		if o.Msg.Attempt > 1 {
			v.Record(retries, 1)
		}
		if s := int64(v.Now()) / int64(slot); s != m.slot {
			m.slot, m.calls = s, 0
		}
		m.calls++
		if m.slot > 0 {
			m.peak = max(m.peak, m.calls)
		}
	case Refused:
		v.Record(refusals, 1)
	case TimedOut:
		v.Record(timeouts, 1)
	case Suppressed:
		v.Record(suppressed, 1)
	}
}

// operation is what a client notes.
func (m *meter) operation(v *sim.View[Msg], o *sim.Observation[Msg]) {
	switch o.Msg.Kind {
	case Begun:
		v.Record(operationsBegun, 1)
	case GaveUp:
		v.Record(gaveUp, 1)
	case Succeeded:
		v.Record(useful, 1)
		v.Record(latency, int64(o.Msg.Wait))
		m.useful++
		m.last = v.Now()
	}
}

// End implements [sim.Observer].
func (m *meter) End(v *sim.View[Msg]) {
	v.Record(peakCalls, m.peak)
	v.Record(queueLength, m.longest)
	v.Record(wasted, m.served-m.useful)
	if m.useful > 0 {
		v.RecordDuration(lastSuccess, m.last.Sub(0))
	}
}
