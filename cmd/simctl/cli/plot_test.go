package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/plotting"
	"fencepost/reports"
	"fencepost/reports/plot"
	"fencepost/result"
	"fencepost/scenarios"
)

// embedded is simctl with the scenarios that ship.
func embedded() *app {
	return &app{&cli.App{Catalog: cli.CatalogOf(scenarios.Catalog(), strings.NewReader(""))}}
}

// documentOf writes the document of the fake grid.
func documentOf(t *testing.T, line ...string) string {
	t.Helper()
	code, text, stderr := call(t, append([]string{"run", "fake/grid", "--json"}, line...)...)
	require.Equal(t, cli.ExitOK, code, stderr)
	file := filepath.Join(t.TempDir(), "result.json")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

// TestPlot draws what nobody has asked for beforehand, in three formats.
func TestPlot(t *testing.T) {
	file := documentOf(t)
	draw := []string{"plot", file, "--x", "params.hold", "--y", "P(mutual-exclusion)"}
	code, svg, stderr := call(t, draw...)
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Contains(t, svg, "<svg")
	require.Contains(t, svg, ">P(mutual-exclusion) by params.hold<")
	require.Contains(t, svg, "3 points, 100 runs each, seeds 1 to 100<")
	_, again, _ := call(t, draw...)
	require.Equal(t, svg, again)

	out := filepath.Join(t.TempDir(), "a.svg")
	require.NoError(t, os.WriteFile(out, []byte("mine"), 0o644))
	code, _, stderr = call(t, append(draw, "--out", out)...)
	require.Equal(t, cli.ExitError, code)
	require.Contains(t, stderr, "--out: "+out+" is there already, and is not replaced without --force")
	for range 2 {
		code, stdout, stderr := call(t, append(draw, "--out", out, "--force")...)
		require.Equal(t, cli.ExitOK, code, stderr)
		require.Empty(t, stdout)
		text, err := os.ReadFile(out)
		require.NoError(t, err)
		require.Equal(t, svg, string(text))
	}
	for ending, magic := range map[string]string{"png": "\x89PNG", "pdf": "%PDF"} {
		out := filepath.Join(t.TempDir(), "a."+ending)
		code, _, stderr := call(t, append(draw, "--out", out)...)
		require.Equal(t, cli.ExitOK, code, stderr)
		text, err := os.ReadFile(out)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(text), magic))
	}
	code, bars, _ := call(t, "plot", file, "--x", "params.hold", "--y", "acquisitions", "--y", "p99 of acquired-at", "--kind", "bar", "--title", "Two <b>|</b>\n")
	require.Equal(t, cli.ExitOK, code)
	require.Contains(t, bars, "Two &lt;b")
}

