package properties

import (
	"fmt"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// alignedWindowLimit holds if no more than the limit of one key is admitted in a window that
// begins at a multiple of its length, of true time: what a fixed window promises where the
// clocks agree. It is checked if the scenario says aligned.
type alignedWindowLimit struct {
	Layout core.Layout

	Sums  []alignedSum // by key
	First alignedSum   // over the limit
	Key   uint64       // of it
}

// alignedSum is what was admitted in a window.
type alignedSum struct {
	number int64 // of the window
	sum    int64
}

// NewAlignedWindowLimit makes the property aligned-window-limit, of the windows that begin at a multiple of their length.
func NewAlignedWindowLimit(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("aligned-window-limit", &alignedWindowLimit{Layout: l}, message.Admitted).
		Needs("params.aligned must be true, and a request must be admitted")
}

// Bound implements [sim.Bounded].
func (p *alignedWindowLimit) Bound() sim.Bound {
	if !p.Layout.Aligned {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("at most %d in each %s that begins at a multiple of it", p.Layout.Limit, values.Length(p.Layout.Window))}
}

// Begin implements [model.Checker].
func (p *alignedWindowLimit) Begin(*model.Report[message.Msg]) {
	p.Sums = core.Resized(p.Sums, p.Layout.Keys+1)
}

// Check implements [model.Checker].
func (p *alignedWindowLimit) Check(r *model.Report[message.Msg]) {
	if !p.Layout.Aligned {
		return
	}
	r.Saw()
	m := &r.Msg
	s := &p.Sums[m.Key]
	if number := int64(r.Now()) / int64(p.Layout.Window); s.number != number {
		*s = alignedSum{number: number}
	}
	s.sum += int64(m.Cost)
	if s.sum <= p.Layout.Limit {
		return
	}
	r.Violated(r.Node)
	if p.Key == 0 {
		p.Key, p.First = m.Key, *s
		p.why(r)
	}
	if p.Key == m.Key && p.First.number == s.number {
		p.First = *s // in the end, what that window has
	}
}

// End implements [model.Checker].
func (p *alignedWindowLimit) End(r *model.Report[message.Msg]) {
	if p.Key > 0 {
		p.why(r)
	}
}

// why tells of the first window that is over the limit.
func (p *alignedWindowLimit) why(r *model.Report[message.Msg]) {
	begin := sim.Time(p.First.number * int64(p.Layout.Window))
	r.Why("%d of key %d were admitted in the %s that begins at %v; the limit is %d", p.First.sum, p.Key, values.Length(p.Layout.Window), begin, p.Layout.Limit)
}
