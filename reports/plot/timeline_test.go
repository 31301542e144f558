package plot

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/reports"
	"fencepost/reports/figure"
	"fencepost/result"
)

// paused is a run in which two held the lock, and one of them was paused.
func paused() *reports.Run {
	r := grid()
	r.Outcome, r.Settings, r.Variants = r.Variants[0].Outcome, nil, nil
	r.Timeline = &reports.Timeline{
		Nodes: []string{"client-1", "client-2", "store"}, States: []string{"holds", "lease", "paused", "down"}, Exclusive: []string{"holds"}, EndNS: 20e9,
		Spans: []reports.Span{
			{Node: "client-1", State: "paused", FromNS: 1e9, ToNS: 11e9}, {Node: "client-1", State: "holds", FromNS: 0, ToNS: 11e9},
			{Node: "client-2", State: "holds", FromNS: 10e9, ToNS: 12e9},
		},
		Instants: []reports.Instant{{Node: "store", By: "client-1", What: "write", AtNS: 12e9}},
		Violations: []reports.Violation{
			{Property: "mutual-exclusion", Nodes: []string{"client-2"}, AtNS: 10e9}, {Property: "no-lost-update", AtNS: 12e9},
			{Property: "fenced-order", AtNS: 12e9}, {Property: reports.PanicViolation, AtNS: 13e9},
		},
	}
	return r
}

var timelinePlot = result.Plot{Title: "T", File: "f", Kind: "timeline"}

// TestTimeline: rows in the order of nodes, and a mark for all violations of an instant.
func TestTimeline(t *testing.T) {
	f, err := Figure(paused(), &timelinePlot)
	require.NoError(t, err)
	require.NoError(t, f.WriteSVG(&bytes.Buffer{}))
	require.Equal(t, "lock/x: model lock, 1 run, seed 3", f.Subtitle)
	require.Equal(t, "Red line: a property is first violated. Shaded: two are in what only one should be in. Black line: from the node that caused it.", f.Caption)
	require.Equal(t, []figure.Panel{{
		X: figure.Axis{Label: "time", Unit: figure.Nanoseconds, Marks: []figure.Mark{
			{At: 10e9, Label: "mutual-exclusion violated", Alarm: true}, {At: 12e9, Label: "fenced-order, no-lost-update violated", Alarm: true}, {At: 13e9, Label: "panic", Alarm: true},
		}},
		Plot: figure.Timeline{
			Kinds: []string{"holds", "lease", "paused", "down"}, Stopped: []string{"paused", "down"}, Exclusive: []string{"holds"},
			Rows: []figure.Row{
				{Name: "client-1", Spans: []figure.Span{{From: 1e9, To: 11e9, Kind: "paused", Text: "paused 10 s"}, {From: 0, To: 11e9, Kind: "holds", Text: "holds"}}},
				{Name: "client-2", Spans: []figure.Span{{From: 10e9, To: 12e9, Kind: "holds", Text: "holds"}}},
				{Name: "store", Instants: []figure.Instant{{At: 12e9, Kind: "write", By: "client-1"}}},
			},
		},
	}}, f.Panels)
}

// TestTimelineOfGrid: a panel for each point, named for what makes it differ.
func TestTimelineOfGrid(t *testing.T) {
	r := grid()
	for i := range r.Variants {
		r.Variants[i].Timeline = paused().Timeline
	}
	f, err := Figure(r, &timelinePlot)
	require.NoError(t, err)
	require.Len(t, f.Panels, 4)
	require.Equal(t, "ttl 10s, check true", f.Panels[1].Title)

	r.Variants = append(r.Variants, r.Variants...)
	all := r.Variants
	r.Variants = all[:6]
	f, err = Figure(r, &timelinePlot)
	require.NoError(t, err)
	require.Len(t, f.Panels, 6)
	r.Variants = all
	_, err = Figure(r, &timelinePlot)
	require.ErrorContains(t, err, "plot f: a timeline of each of 8 points: want at most 6")
}

