package ntp

import "fencepost/sim"

// Latest believes the server that has answered last: what a client does that knows of no other
// samples, as those of SNTP. One wrong server among many is enough to fool it.
//
// Source: RFC 5905, section 14.
func Latest(last *Sample, now sim.Mono, drift int64) (Estimate, bool) {
	return last.estimate(now, drift), last.Taken
}
