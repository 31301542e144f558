package fleet

import (
	"fmt"

	"fencepost/models/internal/values"
	"fencepost/models/ratelimit"
	"fencepost/sim"
)

// exactLog is the sliding log of each key over true time, fed with the decided requests
// in the order of the decisions: what a limiter that sees everything would say.
type exactLog struct {
	rule *ratelimit.SlidingLog
	keys []ratelimit.SlidingLogState
}

func (e *exactLog) reset(l Layout) {
	if e.rule == nil {
		rule, err := ratelimit.NewSlidingLog(ratelimit.SlidingLogParams{Limit: l.Limit, Window: l.Window})
		if err != nil {
			panic(err) // the parameters have been checked
		}
		e.rule = rule
		e.keys = make([]ratelimit.SlidingLogState, l.Keys+1)
	}
	for i := range e.keys {
		e.keys[i].Clear(0)
	}
}

// decide is what the log says of a request that has just been decided.
func (e *exactLog) decide(now sim.Time, m *Msg) bool {
	return e.rule.Take(&e.keys[m.Key], ratelimit.Reading(now), int64(m.Cost)).Allowed
}

// decided reports whether an observation is a decision, and which.
func decided(o *sim.Observation[Msg]) (admitted, ok bool) {
	if o.Event != sim.Noted {
		return false, false
	}
	return o.Msg.Kind == Admitted, o.Msg.Kind == Admitted || o.Msg.Kind == Rejected
}

// EqualsExactLog holds if exactly those requests are admitted that the exact sliding log
// admits, fed with the same requests. It is judged where the algorithm says so, which is
// the sliding log, or the scenario.
type EqualsExactLog struct {
	Layout Layout

	sim.Check
	log      exactLog
	id       uint64 // of the first difference
	admitted bool   // it, against the log
}

// Name implements [sim.Property].
func (p *EqualsExactLog) Name() string { return "equals-exact-log" }

// Reset implements [sim.Observer].
func (p *EqualsExactLog) Reset(*sim.View[Msg]) {
	p.Clear()
	p.log.reset(p.Layout)
	p.id, p.admitted = 0, false
}

// Observe implements [sim.Observer].
func (p *EqualsExactLog) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	admitted, ok := decided(o)
	if !ok || !p.Layout.Exact {
		return
	}
	p.Saw()
	if p.log.decide(v.Now(), &o.Msg) != admitted && p.Violate(v.Now(), o.Node) {
		p.id, p.admitted = o.Msg.ID, admitted
	}
}

// End implements [sim.Observer].
func (p *EqualsExactLog) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *EqualsExactLog) Why(v *sim.View[Msg]) string {
	what, other := "rejected", "admitted"
	if p.admitted {
		what, other = other, what
	}
	return fmt.Sprintf("%s %s request %s, which an exact log would have %s", v.Name(p.Finding().Nodes[0]), what, requestName(p.id), other)
}

// NoFalseRejection holds if whenever a request is rejected, it would not have fitted
// under the limit of the window that ends then, beside what was admitted.
type NoFalseRejection struct {
	Layout Layout

	sim.Check
	windows windows
	id      uint64 // of the first violation
	sum     int64
}

// Name implements [sim.Property].
func (p *NoFalseRejection) Name() string { return "no-false-rejection" }

// Bound implements [sim.Bounded].
func (p *NoFalseRejection) Bound() sim.Bound {
	if p.Layout.Dimensions != nil {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("none below the limit of %d in the %s before", p.Layout.Limit, values.Length(p.Layout.Window))}
}

// Reset implements [sim.Observer].
func (p *NoFalseRejection) Reset(*sim.View[Msg]) {
	p.Clear()
	p.windows.reset(p.Layout.Keys, p.Layout.Window)
	p.id, p.sum = 0, 0
}

// Observe implements [sim.Observer].
func (p *NoFalseRejection) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	admitted, ok := decided(o)
	if !ok || p.Layout.Dimensions != nil { // victim-served judges those
		return
	}
	p.Saw()
	w := &p.windows[o.Msg.Key]
	if admitted {
		w.Admit(v.Now(), int64(o.Msg.Cost))
		return
	}
	if sum := w.Sum(v.Now()); sum+int64(o.Msg.Cost) <= p.Layout.Limit && p.Violate(v.Now(), o.Node) {
		p.id, p.sum = o.Msg.ID, sum
	}
}

// End implements [sim.Observer].
func (p *NoFalseRejection) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *NoFalseRejection) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s rejected request %s although only %d of %d had been admitted in the %s before", v.Name(p.Finding().Nodes[0]), requestName(p.id), p.sum, p.Layout.Limit, values.Length(p.Layout.Window))
}
