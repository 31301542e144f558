package sim

import (
	"math"
	"math/bits"
	"slices"
)

// A queue holds the pending events of a world and gives them in the order of
// (instant, sequence). That order is total, so nothing below can change what a
// run does; it only decides how fast.
//
// An event lies in one slot from push to free. A few dozen pending events have their keys in
// few, and nothing else is used but the heap. Above that, what moves are keys of 16 bytes:
//
//   - near has those of the present time buckets, sorted.
//   - ring has the following buckets, each a list of chunks of keys, sorted only
//     when its turn comes. What is pushed for it waits in fresh.
//   - heap takes what fits neither: what lies beyond the ring, and what would
//     have to travel far in near. It bounds every operation by O(log n) for any
//     distribution of instants.
type queue[M any] struct {
	few   handful
	near  []key // near[head:] is sorted
	head  int
	heap  keyHeap
	fresh []key // for ring or heap, not yet there

	events []event[M] // by slot; 0 is no slot
	empty  uint32     // a list of free slots, linked through due
	popped uint32     // the slot of the event that was popped last

	seq     uint64
	pending int
	many    int   // more pending events than these call for a ring; 0 if there is one
	present int64 // the keys of buckets up to this number are in near and heap
	shift   uint  // a bucket is 1<<shift ns wide

	ring   []uint32 // by bucket: the place of its last key, 0 if it is empty; a power of two of them, or none
	busy   []uint64 // a bit per bucket: not empty
	keys   []key    // of the ring, in chunks; 0 is no chunk
	chain  []uint32 // by chunk: the one before it in its list
	spare  uint32   // a list of free chunks
	inRing int

	wear    wear
	work    int // keys moved and words looked through so far, but for sorting and the heap
	look    int // the work after which to look at the tuning
	limit   int // pending events that need no ring
	scratch []key
}

// An event is a message on its way, or a change that the engine has planned. With
// a message of 24 bytes it is one cache line.
type event[M any] struct {
	at       Time
	seq      uint64
	due      int64 // of a timer, the reading of its clock at which it is due; of a message, the instant it was sent
	to, from NodeID
	life     uint32 // of a timer: the life of the node that armed it
	class    class
	msg      M
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
	smallLimit = places                               // pending events that need no ring: up to here looking at all is faster
	perBucket  = 4                                    // events wanted in a bucket; from 4 to 16 hardly matters
	ahead      = 32                                   // keys wanted in near when buckets are opened, see World.touch
	batch      = 64                                   // keys that may wait in fresh
	chunkSize  = 4                                    // keys
)

// wear is how the buckets have served since the last look at the tuning.
type wear struct {
	opened  int // buckets
	served  int // keys found in them
	spilled int // keys that came from the heap, when near was empty
}

func (q *queue[M]) reset() {
	if q.events == nil {
		q.events = make([]event[M], 1, 2*smallLimit)
		q.keys, q.chain = make([]key, chunkSize), make([]uint32, 1)
		q.near = make([]key, 0, 8*smallLimit)
		q.fresh = make([]key, 0, batch)
	}
	if q.limit == 0 {
		q.limit = smallLimit
	}
	q.events, q.empty = q.events[:1], 0
	q.seq, q.pending, q.popped = 0, 0, 0
	q.work, q.look = 0, 0
	q.clear()
}

// clear forgets all keys, and the ring.
func (q *queue[M]) clear() {
	q.few.empty()
	q.near, q.head, q.heap, q.fresh = q.near[:0], 0, q.heap[:0], q.fresh[:0]
	q.ring, q.busy, q.inRing = q.ring[:0], q.busy[:0], 0
	q.keys, q.chain, q.spare = q.keys[:chunkSize], q.chain[:1], 0
	q.shift, q.present, q.many = 63, 0, q.limit
	q.wear = wear{}
}

// push makes room for an event at the given instant and returns it for the caller
// to fill in all but at and seq. The pointer holds until the next push.
func (q *queue[M]) push(at Time) *event[M] {
	slot := q.empty
	if slot == 0 {
		slot = q.newSlot()
	}
	e := &q.events[slot]
	q.empty = uint32(e.due)
	q.seq++
	q.pending++
	e.at, e.seq = at, q.seq
	switch {
	case q.pending <= q.many:
		if !q.few.add(at, slot) {
			q.squeeze(key{at, q.seq<<slotBits | uint64(slot)})
		}
	case q.many > 0:
		q.tune()
		q.file(key{at, q.seq<<slotBits | uint64(slot)})
	case int64(at)>>(q.shift&63) <= q.present:
		q.insert(key{at, q.seq<<slotBits | uint64(slot)})
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
	case int64(k.at)>>(q.shift&63) <= q.present:
		q.insert(k)
	default:
		q.later(k)
	}
}

