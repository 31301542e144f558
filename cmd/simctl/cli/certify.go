package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/finding"
	"fencepost/cmd/simctl/internal/machine"
	"fencepost/cmd/simctl/internal/plotting"
	"fencepost/cmd/simctl/internal/proving"
	"fencepost/cmd/simctl/internal/ranges"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/cmd/simctl/internal/version"
	"fencepost/internal/program"
	"fencepost/reports/searches"
	"fencepost/reports/units"
	"fencepost/reports/verdict"
	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/scenarios/record"
	"fencepost/sim/explore"
)

// certifyOptions say what to prove, of which ranges, and within which limits.
type certifyOptions struct {
	proving.Request
	Law    bool         // find how the edge depends on the durations of the scenario
	Points int          // of --law: random scenarios at which it is checked
	Map    *proving.Map // in place of one verdict, if not nil
	Figure string       // a file for its figure, if not ""
	Force  bool         // replaces this file if it is there
}

const certifyLong = `Certify proves that a property holds for all delays, drawn timers and pauses in their
ranges at once, in every order of what happens at one instant: not by runs, but by the
same steps with time as a symbol. It says up to which pause it holds, to the nanosecond;
a violation that it finds is turned into a run, and shown.

--over gives a range to a value of the file that a run draws: network.delay,
network.links.0.delay, faults.0.for, budget.pause-for, or a drawn parameter such as
params.retry; at most five. What has no --over keeps what the file says, of which each
value counts. --cap network.delay=50ms leaves out what is above, of a value that has no
longest, such as {exp: 5ms}.

A pause, crash or step of a clock of the file may begin at any moment, whatever begins
it there, and once.
--budget pauses=2 says how often the pauses may begin in all; with
pauses=1,pause-for=10s,nodes=client-1|client-2 there are pauses besides, of any of these
nodes; without nodes, of every node. none leaves out the budget of the file.

--law says how the edge depends on the durations that the file and --set write, and on
the ends of the ranges: "violated if pause + work + 3*delay.max > ttl + delay.min". What
is not written is in its constant, so that --set params.ttl=10s makes a term of a
default. A single pause of the file is taken from none on. The law is checked at
--points random scenarios, on both sides of the edge, and what is wrong with it is
printed.

--map x=params.ttl:1s..10s/9,y=faults.0.for:0..10s finds the longest pause at each of 9
values of x, and plays runs with pauses on both sides of it: none inside may violate the
property. x is a duration that the file writes, or the longer end of a range of --over.
--figure draws it.

--budget crashes=1,down-for=5s lets a node crash, and be down for up to that long, and
clock-steps=1,step-by=2s a wall clock be stepped, by up to that, ahead or, of -2s, back;
--over faults.0.by=0..2s gives a range to a step of the file.

--budget lost=1,duplicated=1 lets any messages be lost or come twice, the copy at any
moment, or with late-by=50ms within 50 ms; slews=1,slew-to=200ppm any clock run that
fast or slow.

What is not covered is refused, with what would help: other faults than these, loss by
chance, steps whose time is drawn, models that do not say what a proof may leave out.

Exit codes: 0 certified; 3 violated, or not exercised: no run has anything that the
property could check; 1 unknown: a limit was reached before; 2 usage, or not covered; 130
interrupted, and what was proven until then is reported.`

const certifyExample = `  $ simctl certify redis/gc-pause --set params.hold=0s --over network.delay=0..5ms --over faults.0.for=0..5s
  $ simctl certify redis/gc-pause --set params.hold=0s --over network.delay=0..5ms --over faults.0.for=0..10s --out found
  $ simctl certify redis/unawaited-write --cap network.delay=20ms --property no-lost-update --set params.rounds=1
  $ simctl certify redis/pause-certified --map x=params.ttl:500ms..2s/7,y=faults.0.for:0..2s --figure map.svg
  $ simctl certify my.yaml --no-faults --budget "pauses=1,pause-for=5s,nodes=client-1|client-2"`

