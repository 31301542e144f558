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
//   - near is the events of the present time bucket, sorted. A few dozen pending
//     events all live here.
//   - ring holds the following buckets, each a list of chunks of events, sorted
//     only when its turn comes.
//   - heap takes what fits neither: what lies beyond the ring, and what would
//     have to travel far in near. It bounds every operation by O(log n) for any
//     distribution of instants.
//
// An event is written once into its slot and read once; near and heap hold keys.
type queue[M any] struct {
	events []event[M] // by slot, in chunks
	chain  []uint32   // by chunk: the chunk before it in its list, 0 for none
	single uint32     // a list of free slots, linked through due; 0 for none
	spare  uint32     // a list of free chunks
	open   uint32     // the chunks of the present bucket: free when the next one opens

	seq     uint64
	pending int

	near []key // near[head:] is sorted
	head int
	heap keyHeap

	ring    []bucket // a power of two of them, or none
	busy    []uint64 // a bit per bucket: not empty
	inRing  int
	shift   uint  // a bucket is 1<<shift ns wide
	present int64 // buckets up to this number are in near and heap

	opened, served int // since the last look at the tuning: buckets opened, events found in them
	spilled        int // and events that came from the heap
	patience       int // events to serve before the next look
	limit          int // of events pending before the ring is used
	scratch        []event[M]
}

// An event is a message on its way, or a change that the engine has planned.
type event[M any] struct {
	at       Time
	seq      uint64
	due      int64 // of a timer, the reading of its clock at which it is due; of a message, the instant it was sent
	to, from NodeID
	life     uint32 // of a timer: the life of the node that armed it
	class    class
	single   bool // the slot is free once the event has been taken
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
	chunkSize  = 4  // events, so that a chunk of small messages is four cache lines
	slotBits   = 24 // of a key
	maxPending = 1 << slotBits
	reach      = 32  // how far an event may travel in near
	smallLimit = 64  // pending events that need no ring
	perBucket  = 4   // events wanted in a bucket
	nearRoom   = 256 // keys before near moves back to the start of its array
)

type bucket struct {
	tail uint32 // its last chunk
	n    uint32 // events in it
}

func (q *queue[M]) reset() {
	if q.events == nil {
		q.events = make([]event[M], chunkSize, 64*chunkSize)
		q.chain = make([]uint32, 1, 64) // chunk 0 is no chunk
		q.near = make([]key, 0, 2*nearRoom)
	}
	if q.limit == 0 {
		q.limit = smallLimit
	}
	q.events, q.chain = q.events[:chunkSize], q.chain[:1]
	q.single, q.spare, q.open = 0, 0, 0
	q.seq, q.pending = 0, 0
	q.near, q.head, q.heap = q.near[:0], 0, q.heap[:0]
	q.noRing()
}

func (q *queue[M]) noRing() {
	q.ring, q.busy, q.inRing = q.ring[:0], q.busy[:0], 0
	q.shift, q.present = 63, 0
	q.opened, q.served, q.spilled, q.patience = 0, 0, 0, 0
}

// push makes room for an event at the given instant and returns it for the caller
// to fill in all but at, seq and single. The pointer holds until the next push.
func (q *queue[M]) push(at Time) *event[M] {
	if q.pending >= q.limit && len(q.ring) == 0 {
		q.tune()
	}
	q.seq++
	q.pending++
	return q.put(at, q.seq)
}

func (q *queue[M]) put(at Time, seq uint64) *event[M] {
	b := int64(at) >> q.shift
	if uint64(b-q.present-1) < uint64(len(q.ring)) {
		return q.putRing(b, at, seq)
	}
	slot := q.single
	if slot == 0 {
		slot = q.newSingles()
	}
	e := &q.events[slot]
	q.single = uint32(e.due)
	e.at, e.seq, e.single = at, seq, true
	k := key{at, seq<<slotBits | uint64(slot)}
	if b > q.present || len(q.near)-q.head > reach && k.less(q.near[len(q.near)-reach]) {
		q.heap.push(k)
	} else {
		q.insert(k)
	}
	return e
}

// insert sorts a key into near from the end.
func (q *queue[M]) insert(k key) {
	if len(q.near) == cap(q.near) && q.head > 0 {
		q.near = q.near[:copy(q.near, q.near[q.head:])]
		q.head = 0
	}
	q.near = append(q.near, k)
	s := q.near[q.head:]
	i := len(s) - 1
	for i > 0 && k.less(s[i-1]) {
		s[i] = s[i-1]
		i--
	}
	s[i] = k
}

