// Package nearest finds the shortest pause of which a run violates a property, above the longest up to which that is certified.
package nearest

import (
	"context"
	"slices"
	"time"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// Find gives an edge, of the pauses with a number, a shorter From where a run shows one. [certify.Search.Edge] has looked at the first
// nanoseconds above Holds, and at the paths that led there: where steps take time or clocks have a rate, the shortest may be
// neither. Find bisects what lies between, for as long as the search is not at one of its limits.
func Find(ctx context.Context, s *certify.Search, pause int, e *certify.Edge) error {
	if e.Holds < 0 || e.Result.Verdict != certify.Certified {
		return nil
	}
	next := *s
	next.Faults = slices.Clone(s.Faults)
	f := &next.Faults[pause]
	if e.From > 0 {
		f.Most = e.From - 1
	}
	for low := e.Holds + certify.Few; low < f.Most; f.Most = low + (e.From-low)/2 {
		r, err := next.Run(ctx)
		if e.Searches++; err != nil || !r.Found() {
			return err
		}
		if r.Verdict == certify.Violated {
			e.From = longest(&r, f)
		} else {
			low = f.Most
		}
	}
	return nil
}

// longest is how long a pause of a run is: a shorter range than the one that was searched may have it.
func longest(r *certify.Result, f *certify.Fault) (most time.Duration) {
	for i := range r.Failure.Faults {
		if p := &r.Failure.Faults[i]; p.Do == f.Do {
			most = max(most, p.For.Most())
		}
	}
	if f.Do != sim.Pause || most > f.Most {
		return f.Most
	}
	return most
}
