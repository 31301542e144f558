package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/division"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/export"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/output"
	"fencepost/cmd/simctl/internal/plan"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/internal/program"
	"fencepost/reports"
	"fencepost/reports/units"
	"fencepost/scenarios/format"
)

// runOptions say what to run and what to do with the result.
type runOptions struct {
	Names []string
	All   bool
	plan.Request
	output.Options
	Rare rareOptions
	division.Division
}

const runLong = `Run runs scenarios, each by its name or as a file, and compares the results with
what the file expects. One scenario gets a whole report. Of several, each gets one
line, and those with an exit code other than 0 their report after it; the exit code is
the worst. A file with "vary:" runs at each point of its grid and gets one table; --set of
a value that it varies picks the points with that value.

The first word says the result. VIOLATED: a violation that the file does not predict.
REPRODUCED: the predicted ones. NOT REPRODUCED: a predicted one, or a number, did not
come. NOT EXERCISED: nothing was checked, or a scripted fault was never injected.
After --set, --seed, --runs, --control or --no-faults the file excuses no violation:
each is VIOLATED, and a run without one is HELD.

--control takes the cause away as the control block of the file says, or else by
running without faults; --no-faults runs without faults.

--output writes the results in another form: json (as --json does), csv with a row for
each point, junit with a test case for each expectation, or markdown.

--trace writes every step of the first run to standard output, before the report, so
that the verdict stays on the screen; --trace=FILE writes it to a file. --out DIR
writes report.txt, report.json and trace.txt to a new folder, what --output wants, and
the figures that the file asks for under "plots:"; it appears when all of it is
complete. A folder with something in it is refused. That
of a grid is there at once: each point is kept in it, in points.jsonl, when it is
finished. After Ctrl-C, or worse, the same command with --resume continues from there,
and the result is the same as without the interruption.

--headers shows what the clients of the first run are sent: the status, Retry-After,
RateLimit-Policy and RateLimit of the IETF draft, and the X-RateLimit fields from before
it. A report has the first ten, --json the first thousand.

--export FORMAT writes the events of the first run to standard output, and the report to
standard error: shiviz is a log with vector clocks that ShiViz draws and simctl order
reads, perfetto a trace for ui.perfetto.dev, mermaid a sequence diagram for a README, of
60 events at most, and csv a table. --export FORMAT=FILE writes it to a file, and with
--out it is a file there. --seed takes another run. A file that is there already is
replaced only with --force.

` + rareLong

const runExample = `  $ simctl run redlock/gc-pause
  $ simctl run redlock/gc-pause --control
  $ simctl run my.yaml --runs 10000 --set params.ttl=5s --json
  $ simctl run grid.yaml --output csv --out results --resume
  $ simctl run my.yaml --seed 17 --trace | grep client-1
  $ simctl run my.yaml --seed 17 --export shiviz > run.log
  $ simctl run redlock/gc-pause --export perfetto=run.json
  $ simctl run redis/figure-pause --set 'protection=no check' --set 'faults.0.for={exp: 1s}' --set params.ttl=20s \
      --set until=40s --rare --property no-lost-update --repeat 8 --population 100
  $ simctl run --all --quiet`

