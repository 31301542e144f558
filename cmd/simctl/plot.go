package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/internal/text"
	"fencepost/reports"
	"fencepost/reports/figure"
	"fencepost/reports/plot"
	"fencepost/result"
)

// plotOptions say what to draw of a document.
type plotOptions struct {
	From    string // a file, or "-" for standard input
	Out     string // "" is standard output
	Figure  string // the plot of the document with this file name
	Changes result.Plot
}

const plotLong = `Plot draws a figure of the JSON document that simctl run --json writes of a scenario:
the plots that the scenario asks for, or what --x, --y and --series say. Nothing is run.

--y takes a measure, as in worst-window or "p99 of latency", or the share of runs that
violate a property, as in "P(no-lost-update)"; it may be given several times. --x and
--series are axes of the grid; without --x it is the only one, or of a single run time.
A cdf, a timeline and a matrix of events, of the first run, have no --x; a timeline and a
matrix have no --y either.
--title should say what the figure shows.

The figure is SVG on standard output, or with --out a file: SVG, PNG or PDF by its
ending. simctl run --out DIR draws all plots of a scenario into DIR.`

const plotExample = `  $ simctl run redlock/under-gc --json > gc.json
  $ simctl plot gc.json --x params.ttl --y "P(mutual-exclusion)" --out gc.svg
  $ simctl run clock/figure-bytes --json | simctl plot - --out bytes.png`

