package retry

import "fencepost/internal/splitmix"

// Source gives the numbers that jitter is drawn from.
type Source interface {
	// Upto is a number from 0 to most, both included.
	Upto(most uint64) uint64
}

// SplitMix64 is a generator whose state is its only word: the zero value is the one that
// begins at 0. It is good for jitter, and for nothing that must be hard to guess.
//
// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
// OOPSLA 2014, figure 16, with the constants of Vigna's splitmix64.c.
type SplitMix64 uint64

// Next is the next number, uniform over all words.
func (s *SplitMix64) Next() uint64 { return (*splitmix.Stream)(s).Next() }

// Upto implements [Source]: the remainder of the next number. It favours the first few
// numbers by less than most/2^64.
func (s *SplitMix64) Upto(most uint64) uint64 {
	if most == 1<<64-1 {
		return s.Next()
	}
	return s.Next() % (most + 1)
}
