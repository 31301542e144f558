package rare

import (
	"math"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/internal/splitmix"
)

// cell is by how many equal bits of which kind a word begins, up to ten, from 0, and as many again for its next bit but one.
func cell(w uint64) int {
	c := 2*min(run(w), 10) - 2
	if w>>63 != 0 {
		c++
	}
	next := w << min(run(w)+1, 63) >> 63
	return 2*c + int(next)
}

// TestMovesLeaveWordsUniform: of independent uniform words, moved once and a hundred times, as many are in each cell as before, and
// as many go from one cell to another as come back from it.
func TestMovesLeaveWordsUniform(t *testing.T) {
	const n = 400_000
	r := stream{base: 1}
	var before, after, later [40]int
	var between [40][40]int
	for range n {
		w, key := r.word(), r.word()
		moved := newMove(r.word(), 0).apply(key, w)
		before[cell(w)]++
		after[cell(moved)]++
		between[cell(w)][cell(moved)]++
		for range 20 {
			moved = newMove(r.word(), r.below(4)).apply(key, moved)
		}
		later[cell(moved)]++
	}
	for i := range before {
		want := n * math.Ldexp(1, -min(i/4+1, 9)-2)
		for _, got := range []int{before[i], after[i], later[i]} {
			assert.InDelta(t, want, got, 5*math.Sqrt(want), "cell %d", i)
		}
		for j := range i {
			sum := float64(between[i][j] + between[j][i])
			assert.InDelta(t, between[i][j], between[j][i], 5*math.Sqrt(sum)+1, "from %d to %d and back", i, j)
		}
	}
}

// TestMovesReachAllOfATail: of words that may not leave a tail, those that have moved for long are uniform in it, and a word has
// forgotten half of where it was after five moves: as apt at 2^-50 as at 2^-1.
func TestMovesReachAllOfATail(t *testing.T) {
	for _, size := range []uint64{1 << 63, 1<<50 + 1<<49, 1 << 34, 1<<14 + 7777} {
		r := stream{base: size}
		w, key, again := uint64(math.MaxUint64), splitmix.Mix(size), 0
		var tenths [10]int
		const n = 200_000
		last, product := 0.0, 0.0
		for i := range n {
			moved := newMove(r.word(), r.below(2)).apply(key, w)
			if ^moved < size {
				if moved == w {
					again++
				}
				w = moved
			}
			x := float64(^w) / float64(size)
			tenths[int(10*x)]++
			if i%5 == 0 {
				product += (x - 0.5) * (last - 0.5)
				last = x
			}
		}
		for i, got := range tenths {
			assert.InDelta(t, n/10, got, n/10*0.05, "tenth %d of %#x", i+1, size)
		}
		assert.Less(t, 12*product/(n/5), 0.5, "correlation of words five moves apart, %#x", size)
	}
}

// TestASparseMoveChangesFewDraws: one in 2^sparse.
func TestASparseMoveChangesFewDraws(t *testing.T) {
	r := stream{base: 2}
	for sparse := range 8 {
		changed := 0
		const n = 100_000
		for range n {
			w, key := r.word(), r.word()
			if move(uint64(redraw)<<8|r.word()&^0x7FF|uint64(sparse)).apply(key, w) != w {
				changed++
			}
		}
		want := math.Ldexp(n, -sparse)
		assert.InDelta(t, want, changed, 5*math.Sqrt(want))
	}
}

// TestKeepKeepsTheFirstBits, and words of equal bits have as many as they have.
func TestKeepKeepsTheFirstBits(t *testing.T) {
	const w, fresh = 0xFF00FF00FF00FF00, 0x123456789ABCDEF0
	for n := range 80 {
		got := keep(w, n, fresh)
		if n >= 64 {
			assert.Equal(t, uint64(w), got)
			continue
		}
		assert.GreaterOrEqual(t, bits.LeadingZeros64(got^w), n)
		assert.GreaterOrEqual(t, bits.TrailingZeros64(got^fresh), 64-n)
	}
	for _, x := range []struct {
		w    uint64
		want int
	}{{0, 64}, {math.MaxUint64, 64}, {1, 63}, {1 << 63, 1}, {1<<63 - 1, 1}, {3 << 62, 2}} {
		assert.Equal(t, x.want, run(x.w))
		for less := range 4 {
			assert.NotPanics(t, func() { inTail(x.w, less, fresh) })
		}
	}
}