// TestPlotRefuses: what is wrong, where, and what was meant.
func TestPlotRefuses(t *testing.T) {
	file := documentOf(t)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	dir := t.TempDir()
	cut, other := filepath.Join(dir, "cut.json"), filepath.Join(dir, "other.json")
	require.NoError(t, os.WriteFile(cut, whole[:len(whole)/2], 0o644))
	require.NoError(t, os.WriteFile(other, []byte(strings.Replace(string(whole), "run/v1", "run/v2", 1)), 0o644))
	x := "--x params.hold "
	for _, c := range []struct {
		line, want string
		code       int
	}{
		{"", "want one document", cli.ExitUsage},
		{file + " " + file, "want one document", cli.ExitUsage},
		{"nothing.json", "nothing.json: no such file", cli.ExitError},
		{dir, "is a directory", cli.ExitError},
		{cut, "cut.json: the document is cut off at its end", cli.ExitError},
		{other, `other.json: the document is of another version, "v2"`, cli.ExitError},
		{file, "asks for no plots: want --x and --y", cli.ExitUsage},
		{file + " --x params.hold", "--x without --y", cli.ExitUsage},
		{file + " --y aquisitions", `there is no measure "aquisitions"`, cli.ExitUsage},
		{file + " --x params.hlod --y acquisitions", `there is no axis "params.hlod": want one of params.hold, time; did you mean params.hold?`, cli.ExitUsage},
		{file + " " + x + "--y aquisitions", `there is no measure "aquisitions": want one of acquired-at, acquisitions,`, cli.ExitUsage},
		{file + " " + x + "--y aquisitions", "did you mean acquisitions?", cli.ExitUsage},
		{file + " " + x + "--y P(mutual-exlusion)", `there is no property "mutual-exlusion"`, cli.ExitUsage},
		{file + " " + x + "--y P(mutual-exlusion)", "did you mean mutual-exclusion?", cli.ExitUsage},
		{file + " " + x + "--y acquisitions --series params.x", `there is no axis "params.x"`, cli.ExitUsage},
		{file + " " + x + "--y acquisitions --kind pie", `there is no kind of plot "pie": want one of line, step`, cli.ExitUsage},
		{file + " " + x + "--y acquisitions --log z", "--log: want x, y or xy", cli.ExitUsage},
		{file + " --x time --y acquisitions", "has the axis params.hold as well", cli.ExitUsage},
		{file + " " + x + "--y acquisitions --out a.gif", "ends in .svg, .png or .pdf", cli.ExitUsage},
		{file + " " + x + "--y acquisitions --out=", "the path is empty", cli.ExitUsage},
		{file + " " + x + "--y acquisitions --out " + dir, "want a file that ends in", cli.ExitUsage},
		{file + " " + x + "--y acquisitions --out nowhere/a.svg", "there is no folder nowhere", cli.ExitError},
	} {
		code, stdout, stderr := call(t, append([]string{"plot"}, strings.Fields(c.line)...)...)
		assert.Equal(t, c.code, code, c.line)
		assert.Empty(t, stdout, c.line)
		assert.Contains(t, stderr, c.want, c.line)
	}
}

// TestPlotOfLogAxis: a value that such an axis does not have is named.
func TestPlotOfLogAxis(t *testing.T) {
	file := documentOf(t)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	zero := strings.Replace(string(text), `"path": "params.hold",
          "value": "2ms"`, `"path": "params.hold",
          "value": "0s"`, 1)
	require.NotEqual(t, string(text), zero)
	require.NoError(t, os.WriteFile(file, []byte(zero), 0o644))
	code, stdout, stderr := call(t, "plot", file, "--x", "params.hold", "--y", "acquisitions", "--log", "x")
	require.Equal(t, cli.ExitError, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "is 0: want more than 0 on a log axis")
}

// TestRunDrawsPlots: the folder of --out has the plots, and the document has what they
// need.
func TestRunDrawsPlots(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	var stdout, stderr bytes.Buffer
	require.Equal(t, cli.ExitOK, run([]string{"run", "clock/figure-hlc-step", "--out", folder, "--quiet"}, &stdout, &stderr), stderr.String())
	require.Equal(t, []string{"hlc-ahead.svg", "hlc-counter.svg", "report.json", "report.txt", "trace.txt"}, under(t, folder))
	drawn, err := os.ReadFile(filepath.Join(folder, "hlc-ahead.svg"))
	require.NoError(t, err)
	document := filepath.Join(folder, "report.json")
	stdout.Reset()
	require.Equal(t, cli.ExitOK, run([]string{"plot", document, "--figure", "hlc-ahead"}, &stdout, &stderr), stderr.String())
	require.Equal(t, string(drawn), stdout.String())
	for line, want := range map[string]string{"": "has 2 plots: want one of them, as --figure hlc-ahead or hlc-counter", "--figure hlc-ahed": "did you mean hlc-ahead?"} {
		stderr.Reset()
		require.Equal(t, cli.ExitUsage, run(append([]string{"plot", document}, strings.Fields(line)...), &stdout, &stderr))
		require.Contains(t, stderr.String(), want)
	}
}

