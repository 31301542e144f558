package core

import (
	"fencepost/models/kv/ring"
	"fencepost/sim"
)

// Ring says which nodes store a key. It is immutable. Node i of package ring, which counts
// from 0, is node-<i+1>.
type Ring struct {
	Nodes  int     // members
	All    int     // nodes that exist: members, and those that may join; their ids are 1 to All
	Number int     // among the rings of a run: the version of the membership table
	Shares *Shares // of its keys; nil without anti-entropy
	Tokens *ring.Ring
}

// Immutable implements [sim.Immutable].
func (*Ring) Immutable() {}

// At is the i-th node of the walk around the ring from a key on, i from 0 to Nodes-1, each
// node once: the first N are its preference list.
func (r *Ring) At(key uint32, i int) sim.NodeID {
	return sim.NodeID(r.Tokens.At(int(key), i)) + 1
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

// Member is the i-th node of the ring, from 0, in the order in which they joined.
func (r *Ring) Member(i int) sim.NodeID { return sim.NodeID(r.Tokens.Members()[i]) + 1 }

// IsMember reports whether a node is a member.
func (r *Ring) IsMember(id sim.NodeID) bool { return r.Tokens.Has(ring.NodeIndex(id - 1)) }

// Keys is the number of keys that a store may have.
func (r *Ring) Keys() int { return r.Tokens.Keys() }

// NewRing is a ring of the store.
func NewRing(tokens *ring.Ring, all, number int) *Ring {
	return &Ring{Nodes: len(tokens.Members()), All: all, Number: number, Tokens: tokens}
}
