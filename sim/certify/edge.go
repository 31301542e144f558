package certify

import (
	"context"
	"slices"
	"time"

	"fencepost/sim/certify/bounds"
	"fencepost/sim/certify/internal/dbm"
)

// Edge is how long a pause may be.
type Edge struct {
	// Holds is the longest pause, in whole nanoseconds, up to which the property is certified: -1 if
	// it is not even where no pause has any length.
	Holds time.Duration
	// From is the shortest pause of which a run shows a violation, 0 if none does. Between the two no
	// run was found: a violation exists between whole nanoseconds, or in another order of one instant.
	From     time.Duration
	Result   Result // of the search that certified Holds, or of the last
	Searches int
}

// Edge finds the longest pause up to which the property holds, for the pause of the given number.
// Each violation says from which length on its own path exists; the next search allows that much
// and no more, so that the last one is a proof. r is what a search with the longest pause found.
func (s *Search) Edge(ctx context.Context, pause int, r Result) (Edge, error) {
	e := Edge{Holds: s.Faults[pause].Most, Result: r}
	next := *s
	for e.Result.Verdict != Certified {
		if e.Result.rec == nil {
			return e, nil // a limit was reached
		}
		path := e.Result.rec
		most := path.longestWithout(pause, e.Holds)
		if from, ok, err := s.shortest(path, pause, most); err != nil {
			return e, err
		} else if ok && (e.From == 0 || from < e.From) {
			e.From = from
		}
		if e.Holds = most; most < 0 || most < s.Faults[pause].Least {
			e.Holds = -1
			return e, nil
		}
		next.Faults = slices.Clone(s.Faults)
		next.Faults[pause].Most = most
		var err error
		if e.Result, err = next.Run(ctx); err != nil {
			return e, err
		}
		e.Searches++
	}
	err := s.above(ctx, pause, &e)
	return e, err
}

// above looks for a run just above the edge, where the paths that led to it have none.
func (s *Search) above(ctx context.Context, pause int, e *Edge) error {
	next := *s
	next.Faults = slices.Clone(s.Faults)
	for most := e.Holds + 1; (e.From == 0 || e.From > e.Holds+Few) && most <= min(e.Holds+Few, s.Faults[pause].Most); most++ {
		next.Faults[pause].Most = most
		r, err := next.Run(ctx)
		if e.Searches++; err != nil || r.rec == nil {
			return err
		}
		if r.Verdict == Violated {
			e.From = most
		}
	}
	return nil
}

// Few is how many nanoseconds above an edge a run is looked for that shows the violation.
const Few = 3

// longestWithout is the longest pause with which the path does not exist, not even between whole
// nanoseconds; -1 if it exists without a pause. It exists with the given one.
func (r *recorder) longestWithout(pause int, with time.Duration) time.Duration {
	low, high := time.Duration(-1), with
	for low+1 < high {
		if middle := low + (high-low)/2; r.paused(pause, middle).exists() {
			high = middle
		} else {
			low = middle
		}
	}
	return low
}

// paused is the path with another length of a pause.
func (r *recorder) paused(pause int, most time.Duration) *recorder {
	c := *r
	c.bounds = slices.Clone(r.bounds)
	for i := range c.bounds {
		if b := &c.bounds[i]; b.why.kind == faultMost && b.why.n == pause {
			b.b = dbm.AtMost(int64(most))
		}
	}
	return &c
}

// exists reports whether there are real instants that satisfy all bounds: whether no cycle of them
// says that something is before itself.
func (r *recorder) exists() bool { return bounds.Cycle(r.variables, r.list()) == nil }

// shortest is the shortest pause, of those a few nanoseconds above one with which the path does not
// exist, of which a run shows the violation.
func (s *Search) shortest(path *recorder, pause int, above time.Duration) (time.Duration, bool, error) {
	for most := above + 1; most <= above+Few; most++ {
		f, _, err := s.confirm(path.paused(pause, most))
		if err != nil || f != nil {
			return most, err == nil, err
		}
	}
	return 0, false, nil
}