// TestPlotKinds: each kind wants what a file must say, too, and what is misspelt is named
// before what is missing.
func TestPlotKinds(t *testing.T) {
	document := func(args ...string) string {
		var stdout, stderr bytes.Buffer
		run(append([]string{"run", "redlock/gc-pause", "--json"}, args...), &stdout, &stderr)
		require.Empty(t, stderr.String())
		file := filepath.Join(t.TempDir(), "result.json")
		require.NoError(t, os.WriteFile(file, stdout.Bytes(), 0o644))
		return file
	}
	one := document()
	grid := document("--set", "vary={params.ttl: [5s, 10s], params.retry: [50ms, 100ms]}")
	for _, c := range []struct{ file, line, want string }{
		{one, "--kind heat --y acquire-latency", "kind heat over time: want line, step, points or multiples"},
		{one, "--kind bar --y acquire-latency", "kind bar over time: want line, step"},
		{one, "--kind multiples --y acquire-latency", "multiples are a panel for each series: want series, or several y"},
		{one, "--figure redlock-gc-pause --kind bar", "kind bar: want a measure as y; a timeline and a matrix have none"},
		{one, "--kind timeline --y acquire-latency", "a timeline is of a whole run: want no x, y or series"},
		{one, "--y P(no-lost-updat)", "did you mean no-lost-update?"},
		{one, "--y acquire-latenc", "did you mean acquire-latency?"},
		{one, "--y P(no-lost-update)", "is the share of some runs, and this is about one: want a measure"},
		{grid, "--y P(no-lost-updat)", "did you mean no-lost-update?"},
		{grid, "--y P(no-lost-update)", "the grid has several axes: want one of params.ttl, params.retry"},
		{grid, "--x params.ttl --kind heat --y acquire-latency", "want one y, and series"},
		{grid, "--x params.ttl --series params.ttl --y acquire-latency", "x and series are both params.ttl: want another axis"},
		{grid, "--x params.ttl --kind cdf --y acquire-latency", "a cdf is of the values of a measure: want no x"},
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, cli.ExitUsage, run(append([]string{"plot", c.file}, strings.Fields(c.line)...), &stdout, &stderr), c.line)
		assert.Empty(t, stdout.String(), c.line)
		assert.Contains(t, stderr.String(), c.want, c.line)
	}
}

// TestPlotTimeline: a timeline needs no --y, and of several plots --kind picks it.
func TestPlotTimeline(t *testing.T) {
	r := gridOf(nil)
	o := &plotting.Request{Changes: result.Plot{Kind: plot.Timeline}, Given: newPlotCmd(embedded()).Flags().Changed}
	p, err := o.Choose(r)
	require.NoError(t, err)
	require.Equal(t, &result.Plot{Kind: plot.Timeline, File: "timeline", Title: "who did what when"}, p)
	_, err = plot.Figure(r, p)
	require.ErrorContains(t, err, "the document has no timeline")
	r.Plots = []result.Plot{{File: "a", Kind: "line"}, {File: "b", Kind: plot.Timeline, Title: "B"}, {File: "c", Kind: "bar"}}
	p, err = o.Choose(r)
	require.NoError(t, err)
	require.Equal(t, "B", p.Title)
}

// TestPlotWithoutX: the only axis of a grid, or time without a grid, need not be named.
func TestPlotWithoutX(t *testing.T) {
	for _, c := range []struct {
		axes []string
		want string
	}{
		{nil, "time"},
		{[]string{"params.ttl"}, "params.ttl"},
	} {
		p, err := (&plotting.Request{Changes: result.Plot{Kind: "line", Y: []string{"writes"}}}).Choose(gridOf(c.axes))
		require.NoError(t, err)
		require.Equal(t, c.want, p.X)
	}
	_, err := (&plotting.Request{Changes: result.Plot{Kind: "line", Y: []string{"writes"}}}).Choose(gridOf([]string{"params.ttl", "params.hold"}))
	require.EqualError(t, err, "--y without --x: the grid has several axes: want one of params.ttl, params.hold")
	p, err := (&plotting.Request{Changes: result.Plot{Kind: "cdf", Y: []string{"wait"}}}).Choose(gridOf(nil))
	require.NoError(t, err)
	require.Empty(t, p.X, "a cdf has none")
}

// gridOf is a document of one point with these axes.
func gridOf(axes []string) *reports.Run {
	measured := reports.Outcome{Metrics: reports.Metrics{{Name: "writes", Value: result.Int(1)}, {Name: "wait", Value: result.Int(1)}}}
	r := &reports.Run{Outcome: measured}
	if axes == nil {
		return r
	}
	v := reports.Variant{Outcome: measured}
	for _, path := range axes {
		v.Settings = append(v.Settings, result.Setting{Path: path, Value: "1s"})
	}
	r.Variants = []reports.Variant{v}
	return r
}
