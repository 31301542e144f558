package sync

import (
	"math/bits"
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/core"
)

// syncRule is a limit that several limiters count together: each decides by the total
// that it heard of last, and by what it has admitted itself since.
//
// Source: S0 13.2 of docs/sources.md.
type syncRule struct {
	limit    int64
	window   time.Duration
	weighted bool  // with a part of the window before, as a sliding counter
	ceil     bool  // that part is rounded up
	share    int64 // before the first answer of a window, at most this many; 0: no such bound
	late     late
}

// late is what becomes of requests that were not synchronised when their window ended.
type late uint8

const (
	lateKept    late = iota // they are synchronised, for the old window
	lateDropped             // the store never hears of them
	lateMoved               // they are synchronised for the new window, a mistake
)

// syncKey is what a limiter knows of a key: its current window, and the one before.
type syncKey struct {
	begun    bool
	cur, old syncCount
}

// syncCount is what a limiter knows of a window.
//
//  1. 0 <= sent <= unsynced
//  2. sent is 0 if seq is
type syncCount struct {
	start    int64  // by the limiter's clock
	known    int64  // what all have admitted, as far as the last answer says
	unsynced int64  // admitted here, and not yet in known
	sent     int64  // of these, under way to the store
	seq      uint64 // the number that they travel under; 0: nothing is under way
	acked    bool   // there has been an answer
}

func (c *syncCount) total() int64 { return c.known + c.unsynced }

// send is what to tell the store, and its number. What is under way is told
// again under the same number, so that the store can count it once.
func (c *syncCount) send(next uint64) (delta int64, seq uint64) {
	if c.seq == 0 {
		c.sent, c.seq = c.unsynced, next
	}
	return c.sent, c.seq
}

// answered takes the store's total. What was admitted while the answer was under way stays unsynced.
func (c *syncCount) answered(seq uint64, total int64) {
	if seq != c.seq {
		return // of a delta that was sent again, and has been answered
	}
	c.known, c.unsynced, c.acked = total, c.unsynced-c.sent, true
	c.sent, c.seq = 0, 0
}

// roll moves the key on to the window of now, and returns how far into it now is. A clock that
// goes back stands still at the start of the window.
func (r *syncRule) roll(k *syncKey, now int64) (into time.Duration) {
	start := core.FloorTo(now, r.window)
	switch {
	case !k.begun:
		k.begun, k.cur = true, syncCount{start: start}
	case start < k.cur.start:
		return 0
	case start > k.cur.start:
		k.old, k.cur = k.cur, syncCount{start: start}
		r.leave(k)
	}
	return time.Duration(now - start)
}

// leave is what happens to the window that has just become the old one.
func (r *syncRule) leave(k *syncKey) {
	if r.late == lateKept {
		return
	}
	if r.late == lateMoved {
		k.cur.unsynced = k.old.unsynced - k.old.sent
	}
	k.old.known, k.old.unsynced, k.old.sent, k.old.seq = k.old.total(), 0, 0, 0
}

// take decides a request by what the limiter knows.
func (r *syncRule) take(k *syncKey, now, cost int64) ratelimit.Decision {
	into := r.roll(k, now)
	left := r.limit - k.cur.total() - r.carried(k, into)
	if r.share > 0 && !k.cur.acked {
		left = min(left, r.share-k.cur.unsynced)
	}
	d := ratelimit.Decision{Allowed: cost <= left}
	switch {
	case d.Allowed:
		k.cur.unsynced += cost
		left -= cost
	case cost > r.limit:
		d.Wait = ratelimit.Never
	case !r.weighted:
		d.Wait = r.window - into
	}
	d.Remaining = max(0, left)
	return d
}

// carried is what counts of the window before: as much as of it lies in the window
// that ends now, if its requests came evenly.
func (r *syncRule) carried(k *syncKey, into time.Duration) int64 {
	if !r.weighted || k.cur.start-k.old.start != int64(r.window) {
		return 0
	}
	hi, lo := bits.Mul64(uint64(k.old.total()), uint64(r.window-into))
	part, rest := bits.Div64(hi, lo, uint64(r.window))
	if rest > 0 && r.ceil {
		part++
	}
	return int64(part)
}

// syncTotals is what a store has counted of one key, by window: the newest two, since
// an older one has expired.
type syncTotals [2]syncTotal

type syncTotal struct {
	begun bool
	start int64
	total int64
	seen  []uint64 // by limiter: the last number counted
}

func newSyncTotals(limiters int) syncTotals {
	return syncTotals{{seen: make([]uint64, limiters)}, {seen: make([]uint64, limiters)}}
}

// window is the total of a window, nil if that has expired.
func (s *syncTotals) window(start int64, window time.Duration) *syncTotal {
	t := &s[uint64(start/int64(window))&1]
	switch {
	case !t.begun || start > t.start:
		clear(t.seen)
		*t = syncTotal{begun: true, start: start, seen: t.seen}
	case start < t.start:
		return nil
	}
	return t
}

// add counts what a limiter has admitted, with once only if that number is new, and
// reports whether it did.
func (t *syncTotal) add(limiter int, seq uint64, delta int64, once bool) bool {
	if once && seq <= t.seen[limiter] {
		return false
	}
	t.seen[limiter] = max(seq, t.seen[limiter])
	t.total += delta
	return true
}

// copyFrom makes the totals equal to others, sharing nothing.
func (s *syncTotals) copyFrom(o *syncTotals) {
	for i := range s {
		seen := append(s[i].seen[:0], o[i].seen...)
		s[i] = o[i]
		s[i].seen = seen
	}
}
