// Package plot makes figures of finished runs: which numbers of a document go where. How
// they look is package figure's.
package plot

import (
	"fmt"
	"slices"
	"strings"

	"fencepost/internal/program"
	"fencepost/reports"
	"fencepost/reports/figure"
	"fencepost/reports/units"
	"fencepost/result"
)

// Timeline is the kind of a plot of a whole run, which has neither x nor y.
const Timeline = "timeline"

// Kinds are the kinds of plots.
var Kinds = []string{"line", "step", "points", "bar", "heat", "cdf", "multiples", Timeline, Matrix}

// UnknownError says that a plot names something that the document does not have.
type UnknownError struct {
	Noun  string // "measure"
	Word  string
	Valid []string
}

// Error names what is unknown and what there is.
func (e *UnknownError) Error() string {
	text := fmt.Sprintf("there is no %s %q", e.Noun, short(e.Word))
	if len(e.Valid) == 0 {
		return text
	}
	return text + ": want one of " + strings.Join(e.Valid, ", ")
}

func short(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// Figure is a plot of a document. The error says what the document lacks, or what in it
// cannot be drawn so.
func Figure(r *reports.Run, p *result.Plot) (*figure.Figure, error) {
	d := &drawing{run: r, plot: p}
	panels, err := d.panels()
	if err != nil {
		return nil, fmt.Errorf("plot %s: %w", short(p.File), err)
	}
	f := &figure.Figure{Title: p.Title, Subtitle: d.subtitle(), Caption: d.caption(panels), Panels: panels}
	if p.Windows != "" {
		f.Columns = 1
	}
	return f, nil
}

// drawing is a plot while it is made.
type drawing struct {
	run  *reports.Run
	plot *result.Plot

	points    []point
	groups    []group
	intervals bool // some value has one
	unit      figure.Unit
}

// point is one point of the grid, or the only one.
type point struct {
	settings []result.Setting
	outcome  *reports.Outcome
}

// value is that of an axis at the point, "" if the grid has no such axis.
func (p *point) value(path string) string {
	for _, s := range p.settings {
		if s.Path == path {
			return s.Value
		}
	}
	return ""
}

// group is one series of the figure: a value of the axis series, and a measure.
type group struct {
	name   string // "" if it is the only one
	y      string
	values []value // in the order of the document
}

// value is one that is drawn.
type value struct {
	x string // the value of the axis x
	estimate
	outcome *reports.Outcome
}

// panels are those of the figure.
func (d *drawing) panels() ([]figure.Panel, error) {
	if !slices.Contains(Kinds, d.plot.Kind) {
		return nil, &UnknownError{"kind of plot", d.plot.Kind, Kinds}
	}
	d.find()
	if d.plot.Kind == Timeline {
		return d.timelines()
	}
	if d.plot.Kind == Matrix {
		return d.matrices()
	}
	if err := d.agree(); err != nil {
		return nil, err
	}
	if err := d.collect(); err != nil {
		return nil, err
	}
	panel := figure.Panel{}
	var err error
	switch {
	case d.plot.Kind == "cdf":
		err = d.distributions(&panel)
	case d.plot.X == result.TimeAxis:
		err = d.overTime(&panel)
	case d.plot.Kind == "bar":
		err = d.bars(&panel)
	case d.plot.Kind == "heat":
		err = d.heat(&panel)
	default:
		err = d.lines(&panel)
	}
	if err != nil {
		return nil, err
	}
	if d.plot.Windows != "" {
		return d.windows(panel)
	}
	if d.plot.Kind == "multiples" {
		return d.multiples(panel), nil
	}
	return []figure.Panel{panel}, nil
}

// find finds the points.
func (d *drawing) find() {
	for i := range d.run.Variants {
		v := &d.run.Variants[i]
		d.points = append(d.points, point{v.Settings, &v.Outcome})
	}
	if len(d.points) == 0 {
		d.points = []point{{d.run.Settings, &d.run.Outcome}}
	}
}

// collect finds the values of each series.
func (d *drawing) collect() error {
	if err := d.axes(); err != nil {
		return err
	}
	names, err := d.names()
	if err != nil {
		return err
	}
	byName := map[string]int{}
	for i := range d.points {
		pt := &d.points[i]
		of := pt.value(d.plot.Series)
		for _, y := range d.plot.Y {
			key := of + "\x00" + y
			g, ok := byName[key]
			if !ok {
				g = len(d.groups)
				byName[key] = g
				d.groups = append(d.groups, group{name: d.seriesName(names, of, y), y: y})
			}
			v := value{x: pt.value(d.plot.X), outcome: pt.outcome}
			if !d.timed() {
				if v.estimate, err = estimateOf(pt.outcome, y); err != nil {
					return err
				}
				d.intervals = d.intervals || v.interval
			}
			d.groups[g].values = append(d.groups[g].values, v)
		}
	}
	return nil
}

// timed reports whether single values of the first run are drawn.
func (d *drawing) timed() bool {
	return d.plot.X == result.TimeAxis || d.plot.Kind == "cdf" || WholeRun(d.plot.Kind)
}

// axes checks that x and series are the axes of the grid.
func (d *drawing) axes() error {
	var paths []string
	for _, s := range d.points[0].settings {
		paths = append(paths, s.Path)
	}
	want := func(noun, path string, also ...string) error {
		if path != "" && !slices.Contains(append(also, paths...), path) {
			return &UnknownError{noun, path, append(paths, also...)}
		}
		return nil
	}
	if err := want("axis", d.plot.X, result.TimeAxis); err != nil {
		return err
	}
	if err := want("axis", d.plot.Series); err != nil {
		return err
	}
	if d.plot.X == "" && d.plot.Kind != "cdf" {
		return fmt.Errorf("the plot has no x: want one of %s", strings.Join(append(paths, result.TimeAxis), ", "))
	}
	for _, path := range paths {
		if path != d.plot.X && path != d.plot.Series && d.varies(path) {
			return fmt.Errorf("the grid has the axis %s as well: want it as x or series, or one of its values, as in "+program.Name()+" run --set %s=%s",
				path, path, d.points[0].value(path))
		}
	}
	return nil
}

// varies reports whether a path has more than one value.
func (d *drawing) varies(path string) bool {
	for i := range d.points {
		if d.points[i].value(path) != d.points[0].value(path) {
			return true
		}
	}
	return false
}

// names are the values of the axis that has names, with these: of the series, or else of
// several measures, or else of x.
func (d *drawing) names() (map[string]string, error) {
	path := d.plot.Series
	if path == "" {
		path = d.plot.X
	}
	list, names := []string{}, map[string]string{}
	for i := range d.points {
		if v := d.points[i].value(path); v != "" && !slices.Contains(list, v) {
			list = append(list, v)
			names[v] = v
		}
	}
	if d.plot.Series == "" && len(d.plot.Y) > 1 {
		list, path = d.plot.Y, "y"
	}
	if n := len(d.plot.Names); n > 0 && n != len(list) {
		return nil, fmt.Errorf("%d names for %d values of %s: want as many", n, len(list), path)
	}
	for i, name := range d.plot.Names {
		names[list[i]] = name
	}
	return names, nil
}

// seriesName is what the legend says of a series. The only one needs no legend.
func (d *drawing) seriesName(names map[string]string, of, y string) string {
	name := names[y]
	if name == "" || name == y {
		name = nameOf(y)
	}
	switch {
	case d.plot.Series == "" && len(d.plot.Y) == 1:
		return ""
	case d.plot.Series == "":
		return name
	case len(d.plot.Y) == 1:
		return names[of]
	}
	return names[of] + ", " + name
}

// nameOf is a measure in words.
func nameOf(y string) string {
	if name, ok := property(y); ok {
		return "runs that violate " + name
	}
	return strings.ReplaceAll(y, "-", " ")
}

// subtitle says what was run.
func (d *drawing) subtitle() string {
	runs, seeds := "1 run", fmt.Sprintf("seed %d", d.run.Seed)
	if n := d.run.Runs; n > 1 && !d.timed() {
		runs, seeds = units.Number(uint64(n))+" runs", fmt.Sprintf("seeds %d to %d", d.run.Seed, d.run.Seed+uint64(n)-1)
	}
	if n := len(d.points); n > 1 {
		runs = fmt.Sprintf("%d points, %s each", n, runs)
	}
	text := fmt.Sprintf("%s: model %s, %s, %s", d.run.Scenario, d.run.Model, runs, seeds)
	if d.run.Mode != "" {
		text += ", " + d.run.Mode
	}
	if n := d.run.PointsWanted; n > 0 {
		text += fmt.Sprintf("; interrupted: %d of %d points", len(d.points), n)
	} else if n := d.run.RunsWanted; n > 0 {
		text += fmt.Sprintf("; interrupted: %d of %d runs", d.run.Runs, n)
	}
	return text
}

// caption says what bars, bands and lines are.
func (d *drawing) caption(panels []figure.Panel) string {
	var parts []string
	if d.plot.Kind == Timeline {
		return d.timelineCaption()
	}
	if d.plot.Kind == Matrix {
		return matrixCaption
	}
	if d.intervals && d.plot.Kind != "heat" {
		what := "Bands"
		if d.plot.Kind == "bar" || d.plot.Kind == "points" {
			what = "Bars with ends"
		}
		parts = append(parts, what+" are 95% intervals.")
	}
	if d.plot.Kind == "heat" && d.some(func(v *value) bool { return v.none }) {
		parts = append(parts, "A cell with a line across it has no value.")
	}
	if d.plot.Windows != "" {
		parts = append(parts, windowsCaption)
	}
	if d.zeroOnLog(panels) {
		parts = append(parts, "What is 0 is at the edge.")
	}
	for _, l := range d.plot.Laws {
		switch name, grey := d.lawName(l.Name); {
		case grey:
			parts = append(parts, fmt.Sprintf("Grey line, %s: y = %s.", l.Name, l.Formula))
		case name == "":
			parts = append(parts, fmt.Sprintf("Line, %s: y = %s.", l.Name, l.Formula))
		default:
			parts = append(parts, fmt.Sprintf("Line of %s: y = %s.", l.Name, l.Formula))
		}
	}
	return strings.Join(parts, " ")
}

// zeroOnLog reports whether a value of 0 is drawn along an axis that is logarithmic.
func (d *drawing) zeroOnLog(panels []figure.Panel) bool {
	if !d.timed() {
		return d.scale("y") == figure.Log && d.plot.Kind != "heat" && d.some(func(v *value) bool { return !v.none && v.value == 0 })
	}
	for i := range panels {
		p := &panels[i]
		lines, _ := p.Plot.(figure.Lines)
		for _, s := range lines.Series {
			if p.X.Scale == figure.Log && slices.Contains(s.X, 0) || p.Y.Scale == figure.Log && slices.Contains(s.Y, 0) {
				return true
			}
		}
	}
	return false
}

// some reports whether one of the values is so.
func (d *drawing) some(is func(v *value) bool) bool {
	for i := range d.groups {
		for j := range d.groups[i].values {
			if is(&d.groups[i].values[j]) {
				return true
			}
		}
	}
	return false
}

// lawName is the series that a law belongs to: the one of its name, or the only one. A
// law of none is grey.
func (d *drawing) lawName(law string) (name string, grey bool) {
	for _, g := range d.groups {
		if g.name == law || len(d.groups) == 1 {
			return g.name, false
		}
	}
	return law, true
}

// Point is a simulated value with its interval; without one, Low and High are Y.
type Point struct{ X, Y, Low, High float64 }

// Points are the values of a plot of one measure over numbers, where the axis series, if
// there is one, has a value; "" is any.
func Points(r *reports.Run, p *result.Plot, of string) ([]Point, error) {
	d := &drawing{run: r, plot: p}
	d.find()
	if err := d.collect(); err != nil {
		return nil, err
	}
	at, _, err := d.numbers()
	if err != nil {
		return nil, err
	}
	var list []Point
	for i := range d.points {
		pt := &d.points[i]
		e, err := estimateOf(pt.outcome, p.Y[0])
		if err != nil {
			return nil, err
		}
		if of != "" && pt.value(p.Series) != of || e.none {
			continue
		}
		q := Point{at[pt.value(p.X)], e.value, e.value, e.value}
		if e.interval {
			q.Low, q.High = e.low, e.high
		}
		list = append(list, q)
	}
	return list, nil
}
