package figure

// Matrix is how each two of some things stand to each other: a square of cells, each with
// the colour of its kind and, where there is room, a sign.
type Matrix struct {
	Names  []string // of columns, and of rows from the top
	Stamps []string // the names of rows, if they say more
	Kinds  []string // of cells
	// Kind of each row and column is a place in Kinds, or -1: nothing is to be said.
	Kind [][]int
	Sign [][]string // of each row and column
	// Groups is where a group of rows and columns begins, but the first: a line is there.
	Groups []int
}

const maxMatrix = 64 // on a side

func (m Matrix) names() (x, y []string) {
	if len(m.Stamps) > 0 {
		return append([]string{}, m.Names...), append([]string{}, m.Stamps...)
	}
	return append([]string{}, m.Names...), append([]string{}, m.Names...)
}

func (m Matrix) height(int) float64 { return min(max(float64(len(m.Names))*24, 96), 460) }

func (m Matrix) check(c *checker, _ *Panel) {
	n := len(m.Names)
	if n > maxMatrix {
		c.add("%d names: want at most %d", n, maxMatrix)
		return
	}
	if len(m.Stamps) > 0 && !c.same("Stamps", len(m.Stamps), "Names", n) {
		return
	}
	if !c.same("Kind", len(m.Kind), "Names", n) || !c.same("Sign", len(m.Sign), "Names", n) {
		return
	}
	for i := range m.Kind {
		if !c.same("Kind", len(m.Kind[i]), "Names", n) || !c.same("Sign", len(m.Sign[i]), "Names", n) {
			return
		}
		for j, k := range m.Kind[i] {
			if k < -1 || k >= len(m.Kinds) {
				c.add("Kind[%d][%d] is %d: want -1 to %d", i, j, k, len(m.Kinds)-1)
			}
		}
	}
}

func (m Matrix) extent(_, _ *extent) {}

func (m Matrix) entries() (list []entry) {
	for _, k := range m.Kinds {
		list = append(list, entry{name: k, square: true})
	}
	return list
}

func (m Matrix) draw(f *frame) {
	n := float64(len(m.Names))
	if n == 0 {
		f.p.write(f.x+f.w/2, f.y+f.h/2+3, centre, faceLabel, soft, "no data")
		return
	}
	w, t := f.w/n, f.h/n
	for i, row := range m.Kind {
		for j, k := range row {
			x, y, back := f.x+float64(float64(j)*w), f.y+float64(float64(i)*t), stripe
			if k >= 0 {
				back = palette[f.style(m.Kinds[k])]
			}
			f.p.rect(x, y, w-1, t-1, back)
			if sign := clean(m.Sign[i][j]); t >= 11 && faceSmall.wide(sign) <= w-4 {
				f.p.write(x+w/2, y+t/2+3, centre, faceSmall, over(back), sign)
			}
		}
	}
	for _, g := range m.Groups {
		x, y := f.x+float64(float64(g)*w)-0.5, f.y+float64(float64(g)*t)-0.5
		f.p.line(ink, 1.2, point{x, f.y}, point{x, f.y + f.h})
		f.p.line(ink, 1.2, point{f.x, y}, point{f.x + f.w, y})
	}
}
