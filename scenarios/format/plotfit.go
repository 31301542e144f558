package format

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fencepost/result"
	"fencepost/scenarios/grid"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
	"fencepost/sim/formula"
)

// maxTimelines is the most points of a grid of which a plot shows a timeline each.
const maxTimelines = 6

// fitPlots checks the plots that have no mistake of their own against the grid, so that
// one that cannot be drawn is found before anything is run. A plot keeps of its names
// those of the values that are picked.
func (d *decoding) fitPlots(axes []grid.Axis) {
	for i := range d.scenario.Plots {
		p := &d.scenario.Plots[i]
		r := plotReader{d, &d.format.Plots[i], fmt.Sprintf("plots.%d", i)}
		switch {
		case mistaken(d.mistakes(), r.at):
			continue
		case wholeRun(p.Kind):
			r.fitWholeRun(p.Kind, axes)
			continue
		}
		r.fitAxes(p, axes)
		r.fitNames(p, axes)
		r.fitLog(p)
		r.fitLimit(p)
		r.fitNumbers(p, axisOf(axes, p.X))
	}
}

// axisOf is the axis of a path or name, nil if there is none.
func axisOf(axes []grid.Axis, path string) *grid.Axis {
	if i := slices.IndexFunc(axes, func(a grid.Axis) bool { return a.Path == path }); i >= 0 {
		return &axes[i]
	}
	return nil
}

// fitWholeRun: each point has a panel.
func (r *plotReader) fitWholeRun(kind string, axes []grid.Axis) {
	n := 1
	for _, a := range axes {
		n *= len(a.Picked)
	}
	if n > maxTimelines {
		r.bad("kind", kind, fmt.Sprintf("a %s of each of %d points: want at most %d", kind, n, maxTimelines))
	}
	switch p := r.d.words.program; {
	case p == nil:
	case kind == Matrix && !p.Ordered:
		r.bad("kind", Matrix, "a matrix is of the events of a model that has some of its own: want one whose events clocks stamp, as clock")
	case kind == Matrix:
	case len(p.Nodes) == 0:
		r.bad("kind", Timeline, "a timeline is of nodes, and the model has none")
	case slices.Equal(p.States, []string{sim.StatePaused, sim.StateDown}) && len(p.Marks) == 0 && !r.d.faulty(axes):
		r.bad("kind", Timeline, "nothing to draw: the model shows no states of its nodes, and there are no faults: want faults, or another kind")
	}
}

// faulty reports whether the file, or a point of the grid, has faults.
func (d *decoding) faulty(axes []grid.Axis) bool {
	return len(d.format.Faults) > 0 || slices.ContainsFunc(axes, func(a grid.Axis) bool {
		return slices.ContainsFunc(grid.Changes(a.Picked), func(c grid.Change) bool { return c.Path == "faults" || strings.HasPrefix(c.Path, "faults.") })
	})
}

// fitAxes: no axis is left over.
func (r *plotReader) fitAxes(p *result.Plot, axes []grid.Axis) {
	for _, a := range axes {
		if a.Path != p.X && a.Path != p.Series && len(a.Picked) > 1 {
			r.bad("", "", fmt.Sprintf("the grid has the axis %q as well: want it as x or series, or no such axis", strict.Excerpt(a.Path)))
		}
	}
}

// fitNames: there are as many names as what has them.
func (r *plotReader) fitNames(p *result.Plot, axes []grid.Axis) {
	if len(p.Names) == 0 {
		return
	}
	n, of := 0, ""
	var named *grid.Axis
	switch {
	case p.Series != "":
		named = axisOf(axes, p.Series)
	case len(r.f.Y) > 1:
		n, of = len(r.f.Y), "measures"
	case p.Kind == "bar":
		named = axisOf(axes, p.X)
	default:
		r.bad("names", "", "there is nothing to name: want series, several measures, or kind bar")
		return
	}
	if named != nil {
		n, of = len(named.All), "values of "+strict.Excerpt(named.Path)
	}
	switch {
	case n == 0: // what it names is wrong
	case n != len(p.Names):
		r.bad("names", "", fmt.Sprintf("%d names for %d %s: want as many", len(p.Names), n, of))
	case named != nil:
		var names []string
		for _, c := range named.Picked {
			i := slices.IndexFunc(named.All, func(other grid.Choice) bool { return other.Setting == c.Setting })
			names = append(names, p.Names[i])
		}
		p.Names = names
	}
}

