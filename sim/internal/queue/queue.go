// Package queue is the pending events of a run, in the order of (instant, sequence). It is part of
// package sim, which says what an event is: a queue knows when it is due, and no more.
//
// [Queue] is the order and what keeps it, in tiers: a [tournament] of few events, a [calendar] of
// many, a heap for what fits neither. tuning.go chooses between them and the width of a bucket.
package queue

import (
	"math"
	"slices"
)

// A Queue holds pending events and gives them in the order of (instant, sequence).
// The zero Queue is to be reset before its first use. That order is total, so nothing below can change what a
// run does; it only decides how fast.
//
// An event lies in one slot from push to free. Up to a thousand pending events have their keys in
// few, and nothing else is used but the heap. Above that:
//
//   - near has the keys of the present time buckets, sorted, up to bucket opened.
//   - coming has the slots of the buckets after these, up to the ring's present one, in no
//     order. Their events are on their way to the cache.
//   - ring has the slots of the following buckets, in no order. What is pushed for it
//     waits in fresh.
//   - heap takes the keys that fit neither: what lies beyond the ring, and what would
//     have to travel far in near. It bounds every operation by O(log n) for any
//     distribution of instants.
type Queue[E any] struct {
	Limit int // pending events that need no ring; 0 is a thousand

	few   tournament
	near  []Key // near[head:] is sorted
	head  int
	heap  keyHeap
	fresh []Key // for ring or heap, not yet there

	coming []Key // of most only the slot is known
	opened int64 // the ring's present bucket if coming is empty
	first  int64 // no key in coming is of an earlier bucket

	events []Entry[E] // by slot; 0 is no slot
	empty  uint32     // a list of free slots, linked through ring.next
	popped uint32     // the slot of the event that was popped last
	now    int64      // its instant

	seq     uint64
	pending int
	many    int // more pending events than these call for a ring; 0 if there is one

	ring  calendar
	laid  int  // pending events when the ring was laid out
	large bool // these are too many for the processor's own cache

	wear    wear
	work    int // keys moved and words looked through so far, but for sorting and the heap
	look    int // the work after which to look at the tuning
	scratch []Key
	sum     uint32 // keeps the reads of calendar.read and calendar.peek alive
}

// An Entry is a pending event: when it is due, the how manyth it was to be pushed, and what it is.
type Entry[E any] struct {
	At   int64
	Seq  uint64
	Body E
}

const (
	slotBits   = 24                   // of a key
	MaxSeq     = 1<<(64-slotBits) - 1 // of the events of a run
	maxPending = 1<<slotBits - 1
	reach      = 32   // how far a key may travel in near
	smallLimit = 1000 // pending events that need no ring; their slots are below places
	ahead      = 32   // keys wanted in near when buckets are opened, twice as many of a large queue
	largeLimit = 16   // times Limit: pending events that are large
	batch      = 64   // keys that may wait in fresh
)

// Reset empties the queue and keeps its memory.
func (q *Queue[E]) Reset() {
	if q.events == nil {
		q.events = make([]Entry[E], 1, 64)
		q.ring.next = make([]uint32, 1, 64)
		q.near, q.coming = make([]Key, 0, 512), make([]Key, 0, 512)
		q.fresh = make([]Key, 0, batch)
	}
	if q.Limit == 0 {
		q.Limit = smallLimit
	}
	q.events, q.ring.next, q.empty = q.events[:1], q.ring.next[:1], 0
	q.seq, q.pending, q.popped, q.now = 0, 0, 0, 0
	q.work, q.look = 0, 0
	q.clear()
}

// clear forgets all keys, and the ring.
func (q *Queue[E]) clear() {
	q.few.clear(int(q.few.leaf), 0, 0)
	q.near, q.head, q.heap, q.fresh = q.near[:0], 0, q.heap[:0], q.fresh[:0]
	q.ring.lay(0, 63, 0)
	q.coming, q.opened = q.coming[:0], 0
	q.many, q.wear = q.Limit, wear{}
}

