package properties

import (
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
)

// fair holds if Jain's index of what the clients were admitted, over the whole run, is
// not below Fair parts per thousand. With Fair 0 it says nothing.
type fair struct {
	Layout core.Layout

	Admitted []int64 // by client
}

// NewFair makes the property fair: Jain's index of what clients were admitted is not below a bound.
func NewFair(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("fair", &fair{Layout: l}, message.Admitted).
		Needs("params.fair must be more than 0, and a request must be admitted")
}

// Bound implements [sim.Bounded].
func (p *fair) Bound() sim.Bound { return core.LeastIndex(p.Layout.Fair, "jain-index") }

// Begin implements [model.Checker].
func (p *fair) Begin(*model.Report[message.Msg]) {
	p.Admitted = core.Resized(p.Admitted, p.Layout.Clients)
}

// Check implements [model.Checker].
func (p *fair) Check(r *model.Report[message.Msg]) {
	p.Admitted[message.ClientOf(r.Msg.ID)-1] += int64(r.Msg.Cost)
}

// End implements [model.Checker].
func (p *fair) End(r *model.Report[message.Msg]) {
	core.CheckIndex(r, p.Admitted, p.Layout.Fair, "what the clients were admitted", "client")
}
