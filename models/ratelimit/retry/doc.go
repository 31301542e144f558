// Package retry holds what a client does when a call fails: whether it may call again,
// when, and how often. There is no engine in it: a policy is a plain value that is asked
// with a reading of the client's own monotonic clock.
//
//	file              question
//	classify.go       what does the answer mean, and is it safe to repeat the call
//	backoff.go        how long to wait: fixed, exponential, equal, full, decorrelated
//	after.go          what to do with the server's Retry-After
//	splitmix.go       the small generator that jitter is drawn from
//	allowance.go      a number of calls and an amount of time for one operation
//	quota.go          a bucket that retries pay from (AWS)
//	throttling.go     no retries while half the calls fail (gRPC)
//	ratio.go          at most a tenth of all calls are retries (SRE)
//	adaptive.go       calls that the client itself refuses (SRE)
//	budget.go         one of quota, throttling and ratio
//	layers.go         what retries at every layer multiply to
//	loop001.go        the loop of S1, as it is
//
// Backoff spreads the calls of one herd; a budget bounds how many there are. Where the
// server is overloaded for good only the second helps.
//
// Source: Brooker, "Exponential backoff and jitter", 2015; Beyer et al., "Site
// Reliability Engineering", chapters 21 and 22.
package retry
