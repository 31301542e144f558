package plot

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/reports"
	"fencepost/reports/figure"
	"fencepost/result"
)

// grid is a run at each combination of two TTLs and two checks.
func grid() *reports.Run {
	r := &reports.Run{Schema: reports.RunSchema, Scenario: "lock/x", Model: "lock", Seed: 3, Runs: 1000, UntilNS: 10e9}
	for i, ttl := range []string{"10s", "5s"} {
		for j, check := range []string{"false", "true"} {
			v := float64(i+1) / float64(10*(j+1))
			r.Variants = append(r.Variants, reports.Variant{
				Settings: []result.Setting{{Path: "params.ttl", Value: ttl}, {Path: "params.check", Value: check}},
				Outcome: reports.Outcome{
					Properties: []reports.Property{
						{Name: "no-lost-update", Runs: 1000, Violated: int(1000 * v), Share: &reports.Share{Value: v, Low: v / 2, High: v * 2}},
						{Name: "unseen"},
					},
					Metrics: reports.Metrics{
						{Name: "overlap", Unit: reports.Nanoseconds, Count: 50, Mean: result.Int(5), P50: result.Int(4), P50Low: result.Int(3), P50High: result.Int(6), P99: result.Int(9), Max: result.Int(10)},
						{Name: "calls", Unit: reports.Count, Value: result.Int(7), Low: result.Float(6.5), High: result.Float(7.5)},
						{Name: "worst", Unit: reports.Count, Count: 1, Mean: result.Int(199), P50: result.Int(199), P99: result.Int(199), Max: result.Int(199)},
						{Name: "nothing", Unit: reports.Count},
					},
					Series: []reports.Series{{Metric: "calls", AtNS: []int64{1e9, 2e9, 2e9, 5e9}, Values: []int64{1, 1, 2, 4}}},
				},
			})
		}
	}
	return r
}

func draw(t *testing.T, p result.Plot) *figure.Figure {
	t.Helper()
	p.Title, p.File = "T", "f"
	f, err := Figure(grid(), &p)
	require.NoError(t, err)
	require.NoError(t, f.WriteSVG(&bytes.Buffer{}))
	return f
}

// TestLines: numbers in order, with their intervals, in the unit of the axis.
func TestLines(t *testing.T) {
	f := draw(t, result.Plot{Kind: "line", X: "params.ttl", Y: []string{"P(no-lost-update)"}, Series: "params.check", Names: []string{"no", "yes"}, Limit: "50%"})
	require.Equal(t, "lock/x: model lock, 4 points, 1,000 runs each, seeds 3 to 1002", f.Subtitle)
	require.Equal(t, "Bands are 95% intervals.", f.Caption)
	require.Equal(t, figure.Axis{Label: "ttl", Unit: figure.Nanoseconds}, f.Panels[0].X)
	require.Equal(t, figure.Axis{Label: "runs that violate no-lost-update", Unit: figure.Share, To: 0.2, Marks: []figure.Mark{{At: 0.5, Label: "limit 50%"}}}, f.Panels[0].Y)
	lines := f.Panels[0].Plot.(figure.Lines).Series
	require.Equal(t, []figure.Series{
		{Name: "no", X: []float64{5e9, 10e9}, Y: []float64{0.2, 0.1}, Low: []float64{0.1, 0.05}, High: []float64{0.4, 0.2}},
		{Name: "yes", X: []float64{5e9, 10e9}, Y: []float64{0.1, 0.05}, Low: []float64{0.05, 0.025}, High: []float64{0.2, 0.1}},
	}, lines)
}

// TestLaws: that of a series is its line, any other is grey.
func TestLaws(t *testing.T) {
	laws := []result.Law{{Name: "true", Formula: "x/10s"}, {Name: "proof", Formula: "1 - x/10s"}}
	f := draw(t, result.Plot{Kind: "points", X: "params.ttl", Y: []string{"P(no-lost-update)"}, Series: "params.check", Laws: laws})
	s := f.Panels[0].Plot.(figure.Lines).Series
	require.Len(t, s, 4)
	require.Equal(t, []any{"true", false, "proof", true}, []any{s[0].Name, s[0].Context, s[1].Name, s[1].Context})
	require.Equal(t, []float64{5e9, 10e9, 0.5, 1}, []float64{s[0].X[0], s[0].X[240], s[0].Y[0], s[0].Y[240]})
	require.Equal(t, "Bars with ends are 95% intervals. Line of true: y = x/10s. Grey line, proof: y = 1 - x/10s.", f.Caption)

	f = draw(t, result.Plot{Kind: "points", X: "params.ttl", Y: []string{"calls"}, Series: "params.check", Log: "y", Laws: laws[1:]})
	require.Len(t, f.Panels[0].Plot.(figure.Lines).Series[0].X, 240, "a log axis has no 0")
}

