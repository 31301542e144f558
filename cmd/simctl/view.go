package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/reports/page"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/record"
)

// viewOptions say which runs a page shows, and where it goes.
type viewOptions struct {
	Runs  []cli.Subject // one, or two beside each other
	Vary  viewRange     // of the one
	Out   string
	Force bool // replace a file
	Open  bool // show it in the browser
}

const viewLong = `View writes one HTML file that shows a run: a lane for each node, an arrow for each
message, pauses, crashes and clock steps, what each node believes while another acts, the
log in words, what was violated with all that led to it, and those figures of the scenario
that are of one run. The file needs no network and no other file. In it, ? shows the keys.

Of a scenario it shows the first run, of a replay file the run that it records. Two
scenarios, or one with an --other flag, are shown beside each other, with the first
difference marked.

--from and --to make a page with a slider: up to 50 runs of the scenario over a range of
one value, with the verdict of each. --vary names the value, as in --set; by default it is
how long the only fault lasts. simctl boundary finds the boundary to any precision.

Of a run with more than 100,000 events the page has those around the first violation.

Exit codes: 0 the page is written; 2 usage, or an invalid scenario or replay file; 1
error; 130 interrupted.`

const viewExample = `  $ simctl view redlock/gc-pause --out page.html --open
  $ simctl view redlock/gc-pause redlock/gc-pause-fenced
  $ simctl view redlock/gc-pause --other-no-faults
  $ simctl view redlock/gc-pause --from 1s --to 20s --step 1s
  $ simctl view found/x.replay.json --out x.html --force`

// newViewCmd makes the command; do, if not nil, takes the place of what it does.
func newViewCmd(a *app, do func(context.Context, *viewOptions) error) *cobra.Command {
	if do == nil {
		do = a.view
	}
	o, given := &viewOptions{}, &viewFlags{}
	cmd := &cobra.Command{
		Use:               "view NAME|FILE|REPLAY [NAME|FILE|REPLAY]",
		Short:             "Write a page that shows a run, or two beside each other",
		Long:              viewLong,
		Example:           viewExample,
		ValidArgsFunction: a.CompleteNames,
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := given.complete(o, names, cmd.Flags()); err != nil {
				return cli.Usage(fmt.Errorf("view: %w", err))
			}
			return do(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Out, "out", "", "the `FILE` to write, or - for standard output; by default the scenario's name with .html, in this folder")
	f.BoolVar(&o.Force, "force", false, "replace the file if it is there")
	f.BoolVar(&o.Open, "open", false, "show the page in the browser")
	o.Vary.define(f)
	f.Uint64Var(&given.seed[0], "seed", 0, "seed of the run, instead of the file's")
	f.StringArrayVar(&given.sets[0], "set", nil, "replace a value of the file, as in params.ttl=5s; may be repeated")
	f.BoolVar(&given.noFaults[0], "no-faults", false, "leave out the faults of the file")
	f.Uint64Var(&given.seed[1], "other-seed", 0, "seed of the other run")
	f.StringArrayVar(&given.sets[1], "other-set", nil, "replace a value of the file of the other run; may be repeated")
	f.BoolVar(&given.noFaults[1], "other-no-faults", false, "leave out the faults of the file of the other run")
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("set", a.CompleteSet))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("other-set", a.CompleteSet))
	return cmd
}

// viewFlags are flags that are not options as they stand: of the first run, and of the other.
type viewFlags struct {
	seed     [2]uint64
	sets     [2][]string
	noFaults [2]bool
}

func (g *viewFlags) complete(o *viewOptions, names []string, f *pflag.FlagSet) error {
	other := f.Changed("other-seed") || f.Changed("other-set") || f.Changed("other-no-faults")
	switch {
	case len(names) == 1 && other:
		names = append(names, names[0])
	case len(names) < 1 || len(names) > 2:
		return fmt.Errorf("want one or two names or files of scenarios or replay files, got %d; see simctl list", len(names))
	}
	if o.Vary.given() {
		if len(names) != 1 {
			return errors.New("a slider is of one scenario: want --vary, --from and --to without another run")
		}
		if cli.IsRecord(names[0]) {
			return errors.New("a replay file says all of its run: --vary, --from and --to are for scenarios")
		}
		if _, err := o.Vary.values(); err != nil {
			return err
		}
	}
	for i, name := range names {
		flag := []string{"seed", "other-seed"}[i]
		run := cli.Subject{Name: name, NoFaults: g.noFaults[i]}
		if f.Changed(flag) {
			run.Seed = &g.seed[i]
		}
		var err error
		if run.Sets, err = cli.ParseSets(g.sets[i]); err != nil {
			return err
		}
		if cli.IsRecord(name) && (run.Seed != nil || run.NoFaults || len(run.Sets) > 0) {
			return errors.New("a replay file says all of its run: seeds, settings and --no-faults are for scenarios")
		}
		o.Runs = append(o.Runs, run)
	}
	switch {
	case f.Changed("out") && o.Out == "":
		return errors.New("--out: the path is empty: want one, or leave the flag out")
	case o.Out == toStdout && o.Open:
		return errors.New("--open shows a file, and --out=- is standard output: want one of the two")
	}
	if o.Out == "" {
		o.Out = pageName(names[0])
	}
	return nil
}

