package merkle

import (
	"math/bits"

	"fencepost/internal/splitmix"
)

// share is what a key adds to the hash of its leaf: 0 if nothing is stored, another value for each digest. The shares of a
// leaf are combined by exclusive or, so one can be replaced without the others.
func share(key, digest uint64) uint64 { return pair(key, digest) ^ pair(key, 0) }

// parent is the hash of an inner node: 0 if both children are, another value if one child is another.
func parent(left, right uint64) uint64 { return pair(left, right) ^ pair(0, 0) }

// pair mixes two words into one. It is a permutation of either word if the other is fixed, so a single difference below
// a node always reaches its hash; only several differences can cancel, with probability 2^-64.
func pair(a, b uint64) uint64 {
	return splitmix.Mix(splitmix.Mix(a+splitmix.Gamma) ^ bits.RotateLeft64(b, 32))
}
