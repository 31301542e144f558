package figure

import (
	"image/color"
	"slices"
)

// Lines are series over a common axis: lines, steps and points.
type Lines struct {
	Series []Series
}

// maxSeries is what a word has bits for, see [Lines.beneath].
const maxSeries = 64

// A Series is points in the order of X; those of style [Points] may have any order.
// Low and High, if given, are the interval of each Y: a band along a line or a step,
// a bar through a point. In a figure, series of one name have one colour and one
// entry of the legend: the points of a simulation and the line of its closed form.
type Series struct {
	Name      string
	Style     Style
	X, Y      []float64
	Low, High []float64
	Context   bool // grey, behind the others, and not in the legend
}

// A Style is how the points of a series are joined.
type Style uint8

// Styles.
const (
	Line   Style = iota // straight from point to point
	Step                // a value holds until the next
	Points              // not at all
)

func (l Lines) names() (x, y []string) { return nil, nil }

func (l Lines) height(rows int) float64 {
	if rows > 1 {
		return 110
	}
	return 210
}

func (l Lines) check(c *checker, p *Panel) {
	if len(l.Series) > maxSeries {
		c.add("%d series: want at most %d, of which %d have names", len(l.Series), maxSeries, maxNames)
		return
	}
	total := 0
	for i := range l.Series {
		total += len(l.Series[i].X)
	}
	if total > maxPoints {
		c.add("%d points: want at most %d", total, maxPoints)
		return
	}
	for i := range l.Series {
		func() {
			defer c.in("series %d %s", i+1, quote(l.Series[i].Name))()
			l.Series[i].check(c, p)
		}()
	}
}

func (s *Series) check(c *checker, p *Panel) {
	if s.Style > Points {
		c.add("style %d: want Line, Step or Points", s.Style)
	}
	if !c.same("Y", len(s.Y), "X", len(s.X)) {
		return
	}
	if s.Low != nil || s.High != nil {
		if !c.same("Low", len(s.Low), "X", len(s.X)) || !c.same("High", len(s.High), "X", len(s.X)) {
			return
		}
	}
	wantedOfX := p.X.Scale.wanted
	if p.Y.Scale == Nines { // a distribution, of which x is what was measured
		wantedOfX = p.X.Scale.wantedOfData
	}
	for i, x := range s.X {
		if want := wantedOfX(x); want != "" {
			c.add("X[%d] (%s) is %g: want %s", i, quote(p.X.Label), x, want)
			continue
		}
		if s.Style != Points && i > 0 && x < s.X[i-1] {
			c.add("X[%d] is %g, before X[%d], which is %g: want them in order", i, x, i-1, s.X[i-1])
		}
	}
	number := func(what string, i int, v float64, scale Scale) bool {
		want := scale.wantedOfData(v)
		if want != "" {
			c.add("%s[%d] (%s at %s) is %g: want %s", what, i, quote(p.Y.Label), p.X.Unit.Format(s.X[i]), v, want)
		}
		return want == ""
	}
	for i, y := range s.Y {
		if s.Low == nil {
			number("Y", i, y, p.Y.Scale)
			continue
		}
		c.interval(i, s.Low[i], y, s.High[i], p.Y.Scale, number)
	}
}

// interval checks a value between its ends.
func (c *checker) interval(i int, low, y, high float64, s Scale, number func(what string, i int, v float64, s Scale) bool) {
	if number("Low", i, low, s) && number("Y", i, y, s) && number("High", i, high, s) && (low > y || y > high) {
		c.add("Y[%d] is %g: want it between Low, which is %g, and High, which is %g", i, y, low, high)
	}
}

func (l Lines) extent(x, y *extent) {
	for i := range l.Series {
		s := &l.Series[i]
		for _, v := range s.X {
			x.add(v)
		}
		for _, list := range [...][]float64{s.Y, s.Low, s.High} {
			for _, v := range list {
				y.add(v)
			}
		}
	}
}

// named are the names of the series, once for each.
func (l Lines) named() (list []entry) {
	for i := range l.Series {
		if s := &l.Series[i]; !s.Context {
			list = append(list, entry{name: s.Name})
		}
	}
	return list
}

func (l Lines) entries() (list []entry) {
	for i := range l.Series {
		if s := &l.Series[i]; !s.Context {
			list = append(list, entry{
				name: s.Name, empty: len(s.X) == 0,
				line: s.Style == Line, step: s.Style == Step, point: l.marked(s),
				band: s.Low != nil && s.Style != Points, bar: s.Low != nil && s.Style == Points,
			})
		}
	}
	return list
}

