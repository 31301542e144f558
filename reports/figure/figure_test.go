package figure_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/reports/figure"
	"fencepost/reports/golden"
)

var (
	seconds = figure.Axis{Label: "time", Unit: figure.Nanoseconds}
	share   = figure.Axis{Label: "runs with a violation", Unit: figure.Share}
	count   = figure.Axis{Label: "requests admitted", Unit: figure.Count}
)

func lines(series ...figure.Series) figure.Figure {
	return figure.Figure{Title: "A finding", Panels: []figure.Panel{{X: seconds, Y: share, Plot: figure.Lines{Series: series}}}}
}

// kinds is one small figure of every kind.
func kinds() map[string]figure.Figure {
	simulated := figure.Series{
		Name: "no check", Style: figure.Points,
		X: []float64{1e9, 2e9, 3e9}, Y: []float64{0.2, 0.5, 0.7}, Low: []float64{0.1, 0.4, 0.6}, High: []float64{0.3, 0.6, 0.8},
	}
	law := figure.Series{Name: "no check", X: []float64{0, 1e9, 2e9, 3e9}, Y: []float64{0, 0.25, 0.5, 0.75}}
	band := figure.Series{
		Name: "check", X: []float64{0, 1e9, 3e9}, Y: []float64{0, 0.1, 0.15}, Low: []float64{0, 0.05, 0.1}, High: []float64{0.02, 0.15, 0.2},
	}
	steps := figure.Panel{
		X: seconds, Y: count,
		Plot: figure.Lines{Series: []figure.Series{
			{Name: "fixed window", Style: figure.Step, X: []float64{0, 30e9, 60e9, 90e9}, Y: []float64{0, 100, 189, 100}},
			{Name: "sliding log", Style: figure.Step, X: []float64{0, 30e9, 60e9, 90e9}, Y: []float64{0, 100, 100, 100}},
		}},
	}
	steps.Y.Marks = []figure.Mark{{At: 100, Label: "limit 100"}}
	wait := figure.Axis{Label: "latency", Unit: figure.Nanoseconds, Scale: figure.Log}
	nines := figure.Axis{Label: "requests at most this slow", Unit: figure.Share, Scale: figure.Nines}
	var samples []float64
	for i := range 200 {
		samples = append(samples, 1e6*float64(1+i*i%97+i))
	}
	held := seconds
	held.Marks = []figure.Mark{{At: 27e9, Label: "violation", Alarm: true}}
	one := func(p figure.Panel) figure.Figure {
		return figure.Figure{Title: "A finding", Subtitle: "model, 10 runs, seed 1", Panels: []figure.Panel{p}}
	}
	return map[string]figure.Figure{
		"line":      one(figure.Panel{X: seconds, Y: share, Plot: figure.Lines{Series: []figure.Series{simulated, law, band}}}),
		"step":      one(steps),
		"multiples": {Title: "A finding", Panels: figure.Multiples(steps), Caption: "Grey: the others."},
		"cdf":       one(figure.Panel{X: wait, Y: nines, Plot: figure.Lines{Series: []figure.Series{figure.CDF("retries", samples)}}}),
		"bar": one(figure.Panel{X: share, Plot: figure.Bars{Names: []string{"Redlock", "etcd"}, Series: []figure.BarSeries{
			{Name: "steps of the clock", Values: []float64{0.3, 0}, Low: []float64{0.2, 0}, High: []float64{0.4, 0.03}, Text: []string{"30 of 100", "0 of 100"}},
			{Name: "pauses", Values: []float64{0.1, 0.02}},
		}}}),
		"heat": one(figure.Panel{X: figure.Axis{Label: "TTL"}, Y: figure.Axis{Label: "drift"}, Plot: figure.Heat{
			Columns: []string{"1 s", "10 s"}, Rows: []string{"0 ppm", "200 ppm"}, Values: [][]float64{{0, 0.5}, {0.25, math.NaN()}}, Value: share,
		}}),
		"heat-of-words": one(figure.Panel{X: figure.Axis{Label: "strategy"}, Y: figure.Axis{Label: "situation"}, Plot: figure.Heat{
			Columns: []string{"S1 as coded (timestamp key)", "S2 repaired fn", "S2 ON CONFLICT", "S3 as coded + UNIQUE", "S3 cache/lock only", "D1"},
			Rows: []string{
				"double click, key per call", "retry after lost reply, same key", "crash after effect, before record",
				"the client retries after a day, when the record of the key is gone",
			},
			Values: [][]float64{{2, 2, 2, 2, 2, 1}, {2, 1, 1, 1, 1, 1}, {math.NaN(), 1, 1, 1, 2, 1}, {2, 1, 1, 1, 2, 0}},
			Value:  figure.Axis{Label: "orders created", Unit: figure.Count},
		}}),
		"matrix": one(figure.Panel{X: figure.Axis{Label: "event"}, Y: figure.Axis{Label: "event and stamp"}, Plot: figure.Matrix{
			Names: []string{"a", "b", "c"}, Stamps: []string{"a: 1", "b: 2", "c: 1"}, Kinds: []string{"before", "concurrent", "after"}, Groups: []int{2},
			Kind: [][]int{{-1, 0, 1}, {2, -1, 1}, {1, 1, -1}}, Sign: [][]string{{"", "<", "="}, {">", "", ">"}, {"=", "<", ""}},
		}}),
		"timeline": one(figure.Panel{X: held, Plot: figure.Timeline{
			Kinds: []string{"holds", "lease"}, Stopped: []string{"paused"}, Exclusive: []string{"holds"},
			Rows: []figure.Row{
				{Name: "client 1", Spans: []figure.Span{
					{From: 0, To: 10e9, Kind: "lease"}, {From: 0, To: 30e9, Kind: "holds", Text: "token 33"}, {From: 8e9, To: 26e9, Kind: "paused", Text: "GC"},
				}},
				{Name: "client 2", Spans: []figure.Span{{From: 12e9, To: 22e9, Kind: "holds", Text: "token 34"}, {From: 12e9, To: 22e9, Kind: "lease"}}},
				{Name: "store", Instants: []figure.Instant{{At: 27e9, Kind: "write", By: "client 1"}}},
			},
		}}),
	}
}

