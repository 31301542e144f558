package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A frame is a panel with its place on the page.
type frame struct {
	p          *page
	panel      *Panel
	style      func(name string) int
	x, y, w, h float64 // of the plot itself
	xs, ys     scale
	xLabels    bool // ticks have labels, and the axis its own
	yLabels    bool
	yNamed     bool
	yMarks     bool    // marks of y have labels
	yRoom      float64 // for the label of y, if nothing stands beside it

	yTicks                    []tick
	xFace                     face
	xNames                    [][]string // the names below columns in lines, if they are folded
	head, foot, leftW, rightW float64
	titleAt, noteAt, yAt      float64 // base lines, from the top of the panel; 0: none
}

func (f *frame) px(v float64) float64 { return f.x + float64(f.w*f.xs.at(v)) }
func (f *frame) py(v float64) float64 { return f.y + f.h - float64(f.h*f.ys.at(v)) }

// key is what axes that share a range have in common.
func key(a *Axis, names []string) string {
	if names != nil {
		return fmt.Sprintf("%q", names)
	}
	return fmt.Sprintf("%q %q %d", a.Label, a.Unit, a.Scale)
}

// columns is how many panels stand side by side.
func (f *Figure) columns() int {
	n := len(f.Panels)
	wide := slices.ContainsFunc(f.Panels, func(p Panel) bool { x, y := p.Plot.names(); return x != nil || y != nil })
	switch {
	case f.Columns > 0:
		return min(f.Columns, n)
	case wide:
		return 1
	case n <= 3:
		return n
	case n == 4:
		return 2
	case n <= 6 || n == 9:
		return 3
	}
	return 4
}

// page lays the figure out, from above: title, panels, legend, caption.
func (f *Figure) page() (*page, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	p := &page{width: pageWidth, title: clean(f.Title), comment: clean(f.Subtitle)}
	const width = pageWidth - 2*margin
	y := margin - 2
	lines := func(text string, face face, most int, high float64) {
		for _, line := range face.wrap(text, width, most) {
			y += high
			c := soft
			if face.bold {
				c = ink
			}
			p.write(margin, y, left, face, c, line)
		}
	}
	lines(f.Title, faceTitle, 4, 17)
	y++
	lines(f.Subtitle, faceSubtitle, 4, 13)
	y += 12

	cols := f.columns()
	frames := f.frames(p)
	l := f.newLegend(width, cols == 1 && !f.heat())
	room := width
	if l.beside {
		room -= l.width + 18
	}
	first := y
	y = place(frames, cols, y, room)
	if l.beside {
		l.right(p, pageWidth-margin-l.width, first+frames[0].head)
		y = max(y, first+frames[0].head+float64(len(l.keys))*(lineHigh+2))
	}
	for i := range frames {
		frames[i].draw()
	}
	if len(l.rows) > 0 {
		y += 8
		l.below(p, margin, y, width)
		y += float64(len(l.rows)) * lineHigh
	}
	if clean(f.Caption) != "" {
		y += 4
		lines(f.Caption, faceSmall, 6, 11.5)
	}
	p.height = y + margin
	return p, nil
}

func (f *Figure) heat() bool {
	return slices.ContainsFunc(f.Panels, func(p Panel) bool { _, heat := p.Plot.(Heat); return heat })
}

// extents are what the axes of each key have to show. They are looked up, never listed.
func (f *Figure) extents() map[string]extent {
	shared := map[string]extent{}
	for i := range f.Panels {
		q := &f.Panels[i]
		xn, yn := q.Plot.names()
		x, y := newExtent(&q.X), newExtent(&q.Y)
		q.Plot.extent(&x, &y)
		for _, a := range []struct {
			key string
			e   extent
		}{{"x" + key(&q.X, xn), x}, {"y" + key(&q.Y, yn), y}} {
			all, ok := shared[a.key]
			if !ok {
				all.scale = a.e.scale
			}
			all.join(a.e)
			shared[a.key] = all
		}
	}
	return shared
}

// frames are the panels with their scales.
func (f *Figure) frames(p *page) []frame {
	names := f.styles()
	style := func(name string) int {
		return max(0, slices.IndexFunc(names, func(e entry) bool { return e.name == name }))
	}
	frames := make([]frame, len(f.Panels))
	shared := f.extents()
	cols := f.columns()
	for i := range f.Panels {
		q := &f.Panels[i]
		xn, yn := q.Plot.names()
		_, bars := q.Plot.(Bars)
		xk, yk := key(&q.X, xn), key(&q.Y, yn)
		fr := frame{p: p, panel: q, style: style, xLabels: true, yLabels: true, yNamed: true, yMarks: true}
		fr.xs = newScale(&q.X, shared["x"+xk], !bars)
		fr.ys = newScale(&q.Y, shared["y"+yk], false)
		fr.xs.names, fr.ys.names = xn, yn
		if below := i + cols; below < len(f.Panels) {
			n, _ := f.Panels[below].Plot.names()
			fr.xLabels = key(&f.Panels[below].X, n) != xk
		}
		if i%cols > 0 {
			_, n := f.Panels[i-1].Plot.names()
			fr.yLabels = key(&f.Panels[i-1].Y, n) != yk
		}
		if side := i - i%cols + cols - 1; side != i { // the last of a row says it for all
			fr.yMarks = !slices.Equal(f.Panels[min(side, len(f.Panels)-1)].Y.Marks, q.Y.Marks)
		}
		if i >= cols {
			_, n := f.Panels[i-cols].Plot.names()
			fr.yNamed = key(&f.Panels[i-cols].Y, n) != yk
		}
		fr.h = q.Plot.height((len(f.Panels) + cols - 1) / cols)
		frames[i] = fr
	}
	return frames
}

