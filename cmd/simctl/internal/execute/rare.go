package execute

import (
	"context"
	"errors"
	"fmt"

	"fencepost/internal/exact"
	"fencepost/reports"
	"fencepost/reports/searches"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/rare"
)

// Rare is a scenario and what is estimated of it by splitting.
type Rare struct {
	Scenario *format.Scenario
	rare.Options
	Repetitions int
	Progress    func(done, total int) // if not nil, told of repetitions

	levels *rare.Levels      // of the pilot, once it is done
	joined []rare.Repetition // of parts: nothing is run
	parts  []*Part           // by repetition
}

// pilot chooses the thresholds, once in a process.
func (e *Rare) pilot(ctx context.Context) (*rare.Levels, error) {
	if e.levels != nil {
		return e.levels, nil
	}
	l, err := rare.Pilot(ctx, &e.Options)
	if err == nil {
		e.levels = l
	}
	return l, err
}

// Total implements [Divided].
func (e *Rare) Total() (int, error) { return e.Repetitions, nil }

// Part implements [Divided]. The first part of a process begins with the pilot.
func (e *Rare) Part(ctx context.Context, first, end int) (*Part, error) {
	l, err := e.pilot(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Scenario.Name, err)
	}
	list, err := e.repeat(ctx, l, first, end)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Scenario.Name, err)
	}
	return newPart(first, end, list, false)
}

func (e *Rare) repeat(ctx context.Context, l *rare.Levels, first, end int) ([]rare.Repetition, error) {
	return rare.Repetitions(ctx, &e.Options, l, first, end, func(list []rare.Repetition) {
		if e.Progress != nil {
			e.Progress(len(list), end-first)
		}
	})
}

// CheckPart implements [Divided].
func (e *Rare) CheckPart(k *Part) error {
	_, err := e.read(k)
	return err
}

// read is the repetitions of a part.
func (e *Rare) read(k *Part) ([]rare.Repetition, error) {
	if k.Last {
		return nil, errors.New("last is true: want it of a search that found something")
	}
	texts, err := exact.Array(k.Results, k.End-k.First)
	if err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	list := make([]rare.Repetition, len(texts))
	for i := range texts {
		if err := exact.Read(texts[i], &list[i]); err != nil {
			return nil, fmt.Errorf("results[%d].%w", i, err)
		}
		if err := list[i].Check(&e.Options, k.First+i); err != nil {
			return nil, fmt.Errorf("results[%d].%w", i, err)
		}
	}
	return list, nil
}

// Join implements [Divided].
func (e *Rare) Join(list []*Part) error {
	e.joined, e.parts = []rare.Repetition{}, nil
	for _, k := range list {
		some, err := e.read(k)
		if err != nil {
			return k.wrong(err)
		}
		for i := range some {
			e.joined, e.parts = append(e.joined, some[i]), append(e.parts, k)
		}
	}
	if n := len(e.joined); n != e.Repetitions {
		return fmt.Errorf("the parts have %d repetitions: want %d", n, e.Repetitions)
	}
	return nil
}

// rarity is the result of an estimate.
type rarity struct {
	levels *rare.Levels
	list   []rare.Repetition
}

// Do estimates. If ctx ends before that, it reports the repetitions that are complete, with the error of ctx,
// or nothing if none is; it is [ErrNoEnd] if a run continues all the same.
func (e *Rare) Do(ctx context.Context) (*searches.Rarity, *explore.Failure, error) {
	done, err := abandon(ctx, e.Scenario.Name, patience, func() (*rarity, error) {
		l, err := e.pilot(ctx)
		switch {
		case err != nil || l.Vacuous:
			return &rarity{levels: l}, err
		case e.joined != nil:
			for i := range e.joined {
				if err := e.joined[i].Fits(l); err != nil {
					return nil, e.parts[i].wrong(err)
				}
			}
			return &rarity{l, e.joined}, nil
		}
		list, err := e.repeat(ctx, l, 0, e.Repetitions)
		return &rarity{l, list}, err
	})
	if err != nil && ctx.Err() == nil {
		return nil, nil, fmt.Errorf("%s: %w", e.Scenario.Name, err)
	}
	switch {
	case errors.Is(err, ErrNoEnd):
		return nil, nil, err
	case err != nil && (done == nil || len(done.list) == 0):
		return nil, nil, errors.New("interrupted before the first repetition was complete")
	}
	r := e.report(done)
	f, failed := e.found(done, r)
	if failed != nil {
		return nil, nil, failed
	}
	return r, f, err
}

