package execute

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/batch"
	"fencepost/sim/explore"
	"fencepost/sim/stats"
)

// Divided is work of many runs, which several machines can share. One that has joined the
// parts of all its runs takes the results from these, and does everything else as usual:
// so its report is the same, byte for byte, as if it had done the runs.
type Divided interface {
	// Total is how many runs there are, or an error if they cannot be divided.
	Total() (int, error)
	// Part does the runs from the index first to before end.
	Part(ctx context.Context, first, end int) (*Part, error)
	// Join takes the results of parts that follow each other.
	Join(list []*Part) error
}

// Part is the result of consecutive runs.
type Part struct {
	// Last says that the runs after these are not needed: a search has found something.
	Last    bool            `json:"last,omitempty"`
	Results json.RawMessage `json:"results"`
}

// Piece is consecutive runs of one point of a grid.
type Piece struct {
	Point int          `json:"point"` // index, 0 without a grid
	First int          `json:"first"` // index of the first run at the point
	Tally *stats.Tally `json:"tally"`
}

// piece is a [Piece] that is read when it is known of what shape it is.
type piece struct {
	Point int             `json:"point"`
	First int             `json:"first"`
	Tally json.RawMessage `json:"tally"`
}

// points are the scenarios that a plan runs: one without a grid.
func (p *Plan) points() (list []*format.Scenario) {
	for _, v := range p.Scenario.Variants {
		list = append(list, v.Scenario)
	}
	if len(list) == 0 {
		list = append(list, p.Scenario)
	}
	return list
}

// Total implements [Divided]: the runs of all points.
func (p *Plan) Total() (n int, err error) {
	if p.Scenario.Replays() {
		return 0, fmt.Errorf("%s: model %s has no nodes: its one run cannot be divided", p.Scenario.Name, p.Scenario.Model)
	}
	for _, s := range p.points() {
		n += s.Runs
	}
	return n, nil
}

// Part implements [Divided].
func (p *Plan) Part(ctx context.Context, first, end int) (*Part, error) {
	var pieces []Piece
	before, done := 0, 0
	for i, s := range p.points() {
		from, to := max(first-before, 0), min(end-before, s.Runs)
		before += s.Runs
		if from >= to {
			continue
		}
		t, _, err := batch.Runs(ctx, batch.Options{Program: s.Program, Config: s.Config, Seed: s.Seed + uint64(from), Runs: to - from, Jobs: p.Jobs},
			func(t *stats.Tally) {
				if p.Progress != nil {
					p.Progress(Progress{Done: done + t.Runs, Total: end - first, Violated: mostViolated(t)})
				}
			})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		done += to - from
		pieces = append(pieces, Piece{i, from, t})
	}
	return newPart(pieces, false)
}

func newPart(results any, last bool) (*Part, error) {
	text, err := json.Marshal(results)
	return &Part{Last: last, Results: text}, err
}

// Join implements [Divided].
func (p *Plan) Join(list []*Part) error {
	points := p.points()
	p.joined = make([]*stats.Tally, len(points))
	for i, s := range points {
		p.joined[i] = stats.NewTally(&s.Program, len(s.Config.Faults))
	}
	for _, k := range list {
		var pieces []piece
		if err := json.Unmarshal(k.Results, &pieces); err != nil {
			return err
		}
		for _, one := range pieces {
			if err := p.join(&one, points); err != nil {
				return err
			}
		}
	}
	for i, s := range points {
		if n := p.joined[i].Runs; n != s.Runs {
			return fmt.Errorf("the parts have %d runs of point %d: want %d", n, i+1, s.Runs)
		}
	}
	return nil
}

func (p *Plan) join(one *piece, points []*format.Scenario) error {
	if one.Point < 0 || one.Point >= len(points) {
		return fmt.Errorf("a part has runs of point %d of %d", one.Point+1, len(points))
	}
	s, all := points[one.Point], p.joined[one.Point]
	if one.First != all.Runs {
		return fmt.Errorf("the parts have run %d of point %d after run %d", one.First+1, one.Point+1, all.Runs)
	}
	t := stats.NewTally(&s.Program, len(s.Config.Faults))
	if err := readTally(one.Tally, t, &s.Program); err != nil {
		return err
	}
	all.Merge(t)
	return nil
}

