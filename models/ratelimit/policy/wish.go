package policy

import (
	"fencepost/models/ratelimit/measure"
	"fencepost/models/ratelimit/wish"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// wished is a wish, and what each client was admitted within its window.
type wished struct {
	wish.Wish
	first   sim.NodeID // of the clients
	clients int

	windows []measure.Window
}

// Reset begins anew.
func (w *wished) Reset() {
	if w.windows == nil && w.Given() {
		w.windows = make([]measure.Window, w.clients)
		for i := range w.windows {
			w.windows[i] = measure.NewWindow(w.Window)
		}
	}
	for i := range w.windows {
		w.windows[i].Clear()
	}
}

// rejectedWithinRule holds if no request is refused that the wish of the scenario allows: less than its limit was admitted of
// the client in the window before.
type rejectedWithinRule struct{ Wished wished }

// Bound implements [sim.Bounded].
func (p *rejectedWithinRule) Bound() sim.Bound { return sim.Bound{Text: p.Wished.String()} }

// Check implements [model.Checker].
func (p *rejectedWithinRule) Check(r *model.Report[Msg]) {
	w := &p.Wished
	if !w.Given() {
		return
	}
	r.Saw()
	window, client := &w.windows[r.Msg.Client], w.first+sim.NodeID(r.Msg.Client)
	if r.Msg.OK {
		window.Admit(r.Now(), 1)
		return
	}
	if sum := window.Sum(r.Now()); sum < w.Limit && r.Violated(client) {
		r.Why("%s is refused after %d in %s, and the wish allows %d", r.Name(client), sum, values.Length(w.Window), w.Limit)
	}
}

// admittedOverRule holds if no request is admitted that the wish of the scenario forbids: its limit was admitted of the client
// in the window before.
type admittedOverRule struct{ Wished wished }

// Bound implements [sim.Bounded].
func (p *admittedOverRule) Bound() sim.Bound { return sim.Bound{Text: p.Wished.String()} }

// Check implements [model.Checker].
func (p *admittedOverRule) Check(r *model.Report[Msg]) {
	w := &p.Wished
	if !w.Given() {
		return
	}
	r.Saw()
	if !r.Msg.OK {
		return
	}
	client := w.first + sim.NodeID(r.Msg.Client)
	if sum := w.windows[r.Msg.Client].Admit(r.Now(), 1); sum > w.Limit && r.Violated(client) {
		r.Why("%s is admitted %d in %s, and the wish allows %d", r.Name(client), sum, values.Length(w.Window), w.Limit)
	}
}
