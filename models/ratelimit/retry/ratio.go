package retry

import "fencepost/sim"

// Ratio bounds the share of a client's calls that are retries: a call is repeated only
// while that share is below the bound. So retries multiply the load by 1/(1-bound) at
// most, 1.11 for a tenth, where three attempts for everything multiply it by 3.
//
// Source: Beyer et al., "Site Reliability Engineering", chapter 21, "Handling
// overload", deciding to retry: a per-client retry budget of 10%.
type Ratio struct {
	PerMille int64 // the bound, 0 to 1000
	Calls    Recent
}

// SRE is a tenth over the last two minutes.
func SRE() Ratio { return Ratio{PerMille: 100} }

// Called counts a call.
func (r *Ratio) Called(now sim.Mono, retry bool) {
	if retry {
		r.Calls.Add(now, 1, 1)
		return
	}
	r.Calls.Add(now, 1, 0)
}

// Allows reports whether a call may be repeated now.
func (r *Ratio) Allows(now sim.Mono) bool {
	calls, retries := r.Calls.Sums(now)
	return retries*1000 < r.PerMille*calls
}
