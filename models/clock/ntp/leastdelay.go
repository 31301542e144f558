package ntp

import "fencepost/sim"

// Best is the sample with the smallest delay: it has the least room for a difference
// between the two ways, so that it is the most accurate. Of equal ones the newest counts.
// It is not taken if no poll of the last [Depth] was answered.
//
// Source: RFC 5905, section 10, the clock filter algorithm; Mills, "Internet Time
// Synchronization: the Network Time Protocol", 1991.
func (f *Filter) Best() (best Sample) {
	for i := range f {
		s := &f[i]
		if s.Taken && (!best.Taken || s.Delay < best.Delay || s.Delay == best.Delay && s.At > best.At) {
			best = *s
		}
	}
	return best
}

// LeastDelay believes the sample with the smallest delay of all servers. It knows which
// way was short, and not who is wrong: a wrong server nearby fools it.
func LeastDelay(servers []Filter, now sim.Mono, drift int64) (Estimate, bool) {
	var best Sample
	for i := range servers {
		s := servers[i].Best()
		if s.Taken && (!best.Taken || s.Delay < best.Delay || s.Delay == best.Delay && s.At > best.At) {
			best = s
		}
	}
	return best.estimate(now, drift), best.Taken
}