func svg(t *testing.T, f figure.Figure) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, f.WriteSVG(&b))
	return b.String()
}

// texts are the texts of an SVG that can be parsed.
func texts(t *testing.T, svg string) (list []string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	in := false
	for {
		token, err := d.Token()
		if err == io.EOF {
			return list
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			in = token.Name.Local == "text"
		case xml.EndElement:
			in = false
		case xml.CharData:
			if in {
				list = append(list, string(token))
			}
		}
	}
}

func picture(t *testing.T, f figure.Figure) image.Image {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, f.WritePNG(&b))
	m, err := png.Decode(&b)
	require.NoError(t, err)
	return m
}

func TestKinds(t *testing.T) {
	for _, name := range []string{"line", "step", "multiples", "cdf", "bar", "heat", "heat-of-words", "matrix", "timeline"} {
		t.Run(name, func(t *testing.T) {
			f := kinds()[name]
			got := svg(t, f)
			assert.Equal(t, got, svg(t, f), "twice the same")
			assert.Contains(t, texts(t, got), "A finding")
			golden.Require(t, got, ".svg")

			assert.Equal(t, 1200, picture(t, f).Bounds().Dx())
			var pdf bytes.Buffer
			require.NoError(t, f.WritePDF(&pdf), "bold text panics in vgpdf")
			assert.True(t, bytes.HasPrefix(pdf.Bytes(), []byte("%PDF-")))
			assert.Equal(t, 1, bytes.Count(pdf.Bytes(), []byte("/BaseFont")), "vgpdf embeds the file of one font")
		})
	}
}

