package sim

import (
	"math"
	"slices"
)

// A queue holds the pending events of a world and gives them in the order of
// (instant, sequence). That order is total, so nothing below can change what a
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
type queue[M any] struct {
	few   tournament
	near  []key // near[head:] is sorted
	head  int
	heap  keyHeap
	fresh []key // for ring or heap, not yet there

	coming []key // of most only the slot is known
	opened int64 // the ring's present bucket if coming is empty
	first  int64 // no key in coming is of an earlier bucket

	events []event[M] // by slot; 0 is no slot
	empty  uint32     // a list of free slots, linked through ring.next
	popped uint32     // the slot of the event that was popped last
	now    Time       // its instant

	seq     uint64
	pending int
	many    int // more pending events than these call for a ring; 0 if there is one

	ring  calendar
	laid  int  // pending events when the ring was laid out
	large bool // these are too many for the processor's own cache

	wear    wear
	work    int // keys moved and words looked through so far, but for sorting and the heap
	look    int // the work after which to look at the tuning
	limit   int // pending events that need no ring
	scratch []key
	sum     uint32 // keeps the reads of calendar.read and calendar.peek alive
}

// An event is a message on its way, or a change that the engine has planned. With
// a message of 24 bytes it is one cache line.
type event[M any] struct {
	at          Time
	seq         uint64
	due         int64 // of a timer, the reading of its clock at which it is due; of a message, the instant it was sent
	to, from    NodeID
	incarnation uint32 // of a timer: the life of the node that armed it
	class       class
	touched     uint8 // written to have the event in the cache
	msg         M
}

type class uint8

const (
	message class = iota
	timer         // on the node's monotonic clock
	alarm         // on the node's wall clock
	change        // due is the number of the change
)

const (
	slotBits   = 24 // of a key
	maxPending = 1<<slotBits - 1
	maxEvents  = 1<<(64-slotBits) - 2*stuckAfter*1000 // in a run: 2,000 events a step are room enough until the next look, see World.mustProgress
	reach      = 32                                   // how far a key may travel in near
	smallLimit = 1000                                 // pending events that need no ring; their slots are below places
	ahead      = 32                                   // keys wanted in near when buckets are opened, see World.touch; twice as many of a large queue
	largeLimit = 16                                   // times limit: pending events that are large
	batch      = 64                                   // keys that may wait in fresh
)

func (q *queue[M]) reset() {
	if q.events == nil {
		q.events = make([]event[M], 1, 64)
		q.ring.next = make([]uint32, 1, 64)
		q.near, q.coming = make([]key, 0, 512), make([]key, 0, 512)
		q.fresh = make([]key, 0, batch)
	}
	if q.limit == 0 {
		q.limit = smallLimit
	}
	q.events, q.ring.next, q.empty = q.events[:1], q.ring.next[:1], 0
	q.seq, q.pending, q.popped, q.now = 0, 0, 0, 0
	q.work, q.look = 0, 0
	q.clear()
}

// clear forgets all keys, and the ring.
func (q *queue[M]) clear() {
	q.few.clear(int(q.few.leaf), 0, 0)
	q.near, q.head, q.heap, q.fresh = q.near[:0], 0, q.heap[:0], q.fresh[:0]
	q.ring.lay(0, 63, 0)
	q.coming, q.opened = q.coming[:0], 0
	q.many, q.wear = q.limit, wear{}
}

// push makes room for an event at the given instant and returns it for the caller
// to fill in all but at and seq. The pointer holds until the next push.
func (q *queue[M]) push(at Time) *event[M] {
	slot := q.empty
	if slot == 0 {
		slot = q.newSlot()
	}
	e := &q.events[slot]
	q.empty = q.ring.next[slot]
	q.seq++
	q.pending++
	e.at, e.seq = at, q.seq
	switch {
	case q.pending <= q.many:
		if !q.few.add(at, q.seq, slot) {
			q.squeeze(key{at, q.seq<<slotBits | uint64(slot)})
		}
	case q.many > 0:
		q.tune()
		q.file(key{at, q.seq<<slotBits | uint64(slot)})
	case q.ring.bucket(at) <= q.ring.present:
		q.early(key{at, q.seq<<slotBits | uint64(slot)})
	default:
		// Writing to a bucket at random misses the cache; done in batches the misses
		// overlap, and no step waits for them (a third less at 100,000 pending).
		if len(q.fresh) == batch {
			q.deal()
		}
		q.fresh = append(q.fresh, key{at, q.seq<<slotBits | uint64(slot)})
	}
	return e
}

// file puts a key, the newest, where it belongs after a tuning.
func (q *queue[M]) file(k key) {
	switch {
	case q.many > 0:
		q.squeeze(k)
	case q.ring.bucket(k.at) <= q.ring.present:
		q.early(k)
	default:
		q.later(k)
	}
}

// early puts a key, the newest, into near or coming.
func (q *queue[M]) early(k key) {
	if b := q.ring.bucket(k.at); b > q.opened {
		q.coming, q.first = append(q.coming, k), min(q.first, b)
		return
	}
	q.insert(k)
}

func (q *queue[M]) newSlot() uint32 {
	if len(q.events) > maxPending {
		panic("sim: more than 16 million events are pending")
	}
	slot := len(q.events)
	q.events, q.ring.next = grow(q.events, 1), grow(q.ring.next, 1)
	q.ring.next[slot] = 0
	return uint32(slot)
}

