package queue

import (
	"math/bits"
	"slices"
)

// A Key orders one event: the instant, then the sequence. The low bits of Order
// say in which slot the event lies; they never decide, for sequences differ.
type Key struct {
	At    int64
	Order uint64
}

// Slot is where the event lies, see [Queue.Entry].
func (k Key) Slot() uint32 { return uint32(k.Order & (1<<slotBits - 1)) }

// Seq is the sequence of the event.
func (k Key) Seq() uint64 { return k.Order >> slotBits }

// Less compares without a branch: instants are never negative.
func (k Key) Less(l Key) bool {
	_, borrow := bits.Sub64(k.Order, l.Order, 0)
	_, borrow = bits.Sub64(uint64(k.At), uint64(l.At), borrow)
	return borrow != 0
}

// few is how many keys may be sorted as they come.
const few = 16

// SortNearly sorts what is mostly sorted.
func SortNearly(s []Key) {
	far := 16 * len(s)
	for i := 1; i < len(s); i++ {
		k, j := s[i], i
		for ; j > 0 && k.Less(s[j-1]); j-- {
			s[j] = s[j-1]
		}
		s[j] = k
		if far -= i - j; far < 0 { // it is not
			slices.SortFunc(s, func(a, b Key) int {
				if a.Less(b) {
					return -1
				}
				return 1
			})
			return
		}
	}
}

// keyHeap is a heap with four children to a node.
type keyHeap []Key

func (h *keyHeap) push(k Key) {
	s := append(*h, k)
	i := len(s) - 1
	for i > 0 {
		p := (i - 1) / 4
		if !k.Less(s[p]) {
			break
		}
		s[i] = s[p]
		i = p
	}
	s[i] = k
	*h = s
}

func (h *keyHeap) pop() {
	s := *h
	n := len(s) - 1
	k := s[n]
	s = s[:n]
	*h = s
	if n == 0 {
		return
	}
	i := 0
	for {
		c := 4*i + 1
		if c >= n {
			break
		}
		least := c
		for j := c + 1; j < min(c+4, n); j++ {
			if s[j].Less(s[least]) {
				least = j
			}
		}
		if !s[least].Less(k) {
			break
		}
		s[i] = s[least]
		i = least
	}
	s[i] = k
}
