package figure

import (
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// noise is a number from -1 to 1 that looks random.
func noise(i int) float64 {
	x := uint64(i)*0x9E3779B97F4A7C15 + 1
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	return float64((x^x>>27)>>11)/(1<<52) - 1
}

// reach is how far a line through points goes up and down in every column of pixels, in
// hundredths of a point, to which all coordinates are rounded.
// (The stroke of a line with many points in a pixel is no measure: rounding each of its
// parts to the grid of the canvas makes it thicker than the line is.)
func reach(pts []point) map[int][2]int {
	columns := map[int][2]int{}
	add := func(c int, at float64) {
		y := hundredths(at)
		r, ok := columns[c]
		if !ok {
			r = [2]int{y, y}
		}
		columns[c] = [2]int{min(r[0], y), max(r[1], y)}
	}
	for i, p := range pts {
		c := floorDiv(hundredths(p.x), column)
		add(c, p.y)
		if i == 0 {
			continue
		}
		q := pts[i-1]
		for d := floorDiv(hundredths(q.x), column); d < c; d++ { // where it crosses from column to column
			x := (float64((d+1)*column) - 0.5) / 100
			y := q.y + (p.y-q.y)*min(max((x-q.x)/(p.x-q.x), 0), 1)
			add(d, y)
			add(d+1, y)
		}
	}
	return columns
}

// What is dropped is not seen: in every column of pixels, the line through the kept
// points reaches exactly as far as the line through all.
func TestThinIsExact(t *testing.T) {
	const n = 60_000
	for name, at := range map[string]func(i int) point{
		"smooth": func(i int) point { return point{280 * float64(i) / n, 50 + 40*math.Sin(float64(i)/4000)} },
		"noisy":  func(i int) point { return point{280 * float64(i) / n, 50 + 15*noise(i)} },
		"uneven": func(i int) point { return point{280 * math.Pow(float64(i)/n, 5), 50 + 15*noise(i)} },
		"spikes": func(i int) point { return point{280 * float64(i) / n, float64(80 - 78*((i%7001)/7000))} },
	} {
		all := make([]point, n)
		for i := range all {
			all[i] = at(i)
		}
		kept := thin(n, at)
		assert.LessOrEqual(t, len(kept), 4*(280*pixels+1), name)
		assert.Equal(t, reach(all), reach(kept), name)
		assert.Equal(t, reach(stepped(all)), reach(stepped(kept)), "%s, in steps", name)
	}
}

func TestThinKeepsExtremes(t *testing.T) {
	in := []point{{0, 5}, {0.1, 9}, {0.2, 1}, {0.3, 4}, {0.4, 6}, {7, 3}}
	got := thin(len(in), func(i int) point { return in[i] })
	assert.Equal(t, []point{{0, 5}, {0.1, 9}, {0.2, 1}, {0.4, 6}, {7, 3}}, got)
}

func TestHundredths(t *testing.T) {
	assert.Equal(t, 1235, hundredths(12.345))
	assert.Equal(t, 1235, hundredths(math.Nextafter(12.345, 0)), "halfway, whatever the last bit")
	assert.Equal(t, "-0.5", decimal(-0.5))
	assert.Equal(t, "0", decimal(-0.001))
	assert.Equal(t, "12.05", decimal(12.05))
}

func million() Figure {
	const n = 1_000_000
	s := Series{Name: "walk", X: make([]float64, n), Y: make([]float64, n)}
	for i := range n {
		s.X[i], s.Y[i] = float64(i)*1e6, 1000*math.Sin(float64(i)/1e5)+100*noise(i)
	}
	return Figure{Title: "A million points", Panels: []Panel{{
		X: Axis{Label: "time", Unit: Nanoseconds}, Y: Axis{Label: "offset", Unit: "ticks"}, Plot: Lines{[]Series{s}},
	}}}
}

func BenchmarkMillion(b *testing.B) {
	line := million()
	step := million()
	step.Panels[0].Plot.(Lines).Series[0].Style = Step
	cloud := million()
	cloud.Panels[0].Plot.(Lines).Series[0].Style = Points
	for i, f := range []Figure{line, step, cloud} {
		for name, write := range map[string]func(io.Writer) error{"svg": f.WriteSVG, "png": f.WritePNG} {
			b.Run(fmt.Sprintf("%s/%s", [...]string{"line", "step", "points"}[i], name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := write(io.Discard); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
