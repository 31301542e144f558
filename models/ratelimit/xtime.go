package ratelimit

import (
	"math/bits"
	"time"
)

// XTime is the token bucket of golang.org/x/time/rate with its reservations, in exact
// integers instead of floats. It refuses more than the burst, lends against the
// future, and follows a clock that goes back: what has been used is earned again
// ([Clamped]).
//
// Source: golang.org/x/time @ 2b4e439, rate/rate.go.
type XTime struct {
	rate  XTimeRate
	n, p  int64
	burst int64

	tokens    int64 // units of 1/p token; negative if lent
	last      Reading
	lastEvent Reading // when the latest reservation may act
}

// XTimeRate is a rate, with the two ends that x/time knows besides: nothing, and
// everything.
type XTimeRate struct {
	Rate      // the zero Rate admits nothing after the burst
	Inf  bool // all is admitted
}

// XTimeEvery is one event each interval; without end if it is not positive.
func XTimeEvery(interval time.Duration) XTimeRate {
	if interval <= 0 {
		return XTimeRate{Inf: true}
	}
	return XTimeRate{Rate: Rate{1, interval}}
}

// NewXTime is a full bucket. A burst of 0 admits nothing, unless the rate is infinite.
func NewXTime(rate XTimeRate, burst int64, now Reading) (*XTime, error) {
	x := &XTime{p: 1, last: now}
	if err := x.set(rate, burst); err != nil {
		return nil, err
	}
	x.tokens = x.burst * x.p
	return x, nil
}

// set puts in a rate and a burst, and leaves the tokens.
func (x *XTime) set(rate XTimeRate, burst int64) error {
	var m mistakes
	n, p := int64(0), int64(1)
	if rate.Tokens != 0 || rate.Per != 0 {
		if m.bucket("burst", max(1, burst), "rate", rate.Rate); len(m) == 0 {
			n, p = rate.reduced()
		}
	}
	if burst < 0 || burst > MaxLimit {
		m.add("burst: must be 0 to %d, got %d", int64(MaxLimit), burst)
	}
	if len(m) > 0 {
		return m.join()
	}
	if x.tokens >= 0 {
		x.tokens = rescale(x.tokens, x.p, p)
	} else {
		x.tokens = -rescale(-x.tokens, x.p, p)
	}
	x.rate, x.n, x.p, x.burst = rate, n, p, burst
	return nil
}

// earned is what a length of time is worth at n per p.
func earned(d Reading, n int64) int64 {
	hi, lo := bits.Mul64(uint64(max(0, d)), uint64(n))
	if hi != 0 || lo > maxUnits {
		return maxUnits
	}
	return int64(lo)
}

// advance is the tokens there are at a reading.
func (x *XTime) advance(now Reading) int64 {
	return min(x.tokens+earned(now-x.last, x.n), x.burst*x.p)
}

// Tokens is the content of the bucket, rounded down.
func (x *XTime) Tokens(now Reading) int64 {
	t := x.advance(now)
	if t < 0 {
		return -ceilDiv(-t, x.p)
	}
	return t / x.p
}

// Allow takes n tokens now, or none.
func (x *XTime) Allow(now Reading, n int64) bool {
	_, ok := x.Reserve(now, n, 0)
	return ok
}

// A Reservation is tokens taken for an instant that may be in the future.
type Reservation struct {
	n, tokens int64 // the rate's n, and units of 1/p token, when it was made
	p         int64
	At        Reading // when its owner may act
}

// Reserve takes n tokens, of the future if need be, unless that is a wait of more than
// maxWait.
func (x *XTime) Reserve(now Reading, n int64, maxWait time.Duration) (Reservation, bool) {
	if x.rate.Inf {
		return Reservation{At: now}, true
	}
	if n < 0 || n > x.burst {
		return Reservation{}, false
	}
	tokens := x.advance(now) - n*x.p
	wait := time.Duration(0)
	switch {
	case tokens >= 0:
	case x.n == 0 || -tokens > maxUnits:
		return Reservation{}, false
	default:
		wait = time.Duration(-tokens / x.n)
	}
	if wait > maxWait {
		return Reservation{}, false
	}
	r := Reservation{x.n, n * x.p, x.p, now + Reading(wait)}
	x.last, x.tokens, x.lastEvent = now, tokens, r.At
	return r, true
}

// Cancel gives back what later reservations have not built on: what they hold is
// taken off, even if there was room between.
func (x *XTime) Cancel(now Reading, r Reservation) {
	if x.rate.Inf || r.tokens == 0 || r.At < now {
		return
	}
	restore := r.tokens - earned(x.lastEvent-r.At, r.n)
	if restore <= 0 {
		return
	}
	x.tokens = min(x.advance(now)+rescale(restore, r.p, x.p), x.burst*x.p)
	x.last = now
	if r.At == x.lastEvent && x.n > 0 {
		if before := r.At - Reading(rescale(r.tokens, r.p, x.p)/x.n); before >= now {
			x.lastEvent = before
		}
	}
}

// SetRate changes the rate; the tokens stay. It is an error, and nothing changes, if the
// rate is out of range.
func (x *XTime) SetRate(now Reading, rate XTimeRate) error {
	x.tokens, x.last = x.advance(now), now
	return x.set(rate, x.burst)
}

// SetBurst changes the burst; the tokens stay, at most the new burst.
func (x *XTime) SetBurst(now Reading, burst int64) error {
	x.tokens, x.last = x.advance(now), now
	return x.set(x.rate, burst)
}
