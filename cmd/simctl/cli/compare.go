package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/candidates"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/division"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/internal/program"
	"fencepost/reports"
	"fencepost/scenarios/format"
)

// compareOptions say what to compare.
type compareOptions struct {
	candidates.Query
	JSON  bool
	Out   string
	Color bool
	division.Division
}

const compareLong = `Compare runs several scenarios with the same seeds and puts the results into one
table, the best first: how often each property was violated, with 95% intervals; what
it cost; and the differences from a baseline. The first lines say which candidates keep
data, exclusion and progress, and the rank follows these, in this order. A scenario with "vary:" is compared point
by point; of several, each is one scenario, or one point picked with --set.

  simctl compare lock        naive, Redis and Redlock, with and without fencing
  simctl compare ratelimit   all algorithms of a rate limiter
  simctl compare clock       wall, Lamport, vector, pruned and hybrid clocks
  simctl compare idempotency what becomes of an order that is asked for twice
  simctl compare kv          conflict policies and quorums of a key-value store

need no file. With the same seed, node, link and fault draw the same, whatever the
algorithm: so differences are taken run by run, and chance that both share
cancels out. "no difference seen" means that the 95% interval holds 0, and not that there is
none. The scenarios are as alike as their files: what these differ in is said on top. A
draw belongs to a node by its number: compare algorithms with the same clients first.

A grid of two axes (at most 32 x 16 points) has a table of each property that is violated
at some point, and of each measure that the file expects something of, lists under "show:"
or --measure names: the first axis down, the second across. Differences are in --json.

The text shows the measures that the files expect something of, or else all; --json has
them all. The first is the baseline, and its seed is used; --baseline names another.

Without --require the exit code is 0 whatever is violated. With it, it is 3 if a candidate
violates the property or does not exercise it. It is 1 for an error, 2 for usage or an
invalid scenario, 130 when interrupted; what was done is then shown.`

const compareExample = `  $ simctl compare lock
  $ simctl compare ratelimit --runs 20 --json
  $ simctl compare clock --baseline vector
  $ simctl compare lock --require no-lost-update
  $ simctl compare redis/figure-pause --measure lost-updates
  $ simctl compare redlock/gc-pause redlock/gc-pause-fenced
  $ simctl compare mine.yaml theirs.yaml --runs 10000 --set params.ttl=5s`

// newCompareCmd makes the command; do, if not nil, takes the place of what it does.
func newCompareCmd(a *app, do func(context.Context, *compareOptions) error) *cobra.Command {
	if do == nil {
		do = a.compare
	}
	o, given := &compareOptions{}, &compareFlags{}
	cmd := &cobra.Command{
		Use:               "compare lock|ratelimit|clock|idempotency|kv|NAME|FILE...",
		Short:             "Compare algorithms on the same workload and faults: safety, cost, differences",
		Long:              compareLong,
		Example:           compareExample,
		ValidArgsFunction: a.completeCompared,
		RunE: func(cmd *cobra.Command, names []string) error {
			o.Names = names
			if err := given.complete(a, o, cmd.Flags()); err != nil {
				return cli.Usage(err)
			}
			return do(cmd.Context(), o)
		},
	}
	given.define(cmd.Flags(), o)
	a.CompleteSubjectFlags(cmd)
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("baseline", a.completeBaseline))
	return cmd
}

// compareFlags are flags that are not options as they stand.
type compareFlags struct {
	seed  uint64
	runs  int
	sets  []string
	color string
}

func (g *compareFlags) define(f *pflag.FlagSet, o *compareOptions) {
	f.Uint64Var(&g.seed, "seed", 0, "seed of the first run of each, instead of the first file's")
	f.IntVar(&g.runs, "runs", 0, "how many runs of each, with consecutive seeds, instead of the files'")
	f.StringArrayVar(&g.sets, "set", nil, "replace a value of each file, as in params.ttl=5s; may be repeated")
	f.BoolVar(&o.NoFaults, "no-faults", false, "leave out the faults of the files")
	f.StringVar(&o.Baseline, "baseline", "", "from whom differences are taken, by its `NAME` in the table, instead of the first")
	f.StringArrayVar(&o.Required, "require", nil, "exit with 3 if a candidate violates this `PROPERTY`, or none exercises it; may be repeated")
	f.StringArrayVar(&o.Measures, "measure", nil, "show this measure as well; may be repeated")
	f.IntVar(&o.Jobs, "jobs", 0, "runs at the same time; 0 is one per processor. Results do not depend on it")
	f.BoolVar(&o.JSON, "json", false, "print one JSON document")
	f.StringVar(&o.Out, "out", "", "write report.txt and report.json to the new folder `DIR`")
	f.String("shard", "", division.Usage)
	f.StringVar(&g.color, "color", "auto", "colour verdicts: `auto`, always or never")
}

