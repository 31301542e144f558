package adaptive

import "time"

// AIMD grows the limit by one while the limit is in use and all is well, and cuts it to
// a share when a request is dropped or takes too long. With the defaults of Netflix the
// least limit is the initial one: a drop at 20 leaves 20.
//
// Source: Netflix/concurrency-limits, AIMDLimit.java; Chiu and Jain, "Analysis of the
// increase and decrease algorithms for congestion avoidance", 1989.
type AIMD struct {
	Bounds
	Backoff int64         // what is left after a cut, per mille: 1 to 999
	Timeout time.Duration // a longer round trip counts as a drop

	limit int64
}

// DefaultAIMD is Netflix's.
func DefaultAIMD() AIMD {
	return AIMD{Bounds: Bounds{Min: 20, Max: 200}, Backoff: 900, Timeout: 5 * time.Second}
}

// Start sets the limit.
func (a *AIMD) Start(limit int64) { a.limit = a.clamp(limit) }

// Limit is the limit in force.
func (a *AIMD) Limit() int64 { return a.limit }

// Update takes in a sample.
func (a *AIMD) Update(s Sample) {
	switch {
	case s.Dropped || s.RTT > a.Timeout:
		a.limit = a.clamp(a.limit * a.Backoff / 1000)
	case a.used(s, a.limit):
		a.limit = a.clamp(a.limit + 1)
	}
}