// insert sorts a key, the newest, into near from the end.
func (q *queue[M]) insert(k key) {
	if n := len(q.near); n-q.head >= reach && k.at < q.near[n-reach].at {
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
		if x.at <= k.at {
			break
		}
		s[i] = x
		i--
	}
	s[i] = k
}

// makeRoom moves near back to the start of its array if half of that is free, so
// that each key is moved at most once for each that was popped.
func (q *queue[M]) makeRoom() {
	if 2*q.head < len(q.near) {
		q.near = slices.Grow(q.near, 1)
		return
	}
	q.near = q.near[:copy(q.near, q.near[q.head:])]
	q.head = 0
	q.work += len(q.near)
}

// deal moves the keys of fresh to where they belong.
func (q *queue[M]) deal() {
	q.sum = q.ring.read(q.fresh)
	for _, k := range q.fresh {
		q.later(k)
	}
	q.fresh = q.fresh[:0]
}

// later puts the key of a bucket after the present one into ring or heap.
func (q *queue[M]) later(k key) {
	if !q.ring.add(k.at, k.slot()) {
		q.heap.push(k)
	}
}

// grow lengthens s by n without writing the new elements.
func grow[E any](s []E, n int) []E {
	if len(s)+n > cap(s) {
		s = slices.Grow(s, n)
	}
	return s[:len(s)+n]
}

// dry reports whether near must be refilled before the next pop.
func (q *queue[M]) dry() bool { return q.many == 0 && q.head >= len(q.near) }

// pop returns the next event if it is at or before until, else nil; the queue is not
// dry. The event stays as it is until it is freed.
func (q *queue[M]) pop(until Time) *event[M] {
	if q.many > 0 {
		return q.popFew(until)
	}
	k := q.near[q.head]
	if len(q.heap) > 0 && q.heap[0].less(k) {
		return q.popHeap(until)
	}
	if k.at > until {
		return nil
	}
	q.head++
	q.pending--
	q.popped, q.now = k.slot(), k.at
	return &q.events[q.popped]
}

// popFew is pop where there is no ring.
func (q *queue[M]) popFew(until Time) *event[M] {
	slot := q.few.least()
	if slot == 0 || len(q.heap) > 0 && q.heap[0].less(q.keyOf(slot)) {
		return q.popHeap(until)
	}
	e := &q.events[slot]
	if e.at > until {
		return nil
	}
	q.few.drop(slot)
	q.pending--
	q.popped, q.now = slot, e.at
	return e
}

// popHeap is pop where the next key is in the heap.
func (q *queue[M]) popHeap(until Time) *event[M] {
	if len(q.heap) == 0 || q.heap[0].at > until {
		return nil
	}
	k := q.heap[0]
	q.heap.pop()
	q.pending--
	q.popped, q.now = k.slot(), k.at
	return &q.events[q.popped]
}

// keyOf is the key of the event in a slot.
func (q *queue[M]) keyOf(slot uint32) key {
	e := &q.events[slot]
	return key{e.at, e.seq<<slotBits | uint64(slot)}
}

// free gives back the slot of the event that was popped last.
func (q *queue[M]) free() {
	q.ring.next[q.popped] = q.empty
	q.empty = q.popped
}

// putBack puts what was popped last back, as it was; the slot that it had is still to be
// freed.
func (q *queue[M]) putBack() {
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

// refill moves the next keys into near, which is empty. It reports whether there
// are any.
func (q *queue[M]) refill() bool {
	q.deal()
	if q.mistuned() {
		q.tune()
		if !q.dry() {
			return true
		}
	}
	q.near, q.head = q.near[:0], 0
	if len(q.heap) > 0 && q.ring.bucket(q.heap[0].at) < q.following() {
		q.spill()
	} else if len(q.coming) > 0 || q.ring.held > 0 {
		q.open()
	}
	return !q.dry()
}

// following is the first bucket after the opened ones that may hold slots.
func (q *queue[M]) following() int64 {
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
func (q *queue[M]) spill() {
	k := q.heap[0]
	q.heap.pop()
	q.opened = max(q.opened, q.ring.bucket(k.at))
	q.ring.present = max(q.ring.present, q.opened)
	q.wear.spilled++
	q.work++
	q.near = append(q.near, k)
}

// open moves the keys of the next buckets that are not empty into near, which is empty.
func (q *queue[M]) open() {
	if len(q.coming) == 0 {
		q.announce()
	}
	s := q.coming
	q.coming, q.opened = q.near, q.ring.present
	q.wear.served += len(s)
	q.work += len(s)
	q.readKeys(s)
	sortNearly(s)
	q.near = s
	if q.large {
		q.announce()
	}
}

// announce moves the slots of buckets from the ring into coming, which is empty, and writes to
// their events: a write, unlike a read, does not wait for the memory. They are there when
// these buckets are opened.
func (q *queue[M]) announce() {
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
	for _, k := range s {
		q.events[k.slot()].touched = 1
	}
	q.coming = s
}

// readKeys completes keys of which only the slot is known.
func (q *queue[M]) readKeys(s []key) {
	for i := range s {
		s[i] = q.keyOf(s[i].slot())
	}
}