// pageName is what the page of a scenario or a replay file is called.
func pageName(name string) string {
	name = strings.TrimSuffix(path.Base(filepath.ToSlash(name)), record.Suffix)
	if name == cli.FromStdin {
		name = "run"
	}
	return strings.TrimSuffix(name, filepath.Ext(name)) + ".html"
}

// view writes the page. Nothing is run before it is known that it can be written.
func (a *app) view(ctx context.Context, o *viewOptions) error {
	if o.Out != toStdout {
		if err := o.free(); err != nil {
			return cli.Failure(err)
		}
	}
	runs, err := a.runsOf(ctx, o)
	if err != nil {
		return err
	}
	if o.Out == toStdout {
		return page.Write(a.Out, runs...)
	}
	if err := files.Write(o.Out, func(w io.Writer) error { return page.Write(w, runs...) }); err != nil {
		return cli.Failure(err)
	}
	fmt.Fprintf(a.Out, "%s shows %s\n", o.Out, shown(runs))
	if !o.Open {
		return nil
	}
	if err := browse(ctx, o.Out); err != nil {
		return cli.Failure(fmt.Errorf("the page is written, and no browser shows it: %w", err))
	}
	return nil
}

// free says why the page cannot be written where it is to be.
func (o *viewOptions) free() error {
	if _, err := os.Lstat(o.Out); err == nil && !o.Force {
		return fmt.Errorf("%s is there already, and is not replaced without --force", o.Out)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := files.Check(o.Out); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	return nil
}

// runsOf are the runs of the page.
func (a *app) runsOf(ctx context.Context, o *viewOptions) (runs []*page.Run, err error) {
	if o.Vary.given() {
		return a.vary(ctx, &o.Runs[0], &o.Vary)
	}
	for i := range o.Runs {
		r, err := a.viewed(ctx, &o.Runs[i])
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// shown says in a line what the page has.
func shown(runs []*page.Run) string {
	if first, last := runs[0], runs[len(runs)-1]; first.Vary != "" {
		return fmt.Sprintf("%s, seed %d: %d runs, %s from %s to %s", first.Scenario, first.Seed, len(runs), first.Vary, first.Value, last.Value)
	}
	var parts []string
	for _, r := range runs {
		part := fmt.Sprintf("%s, seed %d: %d events", r.Scenario, r.Seed, r.Events.Count)
		if l := r.Left; l != nil {
			part += fmt.Sprintf(" of %d, those around the first violation", l.Before+r.Events.Count+l.After)
			if len(r.Violations) == 0 {
				part = strings.Replace(part, "those around the first violation", "the first ones", 1)
			}
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

// viewed is one run for the page.
func (a *app) viewed(ctx context.Context, o *cli.Subject) (*page.Run, error) {
	s, command, err := a.loadViewed(ctx, o)
	if err != nil {
		return nil, a.LoadFailed(o, err)
	}
	r, err := execute.Page(ctx, s, command, page.MaxEvents)
	if err == nil && !cli.IsRecord(o.Name) {
		r.Figures, err = figuresOf(ctx, s)
	}
	if err != nil {
		return nil, pageFailed(ctx, err)
	}
	return r, nil
}

// pageFailed is the end of a view whose run could not be shown.
func pageFailed(ctx context.Context, err error) error {
	if errors.Is(err, execute.ErrNoEnd) || ctx.Err() != nil {
		return cli.End(cli.ExitInterrupted, err)
	}
	return cli.Failure(err)
}

// loadViewed loads the scenario or the replay file of a run, with the command that runs it.
func (a *app) loadViewed(ctx context.Context, o *cli.Subject) (*format.Scenario, string, error) {
	if cli.IsRecord(o.Name) {
		r, _, err := cli.ReadRecord(ctx, o.Name, false)
		if err != nil {
			return nil, "", err
		}
		s, err := r.Load(scenarios.Models())
		return s, terminal.Quote("simctl", "replay", cli.PathArgument(o.Name)), err
	}
	s, err := a.LoadPoint(o)
	if err != nil {
		return nil, "", err
	}
	return s, o.Command("run", s.Seed, "--runs", "1"), nil
}

// browse shows a file in the browser.
func browse(ctx context.Context, file string) error {
	whole, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	program := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if program == nil {
		program = []string{"xdg-open"}
	}
	return exec.CommandContext(ctx, program[0], append(program[1:], whole)...).Run()
}