// fitLog: an axis that is logarithmic is one of numbers.
func (r *plotReader) fitLog(p *result.Plot) {
	x, y := strings.Contains(p.Log, "x"), strings.Contains(p.Log, "y")
	switch {
	case x && (p.Kind == "bar" || p.Kind == "heat"):
		r.bad("log", p.Log, "the x of a "+p.Kind+" has no numbers: want log: y, or none")
	case y && p.Kind == "cdf":
		r.bad("log", p.Log, "the y of a cdf is the share of its values: want log: x, or none")
	case x && p.X == result.TimeAxis:
		r.bad("log", p.Log, "time begins at 0, for which a logarithmic axis has no place")
	}
}

// Kinds of values that a y may have.
const (
	durations = "durations"
	numbers   = "numbers"
	shares    = "shares"
)

// kindOf is the kind of the values of a y, "" if that is not known.
func kindOf(y string, program *sim.Program) string {
	if strings.HasPrefix(y, "P(") {
		return shares
	}
	if _, of, ok := strings.Cut(y, " of "); ok {
		y = of
	}
	i := slices.IndexFunc(program.Measures, func(m sim.Measure) bool { return m.Name == y })
	switch {
	case i < 0:
		return ""
	case program.Measures[i].Unit == sim.Duration:
		return durations
	}
	return numbers
}

// fitLimit: all of y, and its limit, are values of one kind. With a unit numbers may be
// beside shares.
func (r *plotReader) fitLimit(p *result.Plot) {
	if r.d.words.program == nil || len(p.Y) == 0 {
		return
	}
	kind := kindOf(p.Y[0], r.d.words.program)
	for _, y := range p.Y[1:] {
		other := kindOf(y, r.d.words.program)
		if other != "" && kind != "" && other != kind && (p.Unit == "" || other == durations || kind == durations) {
			r.bad("y", y, fmt.Sprintf("%q has %s, and %q %s: want a plot for each", strict.Excerpt(p.Y[0]), kind, strict.Excerpt(y), other))
			return
		}
	}
	if p.Limit == "" || kind == "" {
		return
	}
	limit, unit, ok := formula.Value(p.Limit)
	switch logarithmic := strings.Contains(p.Log, "y") || p.Kind == "cdf" && p.Log != ""; {
	case p.Kind == "heat":
		r.bad("limit", p.Limit, "a heat map marks no limit")
	case !ok || (unit == "ns") != (kind == durations):
		want := map[string]string{durations: "a duration such as 50ms", numbers: "a number such as 100", shares: "a share such as 5% or 0.05"}[kind]
		r.bad("limit", p.Limit, fmt.Sprintf("%q is no limit of %s: want %s", strict.Excerpt(p.Limit), strict.Excerpt(p.Y[0]), want))
	case math.Abs(limit) > formula.MaxValue:
		r.bad("limit", p.Limit, fmt.Sprintf("%s cannot be drawn: want at most %g", strict.Excerpt(p.Limit), formula.MaxValue))
	case logarithmic && limit <= 0:
		r.bad("limit", p.Limit, fmt.Sprintf("%s has no place on a logarithmic axis: want more than 0", strict.Excerpt(p.Limit)))
	}
}

// fitNumbers: the x of a line is a number, and the laws have a value at each.
func (r *plotReader) fitNumbers(p *result.Plot, x *grid.Axis) {
	if x == nil || p.Kind == "bar" || p.Kind == "heat" || p.Kind == "cdf" {
		return
	}
	logarithmic := strings.Contains(p.Log, "x")
	low, high, kind := 0.0, 0.0, ""
	for i, c := range x.Picked {
		text := c.Setting.Value
		v, unit, ok := formula.Value(text)
		switch {
		case !ok:
			r.bad("x", p.X, fmt.Sprintf("%q, a value of %s, is no number: want kind bar, or heat", strict.Excerpt(text), strict.Excerpt(p.X)))
			return
		case i > 0 && unit != kind:
			r.bad("x", p.X, fmt.Sprintf("%q and %q, values of %s, are of different kinds: want kind bar, or heat",
				strict.Excerpt(x.Picked[0].Setting.Value), strict.Excerpt(text), strict.Excerpt(p.X)))
			return
		case logarithmic && v <= 0:
			r.bad("log", p.Log, fmt.Sprintf("%s, a value of %s, has no place on a logarithmic axis: want values above 0", strict.Excerpt(text), strict.Excerpt(p.X)))
			return
		case i == 0:
			low, high, kind = v, v, unit
		}
		low, high = min(low, v), max(high, v)
	}
	for _, e := range r.f.Laws {
		f, err := formula.Parse(e.Value)
		if err != nil {
			continue // which is said already
		}
		if _, _, err := f.Curve(low, high, logarithmic); err != nil {
			r.d.doc.Add(e.Pos, e.Key, fmt.Sprintf("the law cannot be drawn: %v; x is from %s to %s", err,
				strict.Excerpt(x.Picked[0].Setting.Value), strict.Excerpt(x.Picked[len(x.Picked)-1].Setting.Value)))
		}
	}
}
