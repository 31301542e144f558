package clock

import "math/bits"

// Indexed is a [Sparse] clock that finds a counter by a hash of its id, where Sparse
// searches: for a process that counts for many ids, or asks for them one by one.
//
//  1. every entry of the clock is found, at its place
//
// The list stays what decides: messages carry it, and it compares and merges. A new id
// costs time in proportion to the clock, as all ids behind it move; Merge pays that
// once. Reading does not write, so that goroutines may read at the same time.
//
// NewIndexed makes one; the zero value is not usable.
type Indexed[I ID] struct {
	clock Sparse[I]
	hash  func(I) uint64
	slots []uint32 // places in the clock, from 1; 0 is free
	shift int      // from a hash to a slot
}

// How many slots an index has, always a power of two. Few ids then share a slot, and a
// processor that has guessed that the first slot is the right one is seldom wrong.
const (
	slotsPerID = 8 // up to twice that
	leastSlots = 512
)

// NewIndexed is an index over a copy of s.
func NewIndexed[I ID](s Sparse[I]) *Indexed[I] {
	x := &Indexed[I]{clock: s.Clone(), hash: hashOf[I]()}
	x.index()
	return x
}

// index enters all entries anew.
func (x *Indexed[I]) index() {
	width := bits.Len(uint(max(leastSlots, slotsPerID*len(x.clock)) - 1))
	x.shift = 64 - width
	if n := 1 << width; n != len(x.slots) {
		x.slots = make([]uint32, n)
	} else {
		clear(x.slots)
	}
	for i, e := range x.clock {
		at := x.first(e.ID)
		for x.slots[at] != 0 {
			at = (at + 1) & uint64(len(x.slots)-1)
		}
		x.slots[at] = uint32(i + 1)
	}
}

// first is the slot of an id, if it is free.
func (x *Indexed[I]) first(id I) uint64 { return x.hash(id) >> (x.shift & 63) }

// find is the entry of an id, nil if it is unknown.
func (x *Indexed[I]) find(id I) *Entry[I] {
	for at := x.first(id); ; at++ {
		i := x.slots[at&uint64(len(x.slots)-1)]
		if i == 0 {
			return nil
		}
		if e := &x.clock[i-1]; e.ID == id {
			return e
		}
	}
}

// Clock is the clock as a list, to read and to compare until the next Tick or Merge: a
// message carries a Clone of it.
func (x *Indexed[I]) Clock() Sparse[I] { return x.clock[:len(x.clock):len(x.clock)] }

// Get is the counter of a process, 0 if it is unknown.
func (x *Indexed[I]) Get(id I) uint64 {
	if e := x.find(id); e != nil {
		return e.N
	}
	return 0
}

// Tick is a local event or a send of process id; it returns the counter.
func (x *Indexed[I]) Tick(id I) uint64 {
	if e := x.find(id); e != nil {
		e.N++
		return e.N
	}
	n := x.clock.Tick(id)
	x.index()
	return n
}

// Receive is the receipt, by process id, of a message that carries t.
func (x *Indexed[I]) Receive(id I, t Sparse[I]) uint64 {
	x.Merge(t)
	return x.Tick(id)
}

// Merge takes the larger of each counter.
func (x *Indexed[I]) Merge(t Sparse[I]) {
	known := len(x.clock)
	x.clock.Merge(t)
	if len(x.clock) > known {
		x.index()
	}
}
