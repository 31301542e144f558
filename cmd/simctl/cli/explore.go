package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/division"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/finding"
	"fencepost/internal/text"
	"fencepost/reports/units"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// exploreOptions say what to look for, where, and for how long.
type exploreOptions struct {
	cli.Subject
	Mode       explore.Mode
	Budget     string // "" is the file's
	Properties []string
	Reach      string        // a goal in place of a violation, "" without
	Runs       int           // at most; 0 is any number
	For        time.Duration // at most; 0 is any time
	Depth      int
	Memory     int64
	ShrinkFor  time.Duration // 0 is not at all
	division.Division
}

// The bounds of a search that is given none.
const (
	defaultRuns   = 10_000
	defaultFor    = time.Minute // of an exhaustive one
	defaultMemory = 1 << 30
	headroom      = 64 << 20 // bytes, besides what an exhaustive search keeps
)

const exploreLong = `Explore searches for a violation that the file does not script. It takes the scenario as it is and
a budget of what may go wrong in one run besides, and decides itself what, where and
for how long. What it finds it makes as small as it can be, so that nothing more can
be taken away, and tells how it happens.

The budget is --budget, or else the budget: block of the file. A file without one is
searched with one of each fault that its model is usually asked about, such as a pause of
a client, a crash of a server and a cut; the report names them. --mode exhaustive then
takes one pause, and --mode pct leaves out cuts and faults of messages.

  --budget pauses=2,pause-for=15s|1s,crashes=1,clock-steps=1,lost=2,loss=1%
  --budget pauses=1,pause-nodes=client-1,clock-steps=1,step-nodes=redis-1

The kinds are pauses, suspends, crashes, clock-steps, slews, cuts, late, lost and
duplicated, each with how many at most, and loss with a chance; slews, cuts and loss
are for random search. pause-for, down-for, cut-for, late-by, step-by and slew-to say
how long and how far; without them the search chooses. pause-for, down-for and cut-for
mean at most where faults are to meet, in half of the runs of two faults or more;
cut-for=forever asks for partitions without an end.

nodes names the nodes of all faults; pause-nodes, crash-nodes, step-nodes, slew-nodes,
cut-nodes and message-nodes those of one kind. Without them every node may be faulty.
"none" allows no faults: only the draws are searched.

The modes:
  random      faults drawn from the budget, everything else from the seed; each run
              leaves some kinds of fault out
  exhaustive  every schedule within the budget, in a fault-free network, fewest faults first
  pct         faults at random points of the run, with a guaranteed probability of
              finding a violation that needs few of them

--reach 'overlap >= 9s' looks for a run in which a measure of the scenario comes to a
value, instead of a violation: "what must have happened?" OP is >=, >, <= or <. A total
counts for the whole run; of a measure that keeps each value one value suffices. The
schedule found is minimal: no fault of it can be removed. With --mode exhaustive no
schedule of the budget has fewer faults; otherwise explore tries as many runs with fewer.

The faults of the file are injected in every run besides; --no-faults leaves them out.

--out DIR writes the replay file NAME-PROPERTY.replay.json, explanation.txt, explore.txt and
explore.json to a new folder, which appears when all of it is complete.

Exit codes: 0 nothing is violated, or the goal of --reach is reached; 3 something is
violated, the goal is not reached, or nothing was put to the test: a property that was
asked for was not exercised, or no fault was injected; 2 usage; 1 error; 130
interrupted, and what was done until then is reported.`

const exploreExample = `  $ simctl explore redlock/gc-pause --no-faults --budget pauses=1
  $ simctl explore redis/unsafe-release --no-faults --budget pauses=1 --mode exhaustive
  $ simctl explore redlock/gc-pause --no-faults --budget pauses=1 --reach 'overlap >= 5s'
  $ simctl explore my.yaml --for 10m --property no-lost-update --out found
  $ simctl replay found/*.replay.json`

// newExploreCmd makes the command; do, if not nil, takes the place of what it does.
func newExploreCmd(a *app, do func(context.Context, *exploreOptions) error) *cobra.Command {
	if do == nil {
		do = a.explore
	}
	o, given := &exploreOptions{}, &exploreFlags{}
	cmd := &cobra.Command{
		Use:               "explore NAME|FILE",
		Short:             "Search for a violation that no fault of the scenario scripts",
		Long:              exploreLong,
		Example:           exploreExample,
		ValidArgsFunction: a.CompleteOneName,
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := given.complete(a, o, names, cmd.Flags()); err != nil {
				return cli.Usage(fmt.Errorf("explore: %w", err))
			}
			return do(cmd.Context(), o)
		},
	}
	given.SubjectFlags.Define(cmd, a.App, &o.Subject, "seed of the first run, instead of the file's",
		"write the replay file, the explanation and the report to the new folder `DIR`")
	given.define(cmd.Flags(), o)
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("property", a.CompleteProperty))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("reach", a.CompleteMeasure))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("mode", cobra.FixedCompletions(modeNames(), cobra.ShellCompDirectiveNoFileComp)))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("budget", cobra.FixedCompletions([]string{"pauses=1", "crashes=1", "clock-steps=1", "lost=1", format.NoBudget},
		cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)))
	return cmd
}

