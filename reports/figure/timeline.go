package figure

import (
	"cmp"
	"image/color"
	"slices"
)

// Timeline is who did what when: a row for each name, in it spans and instants.
type Timeline struct {
	Rows []Row
	// Kinds are the kinds of spans in their order; others follow as they appear. The
	// first is a bar, each other a strip beneath it, so that all are seen that overlap.
	Kinds []string
	// Stopped are the kinds in which a row does nothing. They are grey, above the bar.
	Stopped []string
	// Exclusive are the kinds that no two rows should be in at once. When they are, that
	// is shaded.
	Exclusive []string
}

// A Row is one participant.
type Row struct {
	Name     string
	Spans    []Span
	Instants []Instant
}

// A Span is from an instant to another, on the axis x. Kind, such as "holds the lock"
// or "paused", is in the legend. Text is in the span, if there is room.
type Span struct {
	From, To   float64
	Kind, Text string
}

// An Instant is something that has no length, such as a write or a step of a clock. If
// it is another row's doing, By is that row's name, and a line leads from there.
type Instant struct {
	At   float64
	Kind string
	By   string
}

// Heights within a row: what is stopped, the bar, a strip, and the gap to the next row.
const (
	maxRows   = 60
	stopHigh  = 9.0
	barHigh   = 17.0
	stripHigh = 4.0
	laneGap   = 1.5
	rowGap    = 9.0
)

// grey are the colours of the kinds in which a row does nothing.
var grey = [...]color.NRGBA{soft, ink, rule}

func (t Timeline) names() (x, y []string) {
	y = []string{}
	for _, r := range t.Rows {
		y = append(y, r.Name)
	}
	return nil, y
}

func (t Timeline) height(int) float64 { return max(40, t.lanes().row*float64(len(t.Rows))) }

// lanes are where in a row the kinds are.
type lanes struct {
	row   float64            // height of a row
	bar   float64            // middle of the bar, from the top of the row
	at    map[string]float64 // middle of a kind, from the top of the row; only looked up
	kinds []entry
}

func (t Timeline) lanes() lanes {
	l := lanes{kinds: t.entries(), at: map[string]float64{}}
	y, bar := rowGap/2, false
	if slices.ContainsFunc(l.kinds, func(e entry) bool { return e.grey > 0 }) {
		y += stopHigh + laneGap
	}
	l.bar = y + barHigh/2
	y += barHigh
	for _, e := range l.kinds {
		switch {
		case e.grey > 0:
			l.at[e.name] = (rowGap + stopHigh) / 2
		case e.span && !bar:
			l.at[e.name], bar = l.bar, true
		case e.span:
			l.at[e.name] = y + laneGap + stripHigh/2
			y += laneGap + stripHigh
		}
	}
	l.row = y + rowGap/2
	return l
}

func (t Timeline) check(c *checker, p *Panel) {
	if len(t.Rows) > maxRows {
		c.add("%d rows: want at most %d", len(t.Rows), maxRows)
		return
	}
	for i, r := range t.Rows {
		func() {
			defer c.in("row %d %s", i+1, quote(r.Name))()
			for j, s := range r.Spans {
				if c.value("Spans.From", j, s.From, p.X.Scale) && c.value("Spans.To", j, s.To, p.X.Scale) && s.To < s.From {
					c.add("Spans[%d] is from %g to %g: want From before To", j, s.From, s.To)
				}
			}
			for j, s := range r.Instants {
				c.value("Instants.At", j, s.At, p.X.Scale)
			}
		}()
	}
}

func (t Timeline) extent(x, _ *extent) {
	for _, r := range t.Rows {
		for _, s := range r.Spans {
			x.add(s.From)
			x.add(s.To)
		}
		for _, s := range r.Instants {
			x.add(s.At)
		}
	}
}

