package ratelimit

import (
	"fmt"
	"math/bits"
	"time"
)

// Elapsed says what a token bucket makes of the time since its last request. All but
// [Monotone] are mistakes that are in use; with Unchanged RetryAfter and ResetAfter are too late.
//
// Source: S2 3.3 of docs/sources.md; spring-cloud-gateway issue 1688.
type Elapsed uint8

// With two clocks 30 s apart, ten a second each, a bucket of 10 at 1/s admits in 20 s:
const (
	Monotone  Elapsed = iota // 29. A reading before the last one counts as the last one (rule M)
	Clamped                  // 200 of 200. No time has passed, but last goes back: that time is earned again (Stripe's gist, x/time/rate)
	Signed                   // 29, all by the faster clock. Negative time takes tokens away
	Unchanged                // last is never stored: every request earns the whole past again (pseudo-code of S2)
)

// TokenBucketParams are the parameters of a [TokenBucket].
type TokenBucketParams struct {
	Capacity int64   // b: tokens, 1 to MaxLimit
	Refill   Rate    // n tokens per p
	Elapsed  Elapsed // how time is measured
}

// Validate returns all mistakes.
func (p TokenBucketParams) Validate() error {
	var m mistakes
	m.bucket("capacity", p.Capacity, "refill", p.Refill)
	if p.Elapsed > Unchanged {
		m.add("elapsed: there is no kind %d", p.Elapsed)
	}
	return m.join()
}

// TokenBucket refills continuously and starts full. It admits at most
// floor((b*p + n*(w-1))/p) in any window of w nanoseconds: with b = L and n/p = L/w
// that is 2L-1, not L.
//
// A clock that goes back stands still for it: the requests live on what is there
// until the clock has caught up ([Monotone]).
//
// Source: AWS, "Throttle requests to your API", token bucket; golang.org/x/time/rate.
type TokenBucket struct {
	capacity, n, p, full int64
	byN, byP             divisor
	elapsed              Elapsed
}

// TokenBucketState is what a [TokenBucket] remembers of a key.
//
//  1. level <= b*p
//  2. level >= 0, except with Signed
type TokenBucketState struct {
	level int64 // units of 1/p token
	last  Reading
}

// NewTokenBucket returns the rule, or all mistakes in its parameters.
func NewTokenBucket(p TokenBucketParams) (*TokenBucket, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	b := &TokenBucket{capacity: p.Capacity, elapsed: p.Elapsed}
	b.n, b.p = p.Refill.reduced()
	b.full = b.capacity * b.p
	b.byN, b.byP = divideBy(b.n), divideBy(b.p)
	return b, nil
}

// Limit implements [Rule]: the capacity.
func (b *TokenBucket) Limit() int64 { return b.capacity }

// Start implements [Rule]: a full bucket.
func (b *TokenBucket) Start(now Reading) TokenBucketState { return b.StartWith(now, b.capacity) }

// StartWith is a bucket with that many tokens, at most the capacity. A process that
// restarts with a full bucket every second gives b a second away; one that starts
// empty does not.
func (b *TokenBucket) StartWith(now Reading, tokens int64) TokenBucketState {
	return TokenBucketState{max(0, min(tokens, b.capacity)) * b.p, now}
}

// Take implements [Rule].
func (b *TokenBucket) Take(k *TokenBucketState, now Reading, cost int64) Decision {
	if now < k.last && b.elapsed == Monotone {
		return b.Take(k, k.last, cost).later(k.last - now)
	}
	b.refill(k, now)
	if uint64(cost) > uint64(b.capacity) {
		return b.decision(k, false, Never)
	}
	need := cost * b.p
	if k.level < need {
		return b.decision(k, false, time.Duration(b.byN.ceil(need-k.level)))
	}
	k.level -= need
	return b.decision(k, true, 0)
}

func (b *TokenBucket) decision(k *TokenBucketState, allowed bool, retry time.Duration) Decision {
	return Decision{
		Allowed:    allowed,
		Remaining:  b.byP.floor(max(0, k.level)),
		Wait:       retry,
		ResetAfter: time.Duration(b.byN.ceil(b.full - k.level)),
	}
}

// refill is step 1: earn what the time since last is worth.
func (b *TokenBucket) refill(k *TokenBucketState, now Reading) {
	if now < k.last {
		b.back(k, now)
		return
	}
	hi, earned := bits.Mul64(uint64(now-k.last), uint64(b.n))
	if hi != 0 || earned >= uint64(b.full-k.level) {
		k.level = b.full
	} else {
		k.level += int64(earned)
	}
	if b.elapsed != Unchanged {
		k.last = now
	}
}

// back is refill for a clock that has gone back.
func (b *TokenBucket) back(k *TokenBucketState, now Reading) {
	switch b.elapsed {
	case Signed:
		hi, lost := bits.Mul64(uint64(k.last-now), uint64(b.n))
		if hi != 0 || lost > uint64(k.level+maxUnits) {
			lost = uint64(k.level + maxUnits) // a debt of more than 2^62 units is as good as that one
		}
		k.level -= int64(lost)
		k.last = now
	case Clamped:
		k.last = now
	}
}

// Check implements [Rule].
func (b *TokenBucket) Check(k *TokenBucketState) error {
	switch {
	case k.level > b.full:
		return fmt.Errorf("token bucket, 1: level %d of %d", k.level, b.full)
	case k.level < 0 && b.elapsed != Signed:
		return fmt.Errorf("token bucket, 2: level %d", k.level)
	}
	return nil
}
