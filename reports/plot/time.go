package plot

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fencepost/internal/program"
	"fencepost/reports"
	"fencepost/reports/figure"
)

// series finds the single values of a group in the first run.
func (d *drawing) series(g *group) (*reports.Series, error) {
	y := g.y
	if _, of, ok := strings.Cut(y, " of "); ok {
		y = of
	}
	o := g.values[0].outcome
	for i := range o.Series {
		if o.Series[i].Metric == y {
			return &o.Series[i], nil
		}
	}
	e := &UnknownError{Noun: "measure over time", Word: y}
	for _, s := range o.Series {
		e.Valid = append(e.Valid, s.Metric)
	}
	if len(e.Valid) == 0 {
		return nil, errors.New("the document has no values over time: a plot with x: time in the scenario makes " + program.Name() + " run keep them")
	}
	return nil, e
}

// setUnit finds the unit of the single values.
func (d *drawing) setUnit() {
	for _, g := range d.groups {
		for i := range g.values {
			for _, m := range g.values[i].outcome.Metrics {
				if strings.HasSuffix(" "+g.y, " "+m.Name) && m.Unit == reports.Nanoseconds {
					g.values[i].unit = figure.Nanoseconds
				}
			}
		}
	}
}

// overTime draws single values, or their sums, of the first run.
func (d *drawing) overTime(p *figure.Panel) (err error) {
	d.setUnit()
	if p.Y, err = d.yAxis(); err != nil {
		return err
	}
	p.X = figure.Axis{Label: "time", Unit: figure.Nanoseconds, Scale: d.scale("x"), To: float64(d.run.UntilNS)}
	if d.plot.XLabel != "" {
		p.X.Label = d.plot.XLabel
	}
	if p.X.Scale == figure.Log {
		p.X.To = 0
	}
	within := time.Duration(0)
	if d.plot.Within != "" {
		if within, err = time.ParseDuration(d.plot.Within); err != nil || within <= 0 {
			return fmt.Errorf("within is %q: want a duration", short(d.plot.Within))
		}
	}
	plot := figure.Lines{}
	for i := range d.groups {
		g := &d.groups[i]
		values, err := d.series(g)
		if err != nil {
			return err
		}
		s := figure.Series{Name: g.name, Style: d.style()}
		if within > 0 {
			values, s.Style = sums(values, int64(within), d.run.UntilNS), figure.Step
		}
		for i, at := range values.AtNS {
			s.X, s.Y = append(s.X, float64(at)), append(s.Y, float64(values.Values[i]))
		}
		plot.Series = append(plot.Series, s)
	}
	d.fromZero(&p.Y, plot)
	p.Plot = plot
	return nil
}

// sums are, at each instant at which it changes, the sum of the values after an instant
// that is this long before, and up to this one.
func sums(s *reports.Series, within, until int64) *reports.Series {
	out := &reports.Series{AtNS: []int64{0}, Values: []int64{0}}
	sum, oldest := int64(0), 0
	set := func(at int64) {
		if last := len(out.AtNS) - 1; out.AtNS[last] == at {
			out.Values[last] = sum
			return
		}
		out.AtNS, out.Values = append(out.AtNS, at), append(out.Values, sum)
	}
	forget := func(now int64) {
		for ; oldest < len(s.AtNS) && s.AtNS[oldest]+within <= now; oldest++ {
			sum -= s.Values[oldest]
			set(s.AtNS[oldest] + within)
		}
	}
	for i, at := range s.AtNS {
		forget(at)
		sum += s.Values[i]
		set(at)
	}
	forget(until)
	set(until)
	return out
}

// distributions draws which share of the single values is at most how large.
func (d *drawing) distributions(p *figure.Panel) error {
	d.setUnit()
	axis, err := d.yAxis()
	if err != nil {
		return err
	}
	axis.Scale = d.scale("x")
	p.X, p.Y = axis, figure.Axis{Label: "values that are at most so large", Unit: figure.Share, Scale: figure.Nines}
	plot := figure.Lines{}
	for i := range d.groups {
		g := &d.groups[i]
		values, err := d.series(g)
		if err != nil {
			return err
		}
		samples := make([]float64, len(values.Values))
		for i, v := range values.Values {
			samples[i] = float64(v)
		}
		plot.Series = append(plot.Series, figure.CDF(g.name, samples))
	}
	p.Plot = plot
	return nil
}

// multiples is one panel for each series, with the others in grey. The title of a panel
// is the name of its series, so that all may have one colour.
func (d *drawing) multiples(p figure.Panel) []figure.Panel {
	panels := figure.Multiples(p)
	for i := range panels {
		lines, ok := panels[i].Plot.(figure.Lines)
		if !ok {
			continue
		}
		most, high, found := math.Inf(-1), 0.0, false
		for j := range lines.Series {
			s := &lines.Series[j]
			if s.Context {
				continue
			}
			s.Name = ""
			for _, y := range s.Y {
				most, found = max(most, y), true
			}
			for _, y := range s.High {
				high = max(high, y)
			}
		}
		lines.Series = distinct(lines.Series)
		panels[i].Plot = lines
		switch {
		case most == 0 && high > 0:
			panels[i].Note = "none seen, at most " + d.unit.Format(high)
		case high > 0:
			panels[i].Note = "highest " + d.unit.Format(most)
		case found:
			panels[i].Note = "at most " + d.unit.Format(most)
		}
	}
	return panels
}

// distinct leaves out what is drawn in grey already.
func distinct(list []figure.Series) (out []figure.Series) {
	for _, s := range list {
		same := func(o figure.Series) bool {
			return o.Context && slices.Equal(o.X, s.X) && slices.Equal(o.Y, s.Y)
		}
		if !s.Context || !slices.ContainsFunc(out, same) {
			out = append(out, s)
		}
	}
	return out
}
