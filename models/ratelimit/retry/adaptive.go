package retry

import (
	"math/bits"

	"fencepost/sim"
)

// Adaptive is a client that refuses its own calls, before they cost anybody anything, as
// soon as the server accepts less than one in K: with the probability
// max(0, (requests - K*accepts) / (requests + 1)).
//
// Source: Beyer et al., "Site Reliability Engineering", chapter 21, "Handling
// overload", client-side throttling, equation 21-1, K = 2 over two minutes.
type Adaptive struct {
	K      int64 // in tenths, 10 and up: 20 is K = 2
	Recent Recent
}

// Probability is that of refusing, exactly, as num/den.
func (a *Adaptive) Probability(now sim.Mono) (num, den uint64) {
	requests, accepts := a.Recent.Sums(now)
	return uint64(max(0, 10*requests-a.K*accepts)), uint64(10 * (requests + 1))
}

// Refuses counts a request of the application, and decides it with a draw that is
// uniform over all words.
func (a *Adaptive) Refuses(now sim.Mono, draw uint64) bool {
	num, den := a.Probability(now)
	a.Recent.Add(now, 1, 0)
	hi, _ := bits.Mul64(draw, den) // floor(draw/2^64 * den): below num in num of den cases
	return hi < num
}

// Accepted counts a request that the server has accepted.
func (a *Adaptive) Accepted(now sim.Mono) { a.Recent.Add(now, 0, 1) }