func (q *queue[M]) putRing(b int64, at Time, seq uint64) *event[M] {
	i := uint64(b) & uint64(len(q.ring)-1)
	h := &q.ring[i]
	if h.n%chunkSize == 0 {
		if h.n == 0 {
			q.busy[i/64] |= 1 << (i % 64)
		}
		h.tail = q.newChunk(h.tail)
	}
	slot := h.tail*chunkSize + h.n%chunkSize
	h.n++
	q.inRing++
	e := &q.events[slot]
	e.at, e.seq, e.single = at, seq, false
	return e
}

// newChunk returns a free chunk whose predecessor in its list is prev.
func (q *queue[M]) newChunk(prev uint32) uint32 {
	c := q.spare
	if c != 0 {
		q.spare = q.chain[c]
	} else {
		c = uint32(len(q.chain))
		q.chain = append(q.chain, 0)
		q.events = grow(q.events, chunkSize)
		if len(q.events) > maxPending {
			panic("sim: more than 16 million events are pending")
		}
	}
	q.chain[c] = prev
	return c
}

// grow lengthens s by n without writing the new elements.
func grow[E any](s []E, n int) []E {
	if len(s)+n > cap(s) {
		s = slices.Grow(s, n)
	}
	return s[:len(s)+n]
}

// newSingles turns a chunk into free slots and returns the first.
func (q *queue[M]) newSingles() uint32 {
	first := q.newChunk(0) * chunkSize
	for i := range uint32(chunkSize - 1) {
		q.events[first+i].due = int64(first + i + 1)
	}
	q.events[first+chunkSize-1].due = 0
	return first
}

// pop returns the slot of the next event at or before until, and whether there is
// one. The event stays readable until take.
func (q *queue[M]) pop(until Time) (slot uint32, ok bool) {
	for q.head == len(q.near) {
		if q.mistuned() {
			q.tune()
			continue
		}
		if k, found := q.heapFirst(); found {
			if k.at > until {
				return 0, false
			}
			q.heap.pop()
			q.present = max(q.present, int64(k.at)>>q.shift)
			q.spilled++
			q.pending--
			return k.slot(), true
		}
		if q.inRing == 0 {
			return 0, false
		}
		q.openNext()
	}
	k := q.near[q.head]
	if len(q.heap) > 0 && q.heap[0].less(k) {
		k = q.heap[0]
		if k.at > until {
			return 0, false
		}
		q.heap.pop()
	} else {
		if k.at > until {
			return 0, false
		}
		q.head++
	}
	q.pending--
	return k.slot(), true
}

// take frees the slot of a popped event. The caller has copied what it needs.
func (q *queue[M]) take(slot uint32) {
	if e := &q.events[slot]; e.single {
		e.due = int64(q.single)
		q.single = slot
	}
}

// heapFirst is the first key of the heap if no bucket of the ring may hold an
// earlier one; near is empty.
func (q *queue[M]) heapFirst() (key, bool) {
	if len(q.heap) == 0 {
		return key{}, false
	}
	k := q.heap[0]
	return k, q.inRing == 0 || int64(k.at)>>q.shift < q.nextBusy()
}

// nextBusy is the number of the first bucket that holds events; there is one.
func (q *queue[M]) nextBusy() int64 {
	mask := uint64(len(q.ring) - 1)
	start := uint64(q.present+1) & mask
	w := q.busy[start/64] >> (start % 64)
	if w != 0 {
		return q.present + 1 + int64(bits.TrailingZeros64(w))
	}
	for d := 64 - start%64; ; d += 64 {
		i := (start + d) & mask
		if w := q.busy[i/64]; w != 0 {
			return q.present + 1 + int64(d) + int64(bits.TrailingZeros64(w))
		}
	}
}

