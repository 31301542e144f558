package rare

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"fencepost/sim"
)

// Levels are the thresholds of repetitions, as a pilot has chosen them.
type Levels struct {
	// Thresholds rise; the last is the violation itself.
	Thresholds []int64
	Sparse     int // of moves, at most: so that in the mean one draw of a run is changed
	Runs       int // that it took
	// Vacuous says that no run had anything that the level measures, and none violated the property.
	Vacuous bool
}

// Violation is the last threshold.
const Violation = math.MaxInt64

// maxLevels bounds how many thresholds there are: with a fifth of the runs that reach
// each, the last is reached with a probability of 1e-44.
const maxLevels = 64

// share is how many of the runs are to reach the next threshold: one in this many. The product of
// independent shares varies least for its runs at 0.2.
//
// Source: Lagnoux, "Rare event simulation", Probability in the Engineering and Informational Sciences 20(1), 2006.
const share = 5

// Pilot chooses the thresholds, by a repetition that takes each from the runs before it. Its runs are
// used for nothing else, so that the thresholds do not depend on the runs that they are of.
func Pilot(ctx context.Context, o *Options) (*Levels, error) {
	s, err := newSplitter(o)
	if err != nil {
		return nil, err
	}
	if err := s.begin(ctx, o.seedOf(-1)); err != nil {
		return nil, err
	}
	s.sparse = bits.Len64(s.draws / uint64(s.runs))
	l := &Levels{Sparse: s.sparse, Vacuous: s.reach(sim.Unreached+1) == 0}
	for threshold := s.threshold(math.MinInt64); threshold != Violation && len(l.Thresholds) < maxLevels-1; threshold = s.threshold(threshold) {
		l.Thresholds = append(l.Thresholds, threshold)
		s.reach(threshold)
		if _, err := s.split(ctx, threshold); err != nil {
			return nil, err
		}
	}
	l.Thresholds, l.Runs = append(l.Thresholds, Violation), s.runs
	return l, nil
}

// threshold is what a fifth of the population reaches, or, where half of it or more would reach that or
// all has before, what is next above that. It is the violation where nothing is.
func (s *splitter) threshold(before int64) int64 {
	slices.SortFunc(s.population, func(a, b point) int { return cmp.Compare(b.near, a.near) })
	t := s.population[(len(s.population)-1)/share].near
	reach, next := 0, int64(Violation)
	for i := range s.population {
		switch near := s.population[i].near; {
		case near > t:
			next = near
			fallthrough
		case near == t:
			reach++
		}
	}
	if t > before && 2*reach < len(s.population) {
		return t
	}
	return next
}
