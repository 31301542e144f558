// Package plotting chooses the figure that simctl plot draws of a document.
package plotting

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/internal/program"
	"fencepost/internal/text"
	"fencepost/reports"
	"fencepost/reports/figure"
	"fencepost/reports/plot"
	"fencepost/result"
)

// Request says which plot of a document to draw.
type Request struct {
	From    string // a file, or "-" for standard input
	Figure  string // the plot of the document with this file name
	Changes result.Plot
	Given   func(flag string) bool // whether a flag is on the command line
}

// drawn are the flags that say what to draw.
var drawn = []string{"kind", "x", "y", "series", "title", "log"}

// WriterFor is how a figure is written to a file, by its ending.
func WriterFor(file string) (func(*figure.Figure, io.Writer) error, error) {
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

// Read reads a document.
func Read(from string, in io.Reader) (*reports.Run, error) {
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

// Choose is the plot of the document that is meant, with what the flags change, or a new
// one if they say what to draw.
func (o *Request) Choose(r *reports.Run) (*result.Plot, error) {
	if len(o.Changes.Y) > 0 {
		return o.newPlot(r)
	}
	for _, name := range drawn {
		if o.Given(name) && name != "title" && name != "kind" && name != "log" {
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
		return nil, fmt.Errorf("%s: the scenario asks for no plots: want --x and --y; see "+program.Name()+" plot --help", o.From)
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
		if o.Given(name) {
			set()
		}
	}
	return &p, nil
}

// newPlot is what the flags say alone.
func (o *Request) newPlot(r *reports.Run) (*result.Plot, error) {
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

// titleOf is the title of a figure that is given none.
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

// Nearest says of an unknown word what may have been meant.
func Nearest(err error) error {
	var u *plot.UnknownError
	if errors.As(err, &u) && u.Word != "" {
		if near := text.Nearest(u.Word, u.Valid); near != "" {
			return fmt.Errorf("%w; did you mean %s?", err, near)
		}
	}
	return err
}
