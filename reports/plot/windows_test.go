package plot

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/reports"
	"fencepost/reports/figure"
	"fencepost/result"
)

// boundary is a run in which five requests come before the end of a window and five after it.
func boundary() *reports.Run {
	r := grid()
	r.Outcome, r.Settings, r.Variants = r.Variants[0].Outcome, nil, nil
	r.UntilNS = 150e9
	r.Outcome.Series = []reports.Series{{Metric: "admitted", AtNS: []int64{37e9, 37e9, 51e9, 67e9, 79e9}, Values: []int64{1, 2, 2, 1, 4}}}
	r.Outcome.Metrics = append(r.Outcome.Metrics, reports.Metric{Name: "admitted"})
	r.Outcome.Properties = []reports.Property{{Name: "window-limit", First: &reports.First{Seed: r.Seed, AtNS: 67e9}}}
	return r
}

var windowsPlot = result.Plot{Title: "T", File: "f", Kind: "step", X: result.TimeAxis, Y: []string{"admitted"}, Within: "1m", Windows: "1m", Limit: "5"}

// TestWindows: bars of a second each, the counter that starts again at 60 s, and the
// window that slides, which the limit is for.
func TestWindows(t *testing.T) {
	f, err := Figure(boundary(), &windowsPlot)
	require.NoError(t, err)
	require.NoError(t, f.WriteSVG(&bytes.Buffer{}))
	require.Len(t, f.Panels, 2)
	require.Equal(t, []figure.Mark{{At: 60e9, Label: "boundary at 60 s"}, {At: 120e9, Label: "boundary at 120 s"}, {At: 67e9, Label: "window-limit violated", Alarm: true}}, f.Panels[0].X.Marks)
	bars := f.Panels[0].Plot.(figure.Lines).Series[0]
	require.Equal(t, []float64{0, 37e9, 38e9, 51e9, 52e9, 67e9, 68e9, 79e9, 80e9, 150e9}, bars.X)
	require.Equal(t, []float64{0, 3, 0, 2, 0, 1, 0, 4, 0, 0}, bars.High)
	below := f.Panels[1].Plot.(figure.Lines).Series
	require.Equal(t, figure.Series{Name: "counter of the window", Style: figure.Step,
		X: []float64{0, 37e9, 51e9, 60e9, 67e9, 79e9, 120e9, 150e9}, Y: []float64{0, 3, 5, 0, 1, 5, 0, 0}}, below[1])
	require.Equal(t, "in the last 60 s", below[0].Name)
	require.Contains(t, below[0].Y, 10.0)
	require.Equal(t, 5.0, f.Panels[1].Y.Marks[0].At)
}

// TestWindowsRefuses: what has no windows, and too many of them.
func TestWindowsRefuses(t *testing.T) {
	p := windowsPlot
	p.Kind = "line"
	_, err := Figure(boundary(), &p)
	require.ErrorContains(t, err, "want kind step, x: time, within, one y and no series")
	p = windowsPlot
	p.Windows = "1ms"
	_, err = Figure(boundary(), &p)
	require.ErrorContains(t, err, "150000 windows of 1ms: want at most 200")
}
