// Package serial has the serial numbers that nodes count up, and their new numbers: states that differ only in how far
// a node has counted are equal.
package serial

import (
	"cmp"
	"encoding/binary"

	"fencepost/sim"
)

// A Number is a serial number that occurs in a part; of [sim.None]: of the node that has the part.
type Number struct {
	Of sim.NodeID
	N  uint32
}

// By is the number with its node, of a part that a node has.
func (n Number) By(own sim.NodeID) Number {
	if n.Of == sim.None {
		n.Of = own
	}
	return n
}

// Compare orders serial numbers by node.
func Compare(a, b Number) int { return cmp.Or(cmp.Compare(a.Of, b.Of), cmp.Compare(a.N, b.N)) }

// Renumbering is what serial numbers become, in the order in which they occur.
func Renumbering(list []Number, to string) func(sim.NodeID, uint32) uint32 {
	numbers := []byte(to)
	return func(of sim.NodeID, n uint32) uint32 {
		rest := numbers
		for i := range list {
			v, size := binary.Uvarint(rest)
			if rest = rest[size:]; list[i] == (Number{of, n}) {
				return uint32(v)
			}
			if len(rest) == 0 {
				break
			}
		}
		return n
	}
}
