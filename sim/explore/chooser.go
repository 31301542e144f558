package explore

import (
	"encoding/binary"
	"math/bits"

	"fencepost/sim"
)

// Chooser makes the choices of a schedule. Everything that a search decides goes
// through one, so that a seed, a string of bytes, a fuzzer and a library of property
// tests drive the same search. Choice 0 is the calm one, and a lower choice is an
// earlier, shorter or rounder one, so that lowering numbers shrinks a schedule.
type Chooser interface {
	// Below returns a number from 0 to n-1, for n above 0.
	Below(n uint64) uint64
}

// Bytes is a chooser that reads a string of bytes: one byte for a choice among at most
// 256, two among 65,536, and so on. After its end every choice is 0.
type Bytes struct{ Data []byte }

// Below implements [Chooser]. A number that is too large goes round: were it clamped,
// nearly all of a fuzzer's bytes would be the last choice (a pause of Redlock that
// loses an update took 2,000 random strings instead of more than 30,000).
func (b *Bytes) Below(n uint64) uint64 {
	if n <= 1 {
		return 0
	}
	var word [8]byte
	size := (bits.Len64(n-1) + 7) / 8
	taken := copy(word[8-size:], b.Data)
	b.Data = b.Data[taken:]
	return binary.BigEndian.Uint64(word[:]) % n
}

// seeded is a chooser that draws uniformly.
type seeded struct{ state uint64 }

func newSeeded(seed uint64) seeded { return seeded{sim.Hash("schedule") ^ seed*0x9E3779B97F4A7C15} }

// Below implements [Chooser]; the generator is SplitMix64.
func (s *seeded) Below(n uint64) uint64 {
	s.state += 0x9E3779B97F4A7C15
	x := s.state
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	hi, _ := bits.Mul64(x^x>>31, n)
	return hi
}
