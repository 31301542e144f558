package fleet

import (
	"fmt"
	"strings"

	"fencepost/models/internal/values"
	"fencepost/models/ratelimit/judge"
	"fencepost/sim"
)

// dimensionWindows are what was admitted in the window that ends now: by dimension, and
// who.
type dimensionWindows struct {
	dims    []dimension
	windows []judge.Window
	width   int
}

func (w *dimensionWindows) reset(l *Layout) {
	w.dims, w.width = l.Dimensions, max(l.Keys, l.Clients)+1
	for len(w.windows) < len(w.dims)*w.width {
		w.windows = append(w.windows, judge.NewWindow(w.dims[len(w.windows)/w.width].Window))
	}
	for i := range w.windows {
		w.windows[i].Clear()
	}
}

func (w *dimensionWindows) of(dim int, m *Msg) *judge.Window {
	return &w.windows[dim*w.width+w.dims[dim].who(m)]
}

// DimensionLimits holds if in each dimension no more than its limit is admitted in any
// half-open window of true time. Without dimensions it says nothing.
type DimensionLimits struct {
	Layout Layout

	sim.Check
	windows dimensionWindows
	dim     int // of the first violation
	sum     int64
}

// Name implements [sim.Property].
func (p *DimensionLimits) Name() string { return "dimension-limits" }

// Bound implements [sim.Bounded].
func (p *DimensionLimits) Bound() sim.Bound {
	var list []string
	for _, d := range p.Layout.Dimensions {
		list = append(list, fmt.Sprintf("%d in any %s", d.Limit, values.Length(d.Window)))
	}
	if len(list) == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: "at most " + strings.Join(list, ", ")}
}

// Reset implements [sim.Observer].
func (p *DimensionLimits) Reset(*sim.View[Msg]) {
	p.Clear()
	p.windows.reset(&p.Layout)
	p.dim, p.sum = 0, 0
}

// Observe implements [sim.Observer].
func (p *DimensionLimits) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted || o.Msg.Kind != Admitted {
		return
	}
	for dim := range p.windows.dims {
		p.Saw()
		sum := p.windows.of(dim, &o.Msg).Admit(v.Now(), int64(o.Msg.Cost))
		if sum > p.windows.dims[dim].Limit && p.Violate(v.Now(), o.Node) {
			p.dim, p.sum = dim, sum
		}
	}
}

// End implements [sim.Observer].
func (p *DimensionLimits) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *DimensionLimits) Why(*sim.View[Msg]) string {
	d := p.Layout.Dimensions[p.dim]
	return fmt.Sprintf("%d were admitted in %s where limit %d of the list allows %d", p.sum, values.Length(d.Window), p.dim+1, d.Limit)
}

// VictimServed holds if no request is rejected that would have fitted in every
// dimension, beside what was admitted: somebody else's rejected requests, or one's own,
// have used up what was never served. What is still on its way through the dimensions
// has not been admitted: requests of one instant may be judged too early. Without
// dimensions it says nothing.
type VictimServed struct {
	Layout Layout

	sim.Check
	windows dimensionWindows
	id      uint64 // of the first violation
}

// Name implements [sim.Property].
func (p *VictimServed) Name() string { return "victim-served" }

// Reset implements [sim.Observer].
func (p *VictimServed) Reset(*sim.View[Msg]) {
	p.Clear()
	p.windows.reset(&p.Layout)
	p.id = 0
}

// Observe implements [sim.Observer].
func (p *VictimServed) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	admitted, ok := decided(o)
	if !ok || len(p.windows.dims) == 0 {
		return
	}
	p.Saw()
	fits := true
	for dim := range p.windows.dims {
		w := p.windows.of(dim, &o.Msg)
		if admitted {
			w.Admit(v.Now(), int64(o.Msg.Cost))
		} else if w.Sum(v.Now())+int64(o.Msg.Cost) > p.windows.dims[dim].Limit {
			fits = false
		}
	}
	if !admitted && fits && p.Violate(v.Now(), o.Node, clientOf(o.Msg.ID)) {
		p.id = o.Msg.ID
	}
}

// End implements [sim.Observer].
func (p *VictimServed) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *VictimServed) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("request %s of %s was rejected, and there was room in every dimension beside what had been admitted", requestName(p.id), v.Name(clientOf(p.id)))
}
