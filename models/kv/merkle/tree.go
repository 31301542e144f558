// Package merkle is a Merkle tree over a range of keys: two replicas compare one hash, and find the keys whose values
// differ with a number of hashes that grows with the logarithm of the range.
//
// A [Tree] is kept up to date while keys are written ([Tree.Update]). [Tree.Compare] and [Tree.Children] are the two steps
// of the protocol between two replicas; [Differences] runs it on two trees in one memory. The package has no node and no
// clock.
//
// Hashes are 64 bits wide and are not cryptographic: a replica is trusted, and what is compared is what it stores.
//
// Source: Merkle, "A Digital Signature Based on a Conventional Encryption Function", CRYPTO 1987; DeCandia et al.,
// "Dynamo", SOSP 2007, section 4.7.
//
//fencepost:readings
package merkle

import (
	"fmt"
	"math/bits"
)

// MaxLeaves is the largest number of leaves of a tree.
const MaxLeaves = 1 << 24

// Root is the index of the root.
const Root = 1

// Tree is a binary tree of hashes over a range of keys. Each leaf stands for an equal part of the range and holds a hash
// of all that is stored there; each inner node holds a hash of its two children. Make one with [New].
//
// Node i has the children 2i and 2i+1. The leaves are the upper half of the indices, in the order of their keys.
//
// Three invariants: the hash of a node without a stored key is 0; the hash of a node depends on what is stored, not on the
// order of the updates; a node whose two versions differ in one key has different hashes.
type Tree struct {
	first, last uint64   // range of keys, both included
	width       uint64   // keys of a leaf; 0: a single leaf has them all
	nodes       []uint64 // by index; the first is unused
}

// New is the tree of a range in which no key is stored. The range is from first to last, both included, and continues at 0
// after the largest key if last is below first. leaves is rounded up to a power of two. New panics if leaves is not 1 to
// [MaxLeaves].
func New(first, last uint64, leaves int) *Tree {
	if leaves < 1 || leaves > MaxLeaves {
		panic(fmt.Sprintf("merkle: leaves: want 1 to %d, got %d", MaxLeaves, leaves))
	}
	n := 1 << bits.Len(uint(leaves-1))
	t := &Tree{first: first, last: last, nodes: make([]uint64, 2*n)}
	if n > 1 {
		t.width = (last-first)/uint64(n) + 1
	}
	return t
}

// Leaves is the number of leaves, a power of two.
func (t *Tree) Leaves() int { return len(t.nodes) / 2 }

// Contains reports whether the key is in the range of the tree.
func (t *Tree) Contains(key uint64) bool { return key-t.first <= t.last-t.first }

// Leaf is the index of the leaf of a key in the range.
func (t *Tree) Leaf(key uint64) int {
	if t.width == 0 {
		return Root
	}
	return t.Leaves() + int((key-t.first)/t.width)
}

// Keys is the range of keys of a leaf, both included; ok is false for a leaf that has none, as a range with fewer keys
// than leaves has some.
func (t *Tree) Keys(leaf int) (first, last uint64, ok bool) {
	if t.width == 0 {
		return t.first, t.last, true
	}
	high, from := bits.Mul64(uint64(leaf-t.Leaves()), t.width)
	if high > 0 || from > t.last-t.first {
		return 0, 0, false
	}
	return t.first + from, t.first + min(t.last-t.first, from+min(t.width-1, ^from)), true
}

// Hash is the hash of a node.
func (t *Tree) Hash(index int) uint64 { return t.nodes[index] }

// Update records that the digest of what is stored of a key was before and is now after; 0 is the digest of nothing. It
// takes time in the logarithm of the leaves and allocates nothing. It panics if the key is not in the range.
func (t *Tree) Update(key, before, after uint64) {
	if !t.Contains(key) {
		panic(fmt.Sprintf("merkle: key %d is not in the range %d to %d", key, t.first, t.last))
	}
	if before == after {
		return
	}
	i := t.Leaf(key)
	t.nodes[i] ^= share(key, before) ^ share(key, after)
	for i > Root {
		i /= 2
		t.nodes[i] = parent(t.nodes[2*i], t.nodes[2*i+1])
	}
}

// Clear forgets all keys. It allocates nothing.
func (t *Tree) Clear() { clear(t.nodes) }

// CopyFrom makes t a copy of another tree and reuses the memory of t if it suffices. The zero Tree may be the target.
func (t *Tree) CopyFrom(from *Tree) {
	nodes := append(t.nodes[:0], from.nodes...)
	*t = *from
	t.nodes = nodes
}