// exploreFlags are flags that are not options as they stand.
type exploreFlags struct {
	cli.SubjectFlags
	mode, memory string
	noShrink     bool
}

func (g *exploreFlags) define(f *pflag.FlagSet, o *exploreOptions) {
	f.StringVar(&g.mode, "mode", "random", "how to search: `random`, exhaustive or pct")
	f.StringVar(&o.Budget, "budget", "", "what may go wrong in one run, as in pauses=1,crashes=1, instead of the file's budget; or none")
	f.StringArrayVar(&o.Properties, "property", nil, "look for a violation of this property only; may be repeated")
	f.StringVar(&o.Reach, "reach", "", "look for a run in which a measure comes to a value, as in 'overlap >= 9s', instead of a violation")
	f.IntVar(&o.Runs, "runs", 0, "how many runs at most; 10000 if --for is not given either")
	f.DurationVar(&o.For, "for", 0, "for how long at most; 1m for an exhaustive search without --runs")
	f.IntVar(&o.Depth, "depth", 0, "of pct: faults of a run plus 1; by default, and at most, one more than the budget has")
	f.StringVar(&g.memory, "memory", "1GiB", "what an exhaustive search may keep in memory")
	f.DurationVar(&o.ShrinkFor, "shrink-for", 10*time.Second, "for how long at most what is found is made smaller")
	f.String("shard", "", division.Usage)
	f.BoolVar(&g.noShrink, "no-shrink", false, "show what is found as it is")
}

func modeNames() []string {
	return []string{explore.Random.String(), explore.Exhaustive.String(), explore.PCT.String()}
}

// complete makes options of the flags, and checks them.
func (g *exploreFlags) complete(a *app, o *exploreOptions, names []string, f *pflag.FlagSet) (err error) {
	if err := g.SubjectFlags.Complete(a.App, &o.Subject, names, f); err != nil {
		return err
	}
	known := false
	for _, m := range []explore.Mode{explore.Random, explore.Exhaustive, explore.PCT} {
		if m.String() == g.mode {
			o.Mode, known = m, true
		}
	}
	given := f.Changed
	switch {
	case !known:
		return fmt.Errorf("--mode: want %s, got %q", text.Either(modeNames()), g.mode)
	case given("runs") && cli.CheckRuns(&o.Runs) != nil:
		return cli.CheckRuns(&o.Runs)
	case given("for") && o.For <= 0:
		return fmt.Errorf("--for: want more than 0, such as 30s, got %v", o.For)
	case given("depth") && o.Mode != explore.PCT:
		return errors.New("--depth is for --mode pct")
	case given("depth") && (o.Depth < 1 || o.Depth > maxDepth):
		return fmt.Errorf("--depth: want 1 to %d, got %d", maxDepth, o.Depth)
	case given("memory") && o.Mode != explore.Exhaustive:
		return errors.New("--memory is for --mode exhaustive: the others keep nothing")
	case given("shrink-for") && (o.ShrinkFor <= 0 || g.noShrink):
		return fmt.Errorf("--shrink-for: want more than 0, or --no-shrink instead, got %v", o.ShrinkFor)
	case given("reach") && len(o.Properties) > 0:
		return errors.New("want --reach or --property, not both: a search has a goal or looks for a violation")
	case given("reach") && o.Reach == "":
		return errors.New("--reach: it is empty: want one such as 'overlap >= 9s'")
	case given("budget") && o.Budget == "":
		return errors.New("--budget: it is empty: want one such as pauses=1, or none")
	}
	if o.Memory, err = amount.Bytes(g.memory); err != nil {
		return fmt.Errorf("--memory: %w", err)
	}
	o.bounds(g.noShrink)
	return o.Division.Complete("explore", names, o.Out, f)
}

// maxDepth is one more than the most faults of a budget.
const maxDepth = 65

// bounds sets those that are not given.
func (o *exploreOptions) bounds(noShrink bool) {
	switch {
	case o.Runs > 0 || o.For > 0:
	case o.Mode == explore.Exhaustive:
		o.For = defaultFor
	default:
		o.Runs = defaultRuns
	}
	if noShrink {
		o.ShrinkFor = 0
	}
}