// TestStatistics: which number a word is.
func TestStatistics(t *testing.T) {
	o := &grid().Variants[0].Outcome
	for y, want := range map[string]estimate{
		"calls":            {7, 6.5, 7.5, true, figure.Ratio, false},
		"overlap":          {4, 3, 6, true, figure.Nanoseconds, false},
		"p50 of overlap":   {4, 3, 6, true, figure.Nanoseconds, false},
		"p99 of overlap":   {9, 0, 0, false, figure.Nanoseconds, false},
		"p99.9 of overlap": {0, 0, 0, false, figure.Nanoseconds, true},
		"mean of overlap":  {5, 0, 0, false, figure.Nanoseconds, false},
		"max of overlap":   {10, 0, 0, false, figure.Nanoseconds, false},
		"worst":            {199, 0, 0, false, figure.Ratio, false},
		"nothing":          {0, 0, 0, false, figure.Ratio, true},
		"P(unseen)":        {0, 0, 0, false, figure.Share, true},
	} {
		got, err := estimateOf(o, y)
		require.NoError(t, err, y)
		assert.Equal(t, want, got, y)
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]string{
		"14ms": "1.4e+07 ns", "-1s": "-1e+09 ns", "4": "4 count", "0.5": "0.5 count", "10%": "0.1 share", "200ppm": "200 ppm", "500ppb": "0.5 ppm",
		"100/s": "100 per s", "60/min": "1 per s", "5/10s": "0.5 per s", "{exp: 8s}": "8e+09 ns",
		"ring": "no", "": "no", "NaN": "no", "{exp: x}": "no", "3/": "no", "[1, 2]": "no", "5/0s": "no",
	} {
		v, u, ok := number(text)
		got := fmt.Sprintf("%g %s", v, u)
		if !ok {
			got = "no"
		}
		assert.Equal(t, want, got, text)
	}
}

// TestSums: of the last 3 s, which begin after the instant 3 s ago.
func TestSums(t *testing.T) {
	s := sums(&grid().Variants[0].Outcome.Series[0], 3e9, 10e9)
	require.Equal(t, []int64{0, 1e9, 2e9, 4e9, 5e9, 8e9, 10e9}, s.AtNS)
	require.Equal(t, []int64{0, 1, 4, 3, 4, 0, 0}, s.Values)
}

// TestOtherKinds: bars, a heat map, small multiples and a distribution.
func TestOtherKinds(t *testing.T) {
	f := draw(t, result.Plot{Kind: "bar", X: "params.ttl", Y: []string{"P(no-lost-update)"}, Series: "params.check"})
	bars := f.Panels[0].Plot.(figure.Bars)
	require.Equal(t, []string{"10s", "5s"}, bars.Names)
	require.Equal(t, []float64{0.1, 0.2}, bars.Series[0].Values)
	require.Equal(t, []string{"5%", "10%"}, bars.Series[1].Text)

	f = draw(t, result.Plot{Kind: "heat", X: "params.ttl", Y: []string{"worst"}, Series: "params.check"})
	require.Equal(t, [][]float64{{199, 199}, {199, 199}}, f.Panels[0].Plot.(figure.Heat).Values)

	r := grid()
	r.Variants = r.Variants[:2]
	p := &result.Plot{Title: "T", File: "f", Kind: "multiples", X: result.TimeAxis, Y: []string{"calls"}, Series: "params.check", Within: "3s"}
	f, err := Figure(r, p)
	require.NoError(t, err)
	require.Len(t, f.Panels, 2)
	require.Equal(t, []string{"false", "at most 4", "lock/x: model lock, 2 points, 1 run each, seed 3"}, []string{f.Panels[0].Title, f.Panels[0].Note, f.Subtitle})

	half := grid()
	for i := range half.Variants {
		if none := &half.Variants[i].Properties[0]; i%2 == 0 {
			none.Violated, none.Share = 0, &reports.Share{High: 0.004}
		}
	}
	f, err = Figure(half, &result.Plot{Title: "T", File: "f", Kind: "multiples", X: "params.ttl", Y: []string{"P(no-lost-update)"}, Series: "params.check"})
	require.NoError(t, err)
	require.Equal(t, []string{"none seen, at most 0.4%", "highest 10%"}, []string{f.Panels[0].Note, f.Panels[1].Note})

	p = &result.Plot{Title: "T", File: "f", Kind: "cdf", Y: []string{"calls"}, Series: "params.check"}
	f, err = Figure(r, p)
	require.NoError(t, err)
	require.Equal(t, []float64{1, 1, 2, 4}, f.Panels[0].Plot.(figure.Lines).Series[0].X)
}

