package ratelimit

import (
	"fmt"
	"time"
)

// SubWindowsParams are the parameters of [SubWindows].
type SubWindowsParams struct {
	Limit       int64         // L, 1 to 2^32-1
	Window      time.Duration // W, a multiple of K, 1 ns to MaxWindow
	Buckets     int64         // K, 1 to 65536: counters of W/K each
	DropPartial bool          // a bucket counts until its begin is W ago; else until its end is
}

// maxBuckets is what a key may take: 256 kB.
const maxBuckets = 1 << 16

// Validate returns all mistakes.
func (p SubWindowsParams) Validate() error {
	var m mistakes
	m.count("limit", p.Limit, 1<<32-1)
	m.length("window", p.Window)
	m.count("buckets", p.Buckets, maxBuckets)
	if len(m) == 0 && int64(p.Window)%p.Buckets != 0 {
		m.add("buckets: %v is not divided evenly by %d", p.Window, p.Buckets)
	}
	return m.join()
}

// SubWindows is the [SlidingLog] with times rounded to W/K: a counter for each. If the
// bucket that is partly outside the window is kept, it admits at most L in any window
// W and may refuse up to a bucket's requests too many; if that bucket is dropped it
// is the other way round, and up to 2L fit into W.
//
// A clock that goes back stands still at the start of the current bucket.
//
// Source: Figma, "An alternative approach to rate limiting", 2017.
type SubWindows struct {
	limit int64
	width Reading // of a bucket
	n     int32   // buckets that count, the current one included: K, or K+1 with the partial one
}

// SubWindowsState is what [SubWindows] remember of a key. A copy shares the counters;
// use Clone.
//
//  1. start is a multiple of W/K
//  2. sum is the sum of the counters, at most L
//  3. buckets before first and after last are empty
type SubWindowsState struct {
	counts      []uint32 // a ring; bucket i is the i-th oldest, n-1 the current one
	head        int32    // where bucket 0 is
	first, last int32
	start       Reading // of the current bucket
	sum         int64
}

// NewSubWindows returns the rule, or all mistakes in its parameters.
func NewSubWindows(p SubWindowsParams) (*SubWindows, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	w := &SubWindows{limit: p.Limit, width: Reading(p.Window) / Reading(p.Buckets), n: int32(p.Buckets)}
	if !p.DropPartial {
		w.n++
	}
	return w, nil
}

// Limit implements [Rule].
func (w *SubWindows) Limit() int64 { return w.limit }

// Start implements [Rule]: empty counters.
func (w *SubWindows) Start(now Reading) (k SubWindowsState) {
	w.Restart(&k, now)
	return k
}

// Restart is Start in the memory that a key has.
func (w *SubWindows) Restart(k *SubWindowsState, now Reading) {
	counts := k.counts
	if cap(counts) < int(w.n) {
		counts = make([]uint32, w.n)
	}
	counts = counts[:w.n]
	clear(counts)
	*k = SubWindowsState{counts: counts, start: floorTo(now, time.Duration(w.width))}
}

// Take implements [Rule].
func (w *SubWindows) Take(k *SubWindowsState, now Reading, cost int64) Decision {
	if now < k.start {
		return w.Take(k, k.start, cost).later(k.start - now)
	}
	w.roll(k, now)
	d := Decision{Allowed: cost >= 0 && cost <= w.limit-k.sum}
	switch {
	case d.Allowed:
		if cost > 0 {
			*w.bucket(k, w.n-1) += uint32(cost)
			k.sum += cost
			k.last = w.n - 1
		}
	case uint64(cost) > uint64(w.limit):
		d.Wait = Never
	default:
		d.Wait = w.until(k, now, k.sum+cost-w.limit)
	}
	d.Remaining = max(0, w.limit-k.sum)
	if k.sum > 0 {
		d.ResetAfter = w.leaves(k, now, k.last)
	}
	return d
}

// roll moves on to the bucket of now and forgets those that have left the window.
func (w *SubWindows) roll(k *SubWindowsState, now Reading) {
	for k.start+w.width <= now {
		if k.sum == 0 { // nothing to forget
			k.first, k.start = w.n-1, floorTo(now, time.Duration(w.width))
			return
		}
		oldest := w.bucket(k, 0)
		k.sum -= int64(*oldest)
		*oldest = 0
		if k.head++; k.head == w.n {
			k.head = 0
		}
		k.first, k.last = max(0, k.first-1), k.last-1
		k.start += w.width
	}
}

func (w *SubWindows) bucket(k *SubWindowsState, i int32) *uint32 {
	if i += k.head; i >= w.n {
		i -= w.n
	}
	return &k.counts[i]
}

// until is the time until the oldest buckets, of that cost together, have left.
func (w *SubWindows) until(k *SubWindowsState, now Reading, cost int64) time.Duration {
	for *w.bucket(k, k.first) == 0 {
		k.first++
	}
	i := k.first
	for cost -= int64(*w.bucket(k, i)); cost > 0; cost -= int64(*w.bucket(k, i)) {
		i++
	}
	return w.leaves(k, now, i)
}

// leaves is the time until bucket i has left the window.
func (w *SubWindows) leaves(k *SubWindowsState, now Reading, i int32) time.Duration {
	return time.Duration(k.start + Reading(i+1)*w.width - now)
}

// Clone is a copy that shares nothing.
func (k *SubWindowsState) Clone() (c SubWindowsState) {
	c.CopyFrom(k)
	return c
}

// CopyFrom makes the counters equal to others, in their own memory.
func (k *SubWindowsState) CopyFrom(other *SubWindowsState) {
	counts := append(k.counts[:0], other.counts...)
	*k = *other
	k.counts = counts
}

// Check implements [Rule].
func (w *SubWindows) Check(k *SubWindowsState) error {
	sum := int64(0)
	for i := range int32(len(k.counts)) {
		c := *w.bucket(k, i)
		sum += int64(c)
		if c > 0 && (i < k.first || i > k.last) {
			return fmt.Errorf("sub-windows, 3: bucket %d of %d to %d has %d", i, k.first, k.last, c)
		}
	}
	switch {
	case k.start%w.width != 0:
		return fmt.Errorf("sub-windows, 1: start %d", k.start)
	case sum != k.sum || sum > w.limit:
		return fmt.Errorf("sub-windows, 2: %d of %d, is %d", k.sum, w.limit, sum)
	}
	return nil
}
