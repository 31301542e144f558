package ratelimit

import (
	"fmt"
	"time"
)

// Uber is the leaky bucket of go.uber.org/ratelimit: everybody is admitted and told
// how long to sleep. One request each interval; intervals not used are saved up, at
// most slack of them, so after idling 1+slack go at once.
//
// It reads the wall clock: after a step back of an hour the next request sleeps for an hour.
//
// Source: uber-go/ratelimit v0.3.1, limiter_atomic_int64.go.
type Uber struct {
	interval, slack Reading
}

// UberState is what is remembered of a key; the zero value is a key never heard of.
type UberState struct {
	issued bool
	next   Reading // when the last permission was issued
}

// NewUber admits rate requests per length of time, with the interval cut to whole
// nanoseconds. A slack of 10 is the library's default.
func NewUber(rate int64, per time.Duration, slack int64) (*Uber, error) {
	var m mistakes
	m.count("rate", rate, MaxLimit)
	m.length("per", per)
	if slack < 0 || slack > MaxLimit {
		m.add("slack: must be 0 to %d, got %d", int64(MaxLimit), slack)
	}
	if len(m) > 0 {
		return nil, m.join()
	}
	interval := int64(per) / rate
	if interval == 0 || !fits(slack+1, interval) {
		return nil, fmt.Errorf("rate: no interval between %d requests in %v with slack %d", rate, per, slack)
	}
	return &Uber{Reading(interval), Reading(slack * interval)}, nil
}

// Take is how long the request sleeps.
func (u *Uber) Take(k *UberState, now Reading) time.Duration {
	switch idle := now - k.next; {
	case !k.issued, u.slack == 0 && idle > u.interval:
		k.next = now
	case u.slack > 0 && idle > u.slack+u.interval:
		k.next = now - u.slack
	default:
		k.next += u.interval
	}
	k.issued = true
	return time.Duration(max(0, k.next-now))
}
