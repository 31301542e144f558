package ratelimit

import (
	"fmt"
	"time"
)

// Throttled is the [GCRA] as throttled/throttled and brandur/redis-cell have it:
// the emission interval is cut to whole nanoseconds, RetryAfter is -1 both if the
// request is allowed and if it never will be, and the state is one integer that is
// exchanged by compare-and-swap, which fails if others are faster too often.
//
// Source: throttled/throttled @ 9e814f2, rate.go; brandur/redis-cell, src/cell/mod.rs.
type Throttled struct {
	gcra     *GCRA
	interval time.Duration
	attempts int
}

// CASAttempts of the two.
const (
	ThrottledAttempts = 10
	RedisCellAttempts = 5
)

// NewThrottled admits count requests per period and maxBurst more at once.
func NewThrottled(count int64, period time.Duration, maxBurst int64, attempts int) (*Throttled, error) {
	var m mistakes
	m.count("count", count, MaxLimit)
	m.length("period", period)
	if maxBurst < 0 || maxBurst >= MaxLimit {
		m.add("max burst: must be 0 to %d, got %d", int64(MaxLimit-1), maxBurst)
	}
	if attempts < 1 {
		m.add("attempts: must be 1 or more, got %d", attempts)
	}
	if len(m) > 0 {
		return nil, m.join()
	}
	interval := period / time.Duration(count)
	g, err := NewGCRA(GCRAParams{Burst: maxBurst + 1, Rate: Rate{1, interval}})
	if err != nil {
		return nil, fmt.Errorf("interval of %v: %w", interval, err)
	}
	return &Throttled{g, interval, attempts}, nil
}

// Interval is the emission interval: one request each.
func (t *Throttled) Interval() time.Duration { return t.interval }

// Slot is where a store keeps the theoretical arrival time of one key.
type Slot interface {
	Get() (tat Reading, exists bool)
	// CompareAndSwap stores tat for as long as ttl if the slot still holds what
	// Get has returned.
	CompareAndSwap(old Reading, existed bool, tat Reading, ttl time.Duration) bool
}

// ThrottledResult is what a client is told.
type ThrottledResult struct {
	Limited                bool
	Limit, Remaining       int64
	ResetAfter, RetryAfter time.Duration // RetryAfter -1: none
}

// Limit decides a request. It is an error, and the owner's choice whether to admit the
// request, if every attempt to store the result has lost.
func (t *Throttled) Limit(s Slot, now Reading, quantity int64) (ThrottledResult, error) {
	for range t.attempts {
		old, exists := s.Get()
		k := GCRAState{tat: old}
		if !exists {
			k = t.gcra.Start(now)
		}
		d := t.gcra.Take(&k, now, quantity)
		r := ThrottledResult{!d.Allowed, t.gcra.Limit(), d.Remaining, d.ResetAfter, -1}
		if !d.Allowed {
			r.RetryAfter = d.Wait // Never is -1 too
			return r, nil
		}
		if s.CompareAndSwap(old, exists, k.tat, d.ResetAfter) {
			return r, nil
		}
	}
	return ThrottledResult{}, fmt.Errorf("failed to store updated rate limit data after %d attempts", t.attempts)
}
