package check

import (
	"fencepost/models/fact"
	"fencepost/sim"
)

// Pair is two holders: the second has just come in while the first was there. If one of them leaves at the same instant
// they do not overlap: what a client has is [from, to).
type Pair struct {
	At            sim.Time
	Second, First sim.NodeID // None: there is no pair
}

// overlaps reports whether the two are still there now that time has moved on, and forgets them. It awaits that.
func (p *Pair) overlaps(r *fact.Report) bool {
	switch {
	case p.Second == sim.None:
		return false
	case !p.At.Before(r.At):
		r.Await(p.At)
		return false
	}
	p.Second = sim.None
	return true
}

// part forgets the two if one of them leaves, and returns the other; [sim.None] if it is neither. A third may be there,
// which came in at the same instant.
func (p *Pair) part(id sim.NodeID) (stays sim.NodeID) {
	switch {
	case p.Second == sim.None:
		return sim.None
	case id == p.Second:
		stays = p.First
	case id == p.First:
		stays = p.Second
	default:
		return sim.None
	}
	p.Second = sim.None
	return stays
}
