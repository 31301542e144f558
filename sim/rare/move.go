package rare

import (
	"math/bits"

	"fencepost/internal/splitmix"
	"fencepost/sim"
)

// A move changes some words of a run at random: each draw with the probability 2^-sparse, and each by itself.
// It is one word, which decides everything about it: the lowest byte is sparse, the next three bits are the kind.
//
// A move leaves words that are independent and uniform as they are: independent and uniform. Every kind is
// reversible with respect to them, whatever the draw, so that a move which is undone unless the run still
// reaches a threshold is reversible with respect to the runs that reach it (Metropolis et al., 1953).
//
// A tail of a distribution is where words begin with many equal bits: the longest pause of 2^n is that of a word
// that begins with n ones, and the shortest that of one that begins with n zeros. Two kinds of moves
// go by the bits with which a word begins, so that they are as apt in a tail of 2^-40 as in the middle, and no
// number has to be tuned. Everything is integers: the runs that a move reaches are the same on every processor.
type move uint64

// The kinds of moves; three of four moves are of the last kind.
const (
	redraw move = iota // the word is drawn anew
	adjust             // it keeps its equal bits and the next, and n bits more in one of 2^(n+1) cases
	tail               // it keeps all its equal bits, or up to 3 less
)

// newMove makes a move of random bits.
func newMove(random uint64, sparse int) move { return move(random&^0xFF | uint64(sparse)) }

// key is what moves know a draw by.
func key(d sim.Draw) uint64 { return d.Of(0) }

// apply is the word that becomes of w, of the draw with a key.
func (m move) apply(key, w uint64) uint64 {
	h := splitmix.Mix(key ^ uint64(m))
	if h&(1<<(m&0xFF)-1) != 0 {
		return w
	}
	// The highest bits of h are those that have not decided yet.
	fresh := splitmix.Mix(h + splitmix.Gamma)
	switch m >> 8 & 7 {
	case redraw:
		return fresh
	case adjust:
		return keep(w, run(w)+1+bits.LeadingZeros64(h), fresh)
	}
	return inTail(w, int(h>>62), fresh)
}

// run is with how many equal bits a word begins.
func run(w uint64) int { return bits.LeadingZeros64(w ^ uint64(int64(w)>>63)) }

// keep is w with all bits but the first n drawn anew.
func keep(w uint64, n int, fresh uint64) uint64 {
	return w ^ (w^fresh)&(1<<max(64-n, 0)-1)
}

// maxLess is how many of its equal bits a word of [tail] may lose. 3 refreshes a word in a tail more often than
// 1 or 7 do.
const maxLess = 3

// inTail is w with all but its equal bits, or some less, drawn anew. It stays as it is where it has no such bits, or
// where as many less than the new word has would not lead back: so the move and the way back are as frequent.
//
// Source: Metropolis et al., "Equation of state calculations by fast computing machines", 1953.
func inTail(w uint64, less int, fresh uint64) uint64 {
	kept := run(w) - less
	if kept < 0 {
		return w
	}
	moved := keep(w, kept, fresh)
	if run(moved)-kept > maxLess {
		return w
	}
	return moved
}
