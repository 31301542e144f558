package execute

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"fencepost/internal/exact"
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
	// CheckPart says which number of a part cannot be the result of its runs. It does none of them again.
	CheckPart(k *Part) error
	// Join checks parts that follow each other and takes their results. It does the first violations again.
	Join(list []*Part) error
}

// Part is the result of consecutive runs.
type Part struct {
	First int `json:"first"` // index of the first run, from 0
	End   int `json:"end"`   // index after the last
	// Last says that the runs after these are not needed: a search has found something.
	Last    bool            `json:"last,omitempty"`
	Results json.RawMessage `json:"results"`

	From string `json:"-"` // the file that it was read from, if it was
}

// wrong names the file of a part in an error.
func (k *Part) wrong(err error) error {
	if k.From == "" {
		return err
	}
	return &BadPart{k.From, err}
}

// BadPart is why a part is refused that cannot be the result of its runs.
type BadPart struct {
	File string
	Err  error
}

func (e *BadPart) Error() string {
	return fmt.Sprintf("%s is not the result of its runs: %v\nremove it, and run its shard again", e.File, e.Err)
}

func (e *BadPart) Unwrap() error { return e.Err }

// Piece is consecutive runs of one point of a grid.
type Piece struct {
	Point int          `json:"point"` // index, 0 without a grid
	First int          `json:"first"` // index of the first run at the point
	Tally *stats.Tally `json:"tally"`

	runs int
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

// pieces divide the runs from the index first to before end among the points.
func (p *Plan) pieces(first, end int) (list []Piece) {
	before := 0
	for i, s := range p.points() {
		from, to := max(first-before, 0), min(end-before, s.Runs)
		before += s.Runs
		if from < to {
			list = append(list, Piece{Point: i, First: from, runs: to - from})
		}
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
	points, pieces := p.points(), p.pieces(first, end)
	done := 0
	for i := range pieces {
		one := &pieces[i]
		s := points[one.Point]
		t, _, err := batch.Runs(ctx, batch.Options{Program: s.Program, Config: s.Config, Seed: s.Seed + uint64(one.First), Runs: one.runs, Jobs: p.Jobs},
			func(t *stats.Tally) {
				if p.Progress != nil {
					p.Progress(Progress{Done: done + t.Runs, Total: end - first, Violated: mostViolated(t)})
				}
			})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		done += one.runs
		one.Tally = t
	}
	return newPart(first, end, pieces, false)
}

func newPart(first, end int, results any, last bool) (*Part, error) {
	text, err := json.Marshal(results)
	return &Part{First: first, End: end, Last: last, Results: text}, err
}

// CheckPart implements [Divided].
func (p *Plan) CheckPart(k *Part) error {
	_, err := p.read(k)
	return err
}

// read is the pieces of a part.
func (p *Plan) read(k *Part) ([]Piece, error) {
	points, pieces := p.points(), p.pieces(k.First, k.End)
	if k.Last {
		return nil, errors.New("last is true: want it of a search that found something")
	}
	list, err := exact.Array(k.Results, len(pieces))
	if err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	for i := range pieces {
		want := &pieces[i]
		s := points[want.Point]
		have := Piece{Tally: stats.NewTally(&s.Program, len(s.Config.Faults))}
		err := exact.Read(list[i], &have)
		switch {
		case err != nil:
		case have.Point != want.Point || have.First != want.First:
			err = fmt.Errorf("point and first are %d and %d: want %d and %d", have.Point, have.First, want.Point, want.First)
		default:
			err = checkTally(have.Tally, s, want.First, want.runs)
		}
		if err != nil {
			return nil, fmt.Errorf("results[%d]: %w", i, err)
		}
		want.Tally = have.Tally
	}
	return pieces, nil
}

// checkTally compares a tally with what its scenario says of its runs.
func checkTally(t *stats.Tally, s *format.Scenario, first, runs int) error {
	if t == nil {
		return errors.New("tally is null: want the tally of the runs")
	}
	return t.Check(stats.Range{Runs: runs, Seed: s.Seed + uint64(first), Nodes: s.Program.Nodes, Until: s.Config.Until})
}

// again compares the first violations of a tally, those that a report is about, with what their runs give.
func again(t *stats.Tally, s *format.Scenario) error {
	var w sim.Runner
	return t.Again(func(seed uint64) (r *sim.Result) {
		if w == nil {
			var err error
			if w, err = s.Program.NewWorld(s.Config); err != nil {
				panic(err) // the plan was read with the same program
			}
		}
		return w.Run(seed)
	})
}

// Join implements [Divided].
func (p *Plan) Join(list []*Part) error {
	points := p.points()
	p.joined = make([]*stats.Tally, len(points))
	for i, s := range points {
		p.joined[i] = stats.NewTally(&s.Program, len(s.Config.Faults))
	}
	for _, k := range list {
		pieces, err := p.read(k)
		if err != nil {
			return k.wrong(err)
		}
		for _, one := range pieces {
			s, all := points[one.Point], p.joined[one.Point]
			if one.Tally.Firsts(all) {
				if err := again(one.Tally, s); err != nil {
					return k.wrong(err)
				}
			}
			all.Merge(one.Tally)
		}
	}
	for i, s := range points {
		if n := p.joined[i].Runs; n != s.Runs {
			return fmt.Errorf("the parts have %d runs of point %d: want %d", n, i+1, s.Runs)
		}
	}
	return nil
}

// Total implements [Divided].
func (c *Comparison) Total() (int, error) { return c.Runs, nil }

// compared is a part of a comparison, as text.
type compared struct {
	Tallies []*stats.Tally  `json:"tallies"`
	Pairs   []*stats.Paired `json:"pairs"`
	Unsafe  []int           `json:"unsafe"`
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
	return newPart(first, end, compared{all.Tallies, all.Pairs, all.Unsafe}, false)
}

// CheckPart implements [Divided].
func (c *Comparison) CheckPart(k *Part) error {
	_, err := c.read(k)
	return err
}

// read is the results of a part.
func (c *Comparison) read(k *Part) (*batch.Compared, error) {
	if k.Last {
		return nil, errors.New("last is true: want it of a search that found something")
	}
	var x struct { // lists stay text until it is known how long they may be
		Tallies json.RawMessage `json:"tallies"`
		Pairs   json.RawMessage `json:"pairs"`
		Unsafe  json.RawMessage `json:"unsafe"`
	}
	if err := exact.Read(k.Results, &x); err != nil {
		return nil, fmt.Errorf("results: %w", err)
	}
	o := c.options()
	all := o.Empty()
	n := len(o.Programs)
	tallies, err := exact.Array(x.Tallies, n)
	if err != nil {
		return nil, fmt.Errorf("results.tallies: %w", err)
	}
	pairs, err := exact.Array(x.Pairs, n)
	if err != nil {
		return nil, fmt.Errorf("results.pairs: %w", err)
	}
	unsafe, err := exact.Array(x.Unsafe, n)
	if err != nil {
		return nil, fmt.Errorf("results.unsafe: %w", err)
	}
	for i := range tallies {
		if err := exact.Read(tallies[i], all.Tallies[i]); err != nil {
			return nil, fmt.Errorf("results.tallies[%d]: %w", i, err)
		}
		if err := checkTally(all.Tallies[i], c.Candidates[i].Scenario, k.First, k.End-k.First); err != nil {
			return nil, fmt.Errorf("results.tallies[%d]: %w", i, err)
		}
	}
	for i := range tallies {
		if i == o.Baseline && string(pairs[i]) != "null" {
			return nil, fmt.Errorf("results.pairs[%d]: want null, as it is the baseline", i)
		}
		if i != o.Baseline {
			if err := exact.Read(pairs[i], all.Pairs[i]); err != nil {
				return nil, fmt.Errorf("results.pairs[%d]: %w", i, err)
			}
		}
		if err := exact.Read(unsafe[i], &all.Unsafe[i]); err != nil {
			return nil, fmt.Errorf("results.unsafe[%d]: %w", i, err)
		}
	}
	if err := all.Check(o.Baseline); err != nil {
		return nil, fmt.Errorf("results.%w", err)
	}
	return all, nil
}

// Join implements [Divided].
func (c *Comparison) Join(list []*Part) error {
	o := c.options()
	all := o.Empty()
	for _, k := range list {
		one, err := c.read(k)
		if err != nil {
			return k.wrong(err)
		}
		for i, t := range one.Tallies {
			if t.Firsts(all.Tallies[i]) {
				if err := again(t, c.Candidates[i].Scenario); err != nil {
					return k.wrong(fmt.Errorf("results.tallies[%d]: %w", i, err))
				}
			}
		}
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
	case s.Program.Goal != nil:
		return 0, errors.New("a search with --reach cannot be divided: after a find it searches again with fewer faults")
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
	return newPart(first, end, k, k.Found)
}

// CheckPart implements [Divided].
func (s *Search) CheckPart(k *Part) error {
	_, err := s.read(k)
	return err
}

// read is the results of a part.
func (s *Search) read(k *Part) (*explore.Part, error) {
	x := new(explore.Part)
	if err := exact.Read(k.Results, x); err != nil {
		return nil, fmt.Errorf("results.%w", err)
	}
	if x.Found != k.Last {
		return nil, fmt.Errorf("last is %v: want it as results.found, %v", k.Last, x.Found)
	}
	if err := s.Search.CheckPart(x, k.End-k.First); err != nil {
		return nil, fmt.Errorf("results.%w", err)
	}
	return x, nil
}

// Join implements [Divided].
func (s *Search) Join(list []*Part) (err error) {
	s.joined = make([]*explore.Part, len(list))
	for i, k := range list {
		if s.joined[i], err = s.read(k); err != nil {
			return k.wrong(err)
		}
		s.last = k
	}
	return nil
}

// join is the report of all parts; it does the last run again.
func (s *Search) join(ctx context.Context) (*explore.Report, error) {
	r, err := s.Search.Join(ctx, s.joined)
	if err != nil && ctx.Err() == nil {
		err = s.last.wrong(err)
	}
	return r, err
}

// DoPart does a part of some work. If ctx ends before that there is none, also if a run
// does not end.
func DoPart(ctx context.Context, name string, w Divided, first, end int) (*Part, error) {
	return abandon(ctx, name, patience, func() (*Part, error) { return w.Part(ctx, first, end) })
}
