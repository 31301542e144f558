package clock

import (
	"fmt"
	"slices"
)

// WriteID is a write of [Writes], numbered from 0.
type WriteID int32

// MaxWrites is how many writes one [Writes] holds. They take n*n/16 bytes.
const MaxWrites = 1 << 16

// Writes is the oracle for the versions of one key: of each write, which others its
// writer had read, and so on back. It looks at no clock.
type Writes struct {
	past []bitset // of each write
}

// bitset is a set of writes.
type bitset []uint64

func (b bitset) has(w WriteID) bool {
	i := int(w >> 6)
	return i < len(b) && b[i]>>(w&63)&1 == 1
}

// Add records a write whose writer had read some values: it replaces these and all
// that they replaced. At most [MaxWrites].
func (w *Writes) Add(read ...WriteID) (WriteID, error) {
	id := WriteID(len(w.past))
	if len(w.past) == MaxWrites {
		return id, fmt.Errorf("writes: more than %d", MaxWrites)
	}
	past := w.empty()
	for _, r := range read {
		if r < 0 || r >= id {
			return id, fmt.Errorf("writes: write %d has been read and not written: there are %d", r, id)
		}
		for i, word := range w.past[r] {
			past[i] |= word
		}
		past[r>>6] |= 1 << (r & 63)
	}
	w.past = append(w.past, past)
	return id, nil
}

// Reset forgets all writes and keeps the memory.
func (w *Writes) Reset() { w.past = w.past[:0] }

// empty is a set for the next write, if possible that of a write before a reset.
func (w *Writes) empty() bitset {
	n := (len(w.past) + 63) / 64
	if len(w.past) == cap(w.past) {
		return make(bitset, n)
	}
	past := slices.Grow(w.past[:len(w.past)+1][len(w.past)][:0], n)[:n]
	clear(past)
	return past
}

// Before reports whether b replaces a.
func (w *Writes) Before(a, b WriteID) bool { return w.past[b].has(a) }

// NoFalseSiblings checks that none of the values kept replaces another.
func (w *Writes) NoFalseSiblings(kept []WriteID) error {
	for _, a := range kept {
		for _, b := range kept {
			if w.Before(a, b) {
				return fmt.Errorf("no-false-siblings: write %d is kept beside write %d, which replaces it", a, b)
			}
		}
	}
	return nil
}

// NoLostValue checks that of all writes that have reached a replica each is kept, or
// replaced by one that is kept.
func (w *Writes) NoLostValue(reached, kept []WriteID) error {
	for _, a := range reached {
		found := false
		for _, b := range kept {
			found = found || a == b || w.Before(a, b)
		}
		if !found {
			return fmt.Errorf("no-lost-value: write %d is gone, and none that is kept replaces it", a)
		}
	}
	return nil
}