// report puts an estimate into words.
func (e *Rare) report(done *rarity) *searches.Rarity {
	c, p := e.Scenario, &e.Program
	r := &searches.Rarity{
		Schema: searches.RareSchema, Scenario: c.Name, About: c.About, Source: c.Source, Model: c.Model,
		Property: p.Properties[e.Property], Level: p.Levels[e.Property].Text, Durations: p.Levels[e.Property].Unit == sim.Duration,
		Seed: e.Seed, UntilNS: int64(c.Until), Population: e.Population, Moves: e.Moves,
		RepetitionsWanted: e.Repetitions, LeastRepetitions: rare.LeastRepetitions, Repetitions: len(done.list), PilotRuns: done.levels.Runs,
		Vacuous: done.levels.Vacuous, Thresholds: []searches.RareThreshold{}, Estimates: []float64{},
	}
	if r.Vacuous {
		return r
	}
	s := rare.SumOf(done.list, e.Population)
	r.OK, r.Runs, r.Plain, r.Zero, r.Largest = true, s.Runs, s.Plain, s.Zero, s.Largest
	r.Share, r.Interval = &reports.Share{Value: s.Probability, Low: s.Interval.Low, High: s.Interval.High}, s.Kind.String()
	for i, threshold := range done.levels.Thresholds {
		t := searches.RareThreshold{Level: threshold, Violation: threshold == rare.Violation}
		reached, moved := 0, 0
		for k := range done.list {
			one := &done.list[k]
			if i < len(one.Reached) {
				t.Repetitions++
				reached += one.Reached[i]
			}
			if i < len(one.Moved) {
				moved += one.Moved[i]
				t.Moves += e.Population * e.Moves
			}
		}
		if t.Repetitions > 0 {
			t.Reached = float64(reached) / float64(t.Repetitions*e.Population)
		}
		if t.Moves > 0 {
			t.Moved = float64(moved) / float64(t.Moves)
		}
		r.Thresholds = append(r.Thresholds, t)
	}
	for k := range done.list {
		r.Estimates = append(r.Estimates, done.list[k].Estimate(e.Population))
	}
	return r
}

// found plays the first run that was found to violate the property, nil if none was.
func (e *Rare) found(done *rarity, r *searches.Rarity) (*explore.Failure, error) {
	for k := range done.list {
		one := &done.list[k]
		if !one.Violates() {
			continue
		}
		overrides, err := rare.Overrides(&e.Options, one)
		if err != nil {
			return nil, err
		}
		f := &explore.Failure{Run: k + 1, Property: e.Property,
			Schedule: explore.Schedule{Seed: one.Seed, Faults: e.Config.Faults, Overrides: overrides}}
		w, err := e.Program.NewWorld(e.Config)
		if err != nil {
			return nil, err
		}
		result, err := f.Play(w)
		if err != nil {
			return nil, err
		}
		if result.Properties[e.Property].Verdict != sim.Violated {
			err := fmt.Errorf("repetition %d: the run of its seed and moves has no violation", k+1)
			if e.joined != nil {
				err = e.parts[k].wrong(err)
			}
			return nil, err
		}
		f.Finding, f.Steps, f.Digest = result.Properties[e.Property], result.Steps, result.Digest
		r.Found = &searches.RareFound{Repetition: k + 1, Case: *Case(&e.Program, f), Why: w.Why(e.Property)}
		return f, nil
	}
	return nil, nil
}
