package fleet

import "fencepost/sim"

// story is what all that is told of a run has in common: who is who, and what has been said.
type story struct {
	layout Layout
	said   map[told]bool
}

func newStory(l Layout) *story { return &story{l, make(map[told]bool)} }

// limiter is the name of a limiter, 0 and up.
func (t *story) limiter(v *sim.View[Msg], i int) string {
	return v.Name(t.layout.First + sim.NodeID(i))
}

// told is something that is said once, or once more after a restart.
type told struct {
	kind sim.Kind
	key  uint64
	of   uint64
}

// first reports whether something has not been said before.
func (t *story) first(kind sim.Kind, key, of uint64) bool {
	it := told{kind, key, of}
	was := t.said[it]
	t.said[it] = true
	return !was
}
