package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/reports/searches"
	"fencepost/reports/units"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// boundaryOptions say along which values to look for what.
type boundaryOptions struct {
	cli.Subject
	Vary     string
	From, To string
	Step     string // "" is one that fits the range
	Property string
	Runs     *int       // at each point; nil is as the file says
	Chance   sim.Chance // of violated runs that is looked for; 0 is half of them
}

const boundaryLong = `Boundary finds the value of a scenario at which a property begins to be violated, or
ceases to be. It looks at nine points from --from to --to, and then halves the part in
which the verdict changes until two neighbours are left, a step apart: the property
holds at one and is violated at the other. Both can be run again by the command that
stands beside them. It says so if the verdict changes more than once between the nine
points; a band narrower than the distance between two of them goes unseen.

--vary takes the same paths as --set, such as params.ttl or faults.0.for, and --from,
--to and --step the values as a file writes them: 8060ms, 5, 0.5, 1%, 200ppm, 100/min.
Without --step it is a ten-thousandth of the range or a little less, a power of ten.

Where the file has several runs, or with --runs, each point is that many runs, with the
same seeds at each, and the boundary is where the share of violated runs crosses
--probability; the step is then a hundredth of the range.

Exit codes: 0 the boundary is found; 3 there is none between the two ends; 2 usage, or
a value that the scenario refuses; 1 error; 130 interrupted.`

const boundaryExample = `  $ simctl boundary redis/gc-pause --vary faults.0.for --from 1s --to 20s --property mutual-exclusion
  $ simctl boundary redlock/clock-jump --vary faults.2.by --from 1s --to 20s --property entitled-exclusion
  $ simctl boundary redlock/under-gc --vary params.ttl --from 14ms --to 40ms --property mutual-exclusion \
      --runs 10000 --probability 0.1%`

// newBoundaryCmd makes the command; do, if not nil, takes the place of what it does.
func newBoundaryCmd(a *app, do func(context.Context, *boundaryOptions) error) *cobra.Command {
	if do == nil {
		do = a.boundary
	}
	o, given := &boundaryOptions{}, &boundaryFlags{}
	cmd := &cobra.Command{
		Use:               "boundary NAME|FILE --vary PATH --from A --to B --property P",
		Short:             "Find the value at which a property begins to be violated",
		Long:              boundaryLong,
		Example:           boundaryExample,
		ValidArgsFunction: a.CompleteOneName,
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := given.complete(a, o, names, cmd.Flags()); err != nil {
				return cli.Usage(fmt.Errorf("boundary: %w", err))
			}
			return do(cmd.Context(), o)
		},
	}
	given.Define(cmd, a.App, &o.Subject, "seed of the first run of each point, instead of the file's",
		"write boundary.txt and boundary.json to the new folder `DIR`")
	f := cmd.Flags()
	f.StringVar(&o.Vary, "vary", "", "the `PATH` of the value to vary, as in --set")
	f.StringVar(&o.From, "from", "", "one end of the values")
	f.StringVar(&o.To, "to", "", "the other end")
	f.StringVar(&o.Step, "step", "", "how far apart the two neighbours are to be")
	f.StringVar(&o.Property, "property", "", "the property")
	f.IntVar(&given.runs, "runs", 0, "how many runs at each point, instead of the file's")
	f.StringVar(&given.probability, "probability", "0.5", "share of violated runs to look for, where a point has several")
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("property", a.CompleteProperty))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("vary", cobra.FixedCompletions([]string{"params.", "network.delay", "faults.0.for", "faults.0.at"},
		cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)))
	return cmd
}

// boundaryFlags are flags that are not options as they stand.
type boundaryFlags struct {
	cli.SubjectFlags
	runs        int
	probability string
}

