package rare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"fencepost/internal/splitmix"
	"fencepost/sim"
	"fencepost/sim/batch"
	"fencepost/sim/stats"
)

// Options say what to estimate.
type Options struct {
	Program  sim.Program
	Config   sim.Config
	Property int    // index of [sim.Program].Properties; it has a level
	Seed     uint64 // of everything
	// Population is how many runs there are at each threshold, 2 and up, and Moves how often each is
	// moved. More of either makes repetitions vary less.
	Population, Moves int
	Jobs              int // repetitions at the same time; 0 is one per processor
}

// What is usual.
const (
	UsualPopulation  = 400
	UsualMoves       = 20
	UsualRepetitions = 20
)

// The most that is taken: a point of the population has up to maxLevels times moves words.
const (
	MaxPopulation  = 100_000
	MaxMoves       = 100
	MaxRepetitions = 10_000
)

// Check says all that is wrong with the options.
func (o *Options) Check() error {
	var errs []error
	if n := len(o.Program.Properties); o.Property < 0 || o.Property >= n {
		errs = append(errs, fmt.Errorf("property: want 0 to %d, got %d", n-1, o.Property))
	} else if o.Program.Levels[o.Property].Text == "" {
		errs = append(errs, fmt.Errorf("property: %s has no level", o.Program.Properties[o.Property]))
	}
	if o.Population < 2 || o.Population > MaxPopulation {
		errs = append(errs, fmt.Errorf("population: want 2 to %d, got %d", MaxPopulation, o.Population))
	}
	if o.Moves < 1 || o.Moves > MaxMoves {
		errs = append(errs, fmt.Errorf("moves: want 1 to %d, got %d", MaxMoves, o.Moves))
	}
	if o.Config.Minimal {
		errs = append(errs, errors.New("all draws are minimal: there is one run, and nothing to estimate"))
	}
	return errors.Join(errs...)
}

// seedOf is the seed of a repetition, from 0; -1 is the pilot.
func (o *Options) seedOf(repetition int) uint64 {
	return splitmix.Mix(splitmix.Mix(o.Seed) + uint64(repetition)*splitmix.Gamma)
}

// Repetition is one estimate.
type Repetition struct {
	Reached []int    `json:"reached"` // by threshold: how many of the population did; the first 0 is the last
	Moved   []int    `json:"moved"`   // by threshold but the last: moves that changed a run
	Runs    int      `json:"runs"`
	Seed    uint64   `json:"seed,omitempty"`  // of a run that violates the property, if one does
	Moves   []uint64 `json:"moves,omitempty"` // of this run
}

// Violates reports whether a run was reached that violates the property.
func (r *Repetition) Violates() bool { return r.Reached[len(r.Reached)-1] > 0 }

// Estimate is the product of the shares.
func (r *Repetition) Estimate(population int) float64 {
	p := 1.0
	for _, n := range r.Reached {
		p = float64(p*float64(n)) / float64(population)
	}
	return p
}

// Repetitions does those from the index first to before end, and returns them in order. What it
// returns depends on nothing but the options and the levels. Progress, if not nil, is called after each with
// what is done. When ctx is done it returns those that are complete, with the error of ctx.
func Repetitions(ctx context.Context, o *Options, l *Levels, first, end int, progress func([]Repetition)) (list []Repetition, err error) {
	jobs := o.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	type done struct {
		Repetition
		err error
	}
	worker := func() (*splitter, error) {
		s, err := newSplitter(o)
		if err == nil {
			s.sparse = l.Sparse
		}
		return s, err
	}
	do := func(ctx context.Context, s *splitter, i int, d *done) {
		d.Repetition, d.err = s.repeat(ctx, o.seedOf(first+i), l.Thresholds)
	}
	var failed error
	merge := func(_ int, d *done) bool {
		if failed = d.err; failed != nil {
			return false
		}
		list = append(list, d.Repetition)
		if progress != nil {
			progress(list)
		}
		return true
	}
	if err := batch.InOrder(ctx, min(jobs, end-first), end-first, worker, do, merge); err != nil {
		return list, err
	}
	if failed == nil && len(list) < end-first {
		failed = ctx.Err()
	}
	return list, failed
}

// repeat is one repetition.
func (s *splitter) repeat(ctx context.Context, seed uint64, thresholds []int64) (r Repetition, err error) {
	if err := s.begin(ctx, seed); err != nil {
		return r, err
	}
	for i, threshold := range thresholds {
		r.Reached = append(r.Reached, s.reach(threshold))
		if len(s.survivors) == 0 || i == len(thresholds)-1 {
			break
		}
		moved, err := s.split(ctx, threshold)
		if err != nil {
			return r, err
		}
		r.Moved = append(r.Moved, moved)
	}
	r.Runs = s.runs
	if r.Violates() {
		p := &s.population[s.survivors[0]]
		r.Seed = p.seed
		for _, m := range p.moves {
			r.Moves = append(r.Moves, uint64(m))
		}
	}
	return r, nil
}

