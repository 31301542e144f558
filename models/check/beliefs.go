package check

import (
	"fencepost/models/fact"
	"fencepost/sim"
)

// Beliefs is which clients believe to hold the lock: from the instant a client has acquired it until it has left or
// crashes. A paused or partitioned client continues to believe.
type Beliefs struct {
	Held  Table[fact.Holder] // by client
	Count int
}

// Change is what a fact did to the beliefs.
type Change uint8

// The changes.
const (
	Unchanged Change = iota
	Entered
	HasLeft
)

func (b *Beliefs) hear(f *fact.Fact) Change {
	if int(f.Node) >= len(b.Held) {
		return Unchanged
	}
	h := &b.Held[f.Node]
	switch {
	case f.Kind == fact.Acquired:
		b.Count++
		*h = f.By
		return Entered
	case *h != none && leaves(f):
		b.Count--
		*h = none
		return HasLeft
	}
	return Unchanged
}

// leaves reports whether a fact ends the critical section of its client.
func leaves(f *fact.Fact) bool { return f.Kind == fact.Left || f.Kind == fact.Crashed }

// Other is another client that believes to hold the lock, [sim.None] if there is none.
func (b *Beliefs) Other(id sim.NodeID) sim.NodeID {
	for c, h := range b.Held {
		if h != none && sim.NodeID(c) != id {
			return sim.NodeID(c)
		}
	}
	return sim.None
}