// TestTimelineRefused: without a timeline, and with what a timeline has none of.
func TestTimelineRefused(t *testing.T) {
	_, err := Figure(grid(), &timelinePlot)
	require.ErrorContains(t, err, "the document has no timeline")
	p := timelinePlot
	p.Y = []string{"calls"}
	_, err = Figure(paused(), &p)
	require.ErrorContains(t, err, "a timeline is of a whole run: want no x, y or series")

	empty := paused()
	empty.Timeline = &reports.Timeline{}
	f, err := Figure(empty, &timelinePlot)
	require.NoError(t, err)
	require.NoError(t, f.WriteSVG(&bytes.Buffer{}))
	require.Empty(t, f.Caption)
	f = draw(t, result.Plot{Kind: "heat", X: "params.ttl", Y: []string{"P(unseen)"}, Series: "params.check"})
	require.Equal(t, "A cell with a line across it has no value.", f.Caption)
}

// TestZeroOnLog: what a log axis does not have is drawn all the same, and the caption says so.
func TestZeroOnLog(t *testing.T) {
	r := grid()
	p := result.Plot{Title: "T", File: "f", Kind: "points", X: "params.ttl", Y: []string{"P(no-lost-update)"}, Series: "params.check", Log: "y"}
	f, err := Figure(r, &p)
	require.NoError(t, err)
	require.Equal(t, "Bars with ends are 95% intervals.", f.Caption)
	r.Variants[0].Properties[0].Violated, r.Variants[0].Properties[0].Share = 0, &reports.Share{High: 0.003}
	f, err = Figure(r, &p)
	require.NoError(t, err)
	require.Equal(t, "Bars with ends are 95% intervals. What is 0 is at the edge.", f.Caption)
	require.NoError(t, f.WriteSVG(&bytes.Buffer{}))

	r = grid()
	one := func(value int64) { // of "calls" at one point, over time and as a total, without an interval
		r.Variants[0].Metrics[1] = reports.Metric{Name: "calls", Unit: reports.Count, Value: result.Int(value)}
		r.Variants[0].Series[0].Values[1] = value
	}
	for _, p := range []result.Plot{
		{Kind: "line", X: "params.ttl", Y: []string{"calls"}, Series: "params.check", Log: "y"}, {Kind: "bar", X: "params.ttl", Y: []string{"calls"}, Series: "params.check", Log: "y"},
		{Kind: "heat", X: "params.ttl", Y: []string{"calls"}, Series: "params.check", Log: "y"},
		{Kind: "line", X: result.TimeAxis, Y: []string{"calls"}, Log: "y"}, {Kind: "cdf", Y: []string{"calls"}, Log: "x"},
	} {
		p.Title, p.File = "T", "f"
		for value, caption := range map[int64]bool{3: false, 0: p.Kind != "heat", -1: false} {
			r := r
			if one(value); p.X == result.TimeAxis || p.Kind == "cdf" {
				first := *r
				first.Variants = r.Variants[:1]
				r = &first
			}
			f, err := Figure(r, &p)
			require.NoError(t, err)
			require.Equal(t, caption, strings.Contains(f.Caption, "What is 0 is at the edge."), "%s of %d", p.Kind, value)
			if value == -1 {
				require.ErrorContains(t, f.WriteSVG(&bytes.Buffer{}), "-1: want more than 0 on a log axis", p.Kind)
			} else {
				require.NoError(t, f.WriteSVG(&bytes.Buffer{}), "%s of %d", p.Kind, value)
			}
		}
	}
	r.Variants[0].Settings[0].Value = "0s"
	f, err = Figure(r, &result.Plot{Title: "T", File: "f", Kind: "line", X: "params.ttl", Y: []string{"P(no-lost-update)"}, Series: "params.check", Log: "x"})
	require.NoError(t, err)
	require.ErrorContains(t, f.WriteSVG(&bytes.Buffer{}), "is 0: want more than 0 on a log axis", "it was chosen, and not measured")
}

// TestHeatCaption: a heat map has no bands, and says what a cell without a value is.
func TestHeatCaption(t *testing.T) {
	f := draw(t, result.Plot{Kind: "heat", X: "params.ttl", Y: []string{"P(no-lost-update)"}, Series: "params.check"})
	require.Empty(t, f.Caption)
	f = draw(t, result.Plot{Kind: "heat", X: "params.ttl", Y: []string{"P(unseen)"}, Series: "params.check"})
	require.Equal(t, "A cell with a line across it has no value.", f.Caption)
}
