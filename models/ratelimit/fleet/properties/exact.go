package properties

import (
	"fmt"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/models/ratelimit/measure"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// ExactLog is the sliding log of each key over true time, fed with the decided requests
// in the order of the decisions: what a limiter that sees everything would say.
type ExactLog struct {
	rule *ratelimit.SlidingLog
	keys []ratelimit.SlidingLogState
}

// Reset forgets the requests.
func (e *ExactLog) Reset() {
	for i := range e.keys {
		e.keys[i].Clear(0)
	}
}

// Grow makes the log of a layout.
func (e *ExactLog) Grow(l *core.Layout) {
	if e.rule == nil {
		rule, err := ratelimit.NewSlidingLog(ratelimit.SlidingLogParams{Limit: l.Limit, Window: l.Window})
		if err != nil {
			panic(err) // the parameters have been checked
		}
		e.rule = rule
		e.keys = make([]ratelimit.SlidingLogState, l.Keys+1)
		e.Reset()
	}
}

// Decide is what the log says of a request that has just been decided.
func (e *ExactLog) Decide(now sim.Time, m *message.Msg) bool {
	return e.rule.Take(&e.keys[m.Key], ratelimit.Reading(now), int64(m.Cost)).Allowed
}

// equalsExactLog holds if exactly those requests are admitted that the exact sliding log
// admits, fed with the same requests. It is checked where the algorithm says so, which is
// the sliding log, or the scenario.
type equalsExactLog struct {
	Layout core.Layout

	Log ExactLog
}

// NewEqualsExactLog makes the property equals-exact-log: what is admitted is what the exact sliding log admits.
func NewEqualsExactLog(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("equals-exact-log", &equalsExactLog{Layout: l}, message.Admitted, message.Rejected).
		Needs("params.exact must be true or the algorithm sliding-log, and a request must be decided")
}

// Begin implements [model.Checker].
func (p *equalsExactLog) Begin(*model.Report[message.Msg]) { p.Log.Grow(&p.Layout) }

// Check implements [model.Checker].
func (p *equalsExactLog) Check(r *model.Report[message.Msg]) {
	if !p.Layout.Exact {
		return
	}
	r.Saw()
	m := &r.Msg
	if p.Log.Decide(r.Now(), m) == (m.Kind == message.Admitted) || !r.Violated(r.Node) {
		return
	}
	what, other := "rejected", "admitted"
	if m.Kind == message.Admitted {
		what, other = other, what
	}
	r.Why("%s %s request %s, which an exact log would have %s", r.Name(r.Node), what, message.RequestName(m.ID), other)
}

// noFalseRejection holds if whenever a request is rejected, it would not have fitted
// under the limit of the window that ends then, beside what was admitted.
type noFalseRejection struct {
	Layout core.Layout

	Windows measure.Windows
}

// NewNoFalseRejection makes the property no-false-rejection: what fits under the limit is not rejected.
func NewNoFalseRejection(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("no-false-rejection", &noFalseRejection{Layout: l}, message.Admitted, message.Rejected).
		Needs("a request must be decided, by a form other than dimensions")
}

// Bound implements [sim.Bounded].
func (p *noFalseRejection) Bound() sim.Bound {
	if p.Layout.Dimensions != nil {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("none below the limit of %d in the %s before", p.Layout.Limit, values.Length(p.Layout.Window))}
}

// Begin implements [model.Checker].
func (p *noFalseRejection) Begin(*model.Report[message.Msg]) {
	p.Windows.Grow(p.Layout.Keys, p.Layout.Window)
}

// Check implements [model.Checker].
func (p *noFalseRejection) Check(r *model.Report[message.Msg]) {
	if p.Layout.Dimensions != nil { // victim-served checks those
		return
	}
	r.Saw()
	m := &r.Msg
	w := &p.Windows[m.Key]
	if m.Kind == message.Admitted {
		w.Admit(r.Now(), int64(m.Cost))
		return
	}
	if sum := w.Sum(r.Now()); sum+int64(m.Cost) <= p.Layout.Limit && r.Violated(r.Node) {
		r.Why("%s rejected request %s although only %d of %d had been admitted in the %s before", r.Name(r.Node), message.RequestName(m.ID), sum, p.Layout.Limit, values.Length(p.Layout.Window))
	}
}
