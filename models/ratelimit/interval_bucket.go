package ratelimit

import (
	"fmt"
	"time"
)

// IntervalBucketParams are the parameters of an [IntervalBucket].
type IntervalBucketParams struct {
	Capacity int64         // b: tokens, 1 to MaxLimit
	Refill   int64         // a: tokens added at each tick, 1 to MaxLimit
	Interval time.Duration // from tick to tick, 1 ns to MaxWindow
}

// Validate returns all mistakes.
func (p IntervalBucketParams) Validate() error {
	var m mistakes
	m.count("capacity", p.Capacity, MaxLimit)
	m.count("refill", p.Refill, MaxLimit)
	m.length("interval", p.Interval)
	if len(m) == 0 && !fits(ceilDiv(p.Capacity, p.Refill), int64(p.Interval)) {
		m.add("capacity: %d tokens at %d per %v are not refilled within 146 years", p.Capacity, p.Refill, p.Interval)
	}
	return m.join()
}

// IntervalBucket is the token bucket with discrete refill: a tokens all at once,
// every interval since the key's start. It admits b just before a tick and a just
// after it, and at most b + a*ceil(w/interval) in any window of w.
//
// All keys with the same start are refilled at the same instant, and their clients
// come back together: start each at its own phase, hash(key) mod interval before now.
//
// A clock that goes back stands still until it has caught up.
//
// Source: Xu, "System Design Interview", figure 4-6 (its formula is the [TokenBucket]);
// Envoy, local rate limit; bucket4j, refillIntervally.
type IntervalBucket struct {
	capacity, refill int64
	interval         time.Duration
}

// IntervalBucketState is what an [IntervalBucket] remembers of a key. Its start
// and done are one reading here: tick = start + done*interval.
//
//  1. 0 <= tokens <= capacity
type IntervalBucketState struct {
	tokens int64
	tick   Reading // the last one
}

// NewIntervalBucket returns the rule, or all mistakes in its parameters.
func NewIntervalBucket(p IntervalBucketParams) (*IntervalBucket, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &IntervalBucket{p.Capacity, p.Refill, p.Interval}, nil
}

// Limit implements [Rule]: the capacity.
func (b *IntervalBucket) Limit() int64 { return b.capacity }

// Start implements [Rule]: a full bucket whose ticks are counted from start.
func (b *IntervalBucket) Start(start Reading) IntervalBucketState {
	return IntervalBucketState{b.capacity, start}
}

// Take implements [Rule].
func (b *IntervalBucket) Take(k *IntervalBucketState, now Reading, cost int64) Decision {
	if now < k.tick {
		return b.Take(k, k.tick, cost).later(k.tick - now)
	}
	if passed := time.Duration(now - k.tick); passed >= b.interval {
		b.advance(k, int64(passed/b.interval))
	}
	if uint64(cost) > uint64(b.capacity) {
		return b.decision(k, now, false, Never)
	}
	if k.tokens < cost {
		return b.decision(k, now, false, b.until(k, now, cost))
	}
	k.tokens -= cost
	return b.decision(k, now, true, 0)
}

// advance is step 1: the refills of some ticks.
func (b *IntervalBucket) advance(k *IntervalBucketState, ticks int64) {
	k.tick += Reading(ticks) * Reading(b.interval)
	if missing := b.capacity - k.tokens; ticks >= ceilDiv(missing, b.refill) {
		k.tokens = b.capacity
	} else {
		k.tokens += ticks * b.refill
	}
}

// until is the time to the tick that brings the tokens there are to want.
func (b *IntervalBucket) until(k *IntervalBucketState, now Reading, want int64) time.Duration {
	ticks := ceilDiv(want-k.tokens, b.refill)
	if ticks == 0 {
		return 0
	}
	return time.Duration(ticks)*b.interval - time.Duration(now-k.tick)
}

func (b *IntervalBucket) decision(k *IntervalBucketState, now Reading, allowed bool, retry time.Duration) Decision {
	return Decision{Allowed: allowed, Remaining: k.tokens, Wait: retry, ResetAfter: b.until(k, now, b.capacity)}
}

// AsNew is never true: even of a full bucket its ticks are remembered.
func (b *IntervalBucket) AsNew(*IntervalBucketState, Reading) bool { return false }

// Check implements [Rule].
func (b *IntervalBucket) Check(k *IntervalBucketState) error {
	if k.tokens < 0 || k.tokens > b.capacity {
		return fmt.Errorf("interval bucket, 1: %d tokens of %d", k.tokens, b.capacity)
	}
	return nil
}
