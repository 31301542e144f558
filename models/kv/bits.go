package kv

import (
	"iter"
	"math/bits"
)

// bitSet is a set of small numbers.
type bitSet []uint64

func (b bitSet) has(n int) bool { return n>>6 < len(b) && b[n>>6]>>(n&63)&1 == 1 }

func (b *bitSet) set(n int) {
	b.grow(n>>6 + 1)
	(*b)[n>>6] |= 1 << (n & 63)
}

// meets reports whether both have something.
func (b bitSet) meets(c bitSet) bool {
	for i := range min(len(b), len(c)) {
		if b[i]&c[i] != 0 {
			return true
		}
	}
	return false
}

// merge adds all of another set.
func (b *bitSet) merge(c bitSet) {
	b.grow(len(c))
	for i, word := range c {
		(*b)[i] |= word
	}
}

// grow is a set with room for words.
func (b *bitSet) grow(words int) {
	for len(*b) < words {
		*b = append(*b, 0)
	}
}

// without is what b has and c has not, in ascending order.
func (b bitSet) without(c bitSet) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, word := range b {
			if i < len(c) {
				word &^= c[i]
			}
			for ; word != 0; word &= word - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(word)) {
					return
				}
			}
		}
	}
}