// TestRefused: what cannot be drawn so.
func TestRefused(t *testing.T) {
	ttl := "params.ttl"
	for want, p := range map[string]result.Plot{
		`there is no kind of plot "pie"`:                       {Kind: "pie", X: ttl, Y: []string{"calls"}},
		`there is no axis "params.tll": want one of params`:    {Kind: "line", X: "params.tll", Y: []string{"calls"}},
		"the grid has the axis params.check as well":           {Kind: "line", X: ttl, Y: []string{"calls"}},
		`"false", a value of params.check, is no number`:       {Kind: "line", X: "params.check", Series: ttl, Y: []string{"calls"}},
		`there is no measure "call"`:                           {Kind: "line", X: ttl, Series: "params.check", Y: []string{"call"}},
		`there is no property "x"`:                             {Kind: "line", X: ttl, Series: "params.check", Y: []string{"P(x)"}},
		`there is no statistic "p98"`:                          {Kind: "line", X: ttl, Series: "params.check", Y: []string{"p98 of overlap"}},
		`there is no statistic of calls "p99"`:                 {Kind: "line", X: ttl, Series: "params.check", Y: []string{"p99 of calls"}},
		"3 names for 2 values of params.check: want as many":   {Kind: "line", X: ttl, Series: "params.check", Y: []string{"calls"}, Names: []string{"a", "b", "c"}},
		`"soon" is no limit for calls`:                         {Kind: "line", X: ttl, Series: "params.check", Y: []string{"calls"}, Limit: "soon"},
		`law "l": "y" in the formula`:                          {Kind: "line", X: ttl, Series: "params.check", Y: []string{"calls"}, Laws: []result.Law{{Name: "l", Formula: "y"}}},
		`law "l": 1/(x-x) is +Inf at 5e+09`:                    {Kind: "line", X: ttl, Series: "params.check", Y: []string{"calls"}, Laws: []result.Law{{Name: "l", Formula: "1/(x-x)"}}},
		"a heat map is of one measure by x and series":         {Kind: "heat", X: ttl, Y: []string{"calls"}},
		"kind bar: want a measure as y":                        {Kind: "bar", X: ttl},
		"kind bar over time: want line, step":                  {Kind: "bar", X: result.TimeAxis, Y: []string{"calls"}},
		"a cdf is of the values of a measure: want no x":       {Kind: "cdf", X: ttl, Y: []string{"calls"}},
		"x and series are both params.ttl":                     {Kind: "line", X: ttl, Series: ttl, Y: []string{"calls"}},
		"multiples are a panel for each series":                {Kind: "multiples", X: ttl, Y: []string{"calls"}},
		"P(no-lost-update) is the share of some runs":          {Kind: "line", X: result.TimeAxis, Y: []string{"P(no-lost-update)"}},
		"the plot has no x: want one of params.ttl":            {Kind: "line", Y: []string{"calls"}},
		`there is no measure over time "overlap": want one of`: {Kind: "cdf", Y: []string{"overlap"}, Series: ttl},
	} {
		r := grid()
		if p.Kind == "heat" || p.Kind == "cdf" {
			r.Variants = []reports.Variant{r.Variants[0], r.Variants[2]}
		}
		p.File, p.Title = "f", "T"
		_, err := Figure(r, &p)
		require.ErrorContains(t, err, want)
		require.True(t, strings.HasPrefix(err.Error(), "plot f: "))
	}
	none := grid()
	none.Variants = none.Variants[:1]
	none.Variants[0].Series = nil
	_, err := Figure(none, &result.Plot{File: "f", Title: "T", Kind: "line", X: result.TimeAxis, Y: []string{"calls"}})
	require.ErrorContains(t, err, "the document has no values over time")
}

// TestStrangeTexts: names with signs of markup, line breaks and 10 kB.
func TestStrangeTexts(t *testing.T) {
	long := "<b>|\n&" + strings.Repeat("x", 10_000)
	f := draw(t, result.Plot{Kind: "line", X: "params.ttl", XLabel: long, Y: []string{"calls"}, YLabel: long, Series: "params.check", Names: []string{long, "b|<\n"}})
	var svg bytes.Buffer
	require.NoError(t, f.WriteSVG(&svg))
	require.NotContains(t, svg.String(), "<b>")
	require.Less(t, svg.Len(), 20_000)
}

// TestOnePoint: a run without a grid, and one with a single point.
func TestOnePoint(t *testing.T) {
	r := grid()
	r.Outcome, r.Settings, r.Variants = r.Variants[0].Outcome, r.Variants[0].Settings, nil
	f, err := Figure(r, &result.Plot{File: "f", Title: "T", Kind: "line", X: "params.ttl", Y: []string{"calls", "nothing"}})
	require.NoError(t, err)
	s := f.Panels[0].Plot.(figure.Lines).Series
	require.Len(t, s[0].X, 1)
	require.Empty(t, s[1].X, "nothing was recorded")
	require.NoError(t, f.WriteSVG(&bytes.Buffer{}))
}
