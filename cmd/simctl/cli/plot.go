package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/plotting"
	"fencepost/internal/program"
	"fencepost/reports"
	"fencepost/reports/plot"
)

// plotOptions say what to draw of a document.
type plotOptions struct {
	plotting.Request
	Out   string // "" is standard output
	Force bool   // replaces a file that is there
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
ending. A file that is there already is replaced only with --force. simctl run --out DIR draws all plots of a scenario into DIR.`

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
				return cli.Usage(errors.New("plot: want one document of " + program.Name() + " run --json, or - for standard input"))
			}
			if o.From = args[0]; cmd.Flags().Changed("out") && o.Out == "" {
				return cli.Usage(errors.New("--out: the path is empty: want one, or leave the flag out"))
			}
			o.Given = cmd.Flags().Changed
			return a.plot(cmd.Context(), o, cmd.InOrStdin())
		},
	}
	f, c := cmd.Flags(), &o.Changes
	f.StringVar(&o.Out, "out", "", "write to `FILE`, which ends in .svg, .png or .pdf")
	f.BoolVar(&o.Force, "force", false, "replace the file of --out if it is there")
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

// plot draws one figure.
func (a *app) plot(ctx context.Context, o *plotOptions, in io.Reader) error {
	write, err := plotting.WriterFor(o.Out)
	if err != nil {
		return cli.Usage(err)
	}
	if log := o.Changes.Log; log != "" && log != "x" && log != "y" && log != "xy" {
		return cli.Usage(fmt.Errorf("--log: want x, y or xy, got %q", log))
	}
	if o.Out != "" {
		if err := files.Free(o.Out, o.Force); err != nil {
			return cli.Failure(fmt.Errorf("--out: %w", err))
		}
	}
	r, err := cli.UntilDone(ctx, func() (*reports.Run, error) { return plotting.Read(o.From, in) })
	if err != nil {
		return cli.Failure(fmt.Errorf("%s: %w", o.From, err))
	}
	p, err := o.Choose(r)
	if err != nil {
		return cli.Usage(plotting.Nearest(err))
	}
	fig, err := plot.Figure(r, p)
	if err != nil {
		return cli.Usage(plotting.Nearest(err))
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
