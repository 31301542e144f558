package chain

import (
	"time"

	"fencepost/models/internal/kit"
	"fencepost/models/ratelimit/shed"
	"fencepost/sim"
)

// slot is what calls are counted in for their peak.
const slot = 100 * time.Millisecond

// meter records what a chain does, and what for.
type meter struct {
	Operations      kit.Measure `measure:"operations,total"`
	Calls           kit.Measure `measure:"calls,total"`
	CallsPerSuccess kit.Measure `measure:"calls-per-success,per=useful"`
	Retries         kit.Measure `measure:"retries,total"`
	PeakCalls       kit.Measure `measure:"peak-calls"` // in a slot, without the first: everybody may begin at once
	Refusals        kit.Measure `measure:"refusals,total"`
	Timeouts        kit.Measure `measure:"timeouts,total"`
	Suppressed      kit.Measure `measure:"suppressed,total"`
	GaveUp          kit.Measure `measure:"gave-up,total"`
	Admitted        kit.Measure `measure:"admitted,counts=admitted"`
	Rejected        kit.Measure `measure:"rejected,counts=rejected"`
	Dropped         kit.Measure `measure:"dropped,counts=dropped"`
	Served          kit.Measure `measure:"served,counts=served"`
	Useful          kit.Measure `measure:"useful,total"`
	Wasted          kit.Measure `measure:"wasted,total"` // served, and its client waited no longer
	Again           kit.Measure `measure:"carried-out-again,total"`
	LastSuccess     kit.Measure `measure:"last-success,duration"`
	Latency         kit.Measure `measure:"latency,duration"`
	QueueWait       kit.Measure `measure:"queue-wait-time,duration"`
	QueueLength     kit.Measure `measure:"queue-length"`
	Replays         kit.Measure `measure:"answered-from-record,counts=replayed"`

	Layout Layout

	Slot, InSlot, Peak int64    // the slot that is being counted, the calls in it, and the most
	Last               sim.Time // success
	Longest            int64    // queue
	Carried, Succeeded int64
	Done               map[uint64]bool // operations that have been carried out
}

// Observe implements [kit.Recorder].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch o.Msg.Kind {
	case Queued:
		m.Longest = max(m.Longest, o.Msg.Waiting())
	case Taken:
		m.QueueWait.RecordDuration(v, o.Msg.Wait)
	case Served:
		m.Carried++
		if m.Done[o.Msg.Root] {
			m.Again.Record(v, 1)
		}
		m.Done[o.Msg.Root] = true
	}
	if m.Layout.calls(o.Node) {
		m.call(v, &o.Msg)
	}
	if m.Layout.isClient(o.Node) {
		m.operation(v, &o.Msg)
	}
}

// call is what a caller of the limiter notes.
func (m *meter) call(v *sim.View[Msg], n *Msg) {
	switch n.Kind {
	case Called:
		m.Calls.Record(v, 1)
		m.CallsPerSuccess.Record(v, 1)
		if n.Attempt > 1 {
			m.Retries.Record(v, 1)
		}
		if s := int64(v.Now()) / int64(slot); s != m.Slot {
			m.Slot, m.InSlot = s, 0
		}
		m.InSlot++
		if m.Slot > 0 {
			m.Peak = max(m.Peak, m.InSlot)
		}
	case Refused:
		m.Refusals.Record(v, 1)
	case TimedOut:
		m.Timeouts.Record(v, 1)
	case Suppressed:
		m.Suppressed.Record(v, 1)
	}
}

// operation is what a client notes.
func (m *meter) operation(v *sim.View[Msg], n *Msg) {
	switch n.Kind {
	case Begun:
		m.Operations.Record(v, 1)
	case GaveUp:
		m.GaveUp.Record(v, 1)
	case Succeeded:
		m.Useful.Record(v, 1)
		m.Latency.RecordDuration(v, n.Wait)
		m.Succeeded++
		m.Last = v.Now()
	}
}

// End records what is known when the run is over.
func (m *meter) End(v *sim.View[Msg]) {
	m.PeakCalls.Record(v, m.Peak)
	m.QueueLength.Record(v, m.Longest)
	m.Wasted.Record(v, m.Carried-m.Succeeded)
	if m.Succeeded > 0 {
		m.LastSuccess.RecordDuration(v, m.Last.Sub(0))
	}
}

// classMeter records what becomes of each class, if there are classes to tell apart.
type classMeter struct {
	Changes kit.Measure `measure:"shed-changes,counts=shedding"` // of what is shed
	ByClass []perClass

	Layout Layout
}

// perClass are the measures of one class.
type perClass struct{ useful, rejected kit.Measure }

// addClassMeter adds the measures of classes to a system that has its kinds.
func addClassMeter(s *sim.System[Msg], l Layout) {
	m := &classMeter{ByClass: make([]perClass, shed.Classes), Layout: l}
	kit.AddMeter(s, m)
	for c := range shed.Class(shed.Classes) {
		m.ByClass[c].useful = kit.Declare(s, sim.Measure{Name: c.String() + "-useful", Total: true})
		m.ByClass[c].rejected = kit.Declare(s, sim.Measure{Name: c.String() + "-rejected", Total: true})
	}
}

// Observe implements [kit.Recorder].
func (m *classMeter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch class := &m.ByClass[o.Msg.Class]; {
	case o.Msg.Kind == Succeeded && m.Layout.isClient(o.Node):
		class.useful.Record(v, 1)
	case o.Msg.Kind == Rejected:
		class.rejected.Record(v, 1)
	}
}
