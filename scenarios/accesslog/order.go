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

// order sorts entries. It holds the last ones, at least as many as least, and then all
// that are within the horizon of the newest, up to most; what is older is given out.
// A log of no more entries than that is sorted whole. Entries of one instant stay in the
// order of the log.
type order struct {
	horizon     int64
	least, most int

	held     []entry // in order, unless unsorted
	next     int     // the next to be given out: up to ready
	ready    int
	unsorted bool
	limit    int   // of held, until it is looked what can be given out
	newest   int64 // time, in ns
	released int64 // time of the last entry that may be given out, -1 before the first
	crowded  int64
	room     []entry // for sorting
}

func newOrder(horizon time.Duration, most int) order {
	least := min(LeastHeld, max(most/2, 1))
	return order{horizon: int64(horizon), least: least, most: max(most, 2*least), limit: 2 * least, released: -1}
}

const second = int64(time.Second)

// push takes an entry, after all that are ready have been popped; it is false if that is
// too late.
func (o *order) push(e entry) bool {
	if e.at < o.released {
		return false
	}
	if o.ready > 0 {
		o.held = o.held[:copy(o.held, o.held[o.ready:])]
		o.next, o.ready = 0, 0
	}
	if len(o.held) == 0 || e.at > o.newest {
		o.newest = e.at
	}
	o.held = append(o.held, e)
	if !o.unsorted {
		o.sink()
	}
	if len(o.held) >= o.limit {
		o.release()
	}
	return true
}

// sink moves the last entry to its place if that is near: most lines that are out of order
// are so by a few. If it is not, all are sorted when some are given out.
func (o *order) sink() {
	const near = 256
	n := len(o.held) - 1
	e := o.held[n]
	for i := n; ; i-- {
		if i == 0 || o.held[i-1].at <= e.at {
			if i < n {
				copy(o.held[i+1:], o.held[i:n])
				o.held[i] = e
			}
			return
		}
		if n-i == near {
			o.unsorted = true
			return
		}
	}
}

// release makes those ready that are before the horizon, except for the last ones.
func (o *order) release() {
	o.sort()
	n := len(o.held) - o.least
	o.ready, _ = slices.BinarySearchFunc(o.held[:n], o.newest-o.horizon, func(e entry, at int64) int { return compare(e.at, at) })
	if o.ready == 0 && len(o.held) >= o.most {
		o.crowded++
		o.ready = n
	}
	if o.ready > 0 {
		o.released = o.held[o.ready-1].at
	}
	o.limit = min(max(2*o.least, len(o.held)-o.ready+o.least), o.most)
}

// pop returns the next entry that is ready.
func (o *order) pop() (entry, bool) {
	if o.next == o.ready {
		return entry{}, false
	}
	o.next++
	return o.held[o.next-1], true
}

// flush makes all that is left ready, and reports whether there was any.
func (o *order) flush() bool {
	if o.ready == len(o.held) {
		return false
	}
	o.held = o.held[:copy(o.held, o.held[o.ready:])]
	o.sort()
	o.next, o.ready = 0, len(o.held)
	o.released = o.held[o.ready-1].at
	return true
}

// sort sorts all that is held, by the digits of the times from the last to the first.
func (o *order) sort() {
	if !o.unsorted {
		return
	}
	o.unsorted = false
	const bits, digits = 11, 1 << 11
	a := o.held
	if cap(o.room) < len(a) {
		o.room = make([]entry, len(a))
	}
	b := o.room[:len(a)]
	lo, hi := a[0].at, a[0].at
	for i := range a {
		lo, hi = min(lo, a[i].at), max(hi, a[i].at)
	}
	for shift := 0; (hi-lo)>>shift != 0; shift += bits {
		var start [digits]int
		for i := range a {
			start[(a[i].at-lo)>>shift%digits]++
		}
		if start[(a[0].at-lo)>>shift%digits] == len(a) {
			continue
		}
		sum := 0
		for d, n := range start {
			start[d] = sum
			sum += n
		}
		for i := range a {
			d := (a[i].at - lo) >> shift % digits
			b[start[d]] = a[i]
			start[d]++
		}
		a, b = b, a
	}
	if &a[0] != &o.held[0] {
		copy(o.held, a)
	}
}

func compare(a, b int64) int { return int(max(min(a-b, 1), -1)) }