func (q *queue[M]) newSlot() uint32 {
	if len(q.events) > maxPending {
		panic("sim: more than 16 million events are pending")
	}
	q.events = grow(q.events, 1)
	slot := len(q.events) - 1
	q.events[slot].due = 0
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
	for _, k := range q.fresh {
		q.later(k)
	}
	q.fresh = q.fresh[:0]
}

// later puts the key of a bucket after the present one into ring or heap.
func (q *queue[M]) later(k key) {
	b := int64(k.at) >> (q.shift & 63)
	if b-q.present > int64(len(q.ring)) {
		q.heap.push(k)
		return
	}
	i := uint64(b) & uint64(len(q.ring)-1)
	last := q.ring[i]
	switch {
	case last == 0:
		q.busy[i/64] |= 1 << (i % 64)
		last = q.newChunk(0)
	case last%chunkSize == chunkSize-1:
		last = q.newChunk(last / chunkSize)
	default:
		last++
	}
	q.ring[i] = last
	q.keys[last] = k
	q.inRing++
}

// newChunk returns the place of the first key of a free chunk, which comes after
// prev in its list.
func (q *queue[M]) newChunk(prev uint32) uint32 {
	c := q.spare
	if c != 0 {
		q.spare = q.chain[c]
	} else {
		c = uint32(len(q.chain))
		q.chain = grow(q.chain, 1)
		q.keys = grow(q.keys, chunkSize)
	}
	q.chain[c] = prev
	return c * chunkSize
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
	q.popped = k.slot()
	return &q.events[q.popped]
}

// popFew is pop where there is no ring.
func (q *queue[M]) popFew(until Time) *event[M] {
	place := q.few.least()
	if q.few.free == math.MaxUint64 || len(q.heap) > 0 && q.heap[0].less(q.keyOf(q.few.slots[place])) {
		return q.popHeap(until)
	}
	slot := q.few.slots[place]
	e := &q.events[slot]
	if e.at > until {
		return nil
	}
	q.few.drop(place)
	q.pending--
	q.popped = slot
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
	q.popped = k.slot()
	return &q.events[q.popped]
}

// keyOf is the key of the event in a slot.
func (q *queue[M]) keyOf(slot uint32) key {
	e := &q.events[slot]
	return key{e.at, e.seq<<slotBits | uint64(slot)}
}

// free gives back the slot of the event that was popped last.
func (q *queue[M]) free() {
	q.events[q.popped].due = int64(q.empty)
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
	q.empty = uint32(e.due)
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
	next := int64(math.MaxInt64)
	if q.inRing > 0 {
		next = q.nextBusy()
	}
	if len(q.heap) > 0 && int64(q.heap[0].at)>>(q.shift&63) < next {
		k := q.heap[0]
		q.heap.pop()
		q.present = max(q.present, int64(k.at)>>(q.shift&63))
		q.wear.spilled++
		q.work++
		q.near = append(q.near, k)
		return true
	}
	if q.inRing > 0 {
		q.open()
	}
	return !q.dry()
}

// nextBusy is the number of the first bucket that holds keys; there is one.
func (q *queue[M]) nextBusy() int64 {
	mask := uint64(len(q.ring) - 1)
	start := uint64(q.present+1) & mask
	if w := q.busy[start/64] >> (start % 64); w != 0 {
		return q.present + 1 + int64(bits.TrailingZeros64(w))
	}
	for d := 64 - start%64; ; d += 64 {
		q.work++
		i := (start + d) & mask
		if w := q.busy[i/64]; w != 0 {
			return q.present + 1 + int64(d) + int64(bits.TrailingZeros64(w))
		}
	}
}

// open moves the keys of the next busy buckets into near, which is empty.
func (q *queue[M]) open() {
	for len(q.near) < ahead && q.inRing > 0 {
		q.present = q.nextBusy()
		i := uint64(q.present) & uint64(len(q.ring)-1)
		q.busy[i/64] &^= 1 << (i % 64)
		n := len(q.near)
		q.near = q.take(q.near, i)
		sortKeys(q.near[n:])
		q.wear.opened++
		q.wear.served += len(q.near) - n
		q.work += len(q.near) - n
	}
}

