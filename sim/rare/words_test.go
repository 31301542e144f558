package rare

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// TestWordsAreThoseOfAllMoves, one after another, whether or not the last one is undone, of more draws than there are slots and of
// points that follow each other.
func TestWordsAreThoseOfAllMoves(t *testing.T) {
	random := stream{base: 7}
	kept := newWords()
	for range 3 {
		p := point{seed: random.word()}
		kept.forget()
		for range 12 {
			p.moves = append(p.moves, newMove(random.word(), random.below(3)))
			for i := range uint64(manySlots + 99) {
				d := sim.Draw{Purpose: sim.Faults, Name: i % 2, Index: i}
				w := d.Of(p.seed)
				for _, m := range p.moves {
					w = m.apply(key(d), w)
				}
				require.Equal(t, w, kept.of(&p, d), "draw %d after %d moves", i, len(p.moves))
			}
			if random.below(2) == 0 {
				p.moves = p.moves[:len(p.moves)-1]
			}
		}
	}
}
