package explore

import (
	"encoding/binary"
	"math/bits"

	"fencepost/internal/splitmix"
	"fencepost/sim"
)

// Chooser makes the choices of a schedule. Everything that a search decides goes
// through one, so that a seed, a string of bytes, a fuzzer and a library of property
// tests drive the same search. Choice 0 is the minimal one, and a lower choice is an
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

// Seeded is a [Chooser] that draws uniformly.
type Seeded struct{ state splitmix.Stream }

// NewSeeded draws as a search of this seed does.
func NewSeeded(seed uint64) Seeded {
	return Seeded{splitmix.Stream(sim.Hash("schedule") ^ seed*splitmix.Gamma)}
}

// Below implements [Chooser].
func (s *Seeded) Below(n uint64) uint64 { return s.state.Below(n) }
