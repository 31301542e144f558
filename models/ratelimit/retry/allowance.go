package retry

import (
	"time"

	"fencepost/sim"
)

// Allowance is what one operation may cost.
//
// Source: Beyer et al., "Site Reliability Engineering", chapter 21, deciding to retry.
type Allowance struct {
	Attempts int           // calls, the first included; 0 is without end
	Deadline time.Duration // from the start of the operation, for all calls and waits; 0 is none
}

// Allows reports whether the operation, begun at an instant, may make another call after
// those made, a wait from now.
func (a *Allowance) Allows(begun, now sim.Mono, made int, wait time.Duration) bool {
	if a.Attempts > 0 && made >= a.Attempts {
		return false
	}
	return a.Deadline <= 0 || now.Sub(begun) < a.Deadline && wait < a.Deadline-now.Sub(begun)
}