// entries are the kinds: of spans, then of instants.
func (t Timeline) entries() []entry {
	var kinds, instants []string
	seen := func(list *[]string, name string) {
		if len(*list) <= maxNames+len(grey) && !slices.Contains(*list, name) { // one too many is refused
			*list = append(*list, name)
		}
	}
	for _, r := range t.Rows {
		for _, s := range r.Spans {
			seen(&kinds, s.Kind)
		}
		for _, s := range r.Instants {
			seen(&instants, s.Kind)
		}
	}
	rank := func(kind string) int {
		if i := slices.Index(t.Kinds, kind); i >= 0 {
			return i
		}
		return len(t.Kinds)
	}
	slices.SortStableFunc(kinds, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	var list []entry
	bars := 0
	for _, kind := range kinds {
		e := entry{name: kind, span: true, tall: stripHigh}
		switch i := slices.Index(t.Stopped, kind); {
		case i >= 0:
			e.grey, e.tall = i%len(grey)+1, stopHigh
		case bars == 0:
			e.tall = barHigh
			bars++
		}
		list = append(list, e)
	}
	for _, kind := range instants {
		list = append(list, entry{name: kind, point: true})
	}
	return list
}

func (t Timeline) draw(f *frame) {
	l := t.lanes()
	for _, o := range t.overlaps() {
		x := f.px(o[0])
		f.p.rect(x, f.y, max(f.px(o[1])-x, 0.8), f.h, wrong)
	}
	for i, r := range t.Rows {
		for _, k := range l.kinds {
			if k.span {
				r.spans(f, k, f.y+l.row*float64(i)+l.at[k.name])
			}
		}
	}
	f.marks()
	for i := range t.Rows {
		t.stems(f, &l, i)
	}
	for i, r := range t.Rows {
		top := f.y + l.row*float64(i)
		r.texts(f, &l, top, t.crossings(f, i))
		r.instants(f, l.kinds, top+l.bar)
	}
	if len(t.Rows) == 0 {
		f.p.write(f.x+f.w/2, f.y+f.h/2+3, centre, faceLabel, soft, "no data")
	}
}

// maxTexts is how many spans, or lines to instants, of a row are told apart: more would
// not be read.
const maxTexts = 200

// stems are the lines that lead to the instants of a row from those whose doing they are.
func (t Timeline) stems(f *frame, l *lanes, row int) {
	if len(t.Rows[row].Instants) > maxTexts {
		return
	}
	at := func(row int) float64 { return f.y + l.row*float64(row) + l.bar }
	for _, s := range t.Rows[row].Instants {
		from := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Name == s.By })
		if s.By == "" || from < 0 || from == row {
			continue
		}
		x := f.px(s.At)
		f.p.line(white, 2.6, point{x, at(from)}, point{x, at(row)}) // so that it is seen on any colour
		f.p.line(ink, 1.2, point{x, at(from)}, point{x, at(row)})
		f.p.add(shape{pts: []point{{x, at(from)}}, radius: 2.4, fill: ink, stroke: white, width: 0.6})
	}
}

// crossings are where something is drawn over the bar of a row: marks, its instants, and
// lines that begin there or go through it.
func (t Timeline) crossings(f *frame, row int) (list [][2]float64) {
	add := func(at, half float64) { list = append(list, [2]float64{f.px(at) - half, f.px(at) + half}) }
	for _, m := range f.panel.X.Marks {
		add(m.At, 2)
	}
	for i, r := range t.Rows {
		if len(r.Instants) > maxTexts {
			continue
		}
		for _, s := range r.Instants {
			from := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Name == s.By })
			if i == row || from >= 0 && min(i, from) <= row && row <= max(i, from) {
				add(s.At, 4)
			}
		}
	}
	return list
}

// Overlap reports whether some rows are at once in what is exclusive.
func (t Timeline) Overlap() bool { return len(t.overlaps()) > 0 }

