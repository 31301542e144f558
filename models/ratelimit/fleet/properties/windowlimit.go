// Package properties are those that every form of a fleet is checked by, over true time. A property
// of one form is in the package of the form.
package properties

import (
	"fmt"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// windowLimit holds if no more than Bound of one key is admitted in any half-open window
// (t-W, t] of true time.
type windowLimit struct {
	Layout core.Layout

	Windows core.Windows
}

// NewWindowLimit makes the property window-limit: no window of true time admits more than the bound.
func NewWindowLimit(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("window-limit", &windowLimit{Layout: l}, message.Admitted).
		Needs("a request must be admitted, by a form other than dimensions")
}

// Bound implements [sim.Bounded].
func (p *windowLimit) Bound() sim.Bound {
	if p.Layout.Dimensions != nil {
		return sim.Bound{}
	}
	return sim.Bound{Text: p.Layout.Allowed("in any"), Loose: p.Layout.Bound > p.Layout.Limit, Worst: "worst-window"}
}

// Level implements the part of [sim.Leveled] that is the checker's.
func (p *windowLimit) Level() sim.Level {
	if p.Layout.Dimensions != nil {
		return sim.Level{}
	}
	return sim.Level{Text: "by how much the bound is exceeded in a window", Unit: sim.Count}
}

// Begin implements [model.Checker].
func (p *windowLimit) Begin(*model.Report[message.Msg]) { p.Windows.Grow(&p.Layout) }

// Check implements [model.Checker].
func (p *windowLimit) Check(r *model.Report[message.Msg]) {
	if p.Layout.Dimensions != nil { // dimension-limits checks those
		return
	}
	r.Saw()
	m := &r.Msg
	sum := p.Windows[m.Key].Admit(r.Now(), int64(m.Cost))
	r.Near(sum - p.Layout.Bound)
	if sum > p.Layout.Bound && r.Violated(r.Node) {
		r.Why("with what %s admitted at %v, %d of key %d in %s; the bound is %d", r.Name(r.Node), r.Now(), sum, m.Key, values.Length(p.Layout.Window), p.Layout.Bound)
	}
}

// burstBound holds if what a bucket of b that refills n per W admits in any half-open
// window of W is at most floor((b*W + n*(W-1))/W): what the algorithm promises, not the
// limit. Of other algorithms it says nothing.
type burstBound struct {
	Layout core.Layout

	Windows core.Windows
}

// NewBurstBound makes the property burst-bound: a bucket admits no more than its burst and its refill.
func NewBurstBound(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("burst-bound", &burstBound{Layout: l}, message.Admitted).
		Needs("params.algorithm must be token-bucket, gcra or leaky-meter, and a request must be admitted")
}

// Bound implements [sim.Bounded].
func (p *burstBound) Bound() sim.Bound {
	if p.Layout.Burst == 0 {
		return sim.Bound{}
	}
	text := fmt.Sprintf("at most %d in any %s, of a bucket of %d that refills %d in it", p.most(), values.Length(p.Layout.Window), p.Layout.Burst, p.Layout.Limit)
	return sim.Bound{Text: text, Worst: "worst-window"}
}

// most is floor((b*W + n*(W-1))/W) with n the limit: n - n/W of it is whole.
func (p *burstBound) most() int64 {
	n, w := p.Layout.Limit, int64(p.Layout.Window)
	return p.Layout.Burst + n - (n+w-1)/w
}

// Begin implements [model.Checker].
func (p *burstBound) Begin(*model.Report[message.Msg]) { p.Windows.Grow(&p.Layout) }

// Check implements [model.Checker].
func (p *burstBound) Check(r *model.Report[message.Msg]) {
	if p.Layout.Burst == 0 {
		return
	}
	r.Saw()
	sum := p.Windows[r.Msg.Key].Admit(r.Now(), int64(r.Msg.Cost))
	if sum > p.most() && r.Violated(r.Node) {
		r.Why("%d were admitted in %s; a bucket of %d that refills %d in that time admits at most %d", sum, values.Length(p.Layout.Window), p.Layout.Burst, p.Layout.Limit, p.most())
	}
}
