package chain

import (
	"time"

	"fencepost/models/ratelimit/shed"
	"fencepost/sim"
	"fencepost/sim/model"
)

// slot is what calls are counted in for their peak.
const slot = 100 * time.Millisecond

// meter records what a chain does, and what for.
type meter struct {
	Operations      model.Measure `measure:"operations,counts=begun,if=client"`
	Calls           model.Measure `measure:"calls,counts=called,if=calls"`
	CallsPerSuccess model.Measure `measure:"calls-per-success,per=useful,of=called,if=calls"`
	Retries         model.Measure `measure:"retries,counts=called,if=repeats"`
	PeakCalls       model.Measure `measure:"peak-calls"` // in a slot, without the first: everybody may begin at once
	Refusals        model.Measure `measure:"refusals,counts=refused,if=calls"`
	Timeouts        model.Measure `measure:"timeouts,counts=timed-out,if=calls"`
	Suppressed      model.Measure `measure:"suppressed,counts=suppressed,if=calls"`
	GaveUp          model.Measure `measure:"gave-up,counts=gave-up,if=client"`
	Admitted        model.Measure `measure:"admitted,counts=admitted"`
	Rejected        model.Measure `measure:"rejected,counts=rejected"`
	Dropped         model.Measure `measure:"dropped,counts=dropped"`
	Served          model.Measure `measure:"served,counts=served"`
	Useful          model.Measure `measure:"useful,counts=succeeded,if=client"`
	Wasted          model.Measure `measure:"wasted,total"` // served, and its client waited no longer
	Again           model.Measure `measure:"carried-out-again,total"`
	LastSuccess     model.Measure `measure:"last-success,duration"`
	Latency         model.Measure `measure:"latency,duration,of=succeeded.took,if=client"`
	QueueWait       model.Measure `measure:"queue-wait-time,duration,of=taken.waited"`
	QueueLength     model.Measure `measure:"queue-length,peak=queued.waiting"`
	Replays         model.Measure `measure:"answered-from-record,counts=replayed"`

	Layout Layout

	Slot, InSlot, Peak int64    // the slot that is being counted, the calls in it, and the most
	Last               sim.Time // success
	Carried, Succeeded int64
	Done               map[uint64]bool // operations that have been carried out
}

// Kinds are the notes that it looks at.
func (*meter) Kinds() []sim.Kind { return []sim.Kind{Called, Served, Succeeded} }

// Observe implements [model.Recorder].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	switch {
	case o.Event != sim.Noted:
	case o.Msg.Kind == Served:
		m.Carried++
		if m.Done[o.Msg.Root] {
			m.Again.Record(v, 1)
		}
		m.Done[o.Msg.Root] = true
	case o.Msg.Kind == Called && m.Layout.calls(o.Node):
		if s := int64(v.Now()) / int64(slot); s != m.Slot {
			m.Slot, m.InSlot = s, 0
		}
		m.InSlot++
		if m.Slot > 0 {
			m.Peak = max(m.Peak, m.InSlot)
		}
	case o.Msg.Kind == Succeeded && m.Layout.isClient(o.Node):
		m.Succeeded++
		m.Last = v.Now()
	}
}

// End records what is known when the run is over.
func (m *meter) End(v *sim.View[Msg]) {
	m.PeakCalls.Record(v, m.Peak)
	m.Wasted.Record(v, m.Carried-m.Succeeded)
	if m.Succeeded > 0 {
		m.LastSuccess.RecordDuration(v, m.Last.Sub(0))
	}
}

// addMeters adds the measures to a system that has its kinds; if there are classes to tell apart, also what
// becomes of each.
func addMeters(s *sim.System[Msg], l *Layout, classes bool) {
	model.AddMeter(s, &meter{Layout: *l}, facts, model.Facts[Msg]{
		"client":  model.If(func(o *sim.Observation[Msg]) bool { return l.isClient(o.Node) }),
		"calls":   model.If(func(o *sim.Observation[Msg]) bool { return l.calls(o.Node) }),
		"repeats": model.If(func(o *sim.Observation[Msg]) bool { return l.calls(o.Node) && o.Msg.Attempt > 1 }),
	})
	if !classes {
		return
	}
	model.AddMeter(s, &struct {
		Changes model.Measure `measure:"shed-changes,counts=shedding"` // of what is shed
	}{})
	for c := range shed.Class(shed.Classes) {
		model.Count(s, c.String()+"-useful", Succeeded, func(o *sim.Observation[Msg]) bool { return o.Msg.Class == c && l.isClient(o.Node) })
		model.Count(s, c.String()+"-rejected", Rejected, func(o *sim.Observation[Msg]) bool { return o.Msg.Class == c })
	}
}
