package ring

import (
	"cmp"
	"slices"
)

// NodeIndex names a node: node-<index> of the labels, from 0 to MaxNodes-1.
type NodeIndex uint16

// MaxNodes is the greatest number of nodes of a ring.
const MaxNodes = 1024

// Token is a place on the circle that a node owns: the positions after the token before it
// and up to At.
type Token struct {
	At   uint64
	Node NodeIndex
}

// Circle is a list of tokens in order of their places; of equal places the node with the
// lower index comes first. It wraps.
type Circle []Token

// NewCircle puts tokens in order, in the slice that it is given.
func NewCircle(tokens []Token) Circle {
	slices.SortFunc(tokens, func(a, b Token) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Node, b.Node))
	})
	return tokens
}

// First is the place in the circle of the token that owns a position: the first at or after
// it. An empty circle has none: -1.
//
// The paper has "larger than the item's position" (section 4.2); here a position that is
// exactly a token belongs to that token, so that with one token every range has an end that
// it contains. With 64 bits of a hash the two rules place every key alike.
func (c Circle) First(position uint64) int {
	if len(c) == 0 {
		return -1
	}
	low, high := 0, len(c)
	for low < high {
		mid := int(uint(low+high) >> 1)
		if c[mid].At < position {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == len(c) {
		return 0
	}
	return low
}

// Walk starts at the token of a place in the circle.
func (c Circle) Walk(first int) Walk { return Walk{circle: c, next: first, left: len(c)} }

// Walk yields the nodes of a circle from a token on, each node once: Dynamo's preference
// list, "only distinct physical nodes" (section 4.3).
type Walk struct {
	circle     Circle
	next, left int
	seen       [MaxNodes / 64]uint64
}

// Next is the next node that the walk has not yielded, false after the last one.
func (w *Walk) Next() (NodeIndex, bool) {
	for ; w.left > 0; w.left-- {
		n := w.circle[w.next].Node
		if w.next++; w.next == len(w.circle) {
			w.next = 0
		}
		if bit := uint64(1) << (n % 64); w.seen[n/64]&bit == 0 {
			w.seen[n/64] |= bit
			w.left--
			return n, true
		}
	}
	return 0, false
}
