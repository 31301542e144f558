package figure

import (
	"math"
)

// Heat is a grid of values, each a colour and, where there is room, its number.
// Nothing is drawn between the values that there are. NaN is a cell without a value.
type Heat struct {
	Columns, Rows []string    // names, as [Unit.Format] makes them of numbers
	Values        [][]float64 // of each row, from the top, each column
	Value         Axis        // label, unit and scale of the values
}

const maxCells = 300 // on a side

func (h Heat) names() (x, y []string) {
	return append([]string{}, h.Columns...), append([]string{}, h.Rows...)
}

func (h Heat) height(int) float64 {
	n := float64(len(h.Rows))
	return max(min(max(n*22, 80), 300), min(n*14, 450)) // a number has room in each of 32 rows
}

func (h Heat) check(c *checker, _ *Panel) {
	if len(h.Columns) > maxCells || len(h.Rows) > maxCells {
		c.add("%d x %d cells: want at most %d on a side", len(h.Columns), len(h.Rows), maxCells)
		return
	}
	c.axis("value", &h.Value, true)
	if !c.same("Values", len(h.Values), "Rows", len(h.Rows)) {
		return
	}
	for i, row := range h.Values {
		func() {
			defer c.in("row %d %s", i+1, quote(h.Rows[i]))()
			if !c.same("Values", len(row), "Columns", len(h.Columns)) {
				return
			}
			for j, v := range row {
				if !math.IsNaN(v) {
					c.datum("Values", j, v, h.Value.Scale)
				}
			}
		}()
	}
}

func (h Heat) extent(_, _ *extent) {}
func (h Heat) entries() []entry    { return nil }

// scale is that of the colours.
func (h Heat) scale() scale {
	e := newExtent(&h.Value)
	for _, row := range h.Values {
		for _, v := range row {
			if !math.IsNaN(v) {
				e.add(v)
			}
		}
	}
	return newScale(&h.Value, e, false)
}

// barRoom is the room of the colour bar at the right.
func (h Heat) barRoom() float64 {
	widest := 0.0
	for _, t := range h.ticks(h.height(1)) {
		widest = max(widest, faceTick.wide(t.label))
	}
	room := 12 + 6 + widest
	for _, line := range h.barLabel() {
		room = max(room, faceSmall.wide(line))
	}
	return 14 + room
}

// barLabel is what stands above the colour bar, line by line.
func (h Heat) barLabel() []string { return faceSmall.wrap(h.Value.label(), 130*spare, 3) }

// barHead is the room above the map for it.
func (h Heat) barHead() float64 { return 5 + barLine*float64(max(1, len(h.barLabel()))) }

const barLine = 11.0 // the height of a line of it

func (h Heat) ticks(height float64) []tick {
	s := h.scale()
	return s.ticks(5, func(list []tick) bool { return spaced(list, height, 14) })
}

func (h Heat) draw(f *frame) {
	if len(h.Columns)*len(h.Rows) == 0 {
		f.p.write(f.x+f.w/2, f.y+f.h/2+3, centre, faceLabel, soft, "no data")
		return
	}
	s := h.scale()
	w, t := f.w/float64(len(h.Columns)), f.h/float64(len(h.Rows))
	room, gap := h.labelled(w, t), 0.0
	if w > 8 && t > 8 {
		gap = 1
	}
	for i, row := range h.Values {
		for j, v := range row {
			x, y := f.x+float64(j)*w, f.y+float64(i)*t
			cw, ct := w-gap, t-gap
			if gap == 0 { // under the next, so that no white shows between them
				cw, ct = min(w+0.5, f.x+f.w-x), min(t+0.5, f.y+f.h-y)
			}
			if math.IsNaN(v) {
				f.p.rect(x, y, cw, ct, stripe)
				f.p.line(context, 0.8, point{x, y + ct}, point{x + cw, y})
				continue
			}
			back := shade(s.at(v))
			f.p.rect(x, y, cw, ct, back)
			if room {
				f.p.write(x+cw/2, y+ct/2+3, centre, faceSmall, over(back), h.Value.Unit.Format(v))
			}
		}
	}
	h.bar(f, f.x+f.w+14)
}

// labelled reports whether every cell has room for its number.
func (h Heat) labelled(w, t float64) bool {
	if t < 11 || w < 12 {
		return false
	}
	for _, row := range h.Values {
		for _, v := range row {
			if !math.IsNaN(v) && faceSmall.wide(h.Value.Unit.Format(v)) > w-5 {
				return false
			}
		}
	}
	return true
}

// bar draws the colours with their values.
func (h Heat) bar(f *frame, x float64) {
	const parts = 60
	for i := range parts {
		y := f.y + f.h*float64(i)/parts
		f.p.rect(x, y, 12, min(f.h/parts+0.3, f.y+f.h-y), shade(1-(float64(i)+0.5)/parts))
	}
	for _, t := range h.ticks(f.h) {
		y := f.y + f.h*(1-t.at)
		f.p.line(rule, 0.6, point{x + 12, y}, point{x + 15, y})
		f.p.write(x+18, y+3.2, left, faceTick, soft, t.label)
	}
	lines := h.barLabel()
	for i, line := range lines {
		f.p.write(x, f.y-9-barLine*float64(len(lines)-1-i), left, faceSmall, soft, line)
	}
}
