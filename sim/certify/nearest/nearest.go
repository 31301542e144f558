// Package nearest looks for a shorter pause of which a run violates a property than the one that the search for an edge came upon.
package nearest

import (
	"context"
	"slices"
	"time"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// tries is how many ranges are searched at most.
const tries = 9

// Find gives an edge, of the pauses with a number, a shorter From where a run shows one. [certify.Search.Edge] has looked at the first
// nanoseconds above Holds, and at the paths that led there: where steps take time or clocks have a rate, the shortest may be
// neither. If not even its own path had a run, From is the pause of the run of all, which first is the result of.
//
// Find bisects what lies between, and looks at the last just below From. A range of which a search shows no run may have one all the same, as it gives up after some paths:
// Find goes on above it, and does not find what is shorter.
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
	low := e.Holds + certify.Few
	for try := 1; try <= tries && low+1 < e.From && ctx.Err() == nil; try++ {
		if f.Most = low + (e.From-low)/2; try == tries {
			f.Most = e.From - 1
		}
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