// complete makes options of the flags, and checks them.
func (g *compareFlags) complete(a *app, o *compareOptions, f *pflag.FlagSet) (err error) {
	if f.Changed("seed") {
		o.Seed = &g.seed
	}
	if f.Changed("runs") {
		o.Runs = &g.runs
	}
	if err := cli.CheckRuns(o.Runs); err != nil {
		return err
	}
	switch {
	case len(o.Names) == 0:
		return fmt.Errorf("compare: want %s, or the names or files of scenarios; see "+program.Name()+" list", candidates.FamilyNames())
	case o.Jobs < 0 || o.Jobs > cli.MaxJobs:
		return fmt.Errorf("--jobs: want 0 to %d, got %d", cli.MaxJobs, o.Jobs)
	case f.Changed("out") && o.Out == "":
		return errors.New("--out: the path is empty: want one, or leave the flag out")
	}
	if o.Sets, err = cli.ParseSets(g.sets); err != nil {
		return err
	}
	if err := o.Division.Complete("compare", o.Names, o.Out, f); err != nil {
		return err
	}
	o.Color, err = a.Color(g.color)
	return err
}

// completeCompared completes the families, and the names of scenarios.
func (a *app) completeCompared(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	names := a.Names()
	if len(args) == 0 {
		for i, f := range candidates.Families {
			names = slices.Insert(names, i, f.Name+"\t"+f.About)
		}
	}
	return names, cobra.ShellCompDirectiveDefault
}

// completeBaseline completes the candidates of what is named already.
func (a *app) completeBaseline(_ *cobra.Command, names []string, _ string) ([]string, cobra.ShellCompDirective) {
	var list []string
	if c, err := candidates.Load(&a.Catalog, &candidates.Query{Names: names}); err == nil {
		for i := range c {
			list = append(list, c[i].Name)
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// compare carries out the command.
func (a *app) compare(ctx context.Context, o *compareOptions) error {
	list, err := candidates.Load(&a.Catalog, &o.Query)
	if err != nil {
		if f := (candidates.Invalid)(nil); errors.As(err, &f) {
			return a.Refuse(f, o.JSON)
		}
		return cli.Usage(err)
	}
	c, r, err := o.Comparison(list)
	if err != nil {
		return cli.Usage(err)
	}
	m := a.comparing(c, "compare "+strings.Join(o.Names, " "))
	var all []*format.Scenario
	for i := range list {
		all = append(all, list[i].Scenario)
	}
	done, err := division.Do(ctx, a.App, &o.Division, c, all, o.Out)
	if m.Clear(); done || err != nil {
		return err
	}
	dir, err := cli.OutDir(o.Out)
	if err != nil {
		return err
	}
	defer dir.Abandon()
	r, err = a.runCompared(ctx, c, r)
	if err != nil && ctx.Err() == nil {
		return cli.Failure(err)
	}
	if r != nil {
		if err := a.DeliverTo(&cli.Subject{JSON: o.JSON, Color: o.Color}, dir, "report", r); err != nil {
			return cli.Failure(err)
		}
	}
	switch {
	case errors.Is(err, execute.ErrNoEnd):
		return cli.End(cli.ExitInterrupted, err)
	case err != nil:
		return cli.End(cli.ExitInterrupted, cli.ErrInterrupted)
	}
	return cli.EndWith(r.Exit)
}

// runCompared runs it, and shows how far it has come.
func (a *app) runCompared(ctx context.Context, c *execute.Comparison, r *reports.Compare) (*reports.Compare, error) {
	m := a.comparing(c, r.Subject)
	defer m.Clear()
	return execute.Compare(ctx, c, r)
}

// comparing is the meter that a comparison tells its progress.
func (a *app) comparing(c *execute.Comparison, subject string) *terminal.Meter {
	m := a.Meter()
	m.Start(subject)
	c.Progress = func(g execute.Progress) { m.Update(g.Done, g.Total, g.Violated) }
	return m
}
