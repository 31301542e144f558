package format

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"fencepost/sim"
)

// Limits of a log that is replayed.
const (
	minSpan   = time.Millisecond // of a shorter log there would be injections without end
	backwards = time.Second      // stamps are in order of the ends of stops, and rounded
)

// schedule is when the log's stops begin and how long the log is. Where the log
// begins long after its process did, it counts from one mean interval before its
// first stop, so that a run seldom falls into the time of which it tells nothing.
func (in *input) schedule() ([]sim.Stop, time.Duration, error) {
	var stops []sim.Stop
	var last time.Duration
	for i, p := range in.log.Pauses {
		switch {
		case p.At < 0:
			return nil, 0, errors.New("it does not say when the stops began")
		case p.At < last-backwards:
			return nil, 0, fmt.Errorf("its time goes back from %v to %v at stop %d, as if it were of two processes", last, p.At, i+1)
		}
		last = max(last, p.At)
		stops = append(stops, sim.Stop{At: p.At, For: p.For})
	}
	slices.SortStableFunc(stops, func(a, b sim.Stop) int { return int(max(min(a.At-b.At, 1), -1)) })
	first := stops[0].At
	lead := first
	if n := len(stops); n > 1 {
		lead = min(lead, (stops[n-1].At-first)/time.Duration(n-1))
	}
	var span time.Duration
	for i := range stops {
		stops[i].At -= first - lead
		span = max(span, stops[i].At+max(stops[i].For, 1))
	}
	if span < minSpan {
		return nil, 0, fmt.Errorf("it is %v long", span)
	}
	return stops, span, nil
}
