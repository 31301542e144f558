package adaptive

import (
	"math/bits"
	"time"
)

// Vegas estimates how many requests queue, from the round trip and the shortest one it
// has seen, and keeps that number small.
//
// The shortest round trip is measured anew after Probe*limit samples, since the service
// may have become slower for good. At that moment the queue looks empty. The original
// multiplies Probe by a random 0.5 to 1, so that clients do not probe together; a caller
// that needs that gives each its own Probe.
//
// Source: Netflix/concurrency-limits, VegasLimit.java; Brakmo and Peterson, "TCP
// Vegas", 1995.
type Vegas struct {
	Bounds       // in the original Min is 1
	Probe  int64 // samples per unit of the limit; 0: never

	limit    int64
	shortest time.Duration // rtt0; 0: none yet
	samples  int64         // since it was measured
}

// DefaultVegas is Netflix's, without its jitter.
func DefaultVegas() Vegas { return Vegas{Bounds: Bounds{Min: 1, Max: 1000}, Probe: 30} }

// Start sets the limit.
func (v *Vegas) Start(limit int64) { v.limit, v.shortest, v.samples = v.clamp(limit), 0, 0 }

// Limit is the limit in force.
func (v *Vegas) Limit() int64 { return v.limit }

// Update takes in a sample.
func (v *Vegas) Update(s Sample) {
	v.samples++
	if v.Probe > 0 && v.samples >= v.Probe*v.limit {
		v.samples, v.shortest = 0, s.RTT
		return
	}
	if v.shortest == 0 || s.RTT < v.shortest {
		v.shortest = s.RTT
		return
	}
	step := log10(v.limit)
	switch queue := v.queue(s.RTT); {
	case s.Dropped:
		v.limit = v.clamp(v.limit - step)
	case !v.used(s, v.limit):
	case queue <= step:
		v.limit = v.clamp(v.limit + 6*step)
	case queue < 3*step:
		v.limit = v.clamp(v.limit + step)
	case queue > 6*step:
		v.limit = v.clamp(v.limit - step)
	}
}

// queue is ceil(limit * (1 - rtt0/rtt)).
func (v *Vegas) queue(rtt time.Duration) int64 {
	hi, lo := bits.Mul64(uint64(v.limit), uint64(rtt-v.shortest))
	q, rest := bits.Div64(hi, lo, uint64(rtt)) // less than limit, as rtt-rtt0 < rtt
	if rest > 0 {
		q++
	}
	return int64(q)
}

// log10 is the logarithm rounded down, at least 1.
func log10(n int64) int64 {
	log := int64(0)
	for ; n >= 10; n /= 10 {
		log++
	}
	return max(1, log)
}
