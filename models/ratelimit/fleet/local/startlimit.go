package local

import (
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/models/ratelimit/measure"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// startLimit holds if no more than Bound of one key starts in any half-open window of
// true time: what the service behind the limiter sees. It is checked where a start takes
// time; elsewhere window-limit says the same.
type startLimit struct {
	Layout core.Layout

	Windows measure.Windows
}

// NewStartLimit makes the property start-limit: no more requests start in a window than the limit allows.
func NewStartLimit(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("start-limit", &startLimit{Layout: l}, message.Started).
		Needs("params.forward must be more than 0, and a request must start")
}

// Bound implements [sim.Bounded].
func (p *startLimit) Bound() sim.Bound {
	if p.Layout.Forward == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: p.Layout.Allowed("starts in any"), Loose: p.Layout.Bound > p.Layout.Limit}
}

// Begin implements [model.Checker].
func (p *startLimit) Begin(*model.Report[message.Msg]) {
	p.Windows.Grow(p.Layout.Keys, p.Layout.Window)
}

// Check implements [model.Checker].
func (p *startLimit) Check(r *model.Report[message.Msg]) {
	if p.Layout.Forward == 0 {
		return
	}
	r.Saw()
	sum := p.Windows[r.Msg.Key].Admit(r.Now(), int64(r.Msg.Cost))
	if sum > p.Layout.Bound && r.Violated(r.Node) {
		r.Why("with what %s let through at %v, %d of key %d started in %s; the bound is %d", r.Name(r.Node), r.Now(), sum, r.Msg.Key, values.Length(p.Layout.Window), p.Layout.Bound)
	}
}
