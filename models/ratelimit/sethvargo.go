package ratelimit

import "time"

// Sethvargo is the [IntervalBucket] of sethvargo/go-limiter: refilled whole at each
// tick since the key's start, a burst may be added above the capacity, and a clock
// that goes back before the start begins the ticks anew there.
//
// Source: sethvargo/go-limiter @ 1e0fbd3, memorystore/store.go.
type Sethvargo struct{ bucket *IntervalBucket }

// SethvargoState is what is remembered of a key.
type SethvargoState struct {
	IntervalBucketState
	start Reading
}

// NewSethvargo gives a number of tokens each interval.
func NewSethvargo(tokens int64, interval time.Duration) (*Sethvargo, error) {
	b, err := NewIntervalBucket(IntervalBucketParams{tokens, tokens, interval})
	return &Sethvargo{b}, err
}

// Start is a full bucket.
func (s *Sethvargo) Start(now Reading) SethvargoState {
	return SethvargoState{s.bucket.Start(now), now}
}

// Take takes a token. What is left may be more than the limit after a burst.
func (s *Sethvargo) Take(k *SethvargoState, now Reading) Decision {
	if now < k.start {
		k.start, k.tick = now, now // without a refill
	}
	return s.bucket.Take(&k.IntervalBucketState, now, 1)
}

// Get returns limit and tokens without earning or taking any.
func (s *Sethvargo) Get(k *SethvargoState) (limit, remaining int64) {
	return s.bucket.capacity, k.tokens
}

// Burst adds tokens until the next tick.
func (s *Sethvargo) Burst(k *SethvargoState, tokens int64) { k.tokens += tokens }

// Tick is the number of whole intervals from start to now.
func Tick(start, now Reading, interval time.Duration) int64 {
	return int64(now-start) / int64(interval)
}
