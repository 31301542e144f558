package figure

import "image/color"

// draw draws the panel: what is behind the data, the data, and what is around it.
func (f *frame) draw() {
	f.grid()
	f.axis()
	if _, rows := f.panel.Plot.(Timeline); !rows { // which has them over its spans
		f.marks()
	}
	f.panel.Plot.draw(f)
	f.around()
}

// grid is a pale line at every tick of a numeric y, or x where y has names.
func (f *frame) grid() {
	if f.ys.names == nil {
		for _, t := range f.yTicks {
			y := f.y + f.h - float64(f.h*t.at)
			f.p.line(grid, 0.8, point{f.x, y}, point{f.x + f.w, y})
		}
		return
	}
	if f.xs.names != nil {
		return
	}
	if _, rows := f.panel.Plot.(Timeline); rows {
		high := f.h / float64(max(1, len(f.ys.names)))
		for i := 0; i < len(f.ys.names); i += 2 {
			f.p.rect(f.x, f.y+float64(i)*high, f.w, high, stripe)
		}
	}
	for _, t := range f.xTicks() {
		x := f.x + float64(f.w*t.at)
		f.p.line(grid, 0.8, point{x, f.y}, point{x, f.y + f.h})
	}
}

// axis is the line below the plot with its ticks. The data is drawn over it.
func (f *frame) axis() {
	if f.xs.names != nil {
		return
	}
	bottom := f.y + f.h
	f.p.line(rule, 0.9, point{f.x, bottom}, point{f.x + f.w, bottom})
	for _, at := range f.xs.minor() {
		x := f.x + float64(f.w*at)
		f.p.line(rule, 0.6, point{x, bottom}, point{x, bottom + 2})
	}
	for _, t := range f.xTicks() {
		x := f.x + float64(f.w*t.at)
		f.p.line(rule, 0.9, point{x, bottom}, point{x, bottom + 3.5})
	}
}

func (f *frame) xTicks() []tick {
	return f.xs.ticks(10, func(list []tick) bool { return beside(list, f.w, f.xs.names != nil) })
}

// around writes the title, the labels and the ticks.
func (f *frame) around() {
	top := f.y - f.head
	start, all := f.x-f.leftW, f.leftW+f.w+f.rightW
	if f.titleAt > 0 {
		f.p.write(start, top+f.titleAt, left, faceHeading, ink, faceHeading.fit(f.panel.Title, all+margin))
	}
	if f.noteAt > 0 {
		f.p.write(start, top+f.noteAt, left, faceSmall, soft, faceSmall.fit(f.panel.Note, all+margin))
	}
	if f.yAt > 0 {
		f.p.write(start, top+f.yAt, left, faceLabel, soft, faceLabel.fit(f.panel.Y.label(), max(all, f.yRoom)))
	}
	if f.yLabels {
		for _, t := range f.yTicks {
			y := f.y + f.h - float64(f.h*t.at)
			if f.ys.names != nil { // rows go down
				y = f.y + float64(f.h*t.at)
			}
			f.rowName(f.x-beforeAxis, y, t.label)
		}
	}
	bottom := f.y + f.h
	if f.xLabels {
		for i, list := range f.xNames {
			for k, line := range list {
				f.p.write(f.x+float64(f.w*(float64(i)+0.5))/float64(len(f.xNames)), bottom+13+float64(float64(k)*nameLine), centre, f.xFace, soft, line)
			}
		}
		for _, t := range f.xTicks() {
			if f.xNames == nil {
				f.p.write(f.x+float64(f.w*t.at), bottom+13, centre, faceTick, soft, clean(t.label))
			}
		}
		f.p.write(f.x+f.w/2, bottom+27+f.folded(), centre, faceLabel, soft, faceLabel.fit(f.panel.X.label(), f.w+2*min(f.leftW, f.rightW)))
	}
}

// rowName writes a label of y, around the height of its tick: the name of a row on two lines
// if it takes them and they have room.
func (f *frame) rowName(x, y float64, name string) {
	if f.ys.names == nil || faceTick.wide(clean(name)) <= maxNameWidth || f.h/float64(len(f.ys.names)) < 2*nameLine {
		f.p.write(x, y+3.3, right, faceTick, soft, faceTick.fit(name, maxNameWidth))
		return
	}
	lines := faceSmall.wrap(name, maxNameWidth, 2)
	for i, line := range lines {
		f.p.write(x, y+3+nameLine*(float64(i)-float64(len(lines)-1)/2), right, faceSmall, soft, line)
	}
}

// marks are lines across the plot: of y with the label at the right, of x with it above.
func (f *frame) marks() {
	last := f.y - 100
	for _, m := range f.panel.Y.Marks {
		if f.ys.names != nil {
			break
		}
		y := f.py(m.At)
		f.p.add(shape{pts: []point{{f.x, y}, {f.x + f.w, y}}, stroke: soft, width: 1, dash: []float64{3, 2}})
		if at := y; f.yMarks && clean(m.Label) != "" {
			if at-last < 9 && last-at < 9 {
				at = last + 9
			}
			last = at
			f.p.write(f.x+f.w+5, at+3, left, faceSmall, soft, faceSmall.fit(m.Label, 100*spare))
		}
	}
	rows := f.markRows()
	for row, list := range rows {
		for _, m := range list {
			x := f.px(m.At)
			f.p.add(shape{pts: []point{{x, f.y - 3 - float64(11*row)}, {x, f.y + f.h}}, stroke: m.colour(), width: 1, dash: []float64{3, 2}})
		}
	}
	for row, list := range rows { // over the lines of rows above
		for _, m := range list {
			base := f.y - 5 - float64(11*row)
			if m.text != "" && row < len(rows)-1 {
				f.p.rect(m.x-1, base-8, m.width+2, 10.5, white)
			}
			f.p.write(m.x, base, left, faceSmall, m.colour(), m.text)
		}
	}
}

// colour is that of its line and label.
func (m *Mark) colour() color.NRGBA {
	if m.Alarm {
		return alarm
	}
	return soft
}

// A placed mark of x: its label begins at x.
type placed struct {
	Mark
	x, width float64
	text     string
}

// markRows puts the labels of the marks of x in as many rows as it takes for none to
// be over another; the lowest row is the first.
func (f *frame) markRows() (rows [][]placed) {
	if f.xs.names != nil {
		return nil
	}
	for _, m := range f.panel.X.Marks {
		text := ""
		if clean(m.Label) != "" {
			text = faceSmall.fit(m.Label, 220*spare)
		}
		w := faceSmall.wide(text)
		x := min(max(f.px(m.At)-w/2, f.x-f.leftW), f.x+f.w+f.rightW-w)
		q := placed{m, x, w, text}
		row := 0
		for ; row < len(rows); row++ {
			free := true
			for _, o := range rows[row] {
				free = free && (q.x > o.x+o.width+6 || q.x+w+6 < o.x)
			}
			if free {
				break
			}
		}
		if row == len(rows) {
			rows = append(rows, nil)
		}
		rows[row] = append(rows[row], q)
	}
	return rows
}