func newPlotCmd(a *app) *cobra.Command {
	o := &plotOptions{}
	cmd := &cobra.Command{
		Use:     "plot RESULT.json",
		Short:   "Draw a figure of what run --json wrote",
		Long:    plotLong,
		Example: plotExample,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usage(errors.New("plot: want one document of simctl run --json, or - for standard input"))
			}
			if o.From = args[0]; cmd.Flags().Changed("out") && o.Out == "" {
				return cli.Usage(errors.New("--out: the path is empty: want one, or leave the flag out"))
			}
			return a.plot(cmd.Context(), o, cmd.Flags(), cmd.InOrStdin())
		},
	}
	f, c := cmd.Flags(), &o.Changes
	f.StringVar(&o.Out, "out", "", "write to `FILE`, which ends in .svg, .png or .pdf")
	f.StringVar(&o.Figure, "figure", "", "the plot of the scenario with the file name `NAME`")
	f.StringVar(&c.Kind, "kind", "line", strings.Join(plot.Kinds, ", "))
	f.StringVar(&c.X, "x", "", "the `AXIS` of the grid that is x, as in params.ttl, or time")
	f.StringArrayVar(&c.Y, "y", nil, "a `MEASURE`, or P(PROPERTY); may be repeated")
	f.StringVar(&c.Series, "series", "", "another `AXIS` of the grid: a line for each of its values")
	f.StringVar(&c.Title, "title", "", "what the figure shows")
	f.StringVar(&c.Log, "log", "", "the axes that are logarithmic: x, y or xy")
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(plot.Kinds, cobra.ShellCompDirectiveNoFileComp)))
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("log", cobra.FixedCompletions([]string{"x", "y", "xy"}, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

// drawn are the flags that say what to draw.
var drawn = []string{"kind", "x", "y", "series", "title", "log"}

// plot draws one figure.
func (a *app) plot(ctx context.Context, o *plotOptions, f *pflag.FlagSet, in io.Reader) error {
	write, err := formatOf(o.Out)
	if err != nil {
		return cli.Usage(err)
	}
	if log := o.Changes.Log; log != "" && log != "x" && log != "y" && log != "xy" {
		return cli.Usage(fmt.Errorf("--log: want x, y or xy, got %q", log))
	}
	if o.Out != "" {
		if err := files.Check(o.Out); err != nil {
			return cli.Failure(fmt.Errorf("--out: %w", err))
		}
	}
	r, err := cli.UntilDone(ctx, func() (*reports.Run, error) { return readRun(o.From, in) })
	if err != nil {
		return cli.Failure(fmt.Errorf("%s: %w", o.From, err))
	}
	p, err := o.choose(r, f)
	if err != nil {
		return cli.Usage(nearestTo(err))
	}
	fig, err := plot.Figure(r, p)
	if err != nil {
		return cli.Usage(nearestTo(err))
	}
	if o.Out == "" {
		err = write(fig, a.Out.Binary())
	} else {
		err = files.Write(o.Out, func(w io.Writer) error { return write(fig, w) })
	}
	if err != nil {
		return cli.Failure(err)
	}
	return nil
}

// formatOf is how a figure is written to a file, by its ending.
func formatOf(file string) (func(*figure.Figure, io.Writer) error, error) {
	switch ending := strings.ToLower(filepath.Ext(file)); {
	case file == "", ending == ".svg":
		return (*figure.Figure).WriteSVG, nil
	case ending == ".png":
		return (*figure.Figure).WritePNG, nil
	case ending == ".pdf":
		return (*figure.Figure).WritePDF, nil
	}
	return nil, fmt.Errorf("--out: want a file that ends in .svg, .png or .pdf, got %q", file)
}

// readRun reads a document.
func readRun(from string, in io.Reader) (*reports.Run, error) {
	if from == cli.FromStdin {
		return reports.ReadRun(in)
	}
	f, err := os.Open(from)
	if err != nil {
		if e := (*os.PathError)(nil); errors.As(err, &e) {
			err = e.Err
		}
		return nil, err
	}
	defer f.Close()
	return reports.ReadRun(f)
}

// choose is the plot of the document that is meant, with what the flags change, or a new
// one if they say what to draw.
func (o *plotOptions) choose(r *reports.Run, f *pflag.FlagSet) (*result.Plot, error) {
	if len(o.Changes.Y) > 0 {
		return o.newPlot(r)
	}
	for _, name := range drawn {
		if f.Changed(name) && name != "title" && name != "kind" && name != "log" {
			return nil, fmt.Errorf("--%s without --y: want the measure to draw", name)
		}
	}
	var names []string
	for _, p := range r.Plots {
		names = append(names, p.File)
	}
	i := slices.Index(names, o.Figure)
	wholeRun := o.Figure == "" && plot.WholeRun(o.Changes.Kind)
	if wholeRun {
		i = slices.IndexFunc(r.Plots, func(p result.Plot) bool { return p.Kind == o.Changes.Kind })
	}
	switch {
	case wholeRun && i < 0:
		return o.newPlot(r)
	case wholeRun:
	case len(names) == 0:
		return nil, fmt.Errorf("%s: the scenario asks for no plots: want --x and --y; see simctl plot --help", o.From)
	case o.Figure == "" && len(names) == 1:
		i = 0
	case o.Figure == "":
		return nil, fmt.Errorf("%s has %d plots: want one of them, as --figure %s", o.From, len(names), strings.Join(names, " or "))
	case i < 0:
		return nil, &plot.UnknownError{Noun: "plot", Word: o.Figure, Valid: names}
	}
	p := r.Plots[i]
	for name, set := range map[string]func(){
		"title": func() { p.Title = o.Changes.Title }, "kind": func() { p.Kind = o.Changes.Kind }, "log": func() { p.Log = o.Changes.Log },
	} {
		if f.Changed(name) {
			set()
		}
	}
	return &p, nil
}

// newPlot is what the flags say alone.
func (o *plotOptions) newPlot(r *reports.Run) (*result.Plot, error) {
	p := o.Changes
	if p.File = p.Kind; len(p.Y) > 0 {
		p.File = cutName(p.Y[0])
	}
	if err := plot.CheckMeasures(r, &p); err != nil {
		return nil, err
	}
	if p.X == "" && p.Kind != "cdf" && !plot.WholeRun(p.Kind) {
		axes := axesOf(r)
		if len(axes) > 1 {
			return nil, fmt.Errorf("--y without --x: the grid has several axes: want one of %s", strings.Join(axes, ", "))
		}
		p.X = axes[0]
	}
	if p.Title == "" {
		p.Title = titleOf(&p)
	}
	return &p, nil
}

// axesOf are those of the grid of a document, or time without one.
func axesOf(r *reports.Run) (axes []string) {
	if len(r.Variants) == 0 {
		return []string{result.TimeAxis}
	}
	for _, s := range r.Variants[0].Settings {
		axes = append(axes, s.Path)
	}
	return axes
}

// titleOf is the title of a figure that nobody has given one.
func titleOf(p *result.Plot) string {
	text := strings.Join(p.Y, ", ")
	if text == "" {
		text = "who did what when"
	}
	if p.X != "" {
		text += " by " + p.X
	}
	if p.Series != "" {
		text += " and " + p.Series
	}
	return text
}

func cutName(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// nearestTo says of an unknown word what may have been meant.
func nearestTo(err error) error {
	var u *plot.UnknownError
	if errors.As(err, &u) && u.Word != "" {
		if near := text.Nearest(u.Word, u.Valid); near != "" {
			return fmt.Errorf("%w; did you mean %s?", err, near)
		}
	}
	return err
}

// figures draws the plots of a run into the folder of --out. What cannot be drawn is an
// error once all else is written; of a run that was interrupted it is only said.
func (d *delivery) figures(r *reports.Run, write func(string, func(io.Writer) error) error) error {
	for i := range r.Plots {
		p := &r.Plots[i]
		fig, err := plot.Figure(r, p)
		if err == nil {
			err = fig.WriteSVG(io.Discard)
		}
		switch {
		case err == nil:
			if err := write(p.File+".svg", fig.WriteSVG); err != nil {
				return err
			}
		case r.PointsWanted > 0 || r.RunsWanted > 0:
			fmt.Fprintf(d.app.ErrOut, "simctl: %s is not drawn: the run was interrupted\n", p.File)
		default:
			d.undrawn = append(d.undrawn, fmt.Errorf("%s is not drawn: %w", p.File, nearestTo(err)))
		}
	}
	return nil
}
