package core

import (
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// Describer is what the descriptions of a run have in common: who is who, and what has been said.
type Describer struct {
	Layout Layout
	Said   map[told]bool
}

// NewDescriber makes the describer of one run, which has described nothing yet.
func NewDescriber(l Layout) *Describer { return &Describer{l, make(map[told]bool)} }

// Limiter is the name of a limiter, 0 and up.
func (t *Describer) Limiter(v *sim.View[message.Msg], i int) string {
	return v.Name(t.Layout.First + sim.NodeID(i))
}

// told is something that is said once, or once more after a restart.
type told struct {
	kind sim.Kind
	key  uint64
	of   uint64
}

// First reports whether something has not been said before.
func (t *Describer) First(kind sim.Kind, key, of uint64) bool {
	it := told{kind, key, of}
	was := t.Said[it]
	t.Said[it] = true
	return !was
}
