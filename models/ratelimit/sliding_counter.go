package ratelimit

import (
	"fmt"
	"math/bits"
	"time"
)

// Rounding is how a [SlidingCounter] compares its estimate with the limit.
//
// For whole costs and limits there is nothing between Floor and Strict, nor between
// Ceil and Inclusive.
type Rounding uint8

// A request of cost c is admitted if
const (
	Inclusive Rounding    = iota // est + c <= L: at most 2L-1 in any window
	Strict                       // est + c < L + 1, for one request est < L: at most 2L (RussellLuo/slidingwindow, Cloudflare)
	HalfUp                       // round(est) + c <= L: at most 2L
	OffByOne                     // est + c <= L + 1, for one request est <= L, a mistake: at most 2L+1
	Ceil      = Inclusive        // ceil(est) + c <= L
	Floor     = Strict           // floor(est) + c <= L
)

// SlidingCounterParams are the parameters of a [SlidingCounter].
type SlidingCounterParams struct {
	Limit           int64         // L, 1 to MaxLimit
	Window          time.Duration // W, 1 ns to MaxWindow
	Rounding        Rounding
	ChargesRejected bool // refused requests are counted too
}

// Validate returns all mistakes.
func (p SlidingCounterParams) Validate() error {
	var m mistakes
	m.window(p.Limit, p.Window)
	if p.Rounding > OffByOne {
		m.add("rounding: there is no kind %d", p.Rounding)
	}
	return m.join()
}

// SlidingCounter estimates the requests of the last W from two aligned windows, as if
// those of the previous one had come evenly: est = cur + prev*(W - now mod W)/W.
//
// The estimate is wrong both ways. L requests at the end of a window pass for L spread
// over it, and so nearly 2L fit into one W, as with the [FixedWindow], only spread
// out; L at its begin are still held against requests that the log would admit. The
// 0.003% that Cloudflare states were measured on a workload and are no bound.
//
// A clock that goes back stands still at the start of the current window.
//
// Source: Cloudflare, "How we built rate limiting capable of scaling to millions of
// domains", 2017.
type SlidingCounter struct {
	limit           int64 // L, with OffByOne L+1
	window          int64
	byW             divisor
	up              int64 // what is added before rounding down: 0 to W-1
	chargesRejected bool
}

// SlidingCounterState is what a [SlidingCounter] remembers of a key.
//
//  1. start is a multiple of W
//  2. cur, prev >= 0, and <= limit unless ChargesRejected
type SlidingCounterState struct {
	start     Reading // of the current window
	cur, prev int64
}

// NewSlidingCounter returns the rule, or all mistakes in its parameters.
func NewSlidingCounter(p SlidingCounterParams) (*SlidingCounter, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	c := &SlidingCounter{p.Limit, int64(p.Window), divideBy(int64(p.Window)), int64(p.Window) - 1, p.ChargesRejected}
	switch p.Rounding {
	case Strict:
		c.up = 0
	case HalfUp:
		c.up = c.window / 2
	case OffByOne:
		c.limit++
	}
	return c, nil
}

// Limit implements [Rule]: L, with OffByOne L+1.
func (c *SlidingCounter) Limit() int64 { return c.limit }

// Start implements [Rule]: two empty windows.
func (c *SlidingCounter) Start(now Reading) SlidingCounterState {
	return SlidingCounterState{start: floorTo(now, time.Duration(c.window))}
}

// Take implements [Rule].
func (c *SlidingCounter) Take(k *SlidingCounterState, now Reading, cost int64) Decision {
	if now < k.start {
		return c.Take(k, k.start, cost).later(k.start - now)
	}
	e := c.roll(k, now)
	left := c.limit - c.weigh(k.prev, e) - k.cur
	d := Decision{Allowed: cost >= 0 && cost <= left}
	if cost > 0 && (d.Allowed || c.chargesRejected) {
		charged := min(k.cur+min(cost, MaxLimit+2), 1<<61)
		left -= charged - k.cur
		k.cur = charged
	}
	switch {
	case d.Allowed:
	case uint64(cost) > uint64(c.limit):
		d.Wait = Never
	default:
		d.Wait = c.until(k, e, cost)
	}
	d.Remaining = max(0, left)
	d.ResetAfter = c.until(k, e, c.limit)
	return d
}

// roll is step 1: it moves on to the window of now and returns how far into it now is.
func (c *SlidingCounter) roll(k *SlidingCounterState, now Reading) int64 {
	e := int64(now - k.start)
	if e < c.window {
		return e
	}
	k.prev, k.cur = k.cur, 0
	if e >= 2*c.window {
		k.prev = 0
	}
	passed := e - e%c.window
	k.start += Reading(passed)
	return e - passed
}

// weigh is prev*(W-e)/W, rounded.
func (c *SlidingCounter) weigh(prev, e int64) int64 {
	hi, lo := bits.Mul64(uint64(prev), uint64(c.window-e))
	if hi == 0 && lo < 1<<62 {
		return c.byW.floor(int64(lo) + c.up)
	}
	lo, carry := bits.Add64(lo, uint64(c.up), 0)
	q, _ := bits.Div64(hi+carry, lo, uint64(c.window)) // at most prev, so it fits
	return int64(q)
}

// until is the time until a cost is admitted, at the earliest now.
func (c *SlidingCounter) until(k *SlidingCounterState, e, cost int64) time.Duration {
	if room := c.limit - cost - k.cur; room >= 0 {
		if f := max(e, c.fades(k.prev, room)); f < c.window {
			return time.Duration(f - e)
		}
	}
	// In the next window, where cur is prev; if it is too much for all of that
	// one, which then is W away, at the start of the one after.
	return time.Duration(c.window - e + c.fades(k.cur, c.limit-cost))
}

// fades is the smallest e, at most W, for which prev weighs at most room:
// prev*(W-e) + up < (room+1)*W.
func (c *SlidingCounter) fades(prev, room int64) int64 {
	if prev <= room {
		return 0
	}
	hi, lo := bits.Mul64(uint64(room), uint64(c.window))
	lo, carry := bits.Add64(lo, uint64(c.window-c.up-1), 0)
	if hi += carry; hi == 0 {
		return c.window - int64(lo/uint64(prev)) // faster
	}
	q, _ := bits.Div64(hi, lo, uint64(prev)) // less than W, as room is less than prev
	return c.window - int64(q)
}

// Check implements [Rule].
func (c *SlidingCounter) Check(k *SlidingCounterState) error {
	switch {
	case k.start%Reading(c.window) != 0:
		return fmt.Errorf("sliding counter, 1: start %d", k.start)
	case min(k.cur, k.prev) < 0 || max(k.cur, k.prev) > c.limit && !c.chargesRejected:
		return fmt.Errorf("sliding counter, 2: %d and %d of %d", k.prev, k.cur, c.limit)
	}
	return nil
}
