// Package ratelimit holds the algorithms of rate limiting as plain types: parameters in
// nanoseconds and whole tokens, an explicit now, exact integers, no engine.
//
// A [Rule] is shared by all keys; a State is what it remembers of one. Every decision
// says whether the request is allowed, how much remains, when to retry and when
// everything is free again, and each of these comes true to the nanosecond if no client
// asks in between:
//
//	rule, err := ratelimit.NewTokenBucket(ratelimit.TokenBucketParams{
//		Capacity: 10,
//		Refill:   ratelimit.Rate{Tokens: 5, Per: time.Second},
//	})
//	key := rule.Start(now)
//	d := rule.Take(&key, now, 1)
//
// # Which algorithm promises what
//
// L requests per window of W; b tokens, n per p, service T. "Any" is any half-open
// window (t-w, t], in the readings of the clock that the rule is asked with.
//
//	file                promise                                  bytes per key
//	token_bucket.go     any w: floor((b*p + n*(w-1))/p)          16
//	leaky_meter.go      the same                                 16
//	gcra.go             the same                                 16
//	interval_bucket.go  any w: b + a*ceil(w/interval)            16
//	leaky_queue.go      starts T apart; none waits more than N*T 8
//	fixed_window.go     own windows: L; any W: 2L, anchored 2L-1 16
//	sliding_log.go      any W: L, and refuses nothing that fits  56 + 16 to 32 per instant in the log
//	sliding_counter.go  any W: 2L-1 (Inclusive), 2L (Strict)     24
//	subwindow.go        any W: L (partial bucket kept), else 2L  56 + 4(K+1), else 56 + 4K
//
// Every bound is reached: none could be stricter by one. Bytes are beside whatever holds
// the keys; BenchmarkCores prints them.
//
// A ring of the log doubles as it fills and keeps its size; with Retain it holds the
// newest L+1 requests, which is enough for every verdict.
//
// # When to take which
//
//   - An average rate with some burst, at the least cost: the token bucket, or GCRA,
//     which is the same and one number to a store, if the interval is whole nanoseconds. For a hard L in any window choose
//     b + n*(W-1)/p <= L.
//   - A hard "L per window", as in a contract: the log while L is small; sub-windows
//     that keep the partial bucket when it is not, at the price of a few false
//     refusals.
//   - A counter per window is the simplest thing a store can do, and admits twice the
//     limit around a boundary. The sliding counter spreads that out; it is a better
//     estimate and no better bound.
//   - A downstream that must not see two requests closer than T: the leaky queue, whose
//     clients must be ready to wait N*T. With deadlines: leaky_line.go.
//   - The interval bucket lets everybody in at once after each tick.
//
// # A clock that goes back
//
// Every algorithm that remembers a reading treats an earlier one as the last (rule
// M): time stands still until the clock has caught up, and the answers include that wait.
// The windows and counters keep the start of the current window only. GCRA and
// the queue remember a reading of the future, so they refuse for the size of the step.
// [Elapsed] has the other ways, which are in use and wrong.
//
// # Personalities
//
// throttled.go, ulule.go, sethvargo.go, nginx.go, uber.go and xtime.go are thin forms of
// the above that answer as those libraries do, their flaws included; each case of their own test-suites is
// in testdata/vectors. RussellLuo/slidingwindow is [SlidingCounter] with [Floor].
//
// keyed.go has a table of many keys for any of them; a million keys of a token bucket
// take 32 to 40 bytes each. change.go says what becomes of a bucket when its limit changes; rate.go has rates,
// bounds and the arithmetic; limiter.go what they have in common.
package ratelimit
