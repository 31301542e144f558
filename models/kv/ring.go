package kv

import "fencepost/sim"

// Ring says which nodes store a key. It is immutable.
type Ring struct {
	Nodes int
}

// Immutable implements [sim.Immutable].
func (*Ring) Immutable() {}

// At is the i-th node of the walk around the ring from a key on, i from 0 to Nodes-1, each
// node once: the first N are its preference list.
func (r *Ring) At(key uint32, i int) sim.NodeID {
	return sim.NodeID((int(key)+i)%r.Nodes + 1)
}

// Has reports whether a node is among the first n of a key.
func (r *Ring) Has(key uint32, n int, id sim.NodeID) bool {
	for i := range n {
		if r.At(key, i) == id {
			return true
		}
	}
	return false
}
