package limiter

import (
	"time"

	"fencepost/sim"
)

// Breaker keeps a limiter from asking a store that does not answer. It is closed and
// lets calls through; it opens after a number of failures in a row; when it has rested it
// is half open: one call may try, and the next answer or failure decides.
//
// Source: Nygard, "Release It!", Circuit Breaker.
type Breaker struct {
	Errors int           // in a row, after which it opens; 0: it never does
	Rest   time.Duration // how long it is open before a call may try

	state    breakerState
	failures int
	until    sim.Mono
}

type breakerState uint8

const (
	closed breakerState = iota
	open
	halfOpen
)

// Allow reports whether a call may be made.
func (b *Breaker) Allow(now sim.Mono) bool {
	if b.state == open && !now.Before(b.until) {
		b.state = halfOpen
		return true
	}
	return b.state == closed
}

// Succeed takes in that a call was answered, and reports whether that closes it. What
// was asked before it opened does not.
func (b *Breaker) Succeed() (closes bool) {
	if b.state == open {
		return false
	}
	closes = b.state == halfOpen
	b.state, b.failures = closed, 0
	return closes
}

// Fail takes in that a call failed, and reports whether that opens it.
func (b *Breaker) Fail(now sim.Mono) (opens bool) {
	if b.state == open || b.Errors == 0 {
		return false
	}
	b.failures++
	if opens = b.state == halfOpen || b.failures >= b.Errors; opens {
		b.state, b.failures, b.until = open, 0, now.Add(b.Rest)
	}
	return opens
}
