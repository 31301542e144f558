package fleet

import (
	"fmt"

	"fencepost/models/internal/values"
	"fencepost/sim"
)

// AlignedWindowLimit holds if no more than the limit of one key is admitted in a window that
// begins at a multiple of its length, of true time: what a fixed window promises where the
// clocks agree. It is checked if the scenario says aligned.
type AlignedWindowLimit struct {
	Layout Layout

	sim.Check
	sums  []alignedSum // by key
	first alignedSum   // over the limit
	key   uint64       // of it
}

// alignedSum is what was admitted in a window.
type alignedSum struct {
	number int64 // of the window
	sum    int64
}

// Name implements [sim.Property].
func (p *AlignedWindowLimit) Name() string { return "aligned-window-limit" }

// Bound implements [sim.Bounded].
func (p *AlignedWindowLimit) Bound() sim.Bound {
	if !p.Layout.Aligned {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("at most %d in each %s that begins at a multiple of it", p.Layout.Limit, values.Length(p.Layout.Window))}
}

// Reset implements [sim.Observer].
func (p *AlignedWindowLimit) Reset(*sim.View[Msg]) {
	p.Clear()
	p.sums = resized(p.sums, p.Layout.Keys+1)
	p.first, p.key = alignedSum{}, 0
}

// Observe implements [sim.Observer].
func (p *AlignedWindowLimit) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if !p.Layout.Aligned || o.Event != sim.Noted || o.Msg.Kind != Admitted {
		return
	}
	p.Saw()
	s := &p.sums[o.Msg.Key]
	if number := int64(v.Now()) / int64(p.Layout.Window); s.number != number {
		*s = alignedSum{number: number}
	}
	s.sum += int64(o.Msg.Cost)
	if s.sum <= p.Layout.Limit {
		return
	}
	p.Violate(v.Now(), o.Node)
	if p.key == 0 {
		p.key, p.first = o.Msg.Key, *s
	}
	if p.key == o.Msg.Key && p.first.number == s.number {
		p.first = *s // in the end, what that window has
	}
}

// End implements [sim.Observer].
func (p *AlignedWindowLimit) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *AlignedWindowLimit) Why(*sim.View[Msg]) string {
	begin := sim.Time(p.first.number * int64(p.Layout.Window))
	return fmt.Sprintf("%d of key %d were admitted in the %s that begins at %v; the limit is %d", p.first.sum, p.key, values.Length(p.Layout.Window), begin, p.Layout.Limit)
}
