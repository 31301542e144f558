package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/internal/text"
	"fencepost/reports/searches"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/explain"
	"fencepost/sim/explore"
)

// explainOptions say what to explain, and how much of it.
type explainOptions struct {
	cli.Subject
	Properties []string
	Runs       *int
	NoCurve    bool
	Between    string // two events with a comma, or ""
	Redraws    int    // of the rest of the run, at each step; 0 is as many as suit its length
}

// How often the rest of a run is drawn anew without --redraws: less often for long runs,
// so that it takes seconds.
const (
	mostRedraws  = 1000
	leastRedraws = 50
	redrawSteps  = 5_000_000 // at each step
)

// redraws is how often the rest of a run of that many steps is drawn anew.
func (o *explainOptions) redraws(steps uint64) int {
	if o.Redraws > 0 {
		return o.Redraws
	}
	return int(min(max(redrawSteps/max(steps, 1), leastRedraws), mostRedraws))
}

const explainLong = `Explain tells why a property was violated: the steps that led to it and no others, in
order, each with the node's own clock where it differs from true time, and with what
made it possible. Then it goes back along the run, draws the rest of it anew a thousand
times from each of some steps, and says how probable the violation was from there on:
that shows with which step it was decided.

It explains the first violation of the first run that has one, of a scenario as it is
or of a replay file; --property chooses another.

Of a scenario whose events clocks stamp, --between A,B tells why one of two events
happened before the other, by which messages, or why they are concurrent. If nothing is
violated it tells that of two pairs of events.

Exit codes: 0 it is explained, or nothing is violated and the file expects nothing
else; 3 what was asked for, or what the file expects, is not violated; 2 usage; 1
error; 130 interrupted.`

const explainExample = `  $ simctl explain redlock/gc-pause --property no-lost-update
  $ simctl explain clock/vector-source --between b2,c2
  $ simctl explain my.yaml --seed 17 --redraws 10000 --json
  $ simctl explain found/redlock-gc-pause-no-lost-update.replay.json --no-curve`

// newExplainCmd makes the command; do, if not nil, takes the place of what it does.
func newExplainCmd(a *app, do func(context.Context, *explainOptions) error) *cobra.Command {
	if do == nil {
		do = a.explain
	}
	o, given := &explainOptions{}, &explainFlags{}
	cmd := &cobra.Command{
		Use:               "explain NAME|FILE|REPLAY",
		Short:             "Tell why a property was violated, and which step decided it",
		Long:              explainLong,
		Example:           explainExample,
		ValidArgsFunction: a.CompleteOneName,
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := given.complete(a, o, names, cmd.Flags()); err != nil {
				return cli.Usage(fmt.Errorf("explain: %w", err))
			}
			return do(cmd.Context(), o)
		},
	}
	given.SubjectFlags.Define(cmd, a.App, &o.Subject, "seed of the first run, instead of the file's",
		"write explain.txt and explain.json to the new folder `DIR`")
	f := cmd.Flags()
	f.StringArrayVar(&o.Properties, "property", nil, "explain a violation of this property; may be repeated")
	f.IntVar(&given.runs, "runs", 0, "in how many runs a violation is looked for, instead of the file's")
	f.IntVar(&o.Redraws, "redraws", 0, "how often the rest of the run is drawn anew at each step; by default 1000, or fewer of a long run")
	f.StringVar(&o.Between, "between", "", "explain how two events of the first run stand to each other, as `A,B`")
	f.BoolVar(&o.NoCurve, "no-curve", false, "print the explanation alone")
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("property", a.CompleteProperty))
	return cmd
}

// explainFlags are flags that are not options as they stand.
type explainFlags struct {
	cli.SubjectFlags
	runs int
}

// maxRedraws bounds the runs at each step.
const maxRedraws = 10_000_000

func (g *explainFlags) complete(a *app, o *explainOptions, names []string, f *pflag.FlagSet) error {
	if err := g.SubjectFlags.Complete(a.App, &o.Subject, names, f); err != nil {
		return err
	}
	if f.Changed("runs") {
		o.Runs = &g.runs
	}
	if err := cli.CheckRuns(o.Runs); err != nil {
		return err
	}
	switch {
	case f.Changed("redraws") && (o.Redraws < 1 || o.Redraws > maxRedraws):
		return fmt.Errorf("--redraws: want 1 to %d, or --no-curve instead, got %d", maxRedraws, o.Redraws)
	case o.NoCurve && f.Changed("redraws"):
		return errors.New("want --redraws or --no-curve, not both")
	}
	if err := o.checkBetween(f); err != nil {
		return err
	}
	if cli.IsRecord(o.Name) && (o.Seed != nil || o.Runs != nil || o.NoFaults || len(o.Sets) > 0) {
		return errors.New("a replay file says all of its run: --seed, --runs, --set and --no-faults are for scenarios")
	}
	return nil
}