func TestErrors(t *testing.T) {
	log := share
	log.Scale = figure.Log
	many := make([]figure.Series, 200)
	eight := make([]figure.Series, 8)
	for i := range eight {
		eight[i] = figure.Series{Name: fmt.Sprint("series ", i), X: []float64{1}, Y: []float64{1}}
	}
	for name, c := range map[string]struct {
		figure figure.Figure
		want   []string
	}{
		"nothing":  {figure.Figure{}, []string{"figure: no title: want the finding in a sentence", "figure: no panels"}},
		"no plot":  {figure.Figure{Title: "x", Panels: make([]figure.Panel, 1)}, []string{"figure: nothing to plot: want Lines, Bars, Heat, Matrix or Timeline"}},
		"NaN, Inf": {lines(figure.Series{Name: "a", X: []float64{1, math.NaN()}, Y: []float64{math.Inf(-1), 1}}), []string{`figure: series 1 "a": X[1] ("time") is NaN: want a number`, `figure: series 1 "a": Y[0] ("runs with a violation" at 1 ns) is -Inf: want a number`}},
		"lengths":  {lines(figure.Series{Name: "a", X: []float64{1, 2}, Y: []float64{1}}), []string{`figure: series 1 "a": Y has 1 values: want 2, as X has`}},
		"only low": {lines(figure.Series{Name: "a", X: []float64{1}, Y: []float64{1}, Low: []float64{0}}), []string{`figure: series 1 "a": High has 0 values: want 1, as X has`}},
		"interval": {lines(figure.Series{Name: "a", X: []float64{1}, Y: []float64{1}, Low: []float64{2}, High: []float64{3}}), []string{`figure: series 1 "a": Y[0] is 1: want it between Low, which is 2, and High, which is 3`}},
		"order":    {lines(figure.Series{Name: "a", X: []float64{2, 1}, Y: []float64{1, 1}}), []string{`figure: series 1 "a": X[1] is 1, before X[0], which is 2: want them in order`}},
		"denormal": {figure.Figure{Title: "x", Panels: []figure.Panel{{X: figure.Axis{Label: "x", Unit: "ppm", Scale: figure.Log, From: 0, To: 1}, Y: log, Plot: figure.Lines{Series: []figure.Series{{Name: "a", X: []float64{1}, Y: []float64{5e-324}}}}}}},
			[]string{"figure: x axis: From is 0: want more than 0 on a log axis", `figure: series 1 "a": Y[0] ("runs with a violation" at 1) is 5e-324: want at least 1e-100 on a log axis`}},
		"huge": {lines(figure.Series{Name: "a", X: []float64{1}, Y: []float64{1e300}}), []string{`figure: series 1 "a": Y[0] ("runs with a violation" at 1 ns) is 1e+300: want at most 1e100`}},
		"log": {figure.Figure{Title: "x", Panels: []figure.Panel{{X: seconds, Y: log, Plot: figure.Lines{Series: []figure.Series{{Name: "a", X: []float64{1, 2}, Y: []float64{0, -1}}}}}}},
			[]string{`figure: series 1 "a": Y[1] ("runs with a violation" at 2 ns) is -1: want more than 0 on a log axis`}},
		"nines": {figure.Figure{Title: "x", Panels: []figure.Panel{{X: seconds, Y: figure.Axis{Label: "y", Unit: figure.Share, Scale: figure.Nines}, Plot: figure.Lines{Series: []figure.Series{{X: []float64{1}, Y: []float64{1.5}}}}}}},
			[]string{`figure: series 1 "": Y[0] ("y" at 1 ns) is 1.5: want a share, 0 to 1, on an axis of nines`}},
		"axes": {figure.Figure{Title: "x", Panels: []figure.Panel{{X: figure.Axis{Unit: "ppm", From: 2, To: 1}, Y: figure.Axis{Label: "y"}, Plot: figure.Lines{}}}},
			[]string{"figure: x axis: no label", "figure: x axis: From is 2 and To is 1: want From before To", `figure: y axis: no unit: want one such as "ns", "share", "count", "bytes", "ratio" or "ppm"`}},
		"200 series":     {lines(many...), []string{"figure: 200 series: want at most 64, of which 7 have names"}},
		"8 names":        {lines(eight...), []string{"figure: 8 names: at most 7 can be told apart; show fewer, or one in each panel (Multiples)"}},
		"ragged heat":    {figure.Figure{Title: "x", Panels: []figure.Panel{{Plot: figure.Heat{Columns: []string{"a"}, Rows: []string{"b"}, Values: [][]float64{{1, 2}}, Value: share}}}}, []string{`figure: row 1 "b": Values has 2 values: want 1, as Columns has`}},
		"bars":           {figure.Figure{Title: "x", Panels: []figure.Panel{{X: share, Plot: figure.Bars{Names: []string{"a", "b"}, Series: []figure.BarSeries{{Name: "s", Values: []float64{1}}}}}}}, []string{`figure: series 1 "s": Values has 1 values: want 2, as Names has`}},
		"backward span":  {figure.Figure{Title: "x", Panels: []figure.Panel{{X: seconds, Plot: figure.Timeline{Rows: []figure.Row{{Name: "a", Spans: []figure.Span{{From: 2, To: 1}}}}}}}}, []string{`figure: row 1 "a": Spans[0] is from 2 to 1: want From before To`}},
		"a second panel": {figure.Figure{Title: "x", Panels: []figure.Panel{{X: seconds, Y: share, Plot: figure.Lines{}}, {Title: "b", X: seconds, Plot: figure.Lines{}}}}, []string{`figure: panel 2 "b": y axis: no label`, `figure: panel 2 "b": y axis: no unit: want one such as "ns", "share", "count", "bytes", "ratio" or "ppm"`}},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			for _, write := range []func(io.Writer) error{c.figure.WriteSVG, c.figure.WritePNG, c.figure.WritePDF} {
				assert.EqualError(t, write(&out), strings.Join(c.want, "\n"))
			}
			assert.Zero(t, out.Len())
		})
	}
	var bad []float64
	for range 1000 {
		bad = append(bad, math.NaN())
	}
	f := lines(figure.Series{Name: "a", X: bad, Y: bad})
	assert.ErrorContains(t, f.WriteSVG(io.Discard), "\nfigure: and 1990 more")
}

