package rare

import "fencepost/sim"

// words keeps what moves have made of the draws of one point, so that a run applies the last move to each draw, which
// may be undone, and not hundreds. A draw takes the place of another that has the same slot.
type words struct {
	slots []slot
	point uint64 // which one they are of, 1 and up
}

// slot is the word of a draw after some moves of a point.
type slot struct {
	draw  sim.Draw
	point uint64
	moves int
	word  uint64
}

// manySlots are enough for the draws of most runs, and small enough for the second cache of a processor.
const manySlots = 1 << 12

func newWords() words { return words{slots: make([]slot, manySlots), point: 1} }

// forget begins another point.
func (c *words) forget() { c.point++ }

// of is the word of a draw.
func (c *words) of(p *point, d sim.Draw) uint64 {
	last := len(p.moves) - 1
	if last < 0 {
		return d.Of(p.seed)
	}
	k := key(d)
	s := &c.slots[k%manySlots]
	if s.point != c.point || s.draw != d {
		*s = slot{draw: d, point: c.point, word: d.Of(p.seed)}
	}
	for ; s.moves < last; s.moves++ {
		s.word = p.moves[s.moves].apply(k, s.word)
	}
	return p.moves[last].apply(k, s.word)
}
