package fleet

import (
	"fmt"
	"time"

	"fencepost/models/internal/values"
	"fencepost/models/ratelimit/judge"
	"fencepost/sim"
)

// windows are what was admitted of each key in the window that ends now.
type windows []judge.Window

func (w *windows) reset(keys int, length time.Duration) {
	for len(*w) < keys+1 {
		*w = append(*w, judge.NewWindow(length))
	}
	for i := range *w {
		(*w)[i].Clear()
	}
}

// allowed is the bound of the admissions in a window, and the limit if that is another.
func (l *Layout) allowed(in string) string {
	text := fmt.Sprintf("at most %d %s %s", l.Bound, in, values.Length(l.Window))
	if l.Bound != l.Limit {
		text += fmt.Sprintf("; the limit is %d", l.Limit)
	}
	return text
}

// WindowLimit holds if no more than Bound of one key is admitted in any half-open window
// (t-W, t] of true time.
type WindowLimit struct {
	Layout Layout

	sim.Check
	windows windows
	key     uint64 // of the first violation
	sum     int64
}

// Name implements [sim.Property].
func (p *WindowLimit) Name() string { return "window-limit" }

// Bound implements [sim.Bounded].
func (p *WindowLimit) Bound() sim.Bound {
	if p.Layout.Dimensions != nil {
		return sim.Bound{}
	}
	return sim.Bound{Text: p.Layout.allowed("in any"), Loose: p.Layout.Bound > p.Layout.Limit, Worst: "worst-window"}
}

// Reset implements [sim.Observer].
func (p *WindowLimit) Reset(*sim.View[Msg]) {
	p.Clear()
	p.windows.reset(p.Layout.Keys, p.Layout.Window)
	p.key, p.sum = 0, 0
}

// Observe implements [sim.Observer].
func (p *WindowLimit) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted || o.Msg.Kind != Admitted || p.Layout.Dimensions != nil { // dimension-limits judges those
		return
	}
	p.Saw()
	sum := p.windows[o.Msg.Key].Admit(v.Now(), int64(o.Msg.Cost))
	if sum > p.Layout.Bound && p.Violate(v.Now(), o.Node) {
		p.key, p.sum = o.Msg.Key, sum
	}
}

// End implements [sim.Observer].
func (p *WindowLimit) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *WindowLimit) Why(v *sim.View[Msg]) string {
	f := p.Finding()
	return fmt.Sprintf("with what %s admitted at %v, %d of key %d in %s; the bound is %d", v.Name(f.Nodes[0]), f.First, p.sum, p.key, values.Length(p.Layout.Window), p.Layout.Bound)
}

// BurstBound holds if what a bucket of b that refills n per W admits in any half-open
// window of W is at most floor((b*W + n*(W-1))/W): what the algorithm promises, not the
// limit. Of other algorithms it says nothing.
type BurstBound struct {
	Layout Layout

	sim.Check
	windows windows
	sum     int64
}

// Name implements [sim.Property].
func (p *BurstBound) Name() string { return "burst-bound" }

// Bound implements [sim.Bounded].
func (p *BurstBound) Bound() sim.Bound {
	if p.Layout.Burst == 0 {
		return sim.Bound{}
	}
	text := fmt.Sprintf("at most %d in any %s, of a bucket of %d that refills %d in it", p.bound(), values.Length(p.Layout.Window), p.Layout.Burst, p.Layout.Limit)
	return sim.Bound{Text: text, Worst: "worst-window"}
}

// Reset implements [sim.Observer].
func (p *BurstBound) Reset(*sim.View[Msg]) {
	p.Clear()
	p.windows.reset(p.Layout.Keys, p.Layout.Window)
	p.sum = 0
}

// bound is floor((b*W + n*(W-1))/W) with n the limit: n - n/W of it is whole.
func (p *BurstBound) bound() int64 {
	n, w := p.Layout.Limit, int64(p.Layout.Window)
	return p.Layout.Burst + n - (n+w-1)/w
}

// Observe implements [sim.Observer].
func (p *BurstBound) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if p.Layout.Burst == 0 || o.Event != sim.Noted || o.Msg.Kind != Admitted {
		return
	}
	p.Saw()
	sum := p.windows[o.Msg.Key].Admit(v.Now(), int64(o.Msg.Cost))
	if sum > p.bound() && p.Violate(v.Now(), o.Node) {
		p.sum = sum
	}
}

// End implements [sim.Observer].
func (p *BurstBound) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *BurstBound) Why(*sim.View[Msg]) string {
	return fmt.Sprintf("%d were admitted in %s; a bucket of %d that refills %d in that time admits at most %d", p.sum, values.Length(p.Layout.Window), p.Layout.Burst, p.Layout.Limit, p.bound())
}

// Spacing holds if a queue never starts two requests of a key closer than its service
// time. Of other algorithms it says nothing.
type Spacing struct {
	Layout Layout

	sim.Check
	last []sim.Time // start by key; -1 for none
	gap  time.Duration
}

// Name implements [sim.Property].
func (p *Spacing) Name() string { return "spacing" }

// Bound implements [sim.Bounded].
func (p *Spacing) Bound() sim.Bound {
	if p.Layout.Service == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("starts at least %v apart", p.Layout.Service)}
}

// Reset implements [sim.Observer].
func (p *Spacing) Reset(*sim.View[Msg]) {
	p.Clear()
	p.last = resized(p.last, p.Layout.Keys+1)
	for i := range p.last {
		p.last[i] = -1
	}
	p.gap = 0
}

// Observe implements [sim.Observer].
func (p *Spacing) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if p.Layout.Service == 0 || o.Event != sim.Noted || o.Msg.Kind != Started {
		return
	}
	last := &p.last[o.Msg.Key]
	if *last >= 0 {
		p.Saw()
		if gap := v.Now().Sub(*last); gap < p.Layout.Service && p.Violate(v.Now(), o.Node) {
			p.gap = gap
		}
	}
	*last = v.Now()
}

// End implements [sim.Observer].
func (p *Spacing) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *Spacing) Why(*sim.View[Msg]) string {
	return fmt.Sprintf("two requests of a key started %v apart; the service time is %v", p.gap, p.Layout.Service)
}

// resized is a list of n zeros, in the memory of an old one if it fits.
func resized[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}
