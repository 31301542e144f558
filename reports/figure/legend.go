package figure

import (
	"slices"
)

// An entry of the legend says how what has a name looks.
type entry struct {
	name                    string
	line, step, point, band bool // along a curve
	bar                     bool // through a point
	square, span            bool
	tall                    float64 // of a span
	grey                    int     // it has no colour, but the grey of this number, from 1
	empty                   bool
	bars                    int // series that it is one of
}

// merge joins entries of one name.
func merge(list []entry) (out []entry) {
	for _, e := range list {
		i := slices.IndexFunc(out, func(o entry) bool { return o.name == e.name })
		if i < 0 {
			out = append(out, e)
			continue
		}
		o := &out[i]
		o.line, o.step, o.point, o.band = o.line || e.line, o.step || e.step, o.point || e.point, o.band || e.band
		o.bar, o.square, o.span, o.tall = o.bar || e.bar, o.square || e.square, o.span || e.span, max(o.tall, e.tall)
		o.grey = max(o.grey, e.grey)
		o.empty = o.empty && e.empty
	}
	return out
}

// styles are all names of the figure, each once; their order decides the colours. What
// has none comes last.
func (f *Figure) styles() []entry {
	var list []entry
	for i := range f.Panels {
		list = append(list, f.Panels[i].Plot.entries()...)
	}
	list = merge(list)
	slices.SortStableFunc(list, func(a, b entry) int { return min(a.grey, 1) - min(b.grey, 1) })
	return list
}

const (
	keyWide  = 24.0
	keyGap   = 6.0
	lineHigh = 15.0
)

// text is the name as the legend has it.
func (e *entry) text(width float64) string {
	s := e.name
	if e.empty {
		s = clean(s) + " (no data)"
	}
	return faceLabel.fit(s, width)
}

// A legend is the keys of all names and where they are.
type legend struct {
	keys   []entry
	styles []int
	beside bool
	width  float64
	rows   [][]int // below
}

// newLegend leaves out names that are empty, and everything if it would say nothing.
func (f *Figure) newLegend(width float64, mayBeside bool) (l legend) {
	for i, e := range f.styles() {
		if clean(e.name) != "" {
			l.keys, l.styles = append(l.keys, e), append(l.styles, i)
			l.width = max(l.width, keyWide+keyGap+faceLabel.wide(e.text(width)))
		}
	}
	titled := func(p Panel) bool {
		here := merge(p.Plot.entries())
		return len(here) == 1 && here[0].name == p.Title && !here[0].empty
	}
	if !slices.ContainsFunc(f.Panels, func(p Panel) bool { return !titled(p) }) || len(l.keys) == 1 && l.keys[0].bars == 1 {
		return legend{} // the titles, or the label of the axis, say it
	}
	if l.beside = mayBeside && l.width <= 165*spare && len(l.keys) > 0; l.beside {
		return l
	}
	room := 0.0
	for i := range l.keys {
		w := keyWide + keyGap + faceLabel.wide(l.keys[i].text(width-keyWide-keyGap)) + 16
		if room < w-16 {
			l.rows, room = append(l.rows, nil), width
		}
		l.rows[len(l.rows)-1] = append(l.rows[len(l.rows)-1], i)
		room -= w
	}
	return l
}

// below draws the legend in rows.
func (l *legend) below(p *page, x, y, width float64) {
	for _, row := range l.rows {
		at := x
		for _, i := range row {
			l.key(p, i, at, y+lineHigh/2)
			text := l.keys[i].text(width - keyWide - keyGap)
			p.write(at+keyWide+keyGap, y+lineHigh/2+3.4, left, faceLabel, ink, text)
			at += keyWide + keyGap + faceLabel.wide(text) + 16
		}
		y += lineHigh
	}
}

// right draws it as a column.
func (l *legend) right(p *page, x, y float64) {
	for i := range l.keys {
		l.key(p, i, x, y+lineHigh/2)
		p.write(x+keyWide+keyGap, y+lineHigh/2+3.4, left, faceLabel, ink, l.keys[i].text(165*spare))
		y += lineHigh + 2
	}
}

// key draws how a name looks.
func (l *legend) key(p *page, i int, x, y float64) {
	e, style := l.keys[i], l.styles[i]
	c, mid := grey[max(e.grey-1, 0)], x+keyWide/2
	if e.grey == 0 {
		c = palette[style]
	}
	switch {
	case e.square:
		p.rect(mid-5, y-5, 10, 10, c)
		return
	case e.span:
		high := min(e.tall*0.62, 11)
		p.rect(x+2, y-high/2, keyWide-4, high, c)
		return
	}
	if e.band {
		p.rect(x, y-5, keyWide, 10, faint(c))
	}
	if e.line || e.step {
		pen := shape{pts: []point{{x, y}, {x + keyWide, y}}, stroke: c, width: 1.5}
		if e.line {
			pen.dash = dashes[style]
		}
		p.add(pen)
	}
	if e.bar {
		p.line(c, 1.1, point{mid, y - 6}, point{mid, y + 6})
	}
	if e.point {
		p.marker(style, mid, y, 2.8, c)
	}
}
