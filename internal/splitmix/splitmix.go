// Package splitmix is the generator SplitMix64 and its finalizer: words that look drawn at
// random and are the same everywhere. It is for simulation and for hash tables, not for
// anything that must not be guessed.
//
// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
// 2014, with the constants of Stafford, "Better Bit Mixing", 2011, variant 13.
package splitmix

import "math/bits"

// Gamma is the step between the states of a [Stream]: 2^64 over the golden ratio, odd.
const Gamma = 0x9E3779B97F4A7C15

// Mix is a bijection of 64-bit words in which each bit of the input moves half of the
// output. It maps 0 to 0.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// Hash spreads numbers that follow each other: the first word of the stream from x.
func Hash(x uint64) uint64 { return Mix(x + Gamma) }

// Stream is a sequence of words. The zero value is the one from 0.
type Stream uint64

// Next is the next word, uniform over all words.
func (s *Stream) Next() uint64 {
	*s += Gamma
	return Mix(uint64(*s))
}

// Below is the next number from 0 to n-1, for n from 1: the high word of the product, so
// that a smaller word gives a smaller number. A number's chance is off by less than n/2^64.
func (s *Stream) Below(n uint64) uint64 {
	high, _ := bits.Mul64(s.Next(), n)
	return high
}
