package advise

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"fencepost/sim"
)

// trial is how a promise is put to the test: scenes that differ in what is not drawn, such
// as when the waiter begins, and what counts in each run.
type trial struct {
	scenes []*scene
	value  func(scene int, r *run) int64 // or none

	progress func(done, all int) // nil, or is told of runs
}

// none is the value of a run in which nothing came about that counts.
const none = math.MinInt64

// run is what was measured in one run: the totals, and of other measures the greatest value.
type run struct {
	measures []sim.Measure
	values   []int64
	first    []int64 // of each measure, the first value, or none
	last     []int64
	err      error
}

// of is the total or the greatest value of a measure, 0 if it has none. A measure that the
// model does not have is an error of the run.
func (r *run) of(measure string) int64 { return r.at(measure, r.values) }

// span is the first and the last value of a measure.
func (r *run) span(measure string) (first, last int64) {
	return r.at(measure, r.first), r.at(measure, r.last)
}

func (r *run) at(measure string, values []int64) int64 {
	i := slices.IndexFunc(r.measures, func(m sim.Measure) bool { return m.Name == measure })
	if i < 0 {
		r.err = fmt.Errorf("the model has no measure %q", measure)
		return 0
	}
	return values[i]
}

func (r *run) take(result *sim.Result) {
	clear(r.values)
	clear(r.last)
	for i := range r.first {
		r.first[i] = none
	}
	for _, s := range result.Samples {
		r.values[s.Measure], r.last[s.Measure] = max(r.values[s.Measure], s.Value), s.Value
		if r.first[s.Measure] == none {
			r.first[s.Measure] = s.Value
		}
	}
	if p := result.Panic; p != nil && r.err == nil {
		r.err = fmt.Errorf("%s panicked at %v: %s", p.Name, p.At, p.Value)
	}
}

// seen is what many runs gave.
type seen struct {
	values []int64 // of the runs that count, in ascending order
	missed int     // runs that do not
	worst  int64   // the greatest value, and the run that gave it
	scene  *scene
	seed   uint64
}

// fewest runs of a scene: to load one takes as long as some runs.
const fewest = 4

// maxSteps bounds the steps of all runs of a promise: with settings of which a run takes
// many, there are fewer runs than were asked for, but of many runs not fewer than as many times as many steps.
func maxSteps(runs int) int { return max(2_000_000, 2_000*runs) }

// playSome plays fewer runs if they take many steps.
func (t *trial) playSome(ctx context.Context, runs int) (*seen, error) {
	steps, err := t.scenes[0].steps()
	if err != nil {
		return nil, err
	}
	return t.play(ctx, min(runs, max(1, maxSteps(runs)/steps)))
}

// play runs each scene with as many seeds, and collects what counts, in the order of
// scenes and seeds whatever the number of workers. Of few runs not all scenes get some.
func (t *trial) play(ctx context.Context, runs int) (*seen, error) {
	var kept trial
	stride := max(1, (fewest*len(t.scenes)+runs-1)/runs)
	for i := 0; i < len(t.scenes); i += stride {
		kept.scenes = append(kept.scenes, t.scenes[i])
	}
	kept.progress = t.progress
	kept.value = func(i int, r *run) int64 { return t.value(i*stride, r) }
	return kept.playAll(ctx, runs)
}

func (t *trial) playAll(ctx context.Context, runs int) (*seen, error) {
	each := max(1, runs/len(t.scenes))
	results, errs := make([][]int64, len(t.scenes)), make([]error, len(t.scenes))
	var work sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		work.Go(func() {
			for i := range next {
				results[i], errs[i] = t.playScene(ctx, i, each)
			}
		})
	}
	for i := range t.scenes {
		next <- i
		if t.progress != nil {
			t.progress(i*each, each*len(t.scenes))
		}
	}
	close(next)
	work.Wait()
	s := &seen{worst: none}
	for i, list := range results {
		if errs[i] != nil {
			return nil, errs[i]
		}
		for n, v := range list {
			switch {
			case v == none:
				s.missed++
				continue
			case v > s.worst:
				s.worst, s.scene, s.seed = v, t.scenes[i], uint64(i*each+n+1)
			}
			s.values = append(s.values, v)
		}
	}
	slices.Sort(s.values)
	return s, nil
}

// playScene is the value of each run of one scene.
func (t *trial) playScene(ctx context.Context, i, runs int) ([]int64, error) {
	s, err := t.scenes[i].load()
	if err != nil {
		return nil, err
	}
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return nil, err
	}
	m := s.Program.Measures
	r := &run{measures: m, values: make([]int64, len(m)), first: make([]int64, len(m)), last: make([]int64, len(m))}
	list := make([]int64, runs)
	for n := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.take(w.Run(uint64(i*runs + n + 1)))
		if list[n] = t.value(i, r); r.err != nil {
			return nil, r.err
		}
	}
	return list, nil
}
