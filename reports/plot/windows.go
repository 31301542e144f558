package plot

import (
	"fmt"
	"time"

	"fencepost/reports"
	"fencepost/reports/figure"
)

// windowsCaption says what is drawn where fixed windows are.
const windowsCaption = "Dashed: a fixed window ends and its counter starts again at 0. Red: a property is first violated. A window that slides is (t - W, t]."

// Limits of what is drawn of windows.
const (
	maxBoundaries = 200
	barsPerWindow = 60
	namedBounds   = 3 // boundaries that have a label
)

// windows are two panels in place of one of sums: above, what comes in each sixtieth of a
// window; below, the sum of the fixed window so far, and that of the window that slides.
func (d *drawing) windows(sliding figure.Panel) ([]figure.Panel, error) {
	window, err := time.ParseDuration(d.plot.Windows)
	if err != nil || window <= 0 {
		return nil, fmt.Errorf("windows is %q: want a duration", short(d.plot.Windows))
	}
	if d.run.UntilNS/int64(window) > maxBoundaries {
		return nil, fmt.Errorf("%d windows of %v: want at most %d", d.run.UntilNS/int64(window), window, maxBoundaries)
	}
	values, err := d.series(&d.groups[0])
	if err != nil {
		return nil, err
	}
	each := window / min(barsPerWindow, window)
	lines := sliding.Plot.(figure.Lines)
	lines.Series[0].Name = "in the last " + figure.Nanoseconds.Format(float64(window))
	counter := fixed(values, int64(window), d.run.UntilNS)
	counter.Name = "counter of the window"
	lines.Series = append(lines.Series, counter)
	sliding.Plot = lines
	sliding.X.Marks = d.boundaries(window)

	above := figure.Panel{X: sliding.X, Y: figure.Axis{Label: nameOf(d.plot.Y[0]), Unit: d.unit}}
	bars := filled(values, int64(each), d.run.UntilNS)
	bars.Name = "in each " + figure.Nanoseconds.Format(float64(each))
	above.Plot = figure.Lines{Series: []figure.Series{bars}}
	d.fromZero(&above.Y, above.Plot.(figure.Lines))
	sliding.X.Marks = unnamed(sliding.X.Marks)
	return []figure.Panel{above, sliding}, nil
}

// boundaries are marks where windows end, and where a property is first violated in the
// run that is drawn.
func (d *drawing) boundaries(window time.Duration) (list []figure.Mark) {
	for at := int64(window); at < d.run.UntilNS; at += int64(window) {
		m := figure.Mark{At: float64(at)}
		if len(list) < namedBounds {
			m.Label = "boundary at " + figure.Nanoseconds.Format(float64(at))
		}
		list = append(list, m)
	}
	o := d.groups[0].values[0].outcome
	for i := range o.Properties {
		if f := o.Properties[i].First; f != nil && f.Seed == d.run.Seed {
			list = append(list, figure.Mark{At: float64(f.AtNS), Label: o.Properties[i].Name + " violated", Alarm: true})
		}
	}
	return list
}

// unnamed are marks without their labels, which stand above.
func unnamed(marks []figure.Mark) (list []figure.Mark) {
	for _, m := range marks {
		m.Label = ""
		list = append(list, m)
	}
	return list
}

// fixed is the sum since the last multiple of the window, at each instant at which it changes.
func fixed(s *reports.Series, window, until int64) figure.Series {
	out := figure.Series{Style: figure.Step, X: []float64{0}, Y: []float64{0}}
	sum, end := int64(0), window
	set := func(at int64) {
		if last := len(out.X) - 1; out.X[last] == float64(at) {
			out.Y[last] = float64(sum)
			return
		}
		out.X, out.Y = append(out.X, float64(at)), append(out.Y, float64(sum))
	}
	turn := func(at int64) {
		for ; end <= at; end += window {
			if sum > 0 {
				sum = 0
				set(end)
			}
		}
	}
	for i, at := range s.AtNS {
		turn(at)
		sum += s.Values[i]
		set(at)
	}
	turn(until)
	set(until)
	return out
}

// filled is the sum of each piece of time, as a step that is filled down to 0.
func filled(s *reports.Series, piece, until int64) figure.Series {
	out := figure.Series{Style: figure.Step}
	set := func(at, y int64) {
		out.X, out.Y = append(out.X, float64(at)), append(out.Y, float64(y))
		out.Low, out.High = append(out.Low, 0), append(out.High, float64(y))
	}
	set(0, 0)
	for i := 0; i < len(s.AtNS); {
		start, sum := s.AtNS[i]/piece*piece, int64(0)
		for ; i < len(s.AtNS) && s.AtNS[i] < start+piece; i++ {
			sum += s.Values[i]
		}
		set(start, sum)
		set(min(until, start+piece), 0)
	}
	set(until, 0)
	return out
}
