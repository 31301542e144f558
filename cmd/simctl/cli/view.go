package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/slider"
	"fencepost/cmd/simctl/internal/viewing"
	"fencepost/internal/program"
	"fencepost/reports/page"
)

// viewOptions say which runs a page shows, and where it goes.
type viewOptions struct {
	Runs  []cli.Subject // one, or two beside each other
	Vary  slider.Range  // of the one
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

--slider makes a page with a slider: up to 50 runs of the scenario, with the verdict of
each and the boundaries between them. It goes through the only number among the faults, a
duration, a clock step, a rate or a share, up to twice its value; --from, --to and --step
give another range, and --vary another value by its path, as in --set. Such a page has the
events of all its runs, and so is large. simctl boundary finds a boundary to any precision.

Of a run with more than 100,000 events the page has those around the first violation.

Exit codes: 0 the page is written; 2 usage, or an invalid scenario or replay file; 1
error; 130 interrupted.`

const viewExample = `  $ simctl view redlock/gc-pause --out page.html --open
  $ simctl view redlock/gc-pause redlock/gc-pause-fenced
  $ simctl view redlock/gc-pause --other-no-faults
  $ simctl view redlock/gc-pause --slider
  $ simctl view redlock/gc-pause --vary faults.0.for --from 1s --to 20s --step 1s
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
	f.BoolVar(&o.Force, "force", false, "replace the file if it is there, and show a replay file that was edited all the same")
	f.BoolVar(&o.Open, "open", false, "show the page in the browser")
	o.Vary.Define(f)
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
		return fmt.Errorf("want one or two names or files of scenarios or replay files, got %d; see "+program.Name()+" list", len(names))
	}
	if o.Vary.Given() {
		if len(names) != 1 {
			return errors.New("a slider is of one scenario: want --slider, --vary, --from and --to without another run")
		}
		if cli.IsRecord(names[0]) {
			return errors.New("a replay file says all of its run: --slider, --vary, --from and --to are for scenarios")
		}
		if v := &o.Vary; v.From != "" || v.To != "" || v.Path != "" && !v.Slider {
			if _, err := v.Values(); err != nil {
				return err
			}
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
	case o.Out == cli.ToStdout && o.Open:
		return errors.New("--open shows a file, and --out=- is standard output: want one of the two")
	}
	if o.Out == "" {
		o.Out = viewing.PageName(names[0])
	}
	return nil
}

// view writes the page. Nothing is run before it is known that it can be written.
func (a *app) view(ctx context.Context, o *viewOptions) error {
	loaded, err := viewing.Load(ctx, a.App, o.Runs, o.Out, o.Force)
	if err != nil {
		return err
	}
	var runs []*page.Run
	if o.Vary.Given() {
		runs, err = slider.Runs(ctx, a.App, &o.Runs[0], &o.Vary)
	} else {
		runs, err = viewing.Runs(ctx, loaded)
	}
	if err != nil {
		return err
	}
	if o.Out == cli.ToStdout {
		return page.Write(a.Out, runs...)
	}
	if err := files.Write(o.Out, func(w io.Writer) error { return page.Write(w, runs...) }); err != nil {
		return cli.Failure(err)
	}
	fmt.Fprintf(a.Out, "%s shows %s\n", o.Out, viewing.Shown(runs))
	if n := slider.Numbers(loaded[0].Scenario); !o.Vary.Given() && len(loaded) == 1 && !loaded[0].Record && len(n) == 1 {
		fmt.Fprintf(a.Out, "with --slider it goes through values of %s, which is %s here\n", n[0].Path, n[0].Value)
	}
	if !o.Open {
		return nil
	}
	if err := viewing.Browse(ctx, o.Out); err != nil {
		return cli.Failure(fmt.Errorf("the page is written, and no browser shows it: %w", err))
	}
	return nil
}
