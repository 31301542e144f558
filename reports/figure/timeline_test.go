package figure_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/reports/figure"
)

func timelines(t figure.Timeline, marks ...figure.Mark) figure.Figure {
	x := seconds
	x.Marks = marks
	return figure.Figure{Title: "A finding", Panels: []figure.Panel{{X: x, Plot: t}}}
}

// paths are the lines of an SVG that have a text.
func paths(svg, with string) (list []string) {
	for line := range strings.Lines(svg) {
		if strings.Contains(line, with) {
			list = append(list, line)
		}
	}
	return list
}

const shaded, stem = `fill="#f9dcdc"`, `stroke="#1f242b" stroke-width="1.2"`

// TestOverlaps: only what is exclusive is shaded, and only while two are in it.
func TestOverlaps(t *testing.T) {
	row := func(name string, from, to float64) figure.Row {
		return figure.Row{Name: name, Spans: []figure.Span{{From: from, To: to, Kind: "holds"}}}
	}
	line := figure.Timeline{Exclusive: []string{"holds"}, Rows: []figure.Row{row("a", 0, 10e9), row("b", 10e9, 30e9), row("c", 40e9, 40e9)}}
	require.False(t, line.Overlap(), "one leaves as the other enters, and what has no length overlaps nothing")
	assert.Empty(t, paths(svg(t, timelines(line)), shaded))

	line.Rows = append(line.Rows, row("d", 5e9, 20e9), row("e", 8e9, 12e9))
	require.True(t, line.Overlap())
	assert.Len(t, paths(svg(t, timelines(line)), shaded), 1, "from 5 to 20 there are two or more")
	line.Exclusive = nil
	require.False(t, line.Overlap())
}

// TestStems: a line leads to an instant from the row whose doing it is, if there is one.
func TestStems(t *testing.T) {
	line := figure.Timeline{Rows: []figure.Row{
		{Name: "client", Spans: []figure.Span{{From: 0, To: 10e9, Kind: "holds"}}},
		{Name: "store", Instants: []figure.Instant{{At: 5e9, Kind: "write", By: "client"}, {At: 6e9, Kind: "write", By: "store"}, {At: 7e9, Kind: "write", By: "nobody"}}},
	}}
	require.Len(t, paths(svg(t, timelines(line)), stem), 1)
	for range 300 {
		line.Rows[1].Instants = append(line.Rows[1].Instants, figure.Instant{At: 5e9, Kind: "write", By: "client"})
	}
	require.Empty(t, paths(svg(t, timelines(line)), stem), "so many would not be told apart")
}

// TestTextsBesideStems: a text keeps clear of the lines that go through its row, and of
// those that begin there.
func TestTextsBesideStems(t *testing.T) {
	row := func(name string) figure.Row {
		return figure.Row{Name: name, Spans: []figure.Span{{From: 0, To: 10e9, Kind: "holds", Text: "the text of " + name}}}
	}
	// texts are those of the rows, where an instant of one is the doing of another.
	texts := func(at int, by string) (list []string) {
		line := figure.Timeline{Rows: []figure.Row{row("a"), row("b"), row("c"), row("d")}}
		line.Rows[at].Instants = []figure.Instant{{At: 5e9, Kind: "write", By: by}}
		for _, r := range line.Rows {
			list = append(list, paths(svg(t, timelines(line)), "the text of "+r.Name)...)
		}
		require.Len(t, list, 4)
		return list
	}
	nobody := [...][]string{texts(0, ""), nil, nil, texts(3, "")}
	for _, c := range []struct {
		at    int
		by    string
		moved []bool // beside that of the instant itself
	}{{0, "c", []bool{false, true, true, false}}, {0, "b", []bool{false, true, false, false}}, {3, "b", []bool{false, true, true, false}}} {
		got := texts(c.at, c.by)
		for i, moved := range c.moved {
			assert.Equal(t, moved, got[i] != nobody[c.at][i], "row %d, of an instant in %d by %s", i, c.at, c.by)
		}
	}
}

// TestStopped: what stops a row is grey, and takes no colour from others.
func TestStopped(t *testing.T) {
	var r figure.Row
	for i, kind := range []string{"a", "b", "c", "d", "e", "f", "g", "paused", "down"} {
		r.Spans = append(r.Spans, figure.Span{From: float64(i) * 1e9, To: float64(i+1) * 1e9, Kind: kind, Text: kind})
	}
	line := figure.Timeline{Rows: []figure.Row{r}, Stopped: []string{"paused", "down"}}
	got := svg(t, timelines(line, figure.Mark{At: 3e9, Label: "violated", Alarm: true}))
	require.Len(t, paths(got, `fill="#57606a" stroke="#ffffff"`), 1)
	require.Len(t, paths(got, `fill="#b4101e"`), 1, "the label of the mark")
	line.Stopped = nil
	require.ErrorContains(t, func() error { f := timelines(line); return f.WriteSVG(&strings.Builder{}) }(), "9 names: at most 7")
}

// TestTogether: of lines that run together, and of signs at one place, all are seen.
func TestTogether(t *testing.T) {
	x, y := []float64{0, 1e9, 2e9, 3e9}, []float64{0, 0.1, 0.2, 0.3}
	series := func(name string, y ...float64) figure.Series { return figure.Series{Name: name, X: x, Y: y} }
	widths := func(series ...figure.Series) (list []string) {
		for _, line := range paths(svg(t, lines(series...)), `stroke-linejoin="round"`) {
			for _, w := range []string{"3.5", "5.5"} {
				if strings.Contains(line, `stroke-width="`+w+`"`) {
					list = append(list, w)
				}
			}
		}
		return list
	}
	require.Empty(t, widths(series("a", y...), series("b", 0.3, 0.2, 0.1, 0)))
	require.Equal(t, []string{"3.5"}, widths(series("a", y...), series("b", y...)))
	require.Equal(t, []string{"5.5", "3.5"}, widths(series("a", y...), series("b", y...), series("c", y...)))
	require.Equal(t, []string{"3.5", "3.5"}, widths(series("a", y...), series("b", 0, 0.1, 0.9, 0.9), series("c", 0.9, 0.9, 0.2, 0.3)),
		"a part of a line, twice")

	one := svg(t, lines(series("a", y...)))
	two := svg(t, lines(series("a", y...), series("b", y...)))
	require.Len(t, paths(one, `r="2.6"`), 4)
	require.Len(t, paths(two, `r="4"`), 4, "the sign below is larger")
}

// TestNoSigns: on a long line signs would look like events.
func TestNoSigns(t *testing.T) {
	var s figure.Series
	for i := range 100 {
		s.X, s.Y = append(s.X, float64(i)*1e9), append(s.Y, 0.5)
	}
	s.Name = "long"
	require.Empty(t, paths(svg(t, lines(s)), "<circle"))
	s.Style = figure.Step
	require.Empty(t, paths(svg(t, lines(s)), "<circle"), "nothing to tell it apart from")
	other := s
	other.Name = "other"
	require.NotEmpty(t, paths(svg(t, lines(s, other)), "<circle"), "steps have no dashes")
}
