package dimensions

import (
	"fmt"
	"strings"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/models/ratelimit/measure"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// dimensionWindows are what was admitted in the window that ends now: by dimension, and
// who.
type dimensionWindows struct {
	dims    []core.Dimension
	windows []measure.Window
	width   int
}

// Reset forgets what was admitted.
func (w *dimensionWindows) Reset() {
	for i := range w.windows {
		w.windows[i].Clear()
	}
}

// grow makes room for the dimensions of a layout.
func (w *dimensionWindows) grow(l *core.Layout) {
	w.dims, w.width = l.Dimensions, max(l.Keys, l.Clients)+1
	for len(w.windows) < len(w.dims)*w.width {
		w.windows = append(w.windows, measure.NewWindow(w.dims[len(w.windows)/w.width].Window))
	}
}

func (w *dimensionWindows) of(dim int, m *message.Msg) *measure.Window {
	return &w.windows[dim*w.width+w.dims[dim].Who(m)]
}

// dimensionLimits holds if in each dimension no more than its limit is admitted in any
// half-open window of true time. Without dimensions it says nothing.
type dimensionLimits struct {
	Layout core.Layout

	Windows dimensionWindows
}

// NewDimensionLimits makes the property dimension-limits: no dimension admits more than its limit in a window.
func NewDimensionLimits(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("dimension-limits", &dimensionLimits{Layout: l}, message.Admitted).
		Needs("params.form must be dimensions, and a request must be admitted")
}

// Bound implements [sim.Bounded].
func (p *dimensionLimits) Bound() sim.Bound {
	var list []string
	for _, d := range p.Layout.Dimensions {
		list = append(list, fmt.Sprintf("%d in any %s", d.Limit, values.Length(d.Window)))
	}
	if len(list) == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: "at most " + strings.Join(list, ", ")}
}

// Begin implements [model.Checker].
func (p *dimensionLimits) Begin(*model.Report[message.Msg]) { p.Windows.grow(&p.Layout) }

// Check implements [model.Checker].
func (p *dimensionLimits) Check(r *model.Report[message.Msg]) {
	for dim, d := range p.Layout.Dimensions {
		r.Saw()
		sum := p.Windows.of(dim, &r.Msg).Admit(r.Now(), int64(r.Msg.Cost))
		if sum > d.Limit && r.Violated(r.Node) {
			r.Why("%d were admitted in %s where limit %d of the list allows %d", sum, values.Length(d.Window), dim+1, d.Limit)
		}
	}
}

// victimServed holds if no request is rejected that would have fitted in every
// dimension, beside what was admitted: the rejected requests of others, or its own,
// have used up what was never served. What is still on its way through the dimensions
// has not been admitted: requests of one instant may be checked too early. Without
// dimensions it says nothing.
type victimServed struct {
	Layout core.Layout

	Windows dimensionWindows
}

// NewVictimServed makes the property victim-served: what fits in every dimension is not rejected.
func NewVictimServed(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("victim-served", &victimServed{Layout: l}, message.Admitted, message.Rejected).
		Needs("params.form must be dimensions, and a request must be decided")
}

// Begin implements [model.Checker].
func (p *victimServed) Begin(*model.Report[message.Msg]) { p.Windows.grow(&p.Layout) }

// Check implements [model.Checker].
func (p *victimServed) Check(r *model.Report[message.Msg]) {
	if len(p.Layout.Dimensions) == 0 {
		return
	}
	r.Saw()
	m := &r.Msg
	admitted, fits := m.Kind == message.Admitted, true
	for dim, d := range p.Layout.Dimensions {
		w := p.Windows.of(dim, m)
		if admitted {
			w.Admit(r.Now(), int64(m.Cost))
		} else if w.Sum(r.Now())+int64(m.Cost) > d.Limit {
			fits = false
		}
	}
	if client := message.ClientOf(m.ID); !admitted && fits && r.Violated(r.Node, client) {
		r.Why("request %s of %s was rejected, and there was room in every dimension beside what had been admitted", message.RequestName(m.ID), r.Name(client))
	}
}
