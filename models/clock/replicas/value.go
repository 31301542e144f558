package replicas

import (
	"fencepost/models/clock"
	"fencepost/sim"
)

// ID is whose counter an entry of a clock is: a node, and in which life of its disk.
type ID = clock.Actor

// Ref names a write: whose it is, and which of that client's writes, from 1.
type Ref uint32

const refBits = 16

func refOf(client sim.NodeID, nth uint32) Ref { return Ref(client)<<refBits | Ref(nth) }

func (r Ref) client() sim.NodeID { return sim.NodeID(r >> refBits) }

func (r Ref) nth() uint32 { return uint32(r & (1<<refBits - 1)) }

// Value is what a write puts in the place of what its writer had read. As a shopping
// cart it is a set of additions, each a bit: the same item that is added again is
// another addition.
type Value struct {
	Write   Ref
	Added   uint64 // additions
	Removed uint64 // of these, those that have been taken out again: tombstones
}

// present is what is in the cart.
func (v Value) present() uint64 { return v.Added &^ v.Removed }

// merge is the cart that a client makes of siblings. A union knows only what is there: an
// addition that one sibling lacks since it has been taken out, and another still has,
// comes back. Tombstones say what has been taken out.
//
// Source: "Dynamo", 2007, section 4.4: "deleted items can resurface".
func merge(siblings []Value) (cart Value) {
	for _, v := range siblings {
		cart.Added |= v.Added
		cart.Removed |= v.Removed
	}
	return cart
}

// Write is a value on its way to a replica.
type Write struct {
	Value
	Label   uint16 // the name of the value, 0 for none: see [Layout]
	Removes uint64 // what its writer takes out of the cart
	Read    *Kept  // what its writer had read; nil, nothing: a blind write
}