// newRunCmd makes the command; do, if not nil, takes the place of what it does.
func newRunCmd(a *app, do func(context.Context, *runOptions) error) *cobra.Command {
	if do == nil {
		do = a.run
	}
	o, given := &runOptions{}, &runFlags{}
	cmd := &cobra.Command{
		Use:               "run NAME|FILE...",
		Short:             "Run scenarios and say what is violated, and whether their files predict it",
		Long:              runLong,
		Example:           runExample,
		ValidArgsFunction: a.CompleteNames,
		RunE: func(cmd *cobra.Command, names []string) error {
			o.Names = names
			if err := a.complete(o, given, cmd.Flags()); err != nil {
				return cli.Usage(err)
			}
			return do(cmd.Context(), o)
		},
	}
	given.define(cmd.Flags(), o)
	export.Define(cmd, &given.export, "the first run")
	a.CompleteSubjectFlags(cmd)
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("property", a.CompleteProperty))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(output.Forms(), cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

// runFlags are flags that are not options as they stand.
type runFlags struct {
	seed   uint64
	runs   int
	sets   []string
	color  string
	memory string
	export string
	json   bool
}

func (g *runFlags) define(f *pflag.FlagSet, o *runOptions) {
	f.BoolVar(&o.All, "all", false, "run every built-in scenario")
	f.Uint64Var(&g.seed, "seed", 0, "seed of the first run, instead of the file's")
	f.IntVar(&g.runs, "runs", 0, "how many runs, with consecutive seeds, instead of the file's")
	f.StringArrayVar(&g.sets, "set", nil, "replace a value of the file, as in params.ttl=5s; may be repeated")
	f.StringArrayVar(&o.Measures, "measure", nil, "show the measure `NAME` as well, as a column of a grid; may be repeated")
	f.BoolVar(&o.NoFaults, "no-faults", false, "run without faults: nothing may be violated")
	f.BoolVar(&o.Control, "control", false, "take the cause away: nothing may be violated")
	f.IntVar(&o.Jobs, "jobs", 0, "runs at the same time; 0 is one per processor. Results do not depend on it")
	f.StringVar(&g.memory, "memory", "1GiB", "what the clients of an access log or of generated requests may take in memory")
	f.BoolVar(&g.json, "json", false, "print one JSON document: --output json")
	f.StringVar(&o.Output, "output", output.Table, "what to print: `table`, json, csv, junit or markdown")
	f.BoolVar(&o.Quiet, "quiet", false, "print only the line of verdict")
	f.StringVar(&o.Trace, "trace", "", "write every step of the first run to standard output, or to `FILE` with --trace=FILE")
	f.Lookup("trace").NoOptDefVal = cli.ToStdout
	f.BoolVar(&o.Export.Force, "force", false, "replace the files of --export and --trace if they are there")
	f.BoolVar(&o.Headers, "headers", false, "show what clients of the first run are sent: status, Retry-After, RateLimit and X-RateLimit fields")
	f.StringVar(&o.Out, "out", "", "write report.txt, report.json and trace.txt to the new folder `DIR`")
	f.String("shard", "", division.Usage)
	o.Rare.define(f)
	f.BoolVar(&o.Resume, "resume", false, "continue the grid that was interrupted and has its points in the folder of --out")
	f.StringVar(&g.color, "color", "auto", "colour verdicts: `auto`, always or never")
}

// complete makes options of the flags, and checks them.
func (a *app) complete(o *runOptions, g *runFlags, f *pflag.FlagSet) (err error) {
	if f.Changed("seed") {
		o.Seed = &g.seed
	}
	if f.Changed("runs") {
		o.Runs = &g.runs
	}
	for name, path := range map[string]string{"out": o.Out, "trace": o.Trace} {
		if f.Changed(name) && path == "" {
			return fmt.Errorf("--%s: the path is empty: want one, or leave the flag out", name)
		}
	}
	if err = o.ReadOutput(g.json, f.Changed("output")); err != nil {
		return err
	}
	if err = o.Export.Parse(g.export, o.Out, f); err != nil {
		return err
	}
	if o.Memory, err = amount.Bytes(g.memory); err != nil {
		return fmt.Errorf("--memory: %w", err)
	}
	if o.Sets, err = cli.ParseSets(g.sets); err != nil {
		return err
	}
	if o.Color, err = a.Color(g.color); err != nil {
		return err
	}
	if err := o.Division.Complete("run", o.Names, o.Out, f); err != nil {
		return err
	}
	if err := o.Rare.check(f); err != nil {
		return err
	}
	return o.check()
}

// check says what is wrong with the options as such.
func (o *runOptions) check() error {
	if err := cli.CheckRuns(o.Runs); err != nil {
		return err
	}
	switch {
	case o.All && len(o.Names) > 0:
		return errors.New("run: want names or --all, not both")
	case !o.All && len(o.Names) == 0:
		return errors.New("run: want the name or the file of a scenario, or --all; see " + program.Name() + " list")
	case cli.Twice(o.Names) != "":
		return fmt.Errorf("run: %s is named twice", cli.Twice(o.Names))
	case o.Jobs < 0 || o.Jobs > cli.MaxJobs:
		return fmt.Errorf("--jobs: want 0 to %d, got %d", cli.MaxJobs, o.Jobs)
	case o.NoFaults && o.Control:
		return errors.New("run: want --no-faults or --control, not both")
	case o.Document() && o.Quiet:
		return fmt.Errorf("run: want %s or --quiet, not both", o.Flag())
	case o.Document() && o.Trace == cli.ToStdout:
		return fmt.Errorf("run: %s prints one document: want the trace in a file, as in --trace=trace.txt", o.Flag())
	case o.Resume && o.Out == "":
		return errors.New("--resume: want --out DIR, the folder in which the points are")
	case o.Shard.Of > 0 && (o.All || len(o.Names) > 1):
		return errors.New("run: --shard is for one scenario")
	case o.Trace != "" && (o.All || len(o.Names) > 1):
		return errors.New("run: --trace is for one scenario; a file for it is given as --trace=FILE")
	}
	if err := o.Export.Check(o.Trace, o.Document(), o.All || len(o.Names) > 1); err != nil {
		return fmt.Errorf("run: %w", err)
	}
	return nil
}

// free says why the files of --trace and --export cannot be written, of both at once.
func (o *runOptions) free() error {
	if o.Trace != "" && o.Trace != cli.ToStdout && filepath.Clean(o.Trace) == filepath.Clean(o.Export.To) {
		return fmt.Errorf("--trace and --export both write %s: want a file for each", o.Trace)
	}
	var trace error
	if o.Trace != "" && o.Trace != cli.ToStdout {
		if trace = files.Free(o.Trace, o.Export.Force); trace != nil {
			trace = fmt.Errorf("--trace: %w", trace)
		}
	}
	return errors.Join(trace, o.Export.Free())
}

// oneRun says why a scenario has no first run with steps to show, if some are wanted.
func (o *runOptions) oneRun(s *format.Scenario) error {
	flag := map[bool]string{true: "--export", false: "--trace"}[o.Export.To != ""]
	if o.Headers {
		flag = "--headers"
	}
	switch {
	case o.Trace == "" && o.Export.To == "" && !o.Headers:
	case len(s.Variants) > 0:
		return cli.Usage(fmt.Errorf("%s: %s is for one point of the grid: pick it with --set %s", s.Name, flag, cli.PointOf(s)))
	case s.Replays():
		return cli.Usage(cli.NoNodes(s, flag))
	case o.Headers && !s.Program.Shows:
		return cli.Usage(fmt.Errorf("%s: --headers: the model %s has no answers over HTTP: want one of model ratelimit", s.Name, s.Model))
	}
	return nil
}

// run runs the scenarios one after the other.
func (a *app) run(ctx context.Context, o *runOptions) error {
	if o.Rare.On {
		return a.rare(ctx, o)
	}
	plans, err := a.ready(ctx, o)
	if err != nil {
		return err
	}
	m := a.meterOf(plans[0])
	done, err := division.Do(ctx, a.App, &o.Division, plans[0], []*format.Scenario{plans[0].Scenario}, o.Out)
	if m.Clear(); done || err != nil {
		return err
	}
	d, err := output.New(a.App, &o.Options, plans)
	defer d.Abandon()
	if err != nil {
		return cli.Failure(err)
	}
	var noEnd error
	var last *reports.Run
	for _, p := range plans {
		r, err := a.runOne(ctx, p)
		last = r
		switch {
		case err != nil && ctx.Err() == nil:
			return cli.Failure(err)
		case errors.Is(err, execute.ErrNoEnd):
			noEnd = err
		}
		if r != nil {
			if err := d.Add(p.Scenario, r); err != nil {
				return cli.Failed(err)
			}
		}
		if ctx.Err() != nil {
			break
		}
	}
	if err := d.Finish(); err != nil {
		return cli.Failure(err)
	}
	switch code := d.Exit(); {
	case noEnd != nil:
		return cli.End(cli.ExitInterrupted, noEnd)
	case ctx.Err() != nil && code == cli.ExitNotExpected: // a violation is certain
		return cli.End(code, d.Interrupted(last))
	case ctx.Err() != nil:
		return cli.End(cli.ExitInterrupted, d.Interrupted(last))
	default:
		return cli.EndWith(code)
	}
}

// ready loads all scenarios and looks whether each can be run and its results written, so that a mistake in the last
// file is found before the first has run for an hour.
func (a *app) ready(ctx context.Context, o *runOptions) ([]*execute.Plan, error) {
	if o.All {
		o.Names = a.Names()
	}
	var plans []*execute.Plan
	var invalid []cli.InvalidFile
	for _, name := range o.Names {
		p, err := plan.Load(&a.Catalog, name, &o.Request)
		if err != nil {
			invalid = append(invalid, cli.InvalidFile{Name: name, Err: err})
			continue
		}
		p.Plain = o.Plain()
		plans = append(plans, p)
		cli.WriteNotes(a.ErrOut, p.Scenario.Notes)
	}
	if len(invalid) > 0 {
		return nil, a.Refuse(invalid, o.Output == output.JSON)
	}
	if err := o.free(); err != nil {
		return nil, cli.Failure(err)
	}
	for _, p := range plans {
		if err := o.oneRun(p.Scenario); err != nil {
			return nil, err
		}
		if err := o.Export.Ready(ctx, p.Scenario); err != nil {
			return nil, err
		}
	}
	if o.Resume && !output.HasGrid(plans) {
		return nil, cli.Usage(errors.New("--resume: there is no grid to continue: want a scenario with vary"))
	}
	return plans, nil
}

// runOne runs one scenario, and shows how far it has come.
func (a *app) runOne(ctx context.Context, p *execute.Plan) (*reports.Run, error) {
	m := a.meterOf(p)
	defer m.Clear()
	return execute.Run(ctx, p)
}

// meterOf is the meter that a plan tells its progress.
func (a *app) meterOf(p *execute.Plan) *terminal.Meter {
	m := a.Meter()
	m.Start(p.Scenario.Name)
	p.Progress = func(g execute.Progress) {
		if g.Whole > 0 {
			m.ShowSince(func(since time.Duration) string { return replaying(g, since) })
			return
		}
		m.ShowWork(terminal.Work{Done: g.Done, Total: g.Total, Violated: g.Violated, Point: g.Point, Points: g.Points, Before: g.Kept})
	}
	return m
}

// replaying says how far the replay of requests is.
func replaying(g execute.Progress, since time.Duration) string {
	text := fmt.Sprintf("%s of %s", units.Duration(g.Part), units.Duration(g.Whole))
	if g.Bytes {
		text = fmt.Sprintf("%s of %s, %s/s", units.Size(g.Part), units.Size(g.Whole), units.Size(int64(float64(g.Part)/since.Seconds())))
	}
	if g.Part > 0 && g.Part < g.Whole {
		left := time.Duration(float64(since) / float64(g.Part) * float64(g.Whole-g.Part)).Round(100 * time.Millisecond)
		text += ", " + units.Duration(int64(left)) + " left"
	}
	return text
}
