package queue

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// wear is how the ring has served since the last look at the tuning.
type wear struct {
	opened  int // buckets
	served  int // keys found in them
	looked  int // words of empty buckets
	spilled int // keys that came from the heap, when near was empty
}

// mistuned reports whether the buckets were too full, too empty or too few, for
// long enough to pay for a tuning.
func (q *Queue[E]) mistuned() bool {
	u := &q.wear
	if len(q.ring.heads) == 0 || u.opened+u.spilled < 64 || q.work < q.look {
		return false
	}
	wrong := u.served > 8*u.opened || u.looked > u.served ||
		q.pending > 8*q.laid || 8*q.pending < q.laid || u.spilled > u.served/2
	*u = wear{}
	q.look = q.work + q.pending
	return wrong
}

// tune chooses the width and number of buckets from the instants of the earlier
// half of what is pending, and distributes everything anew: O(n log n), paid for
// by at least as much work since the last time. Where that changes nothing, the
// next tuning waits for longer.
func (q *Queue[E]) tune() {
	all := q.collect()
	shift, size := q.ring.shift, len(q.ring.heads)
	q.clear()
	q.look = q.work + len(all)
	if len(all) >= q.Limit/2 && len(all) > 1 {
		q.divide(all)
	} else {
		q.compact(all)
	}
	if q.ring.shift == shift && len(q.ring.heads) == size {
		q.look += 15 * len(all)
	}
	q.distribute(all)
}

// compact moves all events to the first slots, since few takes no others. It is refill that has
// found that they are few: no event is at hand.
func (q *Queue[E]) compact(all []Key) {
	slices.SortFunc(all, func(a, b Key) int { return cmp.Compare(a.Slot(), b.Slot()) })
	for i, k := range all {
		q.events[i+1] = q.events[k.Slot()]
		all[i] = q.keyOf(uint32(i + 1))
	}
	q.events, q.ring.next = q.events[:len(all)+1], q.ring.next[:len(all)+1]
	q.empty, q.popped = 0, 0
}

// divide lays out the ring for the given keys: a bucket is two to four times as wide as the
// earlier ones are apart.
func (q *Queue[E]) divide(all []Key) {
	first, middle := earlierHalf(all)
	n := uint64(len(all))
	apart := uint64(middle-first) / (n / 2)
	shift := uint(min(max(bits.Len64(apart)+1, 1), 59)) // timers may be set to Never
	span := min(uint64(middle-first)>>shift*12, 6*n)    // exponential delays: 99.98% are shorter
	size := max(1<<bits.Len64(max(span, n/2)), 64)
	q.ring.lay(size, shift, int64(first)>>shift-1)
	q.laid, q.large, q.many, q.opened = len(all), len(all) > largeLimit*q.Limit, 0, q.ring.present
}

// earlierHalf is the first and the median instant, checked by at most 1024 keys.
func earlierHalf(all []Key) (first, middle int64) {
	first = math.MaxInt64
	var sample [1024]int64
	stride := len(all)/len(sample) + 1
	s := sample[:0]
	for i := range all {
		first = min(first, all[i].At)
		if i%stride == 0 {
			s = append(s, all[i].At)
		}
	}
	slices.Sort(s)
	return first, s[len(s)/2]
}

// collect takes every key out of the queue, in no particular order.
func (q *Queue[E]) collect() []Key {
	all := q.Snapshot()
	q.few.clear(0, 0, 0)
	q.near, q.head, q.heap, q.fresh = q.near[:0], 0, q.heap[:0], q.fresh[:0]
	q.coming, q.opened = q.coming[:0], q.ring.present
	q.work += len(all) + len(q.ring.heads)
	q.ring.lay(len(q.ring.heads), q.ring.shift, q.ring.present)
	return all
}

// Snapshot is every key in the queue, those of earlier buckets mostly first, in memory of its
// own until the next one.
func (q *Queue[E]) Snapshot() []Key {
	all := append(q.Soon(), q.fresh...)
	n := len(all)
	all = q.ring.slots(append(all, q.coming...))
	q.readKeys(all[n:])
	q.scratch = all
	return all
}

// distribute puts keys into the emptied queue.
func (q *Queue[E]) distribute(all []Key) {
	if q.many > 0 {
		q.hold(all)
		return
	}
	for _, k := range all {
		if q.ring.bucket(k.At) > q.ring.present {
			q.later(k)
		} else {
			q.near = append(q.near, k)
		}
	}
	SortNearly(q.near)
}

// Move lets f change the instants and sequences of all pending events.
func (q *Queue[E]) Move(f func(*Entry[E])) {
	all := q.collect()
	for i, k := range all {
		e := &q.events[k.Slot()]
		f(e)
		all[i] = q.keyOf(k.Slot())
	}
	q.distribute(all)
}
