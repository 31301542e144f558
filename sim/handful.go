package sim

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// A handful holds the keys of few pending events, in no order: each is one word, and the
// least is found by looking at all of them. That takes fewer instructions than keeping
// them sorted, and no branch depends on a key.
type handful struct {
	words [places]uint64 // by place: instant less base, turn, place; vacant if it is free
	slots [places]uint32 // by place: where the event lies
	free  uint64         // a bit per place
	turn  uint64         // of the next key: of two at the same instant, that with the lower turn is less
	base  Time
}

const (
	placeBits = 6
	places    = 1 << placeBits
	turnBits  = 14
	awayBits  = 64 - turnBits - placeBits // 4.9 hours
	vacant    = math.MaxUint64
)

// empty takes all keys out.
func (h *handful) empty() {
	h.free, h.base, h.turn = math.MaxUint64, 0, 0
	for i := range h.words {
		h.words[i] = vacant
	}
}

// add takes in a key, newer than those that are there, and reports whether it could.
func (h *handful) add(at Time, slot uint32) bool {
	away := uint64(at - h.base)
	if away>>awayBits|h.turn>>turnBits != 0 || h.free == 0 {
		return false
	}
	place := uint64(bits.TrailingZeros64(h.free)) % places
	h.free &= h.free - 1
	h.words[place] = away<<(turnBits+placeBits) | h.turn<<placeBits | place
	h.slots[place] = slot
	h.turn++
	return true
}

// least is the place of the first key; there is one. It is not inlined, since the compiler
// makes branches of what it sees to become part of an address.
//
//go:noinline
func (h *handful) least() uint64 {
	a, b, c, d := uint64(vacant), uint64(vacant), uint64(vacant), uint64(vacant)
	n := uint(bits.Len64(^h.free))
	for i := uint(0); i < n; i += 4 {
		i := i & (places - 4)
		a, b, c, d = min(a, h.words[i]), min(b, h.words[i+1]), min(c, h.words[i+2]), min(d, h.words[i+3])
	}
	return min(a, b, c, d) % places
}

// drop takes a key out.
func (h *handful) drop(place uint64) {
	h.words[place%places] = vacant
	h.free |= 1 << (place % places)
}

// soon is the keys of all events that may be due at this instant, and others, in no
// particular order, in memory of its own until the next one.
func (q *queue[M]) soon() []key {
	all := append(append(q.scratch[:0], q.near[q.head:]...), q.heap...)
	for used := ^q.few.free; used != 0; used &= used - 1 {
		all = append(all, q.keyOf(q.few.slots[bits.TrailingZeros64(used)]))
	}
	q.scratch = all
	return all
}

// older orders keys by their sequence.
func older(a, b key) int { return cmp.Compare(a.order, b.order) }

// hold puts keys into few, which is empty, and what it cannot take into the heap.
func (q *queue[M]) hold(keys []key) {
	slices.SortFunc(keys, older)
	q.few.base, q.few.turn = q.events[q.popped].at, 0
	for _, k := range keys {
		if !q.few.add(k.at, k.slot()) {
			q.heap.push(k)
		}
	}
}

// squeeze puts a key, the newest, into few after all if that can be, else into the heap.
// It makes room in the words for later instants and turns.
func (q *queue[M]) squeeze(k key) {
	h := &q.few
	if h.free != 0 && uint64(k.at-q.events[q.popped].at) < 1<<(awayBits-1) {
		keys := q.scratch[:0]
		for used := ^h.free; used != 0; used &= used - 1 {
			keys = append(keys, q.keyOf(h.slots[bits.TrailingZeros64(used)]))
		}
		h.empty()
		q.hold(keys)
		q.scratch = keys
		q.work += len(keys)
	}
	if !h.add(k.at, k.slot()) {
		q.heap.push(k)
	}
}
