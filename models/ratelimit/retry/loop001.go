package retry

import "time"

// Loop001 is the retry loop of S1, placeOrderAtomic, as it is:
//
//	attempt++; await sleep(Math.pow(2, attempt) * 10); continue
//
// It waits 20, 40 and 80 ms, without jitter, so that transactions that collided once
// collide again. It waits after the last failure, too, and then gives up: 80 ms that
// is of no use. Its maxRetries of 3 are three attempts, that is two retries.
// And it repeats only what failed with SQLSTATE 40001, which the default isolation never
// raises; 40P01 and the 23505 of REPEATABLE READ end it at once.
//
// Source: S1 mistake 4, of docs/sources.md.
type Loop001 struct {
	attempt int
}

// Failed returns how long the loop sleeps after a serialization failure, and whether it
// then tries again.
func (l *Loop001) Failed() (sleep time.Duration, again bool) {
	l.attempt++
	return (1 << l.attempt) * 10 * time.Millisecond, l.attempt < 3
}