// loadExplained loads the scenario, or that of a replay file, of which the violation
// recorded is explained if no other is asked for.
func (a *app) loadExplained(ctx context.Context, o *explainOptions) (*format.Scenario, error) {
	if !cli.IsRecord(o.Name) {
		c, err := a.LoadPoint(&o.Subject)
		if err == nil && o.Runs != nil {
			c.Runs = *o.Runs
		}
		return c, err
	}
	r, _, err := cli.ReadRecord(ctx, o.Name, false)
	if err != nil {
		return nil, err
	}
	if len(o.Properties) == 0 && !r.Verdict.Panic {
		o.Properties = []string{r.Verdict.Property}
	}
	return r.Load(a.Models)
}

// violation is what there is to explain.
type violation struct {
	on      explore.Subject
	budget  *explore.Budget  // of the file, nil if it has none
	failure *explore.Failure // nil if nothing is violated
}

func (a *app) explain(ctx context.Context, o *explainOptions) error {
	c, err := a.loadExplained(ctx, o)
	if err != nil {
		return a.LoadFailed(&o.Subject, err)
	}
	for _, name := range o.Properties {
		if _, err := cli.FindProperty(c, name); err != nil {
			return err
		}
	}
	dir, err := cli.OutDir(o.Out)
	if err != nil {
		return err
	}
	defer dir.Abandon()
	meter := a.Meter()
	defer meter.Clear()
	meter.Start(c.Name)
	replay := ""
	if cli.IsRecord(o.Name) {
		replay = o.Name
	}
	e := &searches.Explanation{Replay: replay, Schema: searches.ExplainSchema, Scenario: c.Name, About: c.About, Source: c.Source, Model: c.Model,
		Mode: o.Mode(), Settings: o.Sets, UntilNS: int64(c.Until), Seed: c.Seed, Wanted: o.Properties}
	if o.Between != "" {
		meter.Clear()
		return a.explainBetween(o, c, e, dir)
	}
	r, err := execute.First(ctx, c, execute.TargetsOf(&c.Program, o.Properties), o.Jobs, func(r *explore.Report) {
		meter.Update(r.Runs, c.Runs, 0)
	})
	switch {
	case ctx.Err() != nil:
		return cli.End(cli.ExitInterrupted, errors.Join(errors.New("interrupted before anything was found"), err))
	case err != nil:
		return cli.Failure(err)
	}
	e.Runs = r.Runs
	v := &violation{explore.Subject{Program: c.Program, Config: c.Config}, c.Budget, r.Found}
	e.OK = v.failure != nil || len(o.Properties) == 0 && (len(o.Changed) > 0 || !expectsViolation(c))
	if v.failure != nil {
		if err := a.explained(ctx, o, v, e, meter); err != nil {
			return err
		}
	}
	if e.OK && v.failure == nil && c.Program.Ordered {
		if err := tellPairs(c, e); err != nil {
			return cli.Failure(err)
		}
	}
	meter.Clear()
	if err := a.DeliverTo(&o.Subject, dir, "explain", e); err != nil {
		return cli.Failure(err)
	}
	switch {
	case ctx.Err() != nil:
		return cli.End(cli.ExitInterrupted, errors.New("interrupted; the explanation may be longer than it has to be, and the curve lack points"))
	case !e.OK:
		return cli.End(cli.ExitNotExpected, nil)
	}
	return nil
}

// explained adds the explanation of a violation.
func (a *app) explained(ctx context.Context, o *explainOptions, v *violation, e *searches.Explanation, m *terminal.Meter) error {
	f := v.failure
	m.Show("finding out which steps lead to it")
	explanation, err := execute.Explain(ctx, e.Scenario, f, &v.on)
	if err != nil {
		return cli.Failure(err)
	}
	e.Found = &searches.Explained{Run: f.Run, Property: explanation.Property, Goal: explanation.Goal, Case: *execute.Case(&v.on.Program, f), Explanation: explanation}
	if e.Others, err = execute.Others(f, &v.on); err != nil {
		return cli.Failure(err)
	}
	if o.NoCurve {
		return nil
	}
	e.Found.Curve, err = execute.Decisive(ctx, e.Scenario, v.budget, f, &v.on, explain.DecisiveOptions{
		Runs: o.redraws(f.Steps), Jobs: o.Jobs, Progress: func(c *explain.Curve) {
			m.Show(fmt.Sprintf("drawing the rest anew, %s", text.Count(len(c.Points), "point")))
		}})
	return cli.Failed(err)
}

// expectsViolation reports whether a file says that something is violated.
func expectsViolation(c *format.Scenario) bool {
	for i := range c.Expect {
		e := &c.Expect[i]
		if e.Property != "" && (e.Verdict == sim.Violated || e.Low != nil && *e.Low > 0) {
			return true
		}
	}
	return false
}