// Push makes room for an event at the given instant and returns it for the caller
// to fill in its body. The pointer holds until the next push.
func (q *Queue[E]) Push(at int64) *Entry[E] {
	slot := q.empty
	if slot == 0 {
		slot = q.newSlot()
	}
	e := &q.events[slot]
	q.empty = q.ring.next[slot]
	q.seq++
	q.pending++
	e.At, e.Seq = at, q.seq
	switch {
	case q.pending <= q.many:
		if !q.few.add(at, q.seq, slot) {
			q.squeeze(Key{at, q.seq<<slotBits | uint64(slot)})
		}
	case q.many > 0:
		q.tune()
		q.file(Key{at, q.seq<<slotBits | uint64(slot)})
	case q.ring.bucket(at) <= q.ring.present:
		q.early(Key{at, q.seq<<slotBits | uint64(slot)})
	default:
		// Writing to a bucket at random misses the cache; done in batches the misses
		// overlap, and no step waits for them (a third less at 100,000 pending).
		if len(q.fresh) == batch {
			q.deal()
		}
		q.fresh = append(q.fresh, Key{at, q.seq<<slotBits | uint64(slot)})
	}
	return e
}

// file puts a key, the newest, where it belongs after a tuning.
func (q *Queue[E]) file(k Key) {
	switch {
	case q.many > 0:
		q.squeeze(k)
	case q.ring.bucket(k.At) <= q.ring.present:
		q.early(k)
	default:
		q.later(k)
	}
}

// early puts a key, the newest, into near or coming.
func (q *Queue[E]) early(k Key) {
	if b := q.ring.bucket(k.At); b > q.opened {
		q.coming, q.first = append(q.coming, k), min(q.first, b)
		return
	}
	q.insert(k)
}

func (q *Queue[E]) newSlot() uint32 {
	if len(q.events) > maxPending {
		panic("sim: more than 16 million events are pending")
	}
	slot := len(q.events)
	q.events, q.ring.next = Grow(q.events, 1), Grow(q.ring.next, 1)
	q.ring.next[slot] = 0
	return uint32(slot)
}

// insert sorts a key, the newest, into near from the end.
func (q *Queue[E]) insert(k Key) {
	if n := len(q.near); n-q.head >= reach && k.At < q.near[n-reach].At {
		q.heap.push(k)
		return
	}
	if len(q.near) == cap(q.near) {
		q.makeRoom()
	}
	q.near = q.near[:len(q.near)+1]
	s := q.near[q.head:]
	i := len(s) - 1
	for i > 0 {
		x := s[i-1]
		if x.At <= k.At {
			break
		}
		s[i] = x
		i--
	}
	s[i] = k
}

// makeRoom moves near back to the start of its array if half of that is free, so
// that each key is moved at most once for each that was popped.
func (q *Queue[E]) makeRoom() {
	if 2*q.head < len(q.near) {
		q.near = slices.Grow(q.near, 1)
		return
	}
	q.near = q.near[:copy(q.near, q.near[q.head:])]
	q.head = 0
	q.work += len(q.near)
}

// deal moves the keys of fresh to where they belong.
func (q *Queue[E]) deal() {
	q.sum = q.ring.read(q.fresh)
	for _, k := range q.fresh {
		q.later(k)
	}
	q.fresh = q.fresh[:0]
}

// later puts the key of a bucket after the present one into ring or heap.
func (q *Queue[E]) later(k Key) {
	if !q.ring.add(k.At, k.Slot()) {
		q.heap.push(k)
	}
}

// Grow lengthens s by n without writing the new elements.
func Grow[E any](s []E, n int) []E {
	if len(s)+n > cap(s) {
		s = slices.Grow(s, n)
	}
	return s[:len(s)+n]
}

// Dry reports whether near must be refilled before the next pop.
func (q *Queue[E]) Dry() bool { return q.many == 0 && q.head >= len(q.near) }

// Pop returns the next event if it is at or before until, else nil; the queue is not
// dry. The event stays as it is until it is freed.
func (q *Queue[E]) Pop(until int64) *Entry[E] {
	if q.many > 0 {
		return q.PopFew(until)
	}
	k := q.near[q.head]
	if len(q.heap) > 0 && q.heap[0].Less(k) {
		return q.popHeap(until)
	}
	if k.At > until {
		return nil
	}
	q.head++
	q.pending--
	q.popped, q.now = k.Slot(), k.At
	return &q.events[q.popped]
}

