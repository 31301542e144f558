package ratelimit

import (
	"fmt"
	"time"
)

// Reading is what a clock shows, in nanoseconds since its epoch, between -2^62 and
// 2^62: 146 years to either side. A key is asked about with the readings of one
// clock; whether that is a sim.Mono, a sim.Wall or a sim.Time is its owner's choice,
// and the subject of half the failures of rate limiting.
type Reading int64

// Never is the wait of a request that is refused whenever it comes: its cost is
// negative or above the limit.
const Never time.Duration = -1

// Decision is the answer to one request. What it says about the future holds if
// no other request comes in between.
//
// It has four fields because the compiler keeps no more in registers: with a fifth the
// cores take 15 ns in place of 3.
type Decision struct {
	Allowed    bool
	Remaining  int64         // the largest cost that would be admitted right after this, 0 and up
	Wait       time.Duration // see RetryAfter and Delay
	ResetAfter time.Duration // until the whole limit is free again, 0 and up
}

// RetryAfter is how long until the same request is admitted: exactly then, and not a
// nanosecond before. It is 0 for a request that is allowed, and [Never].
func (d Decision) RetryAfter() time.Duration {
	if d.Allowed {
		return 0
	}
	return d.Wait
}

// Delay is how long a request that a queue has admitted waits for its turn; else 0.
func (d Decision) Delay() time.Duration {
	if d.Allowed {
		return d.Wait
	}
	return 0
}

// Impossible reports whether the request was refused forever: a 400 or 413 to its
// client, not a 429.
func (d Decision) Impossible() bool { return !d.Allowed && d.Wait == Never }

// later is the decision for a reading that a clock shows lag before the one the
// decision was made for, which the rule takes it for (rule M: time never
// goes back).
func (d Decision) later(lag Reading) Decision {
	if d.Wait > 0 {
		d.Wait += time.Duration(lag)
	}
	if d.ResetAfter > 0 {
		d.ResetAfter += time.Duration(lag)
	}
	return d
}

// check is what every decision promises.
func (d Decision) check() error {
	switch {
	case !d.Allowed && d.Wait <= 0 && d.Wait != Never:
		return fmt.Errorf("refused, but retry after %v", d.Wait)
	case d.Allowed && d.Wait < 0:
		return fmt.Errorf("allowed, but delayed by %v", d.Wait)
	case d.Remaining < 0 || d.ResetAfter < 0:
		return fmt.Errorf("negative: %+v", d)
	}
	return nil
}

// A Rule decides for any number of keys. It is fixed and shared by them; an S is all
// that is remembered of one key, and a rule only ever changes the S it is given.
type Rule[S any] interface {
	// Limit is the largest cost that can ever be admitted.
	Limit() int64
	// Start is the state of a key that has not been heard of before.
	Start(now Reading) S
	// Take decides a request and charges the key for it. A cost of 0 asks without
	// taking, and is refused if more has been taken than there is: if the limit has
	// shrunk, or refused requests are charged.
	Take(key *S, now Reading, cost int64) Decision
	// Check returns which invariant of the state does not hold.
	Check(key *S) error
}

// Limiter is a rule with one key, for lists of algorithms.
type Limiter interface {
	Limit() int64
	Take(now Reading, cost int64) Decision
	Check() error
}

// One returns a rule with one key of its own, first heard of at now.
func One[S any](r Rule[S], now Reading) Limiter { return &one[S]{r, r.Start(now)} }

type one[S any] struct {
	rule Rule[S]
	key  S
}

func (o *one[S]) Limit() int64                          { return o.rule.Limit() }
func (o *one[S]) Take(now Reading, cost int64) Decision { return o.rule.Take(&o.key, now, cost) }
func (o *one[S]) Check() error                          { return o.rule.Check(&o.key) }