// openNext moves the events of the next busy bucket into near, which is empty.
func (q *queue[M]) openNext() {
	q.freeOpen()
	b := q.nextBusy()
	q.present = b
	i := uint64(b) & uint64(len(q.ring)-1)
	h := q.ring[i]
	q.ring[i] = bucket{}
	q.busy[i/64] &^= 1 << (i % 64)
	q.inRing -= int(h.n)
	q.opened++
	q.served += int(h.n)
	q.open = h.tail
	q.near, q.head = q.near[:0], 0
	n := (h.n-1)%chunkSize + 1
	for c := h.tail; c != 0; c = q.chain[c] {
		first := c * chunkSize
		for s := first; s < first+n; s++ {
			e := &q.events[s]
			q.near = append(q.near, key{e.at, e.seq<<slotBits | uint64(s)})
		}
		n = chunkSize
	}
	sortKeys(q.near)
}

// freeOpen frees the chunks of the bucket whose events have all been taken.
func (q *queue[M]) freeOpen() {
	for c := q.open; c != 0; {
		next := q.chain[c]
		q.chain[c] = q.spare
		q.spare = c
		c = next
	}
	q.open = 0
}

// mistuned reports whether the buckets were too full, too empty or too few, for
// long enough to pay for a tuning.
func (q *queue[M]) mistuned() bool {
	if q.opened+q.spilled < 64 || q.served+q.spilled < q.patience || len(q.ring) == 0 {
		return false
	}
	full := q.served > 3*perBucket*q.opened
	empty := 3*q.served < perBucket*q.opened
	few := q.pending > 2*len(q.ring) || q.spilled > q.served/2
	many := 16*q.pending < len(q.ring)
	q.opened, q.served, q.spilled, q.patience = 0, 0, 0, q.pending
	return full || empty || few || many
}

// tune chooses the width and number of buckets from the instants of the earlier
// half of what is pending, and distributes everything anew: O(n log n), paid for
// by at least as many events served since the last time. Where that changes
// nothing, the next tuning waits for longer.
func (q *queue[M]) tune() {
	all := q.collect()
	shift, size := q.shift, len(q.ring)
	q.noRing()
	q.patience = len(all)
	if len(all) >= q.limit/2 && len(all) > 1 {
		q.divide(all)
	}
	if q.shift == shift && len(q.ring) == size {
		q.patience = 16 * len(all)
	}
	q.redistribute(all)
	if clear(all); cap(all) <= 64*smallLimit {
		q.scratch = all[:0]
	}
}

// divide lays out the ring for the given events.
func (q *queue[M]) divide(all []event[M]) {
	first, middle := earlierHalf(all)
	width := uint64(middle-first) / uint64(len(all)/2) * perBucket
	q.shift = uint(max(bits.Len64(width), 1))
	q.present = int64(first)>>q.shift - 1
	size := max(1<<bits.Len(uint(len(all)*3/2)), 64)
	q.ring, q.busy = grow(q.ring[:0], size), grow(q.busy[:0], size/64)
	clear(q.ring)
	clear(q.busy)
}

// collect takes every pending event out of the queue, in no particular order.
func (q *queue[M]) collect() []event[M] {
	all := slices.Grow(q.scratch[:0], q.pending)
	q.scratch = nil
	for _, k := range q.near[q.head:] {
		all = append(all, q.events[k.slot()])
	}
	for _, k := range q.heap {
		all = append(all, q.events[k.slot()])
	}
	for i := range q.ring {
		h := &q.ring[i]
		for c, n := h.tail, (h.n+chunkSize-1)%chunkSize+1; c != 0; c, n = q.chain[c], chunkSize {
			all = append(all, q.events[c*chunkSize:c*chunkSize+n]...)
		}
		*h = bucket{}
	}
	clear(q.busy)
	q.inRing = 0
	return all
}

// redistribute puts events back into the emptied queue, each with its sequence.
func (q *queue[M]) redistribute(all []event[M]) {
	q.events, q.chain = q.events[:chunkSize], q.chain[:1]
	q.single, q.spare, q.open = 0, 0, 0
	q.near, q.head, q.heap = q.near[:0], 0, q.heap[:0]
	for i := range all {
		e := q.put(all[i].at, all[i].seq)
		single := e.single
		*e = all[i]
		e.single = single
	}
}

// earlierHalf is the first and the median instant, judged by at most 1024 events.
func earlierHalf[M any](all []event[M]) (first, middle Time) {
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

// move lets f change the instants of all pending events.
func (q *queue[M]) move(f func(*event[M])) {
	all := q.collect()
	for i := range all {
		f(&all[i])
	}
	q.redistribute(all)
	if clear(all); cap(all) <= 64*smallLimit {
		q.scratch = all[:0]
	}
}