// newCertifyCmd makes the command; do, if not nil, takes the place of what it does.
func newCertifyCmd(a *app, do func(context.Context, *certifyOptions) error) *cobra.Command {
	if do == nil {
		do = a.certify
	}
	o, given := &certifyOptions{}, &certifyFlags{}
	cmd := &cobra.Command{
		Use:               "certify NAME|FILE",
		Short:             "Prove a property for all delays and pauses in their ranges",
		Long:              certifyLong,
		Example:           certifyExample,
		ValidArgsFunction: a.CompleteOneName,
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := given.complete(a, o, names, cmd.Flags()); err != nil {
				return cli.Usage(proving.Prefixed("certify", err))
			}
			return do(cmd.Context(), o)
		},
	}
	given.Define(cmd, a.App, &o.Subject, "seed of the run that shows a violation, instead of the file's",
		"write certify.txt, certify.json and the replay file of a violation to the new folder `DIR`")
	f := cmd.Flags()
	f.Lookup("jobs").Usage = "states expanded at the same time; 0 is one per processor. Results do not depend on it"
	f.StringArrayVar(&given.over, "over", nil, "a range of a value of the file, as in `PATH=A..B`; up to five times")
	f.StringArrayVar(&given.caps, "cap", nil, "leave out what is longer, of a value of the file that has no longest, as in `PATH=MOST`")
	f.StringVar(&o.Property, "property", "", "the property; without, the first that can be proven")
	f.StringVar(&o.Budget, "budget", "", "how many pauses there may be, as in pauses=2, instead of the file's budget; none leaves that out")
	f.IntVar(&o.Limits.States, "states", 0, "how many symbolic states to keep at most; 0 is any number")
	f.StringVar(&given.memory, "memory", "", "what the states may take; half of the memory of the machine if it is not given")
	f.DurationVar(&o.For, "for", 0, "for how long at most in all, with the edge, --law and --map, such as 30s; any time if it is not given")
	f.BoolVar(&o.NoEdge, "no-edge", false, "do not look for the longest pause up to which the property holds")
	f.StringVar(&given.region, "map", "", "the certified region over two durations, as in `x=PATH:A..B,y=PATH:A..B`")
	f.StringVar(&o.Figure, "figure", "", "of --map: draw it into `FILE`, which ends in .svg, .png or .pdf")
	f.BoolVar(&o.Force, "force", false, "replace the file of --figure if it is there")
	f.BoolVar(&o.Law, "law", false, "find how the edge depends on the durations of the scenario, as an inequality")
	f.IntVar(&o.Points, "points", 200, "of --law: at how many random scenarios it is checked, on both sides of the edge")
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("property", a.CompleteProperty))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("over", cobra.FixedCompletions([]string{"network.delay=0..", "faults.0.for=0..", "budget.pause-for=0..", "params."},
		cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("cap", cobra.FixedCompletions([]string{"network.delay=", "faults.0.for="},
		cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("budget", cobra.FixedCompletions([]string{"pauses=1", "pauses=2", "pauses=1,pause-for=", format.NoBudget},
		cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)))
	return cmd
}

// certifyFlags are flags that are not options as they stand.
type certifyFlags struct {
	cli.SubjectFlags
	over, caps     []string
	memory, region string
}

// complete makes options of the flags. Its error has all mistakes.
func (g *certifyFlags) complete(a *app, o *certifyOptions, names []string, f *pflag.FlagSet) error {
	errs := []error{g.SubjectFlags.Complete(a.App, &o.Subject, names, f)}
	list, err := ranges.Parse(g.over, g.caps)
	o.Over, errs = list, append(errs, err)
	if f.Changed("budget") && o.Budget == "" {
		errs = append(errs, errors.New("--budget: it is empty: want one such as pauses=1, or none"))
	}
	if f.Changed("property") && o.Property == "" {
		errs = append(errs, errors.New("--property: it is empty: want the name of a property"))
	}
	errs = append(errs, g.mapped(o, f))
	switch {
	case f.Changed("points") && !o.Law:
		errs = append(errs, errors.New("--points is for --law"))
	case o.Points < 0 || o.Points > maxPoints:
		errs = append(errs, fmt.Errorf("--points: want 0 to %d, got %d", maxPoints, o.Points))
	case o.Law && o.NoEdge:
		errs = append(errs, errors.New("want --law or --no-edge, not both: the law is that of the edge"))
	}
	if o.Limits.States < 0 {
		errs = append(errs, fmt.Errorf("--states: want 0 or more, got %d", o.Limits.States))
	}
	if o.For < 0 || f.Changed("for") && o.For == 0 {
		errs = append(errs, fmt.Errorf("--for: want more than 0, such as 30s, got %v", o.For))
	}
	if o.Limits.Memory = machine.Memory() / 2; f.Changed("memory") {
		if o.Limits.Memory, err = amount.Bytes(g.memory); err != nil {
			errs = append(errs, fmt.Errorf("--memory: %w", err))
		}
	}
	return errors.Join(errs...)
}

// mapped takes --map and its figure.
func (g *certifyFlags) mapped(o *certifyOptions, f *pflag.FlagSet) (err error) {
	switch {
	case !f.Changed("map") && f.Changed("figure"):
		return errors.New("--figure is for --map")
	case f.Changed("force") && !f.Changed("figure"):
		return errors.New("--force is for --figure")
	case !f.Changed("map"):
		return nil
	case o.Law || o.NoEdge:
		return errors.New("want --map, or --law or --no-edge: it has the edge at many points")
	}
	if _, err = plotting.WriterFor(o.Figure); err != nil {
		return errors.New(strings.Replace(err.Error(), "--out", "--figure", 1))
	}
	o.Map, err = proving.ParseMap(g.region)
	return err
}

// maxPoints bounds the check of a law.
const maxPoints = 100_000

func (a *app) certify(ctx context.Context, o *certifyOptions) error {
	if o.Map != nil {
		return a.certifyMap(ctx, o)
	}
	c, err := o.Load(a.App)
	if err != nil {
		return a.LoadFailed(&o.Subject, err)
	}
	p, err := o.Proof(c)
	if err != nil {
		return err
	}
	if err := p.Prepare(); err != nil {
		return proving.NotCovered(c, err)
	}
	if n := p.Ranges(); o.Law && n != 1 {
		return cli.Usage(fmt.Errorf("certify: --law: it is of one range of pauses, and there are %d: want one pause, or a budget", n))
	}
	if o.Law {
		if p, err = o.FromNone(a.App, p); err != nil {
			return a.LoadFailed(&o.Subject, err)
		}
	}
	dir, err := cli.OutDir(o.Out)
	if err != nil {
		return err
	}
	defer dir.Abandon()
	meter := a.Meter()
	meter.Start(c.Name)
	p.Progress = func(doing string, states, waiting int) {
		meter.ShowSince(func(since time.Duration) string {
			rate := int64(float64(states) / max(since.Seconds(), 0.001))
			return fmt.Sprintf("%s, %s states, %s/s, %s in the queue", doing, units.Number(states), units.Number(rate), units.Number(waiting))
		})
	}
	d := &searches.Certification{Scenario: c.Name, About: c.About, Source: c.Source, Model: c.Model, Mode: o.Mode(), Settings: o.Sets,
		Property: c.Program.Properties[p.Property], Budget: o.Budget, Over: []searches.Ranged{}}
	for i := range o.Over {
		d.Over = append(d.Over, o.Over[i].Ranged())
	}
	limited, cancel := execute.Timed(ctx, o.For)
	defer cancel()
	f, err := p.Do(ctx, d)
	if err == nil && o.Law && d.Word != verdict.NotExercised {
		d.Law, err = o.Laws(limited, a.App, p, o.Points, meter.Show)
	}
	meter.Clear()
	if refused := new(execute.Refused); errors.As(err, refused) {
		return proving.NotCovered(c, refused)
	}
	if err == nil && f != nil {
		err = a.showViolation(ctx, o, p, d, f, dir)
	}
	if err == nil {
		err = a.DeliverTo(&o.Subject, dir, "certify", d)
	}
	if err != nil {
		return cli.Failure(err)
	}
	return endCertify(ctx, d)
}

// endCertify is how the command ends.
func endCertify(ctx context.Context, d *searches.Certification) error {
	if ctx.Err() != nil && !d.Word.Bad() {
		return cli.End(cli.ExitInterrupted, cli.ErrInterrupted)
	}
	return cli.EndWith(d.Exit)
}

// certifyMap finds where the property is certified, over two durations.
func (a *app) certifyMap(ctx context.Context, o *certifyOptions) error {
	if o.Figure != "" {
		if err := files.Free(o.Figure, o.Force); err != nil {
			return cli.Failure(fmt.Errorf("--figure: %w", err))
		}
	}
	d, err := o.Map.Begin(&o.Request, a.App)
	if err != nil {
		return a.LoadFailed(&o.Subject, err)
	}
	dir, err := cli.OutDir(o.Out)
	if err != nil {
		return err
	}
	defer dir.Abandon()
	meter := a.Meter()
	meter.Start(d.Scenario)
	limited, cancel := execute.Timed(ctx, o.For)
	defer cancel()
	err = o.Map.Draw(limited, &o.Request, a.App, d, meter.Show)
	meter.Clear()
	if !d.Complete && ctx.Err() == nil && limited.Err() != nil {
		d.Stopped = execute.Ended(limited, o.For)
	}
	if write, _ := plotting.WriterFor(o.Figure); err == nil && o.Figure != "" && len(d.Columns) > 0 {
		err = files.Write(o.Figure, func(w io.Writer) error { return write(d.Figure(), w) })
	}
	if err == nil {
		err = a.DeliverTo(&o.Subject, dir, "certify", d)
	}
	switch {
	case err != nil:
		return cli.Failure(err)
	case !d.Complete && d.Stopped == "":
		return cli.End(cli.ExitInterrupted, cli.ErrInterrupted)
	case !d.OK || !d.Complete:
		return cli.End(cli.ExitError, nil)
	}
	return nil
}

// explainFor bounds the time that it takes to find out which steps of a run lead to the violation.
const explainFor = 10 * time.Second

// showViolation adds the run that shows the violation, and writes its replay file.
func (a *app) showViolation(ctx context.Context, o *certifyOptions, p *execute.Proof, d *searches.Certification, f *explore.Failure, dir *files.Dir) error {
	until := result.Setting{Path: "until", Value: time.Duration(p.Until()).String()}
	s, err := a.LoadPoint(&o.Subject, append(o.Settings(), until)...)
	if err != nil {
		return err
	}
	r, err := a.Record(s, f, record.Options{Version: version.This().Version, Command: o.Command(s.Seed)})
	if err != nil {
		return err
	}
	d.Why = r.Verdict.Why
	soon, cancel := context.WithTimeout(ctx, explainFor)
	defer cancel()
	explanation, err := execute.Explain(soon, d.Scenario, f, &explore.Subject{Program: s.Program, Config: s.Config})
	switch {
	case err == nil:
		d.Explanation = explanation
	case !errors.Is(err, execute.ErrNoEnd):
		return err
	}
	if dir == nil {
		return nil
	}
	name := finding.RecordName(d.Scenario, d.Property)
	d.Replay = terminal.Quote(program.Name(), "replay", cli.PathArgument(filepath.Join(o.Out, name)))
	return dir.Write(name, r.Write)
}
