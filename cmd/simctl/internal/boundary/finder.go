// Package boundary looks for the value at which a property begins to be violated, for simctl boundary.
package boundary

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/reports/searches"
	"fencepost/reports/units"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// Request says along which values to look for what.
type Request struct {
	cli.Subject
	Vary     string
	From, To string
	Step     string // "" is one that fits the range
	Property string
	Runs     *int       // at each point; nil is as the file says
	Chance   sim.Chance // of violated runs that is looked for; 0 is half of them
}

// How many steps a range has at least, if no step is given.
const (
	exactSteps = 10_000
	drawnSteps = 100 // finer, two points of many runs cannot be told apart
)

// rangeOf is the range to search, of that many steps at least if --step is not given.
func (o *Request) rangeOf(least int64) (amount.Range, error) {
	return cli.ParseRange(o.From, o.To, o.Step, least)
}

// CheckRange says what is wrong with the range.
func (o *Request) CheckRange() error {
	_, err := o.rangeOf(exactSteps)
	return err
}

// finder looks for a boundary.
type finder struct {
	*cli.App
	*Request
	set cli.Setter
}

// Find looks for a boundary, and writes what it found.
func Find(ctx context.Context, a *cli.App, o *Request) error {
	set, err := a.Varied("boundary", &o.Subject, o.Vary)
	if err != nil {
		return a.LoadFailed(&o.Subject, err)
	}
	f := &finder{a, o, set}
	first, err := f.load(o.From)
	if err != nil {
		return a.LoadFailed(&o.Subject, err)
	}
	b := &execute.Boundary{Jobs: o.Jobs}
	if b.Property, err = cli.FindProperty(first, o.Property); err != nil {
		return err
	}
	steps := int64(exactSteps)
	switch {
	case first.Runs > 1 && o.Chance == 0:
		o.Chance = sim.Certain / 2
		fallthrough
	case first.Runs > 1:
		b.Chance, steps = o.Chance, drawnSteps
	case o.Chance > 0:
		return cli.Usage(errors.New("boundary: --probability is for several runs at each point: want --runs as well"))
	}
	if b.Range, err = o.rangeOf(steps); err != nil {
		return cli.Usage(fmt.Errorf("boundary: %w", err))
	}
	if o.Step == "" {
		b.Range = f.accepted(b.Range)
	}
	return f.find(ctx, b, first)
}

// accepted makes the steps of a range long enough that the scenario takes the values: some
// are whole milliseconds.
func (f *finder) accepted(r amount.Range) amount.Range {
	for {
		_, err := f.load(r.At(1).String())
		coarser, ok := r.Coarser()
		if err == nil || !ok {
			return r
		}
		r = coarser
	}
}

// find looks for the boundary from a first scenario on.
func (f *finder) find(ctx context.Context, b *execute.Boundary, first *format.Scenario) error {
	o := f.Request
	dir, err := cli.OutDir(o.Out)
	if err != nil {
		return err
	}
	defer dir.Abandon()
	r := &searches.Boundary{
		Schema: searches.BoundarySchema, Scenario: first.Name, About: first.About, Source: first.Source, Model: first.Model,
		Mode: o.Mode(), Settings: o.Sets, Property: o.Property, Path: o.Vary,
		From: b.Range.At(0).String(), To: b.Range.At(b.Range.Steps()).String(), Step: b.Range.Step().String(),
		Seed: first.Seed, Runs: first.Runs, UntilNS: int64(first.Until),
		Probability: float64(b.Chance) / float64(sim.Certain), Points: []searches.BoundaryPoint{},
	}
	meter := f.Meter()
	meter.Start(first.Name)
	b.Progress = func(point int, value string, p execute.Progress) {
		meter.Show(fmt.Sprintf("point %d, %s=%s, %s of %s runs", point, o.Vary, value, units.Number(p.Done), units.Number(p.Total)))
	}
	b.Load = f.load
	b.Command = func(value string, s *format.Scenario) string {
		change := f.set(value)
		flags := []string{"--set", change.Path + "=" + change.Value}
		if s.Runs > 1 || o.Runs != nil {
			flags = append([]string{"--runs", strconv.Itoa(s.Runs)}, flags...)
		}
		return o.Command("run", s.Seed, flags...)
	}
	err = b.Find(ctx, r)
	meter.Clear()
	if err != nil && ctx.Err() == nil {
		if e := (*format.Invalid)(nil); errors.As(err, &e) {
			return f.LoadFailed(&o.Subject, err)
		}
		return cli.Failure(err)
	}
	return f.end(ctx, r, dir)
}

// load loads the scenario with a value of the path.
func (f *finder) load(value string) (*format.Scenario, error) {
	s, err := f.LoadPoint(&f.Subject, f.set(value))
	if err == nil && f.Runs != nil {
		s.Runs = *f.Runs
	}
	return s, err
}

// end writes what was found.
func (f *finder) end(ctx context.Context, r *searches.Boundary, dir *files.Dir) error {
	if err := f.DeliverTo(&f.Subject, dir, "boundary", r); err != nil {
		return cli.Failure(err)
	}
	switch {
	case r.OK:
		return nil
	case ctx.Err() != nil:
		return cli.End(cli.ExitInterrupted, cli.ErrInterrupted)
	}
	return cli.End(cli.ExitNotExpected, nil)
}
