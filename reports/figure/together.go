package figure

import "math/bits"

// What several series have in common is drawn so that all are seen: of lines that run
// together those below are wider, and of signs at one place those below are larger.

const (
	lineWidth = 1.5
	wider     = 2.0 // for each line above
	larger    = 1.4 // for each sign above
	layers    = 4   // more would cover their surroundings
)

// segment is a piece of a line, in hundredths of a point.
type segment struct{ x1, y1, x2, y2 int }

func segmentOf(a, b point) segment {
	return segment{hundredths(a.x), hundredths(a.y), hundredths(b.x), hundredths(b.y)}
}

// paths are the lines of the series that have names.
func (l Lines) paths(f *frame) [][]point {
	paths := make([][]point, len(l.Series))
	for i := range l.Series {
		if s := &l.Series[i]; !s.Context && s.Style != Points {
			paths[i] = s.path(f, s.Y)
		}
	}
	return paths
}

// beneath draws, below all lines, the pieces of each that later ones cover.
func (l Lines) beneath(f *frame, paths [][]point) {
	of := map[segment]uint64{} // the series that have it, a bit for each; only looked up
	for i := range paths {
		for j := 1; j < len(paths[i]); j++ {
			of[segmentOf(paths[i][j-1], paths[i][j])] |= 1 << i
		}
	}
	for i, path := range paths {
		var run []point
		deep := 0
		flush := func() {
			if deep > 0 {
				f.p.add(shape{pts: run, stroke: palette[f.style(l.Series[i].Name)], width: lineWidth + float64(wider*float64(min(deep, layers)))})
			}
			run, deep = nil, 0
		}
		for j := 1; j < len(path); j++ {
			later := of[segmentOf(path[j-1], path[j])] >> i >> 1
			if n := bits.OnesCount64(later); n != deep || n == 0 {
				flush()
				run, deep = []point{path[j-1]}, n
			}
			run = append(run, path[j])
		}
		flush()
	}
}

// signs counts those that are still to be drawn at a place; only looked up.
type signs map[[2]int]int

func spot(x, y float64) [2]int {
	return [2]int{floorDiv(hundredths(x), 100), floorDiv(hundredths(y), 100)}
}

// signs are those of all series with few points.
func (l Lines) signs(f *frame) signs {
	at := signs{}
	for i := range l.Series {
		s := &l.Series[i]
		if s.Context || len(s.X) > few || !l.marked(s) {
			continue
		}
		for j, x := range s.X {
			at[spot(f.px(x), f.py(s.Y[j]))]++
		}
	}
	return at
}

// rise is by how much larger a sign is drawn, now that its turn has come.
func (n signs) rise(x, y float64) float64 {
	k := spot(x, y)
	n[k]--
	return larger * float64(min(max(n[k], 0), layers))
}