func (g *boundaryFlags) complete(a *app, o *boundaryOptions, names []string, f *pflag.FlagSet) error {
	if err := g.SubjectFlags.Complete(a.App, &o.Subject, names, f); err != nil {
		return err
	}
	for _, want := range []struct{ flag, value, example string }{
		{"vary", o.Vary, "params.ttl"}, {"from", o.From, "1s"}, {"to", o.To, "20s"}, {"property", o.Property, "mutual-exclusion"},
	} {
		if want.value == "" {
			return fmt.Errorf("want --%s as well, such as --%s %s", want.flag, want.flag, want.example)
		}
	}
	if f.Changed("runs") {
		o.Runs = &g.runs
	}
	if err := cli.CheckRuns(o.Runs); err != nil {
		return err
	}
	if f.Changed("probability") {
		n, err := amount.Share(g.probability)
		if err != nil {
			return fmt.Errorf("--probability: %w", err)
		}
		o.Chance = sim.Chance(n)
	}
	_, err := o.rangeOf(exactSteps)
	return err
}

// How many steps a range has at least, if no step is given.
const (
	exactSteps = 10_000
	drawnSteps = 100 // finer, two points of many runs cannot be told apart
)

func (o *boundaryOptions) rangeOf(least int64) (amount.Range, error) {
	return rangeOf(o.From, o.To, o.Step, least)
}

// rangeOf is the range of --from, --to and --step.
func rangeOf(from, to, step string, least int64) (amount.Range, error) {
	var ends [2]amount.Value
	for i, f := range []struct{ flag, text string }{{"from", from}, {"to", to}} {
		v, err := amount.Parse(f.text)
		if err != nil {
			return amount.Range{}, fmt.Errorf("--%s: %w", f.flag, err)
		}
		ends[i] = v
	}
	if step == "" {
		return amount.NewRange(ends[0], ends[1], nil, least)
	}
	s, err := amount.Parse(step)
	if err != nil {
		return amount.Range{}, fmt.Errorf("--step: %w", err)
	}
	return amount.NewRange(ends[0], ends[1], &s, least)
}

func (a *app) boundary(ctx context.Context, o *boundaryOptions) error {
	set, err := a.Varied("boundary", &o.Subject, o.Vary)
	if err != nil {
		return a.LoadFailed(&o.Subject, err)
	}
	first, err := a.loadAt(o, set, o.From)
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
		b.Range = a.accepted(o, set, b.Range)
	}
	return a.findBoundary(ctx, o, b, first, set)
}

// accepted makes the steps of a range so long that the scenario takes the values: some
// are whole milliseconds.
func (a *app) accepted(o *boundaryOptions, set cli.Setter, r amount.Range) amount.Range {
	for {
		_, err := a.loadAt(o, set, r.At(1).String())
		coarser, ok := r.Coarser()
		if err == nil || !ok {
			return r
		}
		r = coarser
	}
}

// findBoundary looks for the boundary, and delivers what it found.
func (a *app) findBoundary(ctx context.Context, o *boundaryOptions, b *execute.Boundary, first *format.Scenario, set cli.Setter) error {
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
	meter := a.Meter()
	meter.Start(first.Name)
	b.Progress = func(point int, value string, p execute.Progress) {
		meter.Show(fmt.Sprintf("point %d, %s=%s, %s of %s runs", point, o.Vary, value, units.Number(p.Done), units.Number(p.Total)))
	}
	b.Load = func(value string) (*format.Scenario, error) { return a.loadAt(o, set, value) }
	b.Command = func(value string, s *format.Scenario) string {
		change := set(value)
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
			return a.LoadFailed(&o.Subject, err)
		}
		return cli.Failure(err)
	}
	return a.endBoundary(ctx, o, r, dir)
}

// loadAt loads the scenario with a value of the path.
func (a *app) loadAt(o *boundaryOptions, set cli.Setter, value string) (*format.Scenario, error) {
	s, err := a.LoadPoint(&o.Subject, set(value))
	if err == nil && o.Runs != nil {
		s.Runs = *o.Runs
	}
	return s, err
}

// endBoundary delivers what was found.
func (a *app) endBoundary(ctx context.Context, o *boundaryOptions, r *searches.Boundary, dir *files.Dir) error {
	if err := a.DeliverTo(&o.Subject, dir, "boundary", r); err != nil {
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
