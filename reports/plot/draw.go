package plot

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fencepost/reports/figure"
	"fencepost/result"
	"fencepost/sim/formula"
)

// numbers reads the values of x, which must all be numbers of one kind.
func (d *drawing) numbers() (map[string]float64, figure.Unit, error) {
	at, unit := map[string]float64{}, figure.Unit("")
	for i := range d.points {
		text := d.points[i].value(d.plot.X)
		v, u, ok := number(text)
		switch {
		case !ok:
			return nil, "", fmt.Errorf("%q, a value of %s, is no number: want kind bar, or heat", short(text), d.plot.X)
		case unit != "" && u != unit:
			return nil, "", fmt.Errorf("%q, a value of %s, is of another kind than %q: want kind bar, or heat", short(text), d.plot.X, d.points[0].value(d.plot.X))
		}
		at[text], unit = v, u
	}
	return at, unit, nil
}

// xAxis is the axis of the grid.
func (d *drawing) xAxis(u figure.Unit) figure.Axis {
	a := figure.Axis{Label: d.plot.XLabel, Unit: u, Scale: d.scale("x")}
	if a.Label == "" {
		words := strings.FieldsFunc(d.plot.X, func(r rune) bool { return r == '.' })
		a.Label = strings.ReplaceAll(words[len(words)-1], "-", " ")
	}
	return a
}

// yAxis is the axis of the measure.
func (d *drawing) yAxis() (figure.Axis, error) {
	a := figure.Axis{Label: d.plot.YLabel, Scale: d.scale("y")}
	if a.Label == "" {
		a.Label = nameOf(d.plot.Y[0])
	}
	d.unit = figure.Unit(d.plot.Unit)
	if d.unit == "" {
		d.unit = d.unitOf()
	}
	a.Unit = d.unit
	if d.plot.Limit == "" {
		return a, nil
	}
	at, unit, ok := number(d.plot.Limit)
	if !ok || (unit == figure.Nanoseconds) != (a.Unit == figure.Nanoseconds) {
		return a, fmt.Errorf("%q is no limit for %s: want a value of it", short(d.plot.Limit), a.Label)
	}
	a.Marks = []figure.Mark{{At: at, Label: "limit " + d.plot.Limit}}
	return a, nil
}

// unitOf is the unit of the values: counts, where all are whole.
func (d *drawing) unitOf() figure.Unit {
	unit, whole := figure.Unit(""), true
	for _, g := range d.groups {
		for _, v := range g.values {
			if unit == "" {
				unit = v.unit
			}
			whole = whole && v.value == math.Trunc(v.value)
		}
	}
	if (unit == figure.Ratio || unit == "") && whole {
		return figure.Count
	}
	return unit
}

func (d *drawing) scale(axis string) figure.Scale {
	if strings.Contains(d.plot.Log, axis) {
		return figure.Log
	}
	return figure.Linear
}

// style is how the points of a series are joined.
func (d *drawing) style() figure.Style {
	switch d.plot.Kind {
	case "step":
		return figure.Step
	case "points":
		return figure.Points
	}
	return figure.Line
}

// lines draws values over numbers.
func (d *drawing) lines(p *figure.Panel) (err error) {
	at, unit, err := d.numbers()
	if err != nil {
		return err
	}
	p.X = d.xAxis(unit)
	if p.Y, err = d.yAxis(); err != nil {
		return err
	}
	plot := figure.Lines{}
	for _, g := range d.groups {
		s := figure.Series{Name: g.name, Style: d.style()}
		slices.SortStableFunc(g.values, func(a, b value) int { return cmp(at[a.x], at[b.x]) })
		for i, v := range g.values {
			if i > 0 && v.x == g.values[i-1].x {
				return fmt.Errorf("two points have %s %s: the document has been changed", d.plot.X, short(v.x))
			}
			if v.none {
				continue
			}
			s.X, s.Y = append(s.X, at[v.x]), append(s.Y, v.value)
			if d.intervals {
				low, high := v.value, v.value
				if v.interval {
					low, high = v.low, v.high
				}
				s.Low, s.High = append(s.Low, low), append(s.High, high)
			}
		}
		plot.Series = append(plot.Series, s)
	}
	laws, err := d.laws(at)
	plot.Series = append(laws, plot.Series...) // below the points
	d.fromZero(&p.Y, plot)
	p.Plot = plot
	return err
}

