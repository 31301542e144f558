// Package permits holds the limiter of concurrency: at most N requests run at once, a number
// more waits for its turn, and the rest is refused.
//
// fixed.go is the algorithm. aswritten.go is the Go middleware of S3 with its bugs
// as they are, and leases.go the form in which several limiters share permits in a store.
// The three need no engine. Around them are thin nodes: [FixedLimiter] (limiter.go),
// [Middleware] (middleware.go), [LeasedLimiter] and [Store] (leased.go), all of which run
// handlers and answer by the same executor (executor.go), and [Client] and [Operator] (client.go).
// What they note is checked by nine properties: of permits in conserved.go, of order and
// number in order.go, of answers, drains and panics in answers.go, and of handlers that
// should not have started in gone.go. ledger.go is what these have in common: who waits,
// who runs and who has a permit.
//
// # What the middleware of S3 does wrong
//
//	a request that has given up is given a permit    permits-conserved
//	a permit and the timeout at once: a coin decides permits-conserved
//	a request after the shutdown                     no-panic, one-answer
//	a dispatcher that waits for a permit             drains
//	a dispatcher that is shut down with a queue      no-start-after-drain: a coin decides
//	items of those that have given up                refusals that need not be
//	q places in the queue                            queue-bound: q+1 wait
//	a dispatcher that writes a line                  fifo: newcomers overtake
//	a context that is never checked                  no-start-for-gone
//
// The state machine and real channels give the same answers at the same nanosecond on
// random schedules (real_test.go), and the fixed algorithm keeps its promises in every
// order of a few clients (reach_test.go).
//
// A select of Go that is parked takes the case that becomes ready first; only one that is
// reached with both ready is decided by chance. A handler gets there late if it is kept
// from running between its time.After and its select, by a processor that is at 99% for
// minutes, say: that is the parameter preempted.
package permits
