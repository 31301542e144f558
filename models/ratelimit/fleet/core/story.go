package core

import (
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// Story is what all that is told of a run has in common: who is who, and what has been said.
type Story struct {
	Layout Layout
	Said   map[told]bool
}

func NewStory(l Layout) *Story { return &Story{l, make(map[told]bool)} }

// Limiter is the name of a limiter, 0 and up.
func (t *Story) Limiter(v *sim.View[message.Msg], i int) string {
	return v.Name(t.Layout.First + sim.NodeID(i))
}

// told is something that is said once, or once more after a restart.
type told struct {
	kind sim.Kind
	key  uint64
	of   uint64
}

// First reports whether something has not been said before.
func (t *Story) First(kind sim.Kind, key, of uint64) bool {
	it := told{kind, key, of}
	was := t.Said[it]
	t.Said[it] = true
	return !was
}
