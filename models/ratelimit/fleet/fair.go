package fleet

import (
	"fmt"

	"fencepost/models/internal/kit"
	"fencepost/models/ratelimit/judge"
	"fencepost/sim"
)

// jain is Jain's index of what each of several got over a whole run, in parts per thousand.
//
// Source: Jain, Chiu and Hawe, DEC TR-301, 1984.
func jain(shares []int64) int64 { return int64(1000 * judge.Jain(shares)) }

// leastIndex is the bound of an index that the measure of a name has.
func leastIndex(least int64, measure string) sim.Bound {
	if least == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("Jain's index at least %d of 1000", least), Least: measure}
}

// checkIndex checks at the end of a run the index of what each of several got; least 0 checks
// nothing.
func checkIndex(r *kit.Report[Msg], shares []int64, least int64, what, whose string) {
	if least == 0 {
		return
	}
	r.Saw()
	if index := jain(shares); index < least && r.Violated() {
		r.Why("%s has an index of %d, less than %d; by %s: %v", what, index, least, whose, shares)
	}
}

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
