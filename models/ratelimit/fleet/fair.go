package fleet

import (
	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// fair holds if Jain's index of what the clients were admitted, over the whole run, is
// not below Fair parts per thousand. With Fair 0 it says nothing.
type fair struct {
	Layout Layout

	Admitted []int64 // by client
}

func newFair(l Layout) sim.Property[Msg] {
	return kit.NewProperty("fair", &fair{Layout: l}, Admitted)
}

// Bound implements [sim.Bounded].
func (p *fair) Bound() sim.Bound { return leastIndex(p.Layout.Fair, "jain-index") }

// Begin implements [kit.Checker].
func (p *fair) Begin(*kit.Report[Msg]) { p.Admitted = resized(p.Admitted, p.Layout.Clients) }

// Check implements [kit.Checker].
func (p *fair) Check(r *kit.Report[Msg]) { p.Admitted[clientOf(r.Msg.ID)-1] += int64(r.Msg.Cost) }

// End implements [kit.Checker].
func (p *fair) End(r *kit.Report[Msg]) {
	checkIndex(r, p.Admitted, p.Layout.Fair, "what the clients were admitted", "client")
}
