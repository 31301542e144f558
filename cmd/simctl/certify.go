package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
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
	"fencepost/cmd/simctl/internal/ranges"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/cmd/simctl/internal/version"
	"fencepost/reports/searches"
	"fencepost/reports/units"
	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/scenarios/record"
	"fencepost/sim"
	"fencepost/sim/certify"
	"fencepost/sim/explore"
)

// certifyOptions say what to prove, of which ranges, and within which limits.
type certifyOptions struct {
	cli.Subject
	Over     []ranges.Value
	Property string // "" is the first that can be proven
	Budget   string // "" is the file's
	Limits   certify.Limits
	For      time.Duration // 0 is any time
	NoEdge   bool
	Law      bool // find how the edge depends on the durations of the scenario
	Points   int  // of --law: random scenarios at which it is checked
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

A pause of the file may begin at any moment, whatever begins it there, and once.
--budget pauses=2 says how often the pauses may begin in all; with
pauses=1,pause-for=10s,nodes=client-1|client-2 there are pauses besides, of any of these
nodes; without nodes, of every node.

--law says how the edge depends on the durations that the file and --set write, and on
the ends of the ranges: "violated if pause + work + 3*delay.max > ttl + delay.min". What
is not written is in its constant, so that --set params.ttl=10s makes a term of a
default. It is checked at --points random scenarios, on both sides of the edge, and
what is wrong with it is printed.

--budget lost=1,duplicated=1 lets any messages be lost or come twice, and
slews=1,slew-to=200ppm any clock run that fast or slow.

What is not covered is refused, with what would help: other faults than these, loss by
chance, steps that take time, models that do not say what a proof may leave out.

Exit codes: 0 certified; 3 violated; 1 unknown: a limit was reached before; 2 usage, or
not covered; 130 interrupted, and what was proven until then is reported.`

const certifyExample = `  $ simctl certify redis/gc-pause --set params.hold=0s --over network.delay=0..5ms --over faults.0.for=0..5s
  $ simctl certify redis/gc-pause --set params.hold=0s --over network.delay=0..5ms --over faults.0.for=0..10s --out found
  $ simctl certify redis/unawaited-write --cap network.delay=20ms --property no-lost-update --set params.rounds=1
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
				return cli.Usage(prefixed("certify", err))
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
	f.StringVar(&o.Budget, "budget", "", "how many pauses there may be, as in pauses=2, instead of the file's budget")
	f.IntVar(&o.Limits.States, "states", 0, "how many symbolic states to keep at most; 0 is any number")
	f.StringVar(&given.memory, "memory", "", "what the states may take; half of the memory of the machine if it is not given")
	f.DurationVar(&o.For, "for", 0, "for how long at most, such as 30s; any time if it is not given")
	f.BoolVar(&o.NoEdge, "no-edge", false, "do not look for the longest pause up to which the property holds")
	f.BoolVar(&o.Law, "law", false, "find how the edge depends on the durations of the scenario, as an inequality")
	f.IntVar(&o.Points, "points", 200, "of --law: at how many random scenarios it is checked, on both sides of the edge")
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("property", a.CompleteProperty))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("over", cobra.FixedCompletions([]string{"network.delay=0..", "faults.0.for=0..", "budget.pause-for=0..", "params."},
		cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("cap", cobra.FixedCompletions([]string{"network.delay=", "faults.0.for="},
		cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("budget", cobra.FixedCompletions([]string{"pauses=1", "pauses=2", "pauses=1,pause-for="},
		cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)))
	return cmd
}

// certifyFlags are flags that are not options as they stand.
type certifyFlags struct {
	cli.SubjectFlags
	over, caps []string
	memory     string
}

// complete makes options of the flags. Its error has all mistakes.
func (g *certifyFlags) complete(a *app, o *certifyOptions, names []string, f *pflag.FlagSet) error {
	errs := []error{g.SubjectFlags.Complete(a.App, &o.Subject, names, f)}
	list, err := ranges.Parse(g.over, g.caps)
	o.Over, errs = list, append(errs, err)
	if f.Changed("budget") && o.Budget == "" {
		errs = append(errs, errors.New("--budget: it is empty: want one such as pauses=1"))
	}
	if f.Changed("property") && o.Property == "" {
		errs = append(errs, errors.New("--property: it is empty: want the name of a property"))
	}
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

// maxPoints bounds the check of a law.
const maxPoints = 100_000

func (a *app) certify(ctx context.Context, o *certifyOptions) error {
	c, err := a.loadOver(o)
	if err != nil {
		return a.LoadFailed(&o.Subject, err)
	}
	p, err := o.proof(c)
	if err != nil {
		return err
	}
	if err := p.Prepare(); err != nil {
		return cli.Usage(fmt.Errorf("%s cannot be certified:\n%w\n%s", c.Name, indented(err), remedies))
	}
	if n := p.Ranges(); o.Law && n != 1 {
		return cli.Usage(fmt.Errorf("certify: --law: it is of one range of pauses, and there are %d: want one pause, or a budget", n))
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
	for _, r := range o.Over {
		d.Over = append(d.Over, searches.Ranged{Path: r.Path, LeastNS: int64(r.Least), MostNS: int64(r.Most)})
	}
	f, err := p.Do(ctx, d)
	if err == nil && o.Law {
		err = a.laws(ctx, o, p, d, meter)
	}
	meter.Clear()
	if err == nil && f != nil {
		err = a.showViolation(o, p, d, f, dir)
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
	switch {
	case ctx.Err() != nil:
		return cli.End(cli.ExitInterrupted, cli.ErrInterrupted)
	case d.Verdict == searches.Certified:
		return nil
	case d.Verdict == searches.Violated:
		return cli.End(cli.ExitNotExpected, nil)
	}
	return cli.End(cli.ExitError, nil)
}

// proof is what to prove of the scenario.
func (o *certifyOptions) proof(c *format.Scenario) (*execute.Proof, error) {
	p := &execute.Proof{Scenario: c, Jobs: o.Jobs, Limits: o.Limits, For: o.For, NoEdge: o.NoEdge, Steps: o.steps()}
	can, err := execute.Provable(&c.Program)
	if err != nil {
		return nil, cli.Failure(err)
	}
	if o.Property != "" {
		if p.Property, err = cli.FindProperty(c, o.Property); err != nil {
			return nil, err
		}
		if len(can) > 0 && !slices.Contains(can, p.Property) {
			return nil, cli.Usage(fmt.Errorf("certify: --property: %s has no form that compares instants with Before alone: want one of %s", o.Property, namesOf(&c.Program, can)))
		}
	} else if len(can) > 0 {
		p.Property = can[0]
	}
	switch {
	case o.Budget != "":
		if p.Budget, err = format.ParseBudget(o.Budget, &c.Program, sim.Time(amount.MaxSpan)); err != nil {
			return nil, cli.Usage(prefixed("certify", err))
		}
	default:
		p.Budget = c.BudgetOrNone()
	}
	return p, nil
}

// namesOf are the names of some properties.
func namesOf(p *sim.Program, properties []int) string {
	var names []string
	for _, i := range properties {
		names = append(names, p.Properties[i])
	}
	return strings.Join(names, ", ")
}

// showViolation adds the run that shows the violation, and writes its replay file.
func (a *app) showViolation(o *certifyOptions, p *execute.Proof, d *searches.Certification, f *explore.Failure, dir *files.Dir) error {
	until := result.Setting{Path: "until", Value: time.Duration(p.Until()).String()}
	s, err := a.LoadPoint(&o.Subject, append(o.settings(), until)...)
	if err != nil {
		return err
	}
	r, err := a.Record(s, f, record.Options{Version: version.This().Version, Command: o.commandLine(s.Seed)})
	if err != nil {
		return err
	}
	if d.Why = r.Verdict.Why; dir == nil {
		return nil
	}
	name := finding.RecordName(d.Scenario, d.Property)
	d.Replay = terminal.Quote("simctl", "replay", cli.PathArgument(filepath.Join(o.Out, name)))
	return dir.Write(name, r.Write)
}

// commandLine is the command that proves the same.
func (o *certifyOptions) commandLine(seed uint64) string {
	var flags []string
	for _, r := range o.Over {
		flags = append(flags, "--"+r.Flag(), r.Path+"="+r.Text())
	}
	for _, f := range [][2]string{{"--property", o.Property}, {"--budget", o.Budget}} {
		if f[1] != "" {
			flags = append(flags, f[:]...)
		}
	}
	return o.Subject.Command("certify", seed, flags...)
}
