package figure

import "math"

// column is how wide the columns are in which points are dropped: a pixel of the PNG,
// in hundredths of a point.
const column = 100 / pixels

// thin keeps of the points of a line, which go from left to right, in every column of
// pixels the first, the least, the greatest and the last. The line through those
// covers the same pixels.
//
// Source: Jugel, Jerzak, Hackenbroich and Markl, "M4: A Visualization-Oriented Time
// Series Data Aggregation", VLDB 2014, section 4.
func thin(n int, at func(i int) point) (kept []point) {
	if n <= 4 {
		for i := range n {
			kept = append(kept, at(i))
		}
		return kept
	}
	type seen struct {
		p point
		y int
		i int
	}
	var first, low, high, last seen
	col := math.MinInt
	flush := func() {
		if low.i > high.i {
			low, high = high, low
		}
		i := -1
		for _, s := range [...]seen{first, low, high, last} {
			if s.i > i {
				kept, i = append(kept, s.p), s.i
			}
		}
	}
	for i := range n {
		p := at(i)
		s := seen{p, hundredths(p.y), i}
		if c := floorDiv(hundredths(p.x), column); c != col {
			if i > 0 {
				flush()
			}
			col, first, low, high, last = c, s, s, s, s
			continue
		}
		if s.y < low.y {
			low = s
		}
		if s.y > high.y {
			high = s
		}
		last = s
	}
	flush()
	return kept
}

// floorDiv is a / b, rounded down.
func floorDiv(a, b int) int {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// stepped is a line that keeps each value until the next.
func stepped(pts []point) []point {
	out := make([]point, 0, 2*len(pts))
	for i, p := range pts {
		if i > 0 && pts[i-1].y != p.y && pts[i-1].x != p.x {
			out = append(out, point{p.x, pts[i-1].y})
		}
		out = append(out, p)
	}
	return out
}

// cells remembers which squares of pixels of a rectangle hold something.
type cells struct {
	width, height int
	set           []bool
	side          int // in hundredths of a point
}

func newCells(w, h float64, side int) *cells {
	c := &cells{width: hundredths(w)/side + 2, height: hundredths(h)/side + 2, side: side}
	c.set = make([]bool, c.width*c.height)
	return c
}

// take reports whether a cell was free, and takes it.
func (c *cells) take(x, y float64) bool {
	i := min(max(hundredths(x)/c.side, 0), c.width-1) + c.width*min(max(hundredths(y)/c.side, 0), c.height-1)
	was := c.set[i]
	c.set[i] = true
	return !was
}
