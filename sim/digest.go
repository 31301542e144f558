package sim

import (
	"math/bits"

	"fencepost/internal/splitmix"
)

// DigestVersion names the encoding that [Digest] folds. It changes when the same
// run would give another digest.
//
// Encoding 1: the digest starts at the seed. A step folds (instant, from<<32|to)
// and then its message; a note folds (instant, node<<32|1<<31) and then its
// message; a fault that begins or ends folds (instant, node<<32|1<<30|change).
// A message folds its fields in the order of its type.
const DigestVersion = 1

// Digest is a running 64-bit summary of a run. Two runs with the same digest took
// the same steps; it is no defence against a search for a collision.
type Digest uint64

// Fold takes in two words. For fixed words it is a bijection of the state, so a
// difference between two runs is not lost by what follows it.
func (d Digest) Fold(a, b uint64) Digest {
	h := (uint64(d) ^ a) * 0x9E3779B97F4A7C15
	return Digest(bits.RotateLeft64(h, 29) + b*0xD6E8FEB86659FD93)
}

// Sum is the digest as it is printed: with every bit spread over all others.
func (d Digest) Sum() uint64 { return splitmix.Mix(uint64(d)) }