// Kind is what an interval is.
type Kind uint8

// The kinds of intervals.
const (
	// None: there is no interval that would be an honest one, and it is 0 to 1. A few repetitions say too little of how
	// much they vary. Where a repetition is 0, the others are a part of the estimate of unknown size.
	None Kind = iota
	// LogNormal is [stats.LogNormal] of the repetitions: each is a product of many shares.
	LogNormal
	// Bound is Wilson's interval of the independent runs with which the repetitions begin, none of which violates: an upper bound.
	Bound
)

// String is the word for it in documents.
func (k Kind) String() string { return [...]string{"none", "log-normal", "bound"}[k] }

// LeastRepetitions have an interval: from 5 on its width says more of the estimate than of chance.
const LeastRepetitions = 5

// Sum is the sum of some repetitions.
type Sum struct {
	Probability float64        // their mean, without bias
	Interval    stats.Interval // 95%
	Kind        Kind           // of the interval
	Zero        int            // repetitions that are 0
	Largest     float64        // the largest repetition's share of their sum
	Runs        int            // of the repetitions
	// Plain is how many independent runs would give an interval of the same width, 0 if it is unknown.
	Plain float64
}

// SumOf is the sum of some repetitions, one or more.
func SumOf(list []Repetition, population int) Sum {
	s := Sum{Interval: stats.Interval{Low: 0, High: 1}}
	estimates := make([]float64, len(list))
	total := 0.0
	for i := range list {
		estimates[i] = list[i].Estimate(population)
		total += estimates[i]
		s.Runs += list[i].Runs
		if estimates[i] == 0 {
			s.Zero++
		}
	}
	if total == 0 {
		s.Kind, s.Interval = Bound, stats.Wilson(0, len(list)*population)
		return s
	}
	s.Probability, s.Largest = total/float64(len(list)), slices.Max(estimates)/total
	if len(list) < LeastRepetitions || s.Zero > 0 {
		return s
	}
	i := stats.LogNormal(estimates)
	s.Kind, s.Interval = LogNormal, stats.Interval{Low: min(i.Low, s.Probability), High: min(max(i.High, s.Probability), 1)}
	if half := (s.Interval.High - s.Interval.Low) / 2; half > 0 {
		s.Plain = math.Ceil(float64(s.Probability*(1-s.Probability)) * float64(z95/half) * float64(z95/half))
	}
	return s
}

// z95 is the 97.5% quantile of the standard normal.
const z95 = 1.959963984540054

// Check says which number of a repetition that was read from elsewhere cannot be, of these options and the repetition of
// that index. It does no run; [Repetition.Fits] compares it with the levels.
func (r *Repetition) Check(o *Options, index int) error {
	n, moves := len(r.Reached), o.Population*o.Moves // of each split
	switch {
	case n == 0 || n > maxLevels+1:
		return fmt.Errorf("reached has %d thresholds: want 1 to %d", n, maxLevels+1)
	case len(r.Moved) != n-1:
		return fmt.Errorf("moved has %d thresholds: want %d, one less than reached", len(r.Moved), n-1)
	case r.Runs != o.Population+(n-1)*moves:
		return fmt.Errorf("runs is %d: want %d, as %d splits have", r.Runs, o.Population+(n-1)*moves, n-1)
	}
	for i, reached := range r.Reached {
		if reached < 0 || reached > o.Population || reached == 0 && i < n-1 {
			return fmt.Errorf("reached[%d] is %d: want 1 to %d, or 0 at the last threshold", i, reached, o.Population)
		}
	}
	for i, moved := range r.Moved {
		if moved < 0 || moved > moves {
			return fmt.Errorf("moved[%d] is %d: want 0 to %d", i, moved, moves)
		}
	}
	switch {
	case !r.Violates() && (r.Seed != 0 || len(r.Moves) > 0):
		return errors.New("seed and moves: want none of a repetition without a violation")
	case r.Violates() && !o.begins(index, r.Seed):
		return fmt.Errorf("seed is %d: want the seed of a run with which repetition %d begins", r.Seed, index+1)
	case len(r.Moves) > (n-1)*o.Moves:
		return fmt.Errorf("moves has %d: want at most %d", len(r.Moves), (n-1)*o.Moves)
	}
	return nil
}

// begins reports whether a repetition begins with the run of a seed.
func (o *Options) begins(index int, seed uint64) bool {
	random := stream{base: o.seedOf(index)}
	for range o.Population {
		if random.word() == seed {
			return true
		}
	}
	return false
}

// Fits says why a repetition is not of these levels.
func (r *Repetition) Fits(l *Levels) error {
	n, all := len(r.Reached), len(l.Thresholds)
	if n > all || n < all && r.Violates() {
		return fmt.Errorf("reached has %d thresholds: want up to the first 0 of the pilot's %d", n, all)
	}
	return nil
}
