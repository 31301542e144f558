package ratelimit

import (
	"fmt"
	"math/bits"
	"time"
)

// SlidingLogParams are the parameters of a [SlidingLog].
type SlidingLogParams struct {
	Limit  int64         // L, 1 to MaxLimit
	Window time.Duration // W, 1 ns to MaxWindow
	Retain bool          // refused requests stay in the log and count
	Closed bool          // the window is [t-W, t]; else (t-W, t], as with ZREMRANGEBYSCORE key 0 t-W
}

// Validate returns all mistakes.
func (p SlidingLogParams) Validate() error {
	var m mistakes
	m.window(p.Limit, p.Window)
	return m.join()
}

// SlidingLog remembers when each request came. It admits at most L in any window W,
// and refuses none that would fit: it is what the others are measured against.
//
// With Retain the first promise holds and the second does not: a client that continues
// asking is never served again. Two per minute, asked every 20 s for 10 minutes: 2 are
// admitted in all, without Retain 21.
//
// A clock that goes back stands still until it has caught up.
//
// Source: Xu, "System Design Interview", figure 4-10 (Retain, Closed); Redis
// documentation, ZADD and ZREMRANGEBYSCORE.
type SlidingLog struct {
	limit  int64
	window Reading // how long an entry counts: one more than W if closed
	retain bool
}

// SlidingLogState is what a [SlidingLog] remembers of a key: a ring of entries, oldest
// first. A copy shares it; use Clone.
//
//  1. times increase strictly; none is after last, nor older than W
//  2. costs are positive, and sum is their sum
//  3. sum <= L; with Retain the newest entries that make up L+1, which is all that can matter
type SlidingLogState struct {
	ring    []logEntry // its length is a power of two
	head, n int
	sum     int64
	last    Reading
}

type logEntry struct {
	at   Reading
	cost int64
}

// NewSlidingLog returns the rule, or all mistakes in its parameters.
func NewSlidingLog(p SlidingLogParams) (*SlidingLog, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	l := &SlidingLog{limit: p.Limit, window: Reading(p.Window), retain: p.Retain}
	if p.Closed {
		l.window++
	}
	return l, nil
}

// Limit implements [Rule].
func (l *SlidingLog) Limit() int64 { return l.limit }

// Start implements [Rule]: an empty log.
func (l *SlidingLog) Start(now Reading) SlidingLogState { return SlidingLogState{last: now} }

// Restart is Start in the memory that a key has.
func (l *SlidingLog) Restart(k *SlidingLogState, now Reading) { k.Clear(now) }

// Take implements [Rule].
func (l *SlidingLog) Take(k *SlidingLogState, now Reading, cost int64) Decision {
	if now < k.last {
		return l.Take(k, k.last, cost).later(k.last - now)
	}
	k.last = now
	for k.n > 0 && k.entry(0).at <= now-l.window {
		k.drop()
	}
	d := Decision{Allowed: cost >= 0 && cost <= l.limit-k.sum}
	if cost > 0 && (d.Allowed || l.retain) {
		k.push(now, min(cost, l.limit+1))
		for k.sum-k.entry(0).cost > l.limit {
			k.drop()
		}
		if k.sum > l.limit+1 && k.n == 1 {
			k.entry(0).cost, k.sum = l.limit+1, l.limit+1 // one instant that fills the log, however much more came in it
		}
	}
	switch {
	case d.Allowed:
	case uint64(cost) > uint64(l.limit):
		d.Wait = Never
	default:
		d.Wait = l.until(k, now, k.sum+cost-l.limit)
	}
	d.Remaining = max(0, l.limit-k.sum)
	if k.n > 0 {
		d.ResetAfter = time.Duration(k.entry(k.n-1).at + l.window - now)
	}
	return d
}

// until is the time until the oldest entries, of that cost together, are out of the
// window.
func (l *SlidingLog) until(k *SlidingLogState, now Reading, cost int64) time.Duration {
	i := 0
	for ; cost > k.entry(i).cost; i++ {
		cost -= k.entry(i).cost
	}
	return time.Duration(k.entry(i).at + l.window - now)
}

// Len is the number of requests in the log, each as often as its cost.
func (k *SlidingLogState) Len() int64 { return k.sum }

// Clear forgets every request and keeps the memory.
func (k *SlidingLogState) Clear(now Reading) {
	clear(k.ring)
	*k = SlidingLogState{ring: k.ring[:0], last: now}
}

// Clone is a copy that shares nothing.
func (k *SlidingLogState) Clone() (c SlidingLogState) {
	c.CopyFrom(k)
	return c
}

// CopyFrom makes the log equal to another, in its own memory.
func (k *SlidingLogState) CopyFrom(other *SlidingLogState) {
	ring := append(k.ring[:0], other.ring...)
	*k = *other
	k.ring = ring
}

func (k *SlidingLogState) entry(i int) *logEntry { return &k.ring[(k.head+i)&(len(k.ring)-1)] }

func (k *SlidingLogState) drop() {
	k.sum -= k.entry(0).cost
	k.head = (k.head + 1) & (len(k.ring) - 1)
	k.n--
}

// push appends to the log; requests of one instant share an entry.
func (k *SlidingLogState) push(now Reading, cost int64) {
	k.sum += cost
	if k.n > 0 && k.entry(k.n-1).at == now {
		k.entry(k.n - 1).cost += cost
		return
	}
	if k.n == len(k.ring) {
		k.grow()
	}
	k.n++
	*k.entry(k.n - 1) = logEntry{now, cost}
}

// leastRing is how many entries a log has room for as soon as it has one.
const leastRing = 4

// grow makes room for more entries: after Clear, what there was before.
func (k *SlidingLogState) grow() {
	if room := cap(k.ring); k.n == 0 && room >= leastRing {
		k.ring = k.ring[:1<<(bits.Len(uint(room))-1)]
		return
	}
	ring := make([]logEntry, max(leastRing, 2*k.n))
	for i := range k.n {
		ring[i] = *k.entry(i)
	}
	k.ring, k.head = ring, 0
}

// Check implements [Rule].
func (l *SlidingLog) Check(k *SlidingLogState) error {
	sum := int64(0)
	for i := range k.n {
		e := *k.entry(i)
		if e.at > k.last || e.at <= k.last-l.window || i > 0 && e.at <= k.entry(i-1).at {
			return fmt.Errorf("sliding log, 1: entry %d at %d, last %d", i, e.at, k.last)
		}
		if e.cost < 1 {
			return fmt.Errorf("sliding log, 2: cost %d", e.cost)
		}
		sum += e.cost
	}
	switch {
	case sum != k.sum:
		return fmt.Errorf("sliding log, 2: sum %d, is %d", k.sum, sum)
	case sum > l.limit && !l.retain, k.n > 0 && sum-k.entry(0).cost > l.limit:
		return fmt.Errorf("sliding log, 3: sum %d of %d", sum, l.limit)
	}
	return nil
}

// Touch reads what the next Take will look at, so that it need not wait for it.
func (k *SlidingLogState) Touch() (sum int64) {
	if k.n > 0 {
		sum = k.entry(0).cost
	}
	return sum
}