// overlaps are when two rows or more are in an exclusive kind, in the order of time for
// each kind.
func (t Timeline) overlaps() (list [][2]float64) {
	type edge struct {
		at float64
		by int
	}
	for _, kind := range t.Exclusive {
		var edges []edge
		for _, r := range t.Rows {
			for _, s := range r.Spans {
				if s.Kind == kind && s.From < s.To {
					edges = append(edges, edge{s.From, 1}, edge{s.To, -1})
				}
			}
		}
		slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.at, b.at), a.by-b.by) }) // first leave, then enter
		in := 0
		for _, e := range edges {
			if in += e.by; in == 2 && e.by > 0 {
				list = append(list, [2]float64{e.at, e.at})
			} else if in == 1 && e.by < 0 {
				list[len(list)-1][1] = e.at
			}
		}
	}
	return list
}

// spans draws those of a kind. Spans that touch within half a pixel become one.
func (r *Row) spans(f *frame, k entry, mid float64) {
	c := f.colour(k)
	free := newCells(f.w, 0, column)
	for _, s := range r.Spans {
		if s.Kind != k.name {
			continue
		}
		x := f.px(s.From)
		w := max(f.px(s.To)-x, 0.8)
		if w < 1 && !free.take(x-f.x, 0) {
			continue
		}
		f.p.add(shape{
			pts:    []point{{x, mid - k.tall/2}, {x + w, mid - k.tall/2}, {x + w, mid + k.tall/2}, {x, mid + k.tall/2}},
			closed: true, fill: c, stroke: white, width: min(0.7, w/4),
		})
	}
}

// colour is that of a kind.
func (f *frame) colour(k entry) color.NRGBA {
	if k.grey > 0 {
		return grey[k.grey-1]
	}
	return palette[f.style(k.name)]
}

// texts writes the texts of bars, and of what is above them, each in the widest part of
// its span that nothing is drawn on, if it has room there.
func (r *Row) texts(f *frame, l *lanes, top float64, crossed [][2]float64) {
	if len(r.Spans) > maxTexts || len(r.Instants) > maxTexts {
		return
	}
	for i, s := range r.Spans {
		k := l.kinds[slices.IndexFunc(l.kinds, func(e entry) bool { return e.span && e.name == s.Kind })]
		text, mid := clean(s.Text), top+l.at[s.Kind]
		if text == "" || k.tall < stopHigh {
			continue
		}
		covers := slices.Clone(crossed)
		for _, o := range r.Spans[i+1:] {
			if l.at[o.Kind] == l.at[s.Kind] {
				covers = append(covers, [2]float64{f.px(o.From), f.px(o.To)})
			}
		}
		from, to := widest(f.px(s.From), f.px(s.To), covers)
		if faceSmall.wide(text) <= to-from-5 {
			f.p.write((from+to)/2, mid+3, centre, faceSmall, over(f.colour(k)), text)
		}
	}
}

// widest is the widest part between two places that is not covered.
func widest(from, to float64, covers [][2]float64) (a, b float64) {
	slices.SortFunc(covers, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	a, b = from, from
	for _, c := range append(covers, [2]float64{to, to}) {
		if end := min(c[0], to); end-from > b-a {
			a, b = from, end
		}
		from = max(from, c[1])
	}
	return a, b
}

// instants draws the signs of a row: one for all of a kind that are in one column of
// pixels, and those of several kinds at one place so that all are seen.
func (r *Row) instants(f *frame, kinds []entry, mid float64) {
	type sign struct {
		style int
		x     float64
	}
	var list []sign
	near := signs{}
	for _, k := range kinds {
		free := newCells(f.w, 0, column)
		for _, s := range r.Instants {
			if x := f.px(s.At); !k.span && s.Kind == k.name && free.take(x-f.x, 0) {
				list = append(list, sign{f.style(k.name), x})
				near[spot(x, mid)]++
			}
		}
	}
	for _, s := range list {
		f.p.marker(s.style, s.x, mid, 3.4+near.rise(s.x, mid), palette[s.style])
	}
}