// place gives every frame its room: those of a row have their axes at one height,
// those of a column have one width.
func place(frames []frame, cols int, y, room float64) float64 {
	leftW, rightW := make([]float64, cols), make([]float64, cols)
	for start := 0; start < len(frames); start += cols {
		row := frames[start:min(start+cols, len(frames))]
		h := slices.MaxFunc(row, func(a, b frame) int { return cmp.Compare(a.h, b.h) }).h
		for i := range row {
			row[i].h = h
			row[i].sides()
			leftW[i], rightW[i] = max(leftW[i], row[i].leftW), max(rightW[i], row[i].rightW)
		}
	}
	plot := room - gapTiles*float64(cols-1)
	for i := range cols {
		plot -= leftW[i] + rightW[i]
	}
	plot = max(plot/float64(cols), 40)
	for start := 0; start < len(frames); start += cols {
		row := frames[start:min(start+cols, len(frames))]
		x, head, foot := margin, 0.0, 0.0
		for i := range row {
			f := &row[i]
			f.x, f.w = x+leftW[i], plot
			f.leftW, f.rightW = leftW[i], rightW[i]
			x += leftW[i] + plot + rightW[i] + gapTiles
			f.heading()
			head, foot = max(head, f.head), max(foot, f.foot)
		}
		for i := range row {
			row[i].head, row[i].y = head, y+head
		}
		if !slices.ContainsFunc(row, func(f frame) bool { return f.yAt > 0 && f.x > row[0].x || len(f.markRows()) > 0 }) {
			row[0].yRoom = room // the label is that of the whole row
		}
		y += head + row[0].h + foot
		if start+cols < len(frames) {
			y += 12
		}
	}
	return y
}

const maxNameWidth = 170 * spare

// beforeAxis is how far the labels of y end before the plot: signs at its edge reach beyond it.
const beforeAxis = 9.0

// sides is the room for what stands left and right of the plot.
func (f *frame) sides() {
	f.yTicks = f.ys.ticks(maxParts+1, func(list []tick) bool { return f.ys.names != nil && spaced(list, f.h, 11) || spaced(list, f.h, 18) })
	f.leftW, f.rightW = 2, 6
	if f.yLabels {
		for _, t := range f.yTicks {
			f.leftW = max(f.leftW, min(faceTick.wide(clean(t.label)), maxNameWidth)+beforeAxis+1)
		}
	}
	if f.yMarks {
		for _, m := range f.panel.Y.Marks {
			f.rightW = max(f.rightW, min(faceSmall.wide(clean(m.Label)), 100*spare)+6)
		}
	}
	switch p := f.panel.Plot.(type) {
	case Heat:
		f.rightW = max(f.rightW, p.barRoom())
	case Bars:
		for _, s := range p.Series {
			for _, t := range s.Text { // behind the longest bar
				f.rightW = max(f.rightW, min(faceSmall.wide(clean(t)), 110*spare)+8)
			}
		}
	}
	f.rightW = max(f.rightW, 12)
}

// spaced reports whether ticks are at least so far apart.
func spaced(list []tick, length, apart float64) bool {
	for i := 1; i < len(list); i++ {
		if (list[i].at-list[i-1].at)*length < apart-1e-6 {
			return false
		}
	}
	return true
}

// beside reports whether labels fit side by side. Numbers are short, and what is between them is
// room enough for another font.
func beside(list []tick, length float64, named bool) bool {
	end := -1e9
	for _, t := range list {
		w := faceTick.wide(clean(t.label))
		if !named {
			w /= spare
		}
		if t.at*length-w/2 < end-1e-6 {
			return false
		}
		end = t.at*length + w/2 + 9
	}
	return true
}

// heading is the room above and below the plot.
func (f *frame) heading() {
	line := func(text string, high float64) float64 {
		if clean(text) == "" {
			return 0
		}
		f.head += high
		return f.head - 3
	}
	f.titleAt = line(f.panel.Title, 14)
	f.noteAt = line(f.panel.Note, 12)
	if f.yLabels && f.yNamed {
		f.yAt = line(f.panel.Y.label(), 14)
	}
	if rows := len(f.markRows()); rows > 0 {
		f.head += float64(rows) * 11
	}
	f.head += 7
	if h, ok := f.panel.Plot.(Heat); ok {
		if more := h.barHead() - f.head; more > 0 {
			f.head += more
			if f.yAt > 0 { // it stays beside the rows
				f.yAt += more
			}
		}
	}
	f.foot = 5
	if f.xLabels {
		f.foldNames()
		f.foot = 16 + f.folded()
		if clean(f.panel.X.Label) != "" {
			f.foot += 14
		}
	}
}

// foldNames breaks the names below columns into lines, if they do not fit side by side and
// all of them fit so.
func (f *frame) foldNames() {
	all := f.xs.ticks(0, func([]tick) bool { return true })
	if f.xs.names == nil || beside(all, f.w, true) {
		return
	}
	const lines = 5
	width := f.w/float64(len(all)) - 3
	for _, try := range []struct {
		face  face
		width float64
	}{{faceTick, width}, {faceSmall, width}, {faceSmall, spare * width}} { // a name without room for another font is better than none
		f.xFace, f.xNames = try.face, nil
		for _, t := range all {
			list := try.face.wrap(t.label, try.width, lines)
			if strings.Join(list, " ") != clean(t.label) { // it was cut
				break
			}
			f.xNames = append(f.xNames, list)
		}
		if len(f.xNames) == len(all) {
			return
		}
	}
	f.xNames = nil
}

const nameLine = 10.5 // the height of a line of a name

// folded is the room below the first line of the names.
func (f *frame) folded() float64 {
	most := 1
	for _, list := range f.xNames {
		most = max(most, len(list))
	}
	return float64(most-1) * nameLine
}
