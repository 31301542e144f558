package accesslog

import (
	"slices"
	"time"
)

// entry is a line that is left of the log.
type entry struct {
	at  int64 // ns since 1970
	key uint64
}

// order sorts entries that are out of order by at most the horizon: a slot for each of
// its seconds holds those that have come, and is given out when the newest entry is
// more than the horizon after it. Entries of one instant stay in the order of the log.
type order struct {
	horizon int64
	slots   []slot // a ring: that of second s is slots[s % len]
	first   int64  // the oldest second that is not given out
	newest  int64  // time, in ns
	pending int
	crowded int64

	out  []entry // given out, from next on
	next int
}

type slot struct {
	entries []entry
	mixed   bool // not in order
}

func newOrder(horizon time.Duration) order {
	seconds := int64((horizon + time.Second - 1) / time.Second)
	return order{horizon: int64(horizon), slots: make([]slot, seconds+2), first: -1}
}

const second = int64(time.Second)

func (o *order) slot(s int64) *slot { return &o.slots[s%int64(len(o.slots))] }

// push takes an entry; it is false if that is too late.
func (o *order) push(e entry) bool {
	s := e.at / second
	if o.first < 0 {
		o.first, o.newest = max(0, (e.at-o.horizon)/second), e.at
	}
	if e.at < o.newest-o.horizon || s < o.first {
		return false
	}
	if e.at > o.newest {
		o.newest = e.at
		o.release((e.at - o.horizon) / second)
	}
	t := o.slot(s)
	if n := len(t.entries); n > 0 && e.at < t.entries[n-1].at {
		t.mixed = true
	}
	t.entries = append(t.entries, e)
	if o.pending++; o.pending > MaxPending && o.first < o.newest/second {
		o.crowded++
		o.release(o.first + 1)
	}
	return true
}

// release gives out the seconds before s.
func (o *order) release(s int64) {
	if s <= o.first {
		return
	}
	if o.next == len(o.out) {
		o.out, o.next = o.out[:0], 0
	}
	for ; o.first < s && o.pending > 0; o.first++ {
		t := o.slot(o.first)
		if len(t.entries) == 0 {
			continue
		}
		if t.mixed {
			slices.SortStableFunc(t.entries, func(a, b entry) int { return int(max(min(a.at-b.at, 1), -1)) })
		}
		o.out = append(o.out, t.entries...)
		o.pending -= len(t.entries)
		t.entries, t.mixed = t.entries[:0], false
	}
	o.first = s
}

// pop returns the next entry that is given out.
func (o *order) pop() (entry, bool) {
	if o.next == len(o.out) {
		return entry{}, false
	}
	o.next++
	return o.out[o.next-1], true
}

// flush gives out all that is left, and reports whether there was any.
func (o *order) flush() bool {
	if o.pending == 0 {
		return false
	}
	o.release(o.newest/second + 1)
	return true
}