func (l Lines) draw(f *frame) {
	points := 0
	for i := range l.Series {
		points += len(l.Series[i].X)
		switch s := &l.Series[i]; {
		case !s.Context || len(s.X) == 0:
		case s.Style == Points:
			s.cloud(f, context)
		default:
			f.p.add(shape{pts: s.path(f, s.Y), stroke: context, width: 0.9})
		}
	}
	for i := range l.Series {
		if s := &l.Series[i]; !s.Context && s.Low != nil && s.Style != Points && len(s.X) > 0 {
			s.band(f)
		}
	}
	paths := l.paths(f)
	l.beneath(f, paths)
	near := l.signs(f)
	for i := range l.Series {
		s := &l.Series[i]
		if s.Context || len(s.X) == 0 {
			continue
		}
		style := f.style(s.Name)
		if s.Style == Points {
			s.dots(f, style, near)
			continue
		}
		curve := shape{pts: paths[i], stroke: palette[style], width: lineWidth}
		if s.Style == Line {
			curve.dash = dashes[style]
		}
		f.p.add(curve)
		if l.marked(s) {
			s.markers(f, style, near)
		}
	}
	if points == 0 {
		f.p.write(f.x+f.w/2, f.y+f.h/2+3, centre, faceLabel, soft, "no data")
	}
}

// marked reports whether a series has signs: all points do, and all of a few on a line.
// On a line of many they would look like events, so only steps have some there, which
// nothing else tells apart in grey. None are on a line whose name has points of its own.
func (l Lines) marked(s *Series) bool {
	if s.Style == Points {
		return true
	}
	return !l.hasPoints(s.Name) && (len(s.X) <= few || s.Style == Step && len(merge(l.named())) > 1)
}

// hasPoints reports whether a name has points of its own.
func (l Lines) hasPoints(name string) bool {
	return slices.ContainsFunc(l.Series, func(s Series) bool { return s.Name == name && s.Style == Points && !s.Context })
}

// path is the line through the points at the heights of ys.
func (s *Series) path(f *frame, ys []float64) []point {
	pts := thin(len(ys), func(i int) point { return point{f.px(s.X[i]), f.py(ys[i])} })
	if s.Style == Step {
		pts = stepped(pts)
	}
	return pts
}

func (s *Series) band(f *frame) {
	edge := s.path(f, s.High)
	low := s.path(f, s.Low)
	for i := len(low) - 1; i >= 0; i-- {
		edge = append(edge, low[i])
	}
	if len(s.X) == 1 { // a band without a width is a line
		f.p.line(palette[f.style(s.Name)], 1.2, edge...)
		return
	}
	f.p.add(shape{pts: edge, closed: true, fill: faint(palette[f.style(s.Name)])})
}

// few is how many points of a line each get a marker, and apart how far the markers
// of more points are.
const (
	few   = 30
	apart = 75.0
)

// markers puts the sign of the series on its points: on all if they are few, else
// now and then, each series elsewhere.
func (s *Series) markers(f *frame, style int, near signs) {
	next := f.x + apart*(0.35+float64(style)/maxNames)
	size := 2.6
	if len(s.X) > few {
		size = 3.6 // as they alone tell steps apart in grey
	}
	for i := range s.X {
		x := f.px(s.X[i])
		if len(s.X) > few && x < next {
			continue
		}
		f.p.marker(style, x, f.py(s.Y[i]), size+near.rise(x, f.py(s.Y[i])), palette[style])
		for next <= x {
			next += apart
		}
	}
}

// many is how many points are more than can be told apart one by one.
const many = 1500

// dots draws points with their intervals; many become a cloud.
func (s *Series) dots(f *frame, style int, near signs) {
	c := palette[style]
	if len(s.X) > many {
		s.cloud(f, c)
		return
	}
	for i, v := range s.X {
		x, y := f.px(v), f.py(s.Y[i])
		if s.Low != nil {
			low, high := f.py(s.Low[i]), f.py(s.High[i])
			f.p.line(c, 1.1, point{x, low}, point{x, high})
			f.p.line(c, 1.1, point{x - 2.2, high}, point{x + 2.2, high})
			f.p.line(c, 1.1, point{x - 2.2, low}, point{x + 2.2, low})
		}
		f.p.marker(style, x, y, 3+near.rise(x, y), c)
	}
}

func (s *Series) cloud(f *frame, c color.NRGBA) {
	if s.Low != nil {
		free := newCells(f.w, f.h, column)
		for i, v := range s.X { // one line for all that share a column and an end
			x, low, high := f.px(v), f.py(s.Low[i]), f.py(s.High[i])
			if free.take(x-f.x, low-f.y) || free.take(x-f.x, high-f.y) {
				f.p.line(faint(c), 0.5, point{x, low}, point{x, high})
			}
		}
	}
	free := newCells(f.w, f.h, 100)
	for i, v := range s.X {
		if x, y := f.px(v), f.py(s.Y[i]); free.take(x-f.x, y-f.y) {
			f.p.rect(x-0.6, y-0.6, 1.2, 1.2, c)
		}
	}
}

// Multiples is one panel for each name of a panel of lines, with the other series in
// grey behind it. A panel of anything else is returned as it is.
func Multiples(p Panel) []Panel {
	lines, ok := p.Plot.(Lines)
	if !ok {
		return []Panel{p}
	}
	var list []Panel
	for _, e := range merge(lines.entries()) {
		q, here := p, Lines{}
		q.Title, q.Note = e.name, ""
		for _, s := range lines.Series {
			s.Context = s.Context || s.Name != e.name
			here.Series = append(here.Series, s)
		}
		q.Plot = here
		list = append(list, q)
	}
	return list
}