func (a *app) explore(ctx context.Context, o *exploreOptions) error {
	c, err := a.LoadPoint(&o.Subject)
	if err != nil {
		return a.LoadFailed(&o.Subject, err)
	}
	s, err := a.search(o, c)
	if err != nil {
		return err
	}
	if o.Mode == explore.Exhaustive { // garbage is not to take a multiple of what is kept
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(min(o.Memory, math.MaxInt64-headroom) + headroom))
	}
	meter := a.Meter()
	meter.Start(c.Name)
	s.Progress = func(r *explore.Report) {
		meter.ShowSince(func(since time.Duration) string { return searching(r, o, since) })
	}
	dir, done, err := division.Begin(ctx, a.App, &o.Division, s, c, o.Out)
	if done {
		meter.Clear()
		return err
	}
	defer dir.Abandon()
	s.Shrinking = func(k *explore.Shrunk) {
		meter.Show(fmt.Sprintf("found, shrinking: %s, %s tries", text.Count(len(k.Faults), "fault"), units.Number(k.Tries)))
	}
	f, err := s.Do(ctx)
	meter.Clear()
	switch {
	case errors.Is(err, execute.ErrNoEnd) && ctx.Err() != nil:
		return cli.End(cli.ExitInterrupted, err)
	case err != nil:
		return cli.Failure(err)
	}
	e, err := s.Explored(f)
	if err != nil {
		return cli.Failure(err)
	}
	e.Mode, e.Settings, e.ForNS = o.Subject.Mode(), o.Sets, int64(o.For)
	e.Decide(ctx.Err() != nil)
	d := &finding.Finding{App: a.App, Subject: &o.Subject, Command: o.command(s.Seed), Found: f, Report: e, Dir: dir}
	if err := d.Write(ctx); err != nil {
		return cli.Failure(err)
	}
	if e.Exit == cli.ExitInterrupted {
		return cli.End(cli.ExitInterrupted, cli.ErrInterrupted)
	}
	return cli.EndWith(e.Exit)
}

// search is what to look for in a scenario.
func (a *app) search(o *exploreOptions, c *format.Scenario) (*execute.Search, error) {
	if o.Reach != "" {
		aimed, err := c.Reaching(o.Reach)
		if err != nil {
			return nil, cli.Usage(fmt.Errorf("--reach: %w", err))
		}
		c = aimed
	}
	s := &execute.Search{Scenario: c, For: o.For, ShrinkFor: o.ShrinkFor}
	s.Program, s.Config = c.Program, c.Config
	s.Mode, s.Seed, s.Runs, s.Jobs, s.Depth, s.Memory = o.Mode, c.Seed, o.Runs, o.Jobs, o.Depth, o.Memory
	for _, name := range o.Properties {
		if _, err := cli.FindProperty(c, name); err != nil {
			return nil, err
		}
	}
	if s.Targets = execute.TargetsOf(&c.Program, o.Properties); c.Program.Goal != nil {
		s.Targets = []int{len(c.Program.Properties) - 1}
	}
	if err := a.budget(o, c, s); err != nil {
		return nil, err
	}
	return s, nil
}

// budget finds the budget of a search.
func (a *app) budget(o *exploreOptions, c *format.Scenario, s *execute.Search) error {
	switch {
	case o.Budget != "":
		b, err := format.ParseBudget(o.Budget, &c.Program, sim.Time(c.Until))
		if err != nil {
			return cli.Usage(fmt.Errorf("explore: %w", err))
		}
		s.Budget = b
	case c.Budget != nil:
		s.Budget = *c.Budget
	default:
		s.Budget, s.Usual = c.UsualBudget(o.Mode)
	}
	if s.Mode != explore.Random {
		s.Budget.Spell(sim.Time(c.Until))
	}
	if err := s.Check(); err != nil {
		return cli.Usage(fmt.Errorf("explore: %w", err))
	}
	return nil
}

// searching is the line of progress.
func searching(r *explore.Report, o *exploreOptions, since time.Duration) string {
	rate := func(n int) string { return units.Number(int64(float64(n) / max(since.Seconds(), 0.001))) }
	line := fmt.Sprintf("%s runs, %s/s", units.Number(r.Runs), rate(r.Runs))
	if o.Runs > 0 {
		line = fmt.Sprintf("%s of %s runs, %s/s", units.Number(r.Runs), units.Number(o.Runs), rate(r.Runs))
	}
	switch {
	case o.For > 0:
		line += ", " + units.Duration(int64(max(o.For-since, 0).Round(100*time.Millisecond))) + " left"
	case o.Runs > r.Runs && r.Runs > 0:
		left := time.Duration(float64(since) / float64(r.Runs) * float64(o.Runs-r.Runs)).Round(100 * time.Millisecond)
		line += ", " + units.Duration(int64(left)) + " left"
	}
	if o.Mode == explore.Exhaustive {
		line += fmt.Sprintf(", %s states, %s/s", units.Number(r.States), rate(r.States))
	} else if r.Runs > 0 {
		line += fmt.Sprintf(", faults in %s of them at %s places", units.Percent(float64(r.Faulty)/float64(r.Runs)), units.Number(r.Points))
	}
	return line
}

// command is the command line of the same search.
func (o *exploreOptions) command(seed uint64) string {
	flags := []string{"--mode", o.Mode.String()}
	if o.Budget != "" {
		flags = append(flags, "--budget", o.Budget)
	}
	for _, p := range o.Properties {
		flags = append(flags, "--property", p)
	}
	if o.Runs > 0 {
		flags = append(flags, "--runs", strconv.Itoa(o.Runs))
	}
	if o.For > 0 {
		flags = append(flags, "--for", o.For.String())
	}
	if o.Reach != "" {
		flags = append(flags, "--reach", o.Reach)
	}
	if o.Depth > 0 {
		flags = append(flags, "--depth", strconv.Itoa(o.Depth))
	}
	return o.Subject.Command("explore", seed, flags...)
}
