package dist

import "math/bits"

// Chance is a probability in parts per billion, 0 to 1e9.
type Chance int64

// Certain is probability 1.
const Certain Chance = 1e9

// Hits reports whether a draw falls within a chance. Draw 0, the minimal one, does
// so only when it is certain.
func Hits(c Chance, u uint64) bool { return Below(^u, uint64(Certain)) < uint64(c) }

// Below maps a draw to [0, n) by its high bits, so that a smaller draw gives a
// smaller value.
func Below(u, n uint64) uint64 {
	hi, _ := bits.Mul64(u, n)
	return hi
}
