package traffic

import (
	"math/bits"

	"fencepost/sim"
)

// draws is a stream of draws, each a pure function of seed, name and index, so that
// what one class does leaves the others as they were.
//
// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014,
// SplitMix64.
type draws struct{ state uint64 }

func newDraws(seed uint64, class, purpose string) draws {
	d := draws{seed ^ sim.Hash(purpose+" of "+class)}
	return draws{d.next()}
}

// next is uniform over all 64-bit words.
func (d *draws) next() uint64 {
	d.state += 0x9E3779B97F4A7C15
	x := d.state
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// below is uniform over [0, n).
func (d *draws) below(n uint64) uint64 {
	hi, _ := bits.Mul64(d.next(), n)
	return hi
}
