package sim

import (
	"math/bits"
	"slices"
)

// A key orders one event: the instant, then the sequence. The low bits of order
// say in which slot the event lies; they never decide, for sequences differ.
type key struct {
	at    Time
	order uint64
}

func (k key) slot() uint32 { return uint32(k.order & (1<<slotBits - 1)) }

// less compares without a branch: instants are never negative.
func (k key) less(l key) bool {
	_, borrow := bits.Sub64(k.order, l.order, 0)
	_, borrow = bits.Sub64(uint64(k.at), uint64(l.at), borrow)
	return borrow != 0
}

// few is how many keys may be sorted as they come.
const few = 16

// sortNearly sorts what is mostly sorted.
func sortNearly(s []key) {
	far := 16 * len(s)
	for i := 1; i < len(s); i++ {
		k, j := s[i], i
		for ; j > 0 && k.less(s[j-1]); j-- {
			s[j] = s[j-1]
		}
		s[j] = k
		if far -= i - j; far < 0 { // it is not
			slices.SortFunc(s, func(a, b key) int {
				if a.less(b) {
					return -1
				}
				return 1
			})
			return
		}
	}
}

// keyHeap is a heap with four children to a node.
type keyHeap []key

func (h *keyHeap) push(k key) {
	s := append(*h, k)
	i := len(s) - 1
	for i > 0 {
		p := (i - 1) / 4
		if !k.less(s[p]) {
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
			if s[j].less(s[least]) {
				least = j
			}
		}
		if !s[least].less(k) {
			break
		}
		s[i] = s[least]
		i = least
	}
	s[i] = k
}