// take appends the keys of a bucket to s, the last one first, and frees its chunks.
func (q *queue[M]) take(s []key, i uint64) []key {
	last := q.ring[i]
	q.ring[i] = 0
	n := len(s)
	for c := last / chunkSize; c != 0; {
		for j := last % chunkSize; j < chunkSize; j-- { // to 0, then it wraps
			s = append(s, q.keys[c*chunkSize+j])
		}
		last = chunkSize - 1
		prev := q.chain[c]
		q.chain[c] = q.spare
		q.spare, c = c, prev
	}
	q.inRing -= len(s) - n
	return s
}

// mistuned reports whether the buckets were too full, too empty or too few, for
// long enough to pay for a tuning.
func (q *queue[M]) mistuned() bool {
	u := &q.wear
	if len(q.ring) == 0 || u.opened+u.spilled < 64 || q.work < q.look {
		return false
	}
	room := perBucket * len(q.ring)
	wrong := u.served > 3*perBucket*u.opened || 3*u.served < perBucket*u.opened ||
		2*q.pending > room || 64*q.pending < room || u.spilled > u.served/2
	*u = wear{}
	q.look = q.work + q.pending
	return wrong
}

// tune chooses the width and number of buckets from the instants of the earlier
// half of what is pending, and distributes everything anew: O(n log n), paid for
// by at least as much work since the last time. Where that changes nothing, the
// next tuning waits for longer.
func (q *queue[M]) tune() {
	all := q.collect()
	shift, size := q.shift, len(q.ring)
	q.clear()
	q.look = q.work + len(all)
	if len(all) >= q.limit/2 && len(all) > 1 {
		q.divide(all)
	}
	if q.shift == shift && len(q.ring) == size {
		q.look += 15 * len(all)
	}
	q.distribute(all)
}

// divide lays out the ring for the given keys.
func (q *queue[M]) divide(all []key) {
	first, middle := earlierHalf(all)
	apart := min(uint64(middle-first)/uint64(len(all)/2), 1<<58) // timers may be set to Never
	q.shift = uint(max(bits.Len64(apart*perBucket), 1))
	q.present = int64(first)>>q.shift - 1
	size := max(1<<bits.Len(uint(len(all)*6/perBucket)), 64)
	q.ring, q.busy = grow(q.ring[:0], size), grow(q.busy[:0], size/64)
	clear(q.ring)
	clear(q.busy)
	q.many = 0
}

// earlierHalf is the first and the median instant, judged by at most 1024 keys.
func earlierHalf(all []key) (first, middle Time) {
	first = math.MaxInt64
	var sample [1024]Time
	stride := len(all)/len(sample) + 1
	s := sample[:0]
	for i := range all {
		first = min(first, all[i].at)
		if i%stride == 0 {
			s = append(s, all[i].at)
		}
	}
	slices.Sort(s)
	return first, s[len(s)/2]
}

// collect takes every key out of the queue, in no particular order.
func (q *queue[M]) collect() []key {
	all := append(q.soon(), q.fresh...)
	q.few.empty()
	q.near, q.head, q.heap, q.fresh = q.near[:0], 0, q.heap[:0], q.fresh[:0]
	for i := range q.ring {
		all = q.take(all, uint64(i))
	}
	clear(q.busy)
	q.inRing = 0
	q.scratch = all
	q.work += len(all) + len(q.ring)
	return all
}

// snapshot is every key in the queue, those of earlier buckets mostly first, in memory of its
// own until the next one.
func (q *queue[M]) snapshot() []key {
	all := append(q.soon(), q.fresh...)
	for i := range q.ring {
		last := q.ring[(int(q.present)+1+i)&(len(q.ring)-1)]
		for c := last / chunkSize; c != 0; c = q.chain[c] {
			all = append(all, q.keys[c*chunkSize:c*chunkSize+last%chunkSize+1]...)
			last = chunkSize - 1
		}
	}
	q.scratch = all
	return all
}

// distribute puts keys into the emptied queue.
func (q *queue[M]) distribute(all []key) {
	if q.many > 0 {
		q.hold(all)
		return
	}
	for _, k := range all {
		if int64(k.at)>>(q.shift&63) > q.present {
			q.later(k)
		} else {
			q.near = append(q.near, k)
		}
	}
	sortKeys(q.near)
}

// move lets f change the instants and sequences of all pending events.
func (q *queue[M]) move(f func(*event[M])) {
	all := q.collect()
	for i, k := range all {
		e := &q.events[k.slot()]
		f(e)
		all[i] = q.keyOf(k.slot())
	}
	q.distribute(all)
}
