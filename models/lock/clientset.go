package lock

import (
	"math/bits"

	"fencepost/sim"
)

// clientSet is a set of clients, a bit for each, by node.
type clientSet []uint64

// newClientSet is an empty set of so many clients.
func newClientSet(clients int) clientSet { return make(clientSet, (clients+63)/64) }

func (s clientSet) put(id sim.NodeID, in bool) {
	word, bit := &s[(id-1)/64], uint64(1)<<((id-1)%64)
	if in {
		*word |= bit
	} else {
		*word &^= bit
	}
}

// each calls do for the clients of the set, in order.
func (s clientSet) each(do func(id sim.NodeID)) {
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			do(sim.NodeID(64*i + bits.TrailingZeros64(word) + 1))
		}
	}
}