// What is 0, and the interval of none in N, which reaches down to it, is at the edge of a log
// axis, which does not have it.
func TestNoneOnLogAxis(t *testing.T) {
	f := lines(figure.Series{Name: "a", Style: figure.Points, X: []float64{1e9, 2e9}, Y: []float64{0, 0.1}, Low: []float64{0, 0.05}, High: []float64{0.003, 0.2}})
	f.Panels[0].Y.Scale = figure.Log
	assert.Contains(t, texts(t, svg(t, f)), "0.2%")
	line := f.Panels[0].Plot.(figure.Lines)
	line.Series[0].Low, line.Series[0].High = nil, nil
	assert.NotContains(t, svg(t, f), "NaN")
	line.Series[0].Y[1] = 0
	assert.NotContains(t, svg(t, f), "NaN", "nothing but 0")
}

func TestEmptyAndOne(t *testing.T) {
	empty := figure.Figure{Title: "Empty", Panels: []figure.Panel{
		{X: seconds, Y: share, Plot: figure.Lines{}},
		{X: seconds, Plot: figure.Bars{}},
		{X: seconds, Plot: figure.Timeline{}},
		{Plot: figure.Heat{Value: share}},
	}}
	got := texts(t, svg(t, empty))
	assert.Equal(t, 4, strings.Count(strings.Join(got, "\n"), "no data"))

	one := lines(figure.Series{Name: "one", X: []float64{5e9}, Y: []float64{0.5}}, figure.Series{Name: "none"})
	one.Panels[0].X.Scale = figure.Log
	got = texts(t, svg(t, one))
	assert.Contains(t, got, "none (no data)")
	assert.Contains(t, got, "5 s")
	assert.NotContains(t, svg(t, one), "NaN")

	for _, v := range []float64{0, -3, 1e-100, 1e100, -1e100} {
		same := lines(figure.Series{Name: "same", X: []float64{v, v}, Y: []float64{v, v}})
		assert.NotContains(t, svg(t, same), "NaN", v)
	}
}

// Kinds by the thousand are refused before anything is slow.
func TestManyKinds(t *testing.T) {
	var r figure.Row
	for i := range 100_000 {
		r.Spans = append(r.Spans, figure.Span{From: float64(i), To: float64(i + 1), Kind: fmt.Sprint("kind ", i)})
		r.Instants = append(r.Instants, figure.Instant{At: float64(i), Kind: fmt.Sprint("kind ", i)})
	}
	f := figure.Figure{Title: "x", Panels: []figure.Panel{{X: seconds, Plot: figure.Timeline{Rows: []figure.Row{r}}}}}
	assert.ErrorContains(t, f.WriteSVG(io.Discard), " names: at most 7 can be told apart")
}

func TestText(t *testing.T) {
	long := strings.Repeat("a<b>|&\"c\"\n\x00\xff", 1000)
	ax := figure.Axis{Label: long, Unit: figure.Unit(long), Marks: []figure.Mark{{At: 1, Label: long}}}
	f := figure.Figure{Title: long, Subtitle: long, Caption: long, Panels: []figure.Panel{
		{Title: long, Note: long, X: ax, Y: ax, Plot: figure.Lines{Series: []figure.Series{{Name: long, X: []float64{1}, Y: []float64{2}}}}},
		{X: ax, Y: figure.Axis{Label: long}, Plot: figure.Bars{Names: []string{long}, Series: []figure.BarSeries{{Name: long, Values: []float64{1}, Text: []string{long}}}}},
		{X: ax, Plot: figure.Timeline{Rows: []figure.Row{{Name: long, Spans: []figure.Span{{From: 1, To: 2, Kind: long, Text: long}}}}}},
		{Plot: figure.Heat{Columns: []string{long}, Rows: []string{long}, Values: [][]float64{{1}}, Value: ax}},
	}}
	got := svg(t, f)
	assert.Less(t, len(got), 30_000)
	for _, s := range texts(t, got) {
		assert.NotContains(t, strings.TrimSpace(s), "\n")
	}
	picture(t, f)
	require.NoError(t, f.WritePDF(io.Discard))
}

