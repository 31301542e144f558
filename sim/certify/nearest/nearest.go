// Package nearest looks for a shorter pause of which a run violates a property than the one that the search for an edge came upon.
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
// neither. If not even its own path had a run, From is the pause of the run of all, which first is the result of.
//
// Find bisects what lies between, down to the nanosecond. A search that shows no run gives up after some paths, so a shorter range
// may have one all the same: between Holds and From nothing is known.
func Find(ctx context.Context, s *certify.Search, pause int, first *certify.Result, e *certify.Edge) error {
	if e.Holds < 0 || e.Result.Verdict != certify.Certified {
		return nil
	}
	next := *s
	next.Faults = slices.Clone(s.Faults)
	f := &next.Faults[pause]
	if e.From == 0 && first.Verdict == certify.Violated {
		e.From = longest(first, f)
	}
	for low := e.Holds + certify.Few; low+1 < e.From && ctx.Err() == nil; {
		f.Most = low + (e.From-low)/2
		r, err := next.Run(ctx)
		if e.Searches++; err != nil {
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
