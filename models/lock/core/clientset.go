package core

import (
	"math/bits"
	"slices"

	"fencepost/sim"
)

// ClientSet is a set of clients, a bit for each, by node.
type ClientSet []uint64

// NewClientSet is an empty set of the given number of clients.
func NewClientSet(clients int) ClientSet { return make(ClientSet, (clients+63)/64) }

// Put adds a client to the set, or takes it out.
func (s ClientSet) Put(id sim.NodeID, in bool) {
	word, bit := &s[(id-1)/64], uint64(1)<<((id-1)%64)
	if in {
		*word |= bit
	} else {
		*word &^= bit
	}
}

// Rename puts other clients into the places of those in the set.
func (s ClientSet) Rename(to func(sim.NodeID) sim.NodeID) {
	before := slices.Clone(s)
	clear(s)
	before.Each(func(id sim.NodeID) { s.Put(to(id), true) })
}

// Each calls do for the clients of the set, in order.
func (s ClientSet) Each(do func(id sim.NodeID)) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			do(sim.NodeID(64*i + bits.TrailingZeros64(word) + 1))
		}
	}
}
