// Package bench measures the limiters of models/ratelimit beside golang.org/x/time/rate,
// throttled, ulule/limiter and sethvargo/go-limiter. It is a module of its own, so that
// the main one does not depend on them:
//
//	cd bench && go test -table
//
// prints one table: ns per decision for one key, and for a million keys that come by a
// Zipf law; allocations; bytes per key. Each limiter runs in a process of its own, one
// after the other, round after round, so that none pays for another's garbage and a busy
// moment of the machine hits all; the table has the medians of the rounds. Plain go test
// checks that all of them decide the same.
package bench