// Panels with the same axes have one range, and a name has one colour.
func TestPanelsShare(t *testing.T) {
	f := kinds()["multiples"]
	small := f.Panels[1].Plot.(figure.Lines)
	small.Series = small.Series[1:] // the one that stays at 100
	f.Panels[1].Plot = small
	got := svg(t, f)
	assert.Equal(t, 1, strings.Count(got, ">limit 100<"))
	assert.Equal(t, 2, strings.Count(got, `stroke="#57606a"`))
	marks := []string{}
	for line := range strings.Lines(got) {
		if strings.Contains(line, `stroke-dasharray="3 2"`) {
			_, at, _ := strings.Cut(strings.TrimPrefix(line, `<path d="M`), " ")
			y, _, _ := strings.Cut(at, "L")
			marks = append(marks, y)
		}
	}
	require.Len(t, marks, 2)
	assert.Equal(t, marks[0], marks[1], "the limit is equally high in both")
}

func TestFormat(t *testing.T) {
	for _, c := range []struct {
		unit figure.Unit
		v    float64
		want string
	}{
		{figure.Nanoseconds, 0, "0"}, {figure.Nanoseconds, 1500, "1.5 µs"}, {figure.Nanoseconds, 250e6, "250 ms"}, {figure.Nanoseconds, -2e9, "−2 s"},
		{figure.Nanoseconds, 90 * 60e9, "90 min"}, {figure.Nanoseconds, 48 * 3600e9, "48 h"}, {figure.Nanoseconds, 240 * 3600e9, "10 d"},
		{figure.Share, 0, "0%"}, {figure.Share, 0.003, "0.3%"}, {figure.Share, 0.9997, "99.97%"}, {figure.Share, 1, "100%"},
		{figure.Bytes, 82000, "82 kB"}, {figure.Count, 1234567, "1,234,567"}, {figure.Ratio, 0.125, "0.125"}, {"ppm", 200, "200"},
	} {
		assert.Equal(t, c.want, c.unit.Format(c.v), "%s %v", c.unit, c.v)
	}
}

func TestCDF(t *testing.T) {
	samples := []float64{3, 1, 2, 2}
	s := figure.CDF("a", samples)
	assert.Equal(t, []float64{1, 1, 2, 3}, s.X)
	assert.Equal(t, []float64{0, 0.25, 0.75, 1}, s.Y)
	assert.Equal(t, []float64{3, 1, 2, 2}, samples)
	assert.Empty(t, figure.CDF("a", nil).X)
}

// TestNamesOfHeat: each column has its whole name, on lines if it takes them, and each row
// has its own on up to two; where a word has no room, only some columns are named.
func TestNamesOfHeat(t *testing.T) {
	got := texts(t, svg(t, kinds()["heat-of-words"]))
	for _, line := range []string{"S1 as", "coded", "(timestamp", "key)", "S2 ON", "CONFLICT", "cache/lock", "D1", "crash after effect, before record"} {
		assert.Contains(t, got, line)
	}
	all := strings.Join(got, " ")
	assert.Contains(t, all, "the client retries after a day, when the record of the key is gone")
	assert.NotContains(t, all, "…")

	h := figure.Heat{Rows: []string{"r"}, Values: [][]float64{nil}, Value: share}
	for i := range 12 {
		h.Columns = append(h.Columns, fmt.Sprint("indistinguishable ", i))
		h.Values[0] = append(h.Values[0], 0)
	}
	all = strings.Join(texts(t, svg(t, figure.Figure{Title: "x", Panels: []figure.Panel{{Plot: h}}})), " ")
	assert.Contains(t, all, "indistinguishable 0")
	assert.NotContains(t, all, "indistinguishable 1 ")
	assert.NotContains(t, all, "…")
}

// TestHeatLabel: what the colours say is written out above their bar, in lines that fit.
func TestHeatLabel(t *testing.T) {
	for label, want := range map[string][]string{
		"runs that violate no-lost-update":             {">runs that violate no-lost-update<"},
		"runs that violate temporary-reduced-capacity": {">runs that violate<", ">temporary-reduced-capacity<"},
	} {
		f := figure.Figure{Title: "T", Panels: []figure.Panel{{Title: "P", Y: figure.Axis{Label: "rows"}, Plot: figure.Heat{
			Columns: []string{"a"}, Rows: []string{"b"}, Values: [][]float64{{1}}, Value: figure.Axis{Label: label, Unit: figure.Share},
		}}}}
		var b bytes.Buffer
		require.NoError(t, f.WriteSVG(&b))
		for _, line := range want {
			require.Contains(t, b.String(), line)
		}
		require.NotContains(t, b.String(), "…")
	}
}
