package figure

import (
	"cmp"
	"slices"
)

// Timeline is who did what when: a row for each name, in it spans and instants.
type Timeline struct {
	Rows []Row
}

// A Row is one participant.
type Row struct {
	Name     string
	Spans    []Span
	Instants []Instant
}

// A Span is from an instant to another, on the axis x. Kind, such as "holds the lock"
// or "paused", is in the legend; kinds that come first are taller, so that the others
// can be seen on them. Text is in the span, if there is room.
type Span struct {
	From, To   float64
	Kind, Text string
}

// An Instant is something that has no length, such as a write or a step of a clock.
type Instant struct {
	At   float64
	Kind string
}

const (
	maxRows   = 60
	rowHeight = 26.0
)

func (t Timeline) names() (x, y []string) {
	y = []string{}
	for _, r := range t.Rows {
		y = append(y, r.Name)
	}
	return nil, y
}

func (t Timeline) height(int) float64 { return max(40, rowHeight*float64(len(t.Rows))) }

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

// entries are the kinds: of spans in the order in which they appear, then of instants.
func (t Timeline) entries() []entry {
	var spans, instants []entry
	seen, struck := map[string]bool{}, map[string]bool{}
	for _, r := range t.Rows {
		for _, s := range r.Spans {
			if !seen[s.Kind] && len(spans) <= maxNames { // one too many is refused
				seen[s.Kind] = true
				spans = append(spans, entry{name: s.Kind, span: true, tall: tall(len(spans))})
			}
		}
		for _, s := range r.Instants {
			if !struck[s.Kind] && len(instants) <= maxNames {
				struck[s.Kind] = true
				instants = append(instants, entry{name: s.Kind, point: true})
			}
		}
	}
	return append(spans, instants...)
}

// tall is the height of the spans of a kind.
func tall(order int) float64 { return max(rowHeight-8-float64(order)*5.5, 3.5) }

func (t Timeline) draw(f *frame) {
	kinds := t.entries()
	for i, r := range t.Rows {
		mid := f.y + f.h/float64(len(t.Rows))*(float64(i)+0.5)
		for _, k := range kinds {
			if k.span {
				r.spans(f, k, mid)
			}
		}
	}
	f.marks()
	for i, r := range t.Rows {
		mid := f.y + f.h/float64(len(t.Rows))*(float64(i)+0.5)
		r.texts(f, kinds, mid)
		for _, k := range kinds {
			if !k.span {
				r.instants(f, k.name, mid)
			}
		}
	}
	if len(t.Rows) == 0 {
		f.p.write(f.x+f.w/2, f.y+f.h/2+3, centre, faceLabel, soft, "no data")
	}
}

// spans draws those of a kind. Spans that touch within half a pixel become one.
func (r *Row) spans(f *frame, k entry, mid float64) {
	style := f.style(k.name)
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
			closed: true, fill: palette[style], stroke: white, width: min(0.7, w/4),
		})
	}
}

// maxTexts is how many spans of a row may have a text: more would not be read.
const maxTexts = 200

// texts writes the texts of spans, each in the widest part of its span that nothing
// is drawn on, if it has room there.
func (r *Row) texts(f *frame, kinds []entry, mid float64) {
	if len(r.Spans) > maxTexts || len(r.Instants) > maxTexts {
		return
	}
	order := func(kind string) int {
		return slices.IndexFunc(kinds, func(e entry) bool { return e.span && e.name == kind })
	}
	for i, s := range r.Spans {
		k, text := order(s.Kind), clean(s.Text)
		if text == "" || kinds[k].tall < 9 {
			continue
		}
		var covers [][2]float64
		for j, o := range r.Spans {
			if later := order(o.Kind); later > k || later == k && j > i {
				covers = append(covers, [2]float64{f.px(o.From), f.px(o.To)})
			}
		}
		for _, o := range r.Instants {
			covers = append(covers, [2]float64{f.px(o.At) - 4, f.px(o.At) + 4})
		}
		from, to := widest(f.px(s.From), f.px(s.To), covers)
		if faceSmall.wide(text) <= to-from-5 {
			f.p.write((from+to)/2, mid+3, centre, faceSmall, over(palette[f.style(s.Kind)]), text)
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

func (r *Row) instants(f *frame, kind string, mid float64) {
	style := f.style(kind)
	free := newCells(f.w, 0, column)
	for _, s := range r.Instants {
		if x := f.px(s.At); s.Kind == kind && free.take(x-f.x, 0) {
			f.p.marker(style, x, mid, 3.4, palette[style])
		}
	}
}
