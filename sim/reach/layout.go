package reach

import "math/bits"

// key is a packed state. The lowest bit is set in every key, so that zero is none. It is
// passed by value, that is in registers: written to memory in halves and read back whole
// it would wait for every load before it.
type key struct{ lo, hi uint64 }

// first is the key that is packed into: every number is 0.
var first = key{lo: 1}

// field is where a key holds one number, such as that of the local state of a node.
type field struct {
	high  bool // in the high word
	shift uint8
	bits  uint8 // that it has
	need  uint8 // bits of the largest number there is
	grows bool  // there may be larger ones
	mask  uint32

	numbers uint64 // that there are, if it grows
}

// of is the number in a key.
func (f *field) of(k key) uint32 {
	w := k.lo
	if f.high {
		w = k.hi
	}
	return uint32(w>>(f.shift&63)) & f.mask
}

// put is a key with another number, and whether the field is wide enough for it.
func (f *field) put(k key, v uint32) (key, bool) {
	if v > f.mask {
		return k, false
	}
	mask, bits := uint64(f.mask)<<(f.shift&63), uint64(v)<<(f.shift&63)
	if f.high {
		k.hi = k.hi&^mask | bits
	} else {
		k.lo = k.lo&^mask | bits
	}
	return k, true
}

// fit makes the field need the bits that this many numbers take, of which there may be more later.
func (f *field) fit(numbers int) {
	f.need, f.grows, f.numbers = uint8(bits.Len(uint(numbers-1))), true, uint64(numbers)
}

// maxWords is how many words a key has.
const maxWords = 2

// layout is the fields of a key.
type layout []*field

// widen gives every field the bits it needs, and reports whether that fits into a key.
// What is left of a word goes to the fields that may need it later: keys are packed
// anew when a field has become too narrow, and that takes the longer the more there are.
func (l layout) widen() bool {
	for _, f := range l {
		f.bits = f.need
	}
	words := 1
	if !l.place(words) {
		words = maxWords
	}
	if !l.place(words) {
		return false
	}
	full := make([]bool, len(l))
	for {
		least := -1 // the field with the least room for its numbers
		for i, f := range l {
			if f.grows && !full[i] && f.bits < 32 && (least < 0 || f.numbers<<l[least].bits > l[least].numbers<<f.bits) {
				least = i
			}
		}
		if least < 0 {
			return l.place(words)
		}
		if l[least].bits++; !l.place(words) {
			l[least].bits--
			full[least] = true
		}
	}
}

// place gives every field its place in the given number of words, and reports whether there is room.
// No field straddles two words.
func (l layout) place(words int) bool {
	used, w := [maxWords]uint8{1}, 0
	for _, f := range l {
		for used[w]+f.bits > 64 {
			if w++; w == words {
				return false
			}
		}
		f.high, f.shift, f.mask = w == 1, used[w]&63, uint32(1<<f.bits-1)
		used[w] += f.bits
	}
	return true
}

// bits is how many bits of a key are needed.
func (l layout) bits() int {
	n := 1
	for _, f := range l {
		n += int(f.need)
	}
	return n
}

// wide reports whether the second word of a key is used.
func (l layout) wide() bool { return l[len(l)-1].high }

// copy is the layout as it is, for reading keys after it is widened.
func (l layout) copy() layout {
	c := make(layout, len(l))
	for i, f := range l {
		before := *f
		c[i] = &before
	}
	return c
}

// grid is a table of numbers that grows to both sides. What was not set is 0.
type grid struct {
	shift uint8 // 1<<shift columns
	cells []uint32
}

func (g *grid) at(row, column uint32) uint32 {
	i := uint64(row)<<(g.shift&63) | uint64(column)
	if i >= uint64(len(g.cells)) || column>>(g.shift&63) != 0 {
		return 0
	}
	return g.cells[i]
}

func (g *grid) set(row, column, v uint32) {
	if shift := uint8(bits.Len32(column)); shift > g.shift {
		wider := make([]uint32, len(g.cells)<<(shift-g.shift))
		for i, v := range g.cells {
			wider[i>>g.shift<<shift|i&(1<<g.shift-1)] = v
		}
		g.shift, g.cells = shift, wider
	}
	i := int(row)<<g.shift | int(column)
	for i >= len(g.cells) {
		g.cells = append(g.cells, 0)
	}
	g.cells[i] = v
}

func (g *grid) bytes() int64 { return 4 * int64(cap(g.cells)) }