func readTally(text json.RawMessage, t *stats.Tally, p *sim.Program) error {
	if err := json.Unmarshal(text, t); err != nil {
		return err
	}
	if !t.Nodes(len(p.Nodes)) {
		return errors.New("a part names a node that there is not")
	}
	return nil
}

// Total implements [Divided].
func (c *Comparison) Total() (int, error) { return c.Runs, nil }

// comparedText is a part of a comparison.
type comparedText struct {
	Tallies []json.RawMessage `json:"tallies"`
	Pairs   []json.RawMessage `json:"pairs"`
	Unsafe  []int             `json:"unsafe"`
}

// options say what to run with the same seeds.
func (c *Comparison) options() batch.Comparison {
	o := batch.Comparison{Baseline: c.Baseline, Seed: c.Seed, Runs: c.Runs, Jobs: c.Jobs}
	for i := range c.Candidates {
		s := c.Candidates[i].Scenario
		o.Programs = append(o.Programs, s.Program)
		o.Configs = append(o.Configs, s.Config)
	}
	return o
}

// Part implements [Divided].
func (c *Comparison) Part(ctx context.Context, first, end int) (*Part, error) {
	o := c.options()
	o.Seed, o.Runs = o.Seed+uint64(first), end-first
	all, err := batch.Compare(ctx, o, c.progress())
	if err != nil {
		return nil, err
	}
	x := struct {
		Tallies []*stats.Tally  `json:"tallies"`
		Pairs   []*stats.Paired `json:"pairs"`
		Unsafe  []int           `json:"unsafe"`
	}{all.Tallies, all.Pairs, all.Unsafe}
	return newPart(x, false)
}

// Join implements [Divided].
func (c *Comparison) Join(list []*Part) error {
	o := c.options()
	all := o.Empty()
	for _, k := range list {
		var x comparedText
		if err := json.Unmarshal(k.Results, &x); err != nil {
			return err
		}
		one := o.Empty()
		if n := len(o.Programs); len(x.Tallies) != n || len(x.Pairs) != n || len(x.Unsafe) != n {
			return fmt.Errorf("a part of %d candidates: want %d", len(x.Tallies), n)
		}
		for i := range o.Programs {
			if err := readTally(x.Tallies[i], one.Tallies[i], &o.Programs[i]); err != nil {
				return err
			}
			if i != o.Baseline {
				if err := json.Unmarshal(x.Pairs[i], one.Pairs[i]); err != nil {
					return err
				}
			}
		}
		one.Unsafe = x.Unsafe
		all.Merge(one)
	}
	for i := range all.Tallies {
		if n := all.Tallies[i].Runs; n != c.Runs {
			return fmt.Errorf("the parts have %d runs of %s: want %d", n, c.Candidates[i].Name, c.Runs)
		}
	}
	c.joined = all
	return nil
}

// Total implements [Divided].
func (s *Search) Total() (int, error) {
	switch {
	case s.Mode == explore.Exhaustive:
		return 0, errors.New("an exhaustive search cannot be divided: which states it has seen decides where it continues; random and pct can")
	case s.For > 0:
		return 0, errors.New("a search with --for cannot be divided: how many runs it does depends on the machine; want --runs")
	}
	return s.Runs, nil
}

// Part implements [Divided].
func (s *Search) Part(ctx context.Context, first, end int) (*Part, error) {
	k, err := s.Search.Part(ctx, first, end)
	if err != nil {
		return nil, err
	}
	return newPart(k, k.Found)
}

// Join implements [Divided].
func (s *Search) Join(list []*Part) error {
	s.joined = make([]*explore.Part, len(list))
	for i, k := range list {
		s.joined[i] = new(explore.Part)
		if err := json.Unmarshal(k.Results, s.joined[i]); err != nil {
			return err
		}
	}
	return nil
}

// DoPart does a part of some work. If ctx ends before that there is none, also if a run
// does not end.
func DoPart(ctx context.Context, name string, w Divided, first, end int) (*Part, error) {
	return abandon(ctx, name, patience, func() (*Part, error) { return w.Part(ctx, first, end) })
}