// PopFew is pop where there is no ring.
func (q *Queue[E]) PopFew(until int64) *Entry[E] {
	slot := q.few.least()
	if slot == 0 || len(q.heap) > 0 && q.heap[0].Less(q.keyOf(slot)) {
		return q.popHeap(until)
	}
	e := &q.events[slot]
	if e.At > until {
		return nil
	}
	q.few.drop(slot)
	q.pending--
	q.popped, q.now = slot, e.At
	return e
}

// popHeap is pop where the next key is in the heap.
func (q *Queue[E]) popHeap(until int64) *Entry[E] {
	if len(q.heap) == 0 || q.heap[0].At > until {
		return nil
	}
	k := q.heap[0]
	q.heap.pop()
	q.pending--
	q.popped, q.now = k.Slot(), k.At
	return &q.events[q.popped]
}

// keyOf is the key of the event in a slot.
func (q *Queue[E]) keyOf(slot uint32) Key {
	e := &q.events[slot]
	return Key{e.At, e.Seq<<slotBits | uint64(slot)}
}

// Free gives back the slot of the event that was popped last.
func (q *Queue[E]) Free() {
	q.ring.next[q.popped] = q.empty
	q.empty = q.popped
}

// PutBack puts what was popped last back, as it was; the slot that it had is still to be
// freed.
func (q *Queue[E]) PutBack() {
	slot := q.empty
	if slot == 0 {
		slot = q.newSlot()
	}
	e := &q.events[slot]
	q.empty = q.ring.next[slot]
	*e = q.events[q.popped]
	q.pending++
	q.heap.push(q.keyOf(slot))
}

// Refill moves the next keys into near, which is empty. It reports whether there
// are any.
func (q *Queue[E]) Refill() bool {
	q.deal()
	if q.mistuned() {
		q.tune()
		if !q.Dry() {
			return true
		}
	}
	q.near, q.head = q.near[:0], 0
	if len(q.heap) > 0 && q.ring.bucket(q.heap[0].At) < q.following() {
		q.spill()
	} else if len(q.coming) > 0 || q.ring.held > 0 {
		q.open()
	}
	return !q.Dry()
}

// following is the first bucket after the opened ones that may hold slots.
func (q *Queue[E]) following() int64 {
	switch {
	case len(q.coming) > 0:
		return q.first
	case q.ring.held > 0:
		next, _ := q.ring.following()
		return next
	}
	return math.MaxInt64
}

// spill moves the first key of the heap, which is before the following bucket, into near.
func (q *Queue[E]) spill() {
	k := q.heap[0]
	q.heap.pop()
	q.opened = max(q.opened, q.ring.bucket(k.At))
	q.ring.present = max(q.ring.present, q.opened)
	q.wear.spilled++
	q.work++
	q.near = append(q.near, k)
}

// open moves the keys of the next buckets that are not empty into near, which is empty.
func (q *Queue[E]) open() {
	if len(q.coming) == 0 {
		q.announce()
	}
	s := q.coming
	q.coming, q.opened = q.near, q.ring.present
	q.wear.served += len(s)
	q.work += len(s)
	q.readKeys(s)
	SortNearly(s)
	q.near = s
	if q.large {
		q.announce()
	}
}

// announce moves the slots of buckets from the ring into coming, which is empty. Of a large queue
// they are opened later, when their events are in the cache, see [Queue.Coming].
func (q *Queue[E]) announce() {
	s, wanted := q.coming, ahead
	if q.large {
		wanted = 2 * ahead
	}
	if q.large {
		q.sum = q.ring.peek()
	}
	for len(s) < wanted && q.ring.held > 0 {
		b, words := q.ring.following()
		if len(s) == 0 {
			q.first = b
		}
		s = q.ring.take(s, b)
		q.wear.opened++
		q.wear.looked += words
		q.work += words
	}
	q.coming = s
}

// readKeys completes keys of which only the slot is known.
func (q *Queue[E]) readKeys(s []Key) {
	for i := range s {
		s[i] = q.keyOf(s[i].Slot())
	}
}