// fromZero lets an axis of values that are never negative begin at 0.
func (d *drawing) fromZero(y *figure.Axis, plot figure.Lines) {
	most := 0.0
	for _, s := range plot.Series {
		for _, v := range s.Y {
			if v < 0 || y.Scale != figure.Linear {
				return
			}
			most = max(most, v)
		}
	}
	y.To = most
}

func cmp(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// laws are the curves of the closed forms over the same numbers.
func (d *drawing) laws(at map[string]float64) (list []figure.Series, err error) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, x := range at {
		low, high = min(low, x), max(high, x)
	}
	for _, l := range d.plot.Laws {
		f, err := formula.Parse(l.Formula)
		if err != nil {
			return nil, fmt.Errorf("law %q: %w", short(l.Name), err)
		}
		s := figure.Series{}
		s.Name, s.Context = d.lawName(l.Name)
		xs, ys, err := f.Curve(low, high, d.scale("x") == figure.Log)
		if err != nil {
			return nil, fmt.Errorf("law %q: %w", short(l.Name), err)
		}
		for i, y := range ys {
			if d.scale("y") == figure.Log && y < 1/formula.MaxValue {
				continue // which such an axis does not have
			}
			s.X, s.Y = append(s.X, xs[i]), append(s.Y, y)
		}
		list = append(list, s)
	}
	return list, nil
}

// bars draws values over names.
func (d *drawing) bars(p *figure.Panel) (err error) {
	if p.X, err = d.yAxis(); err != nil {
		return err
	}
	p.X.Scale = d.scale("y")
	p.Y = figure.Axis{Label: d.xAxis("").Label}
	columns := d.columns()
	plot := figure.Bars{Names: d.columnNames(columns)}
	for _, g := range d.groups {
		s := figure.BarSeries{Name: g.name, Values: make([]float64, len(columns)), Text: make([]string, len(columns))}
		if d.intervals {
			s.Low, s.High = make([]float64, len(columns)), make([]float64, len(columns))
		}
		for _, v := range g.values {
			i := slices.Index(columns, v.x)
			if s.Text[i] = "not exercised"; v.none {
				continue
			}
			s.Values[i], s.Text[i] = v.value, p.X.Unit.Format(v.value)
			if d.intervals {
				if s.Low[i], s.High[i] = v.value, v.value; v.interval {
					s.Low[i], s.High[i] = v.low, v.high
				}
			}
		}
		plot.Series = append(plot.Series, s)
	}
	p.Plot = plot
	return nil
}

// columns are the values of x, each once, in the order of the document.
func (d *drawing) columns() (list []string) {
	for i := range d.points {
		if v := d.points[i].value(d.plot.X); !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// columnNames are the names of these.
func (d *drawing) columnNames(columns []string) []string {
	if d.plot.Series == "" && len(d.plot.Y) == 1 && len(d.plot.Names) > 0 {
		return d.plot.Names
	}
	return columns
}

// heat draws one measure over two axes.
func (d *drawing) heat(p *figure.Panel) error {
	axis, err := d.yAxis()
	if err != nil {
		return err
	}
	axis.Marks = nil
	columns := d.columns()
	plot := figure.Heat{Columns: columns, Value: axis}
	for _, g := range d.groups {
		row := make([]float64, len(columns))
		for i := range row {
			row[i] = math.NaN()
		}
		for _, v := range g.values {
			if !v.none {
				row[slices.Index(columns, v.x)] = v.value
			}
		}
		plot.Rows, plot.Values = append(plot.Rows, g.name), append(plot.Values, row)
	}
	rows := drawing{plot: &result.Plot{X: d.plot.Series}}
	p.X, p.Y = figure.Axis{Label: d.xAxis("").Label}, figure.Axis{Label: rows.xAxis("").Label}
	p.Plot = plot
	return nil
}
