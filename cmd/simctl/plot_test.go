package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/reports"
	"fencepost/reports/figure"
	"fencepost/reports/plot"
	"fencepost/scenarios"
	"fencepost/sim/formula"
)

// embedded is simctl with the scenarios that ship.
func embedded() *app {
	return &app{catalog: catalog{scenarios.Names, scenarios.Load, scenarios.Source, scenarios.NewRecord}}
}

// TestFiguresAreFresh: the figures in the repository are those that the scenarios draw,
// byte for byte, and the gallery shows each.
func TestFiguresAreFresh(t *testing.T) {
	const folder = "../../docs/figures"
	gallery, err := os.ReadFile("../../docs/gallery.md")
	require.NoError(t, err)
	drawn := map[string]bool{}
	require.NoError(t, embedded().eachFigure(context.Background(), func(file string, f *figure.Figure) error {
		require.False(t, drawn[file], "two plots have the file %s", file)
		drawn[file] = true
		var fresh bytes.Buffer
		require.NoError(t, f.WriteSVG(&fresh))
		kept, err := os.ReadFile(filepath.Join(folder, file+".svg"))
		require.NoError(t, err, "run go generate ./docs")
		assert.True(t, fresh.String() == strings.ReplaceAll(string(kept), "\r\n", "\n"), "docs/figures/%s.svg is stale: run go generate ./docs", file)
		assert.Contains(t, string(gallery), "](figures/"+file+".svg)")
		assert.Contains(t, string(gallery), f.Title)
		return nil
	}))
	files, err := filepath.Glob(folder + "/*.svg")
	require.NoError(t, err)
	for _, file := range files {
		assert.True(t, drawn[strings.TrimSuffix(filepath.Base(file), ".svg")], "no scenario draws %s", file)
	}
}

// TestGalleryCommands: the commands of the gallery are of scenarios that draw.
func TestGalleryCommands(t *testing.T) {
	gallery, err := os.ReadFile("../../docs/gallery.md")
	require.NoError(t, err)
	for _, name := range scenarios.Names() {
		s, err := scenarios.Load(name, scenarios.Options{})
		require.NoError(t, err)
		assert.Equal(t, len(s.Plots) > 0, strings.Contains(string(gallery), "simctl run "+name+" --out "), name)
	}
}

// TestLawsAgree: what a proof says and what was simulated are the same: the closed form
// is within the interval of each point, or where there is none equal to it. It says which
// points of which plots it has judged.
func TestLawsAgree(t *testing.T) {
	for _, c := range []struct {
		scenario, file, law, of string // the value of the series, "" without
		y                       string
		slack                   float64 // of a value without an interval
		points                  int
	}{
		{"lock/figure-pause-after-check", "pause-after-check", "check", "none", "P(no-lost-update)", 0, 7},
		{"lock/figure-pause-after-check", "pause-after-check", "check", "none", "P(mutual-exclusion)", 0, 7},
		{"lock/figure-pause-after-check", "pause-after-check", "check", "lex", "P(mutual-exclusion)", 0, 7},
		{"lock/figure-split-votes", "split-votes", "the chance of three votes of five", "", "acquisitions", 0, 9},
		{"lock/figure-overlap", "overlap", "pause law", "", "overlap", 0, 12},
		{"clock/figure-mutex", "mutex-messages", "Lamport", "lamport", "messages-per-entry", 0, 7},
		{"clock/figure-mutex", "mutex-messages", "Ricart and Agrawala", "ricart-agrawala", "messages-per-entry", 0, 7},
		{"clock/figure-bytes", "clock-bytes", "the dense form, whoever sends", "", "bytes-per-message", 1, 21}, // a server that has had more than 127 events takes a second byte
		{"ratelimit/figure-lag", "overshoot-lag", "the limit and the requests of the lag", "", "worst-window", 0, 9},
		{"ratelimit/figure-skew", "overshoot-skew", "the limit and what one limiter is asked in the time between the clocks", "", "worst-window", 0, 9},
	} {
		s, err := scenarios.Load(c.scenario, scenarios.Options{})
		require.NoError(t, err)
		r, err := execute.Run(context.Background(), &execute.Plan{Scenario: s})
		require.NoError(t, err)
		p := plotOf(t, r, c.file)
		p.Y = []string{c.y}
		points, err := plot.Points(r, p, c.of)
		require.NoError(t, err)
		require.Len(t, points, c.points, c.scenario)
		for _, at := range points {
			y := law(t, p, c.law).At(at.X)
			assert.True(t, at.Low-c.slack <= y && y <= at.High+c.slack || math.Abs(y-at.Y) < 1e-9,
				"%s: %s at %g is %g, and %s is %g (%g to %g)", c.scenario, c.law, at.X, y, c.y, at.Y, at.Low, at.High)
		}
	}
}

func plotOf(t *testing.T, r *reports.Run, file string) *reports.Plot {
	t.Helper()
	for i := range r.Plots {
		if r.Plots[i].File == file {
			p := r.Plots[i]
			return &p
		}
	}
	require.Fail(t, "no plot "+file)
	return nil
}

func law(t *testing.T, p *reports.Plot, name string) *formula.Formula {
	t.Helper()
	for _, l := range p.Laws {
		if l.Name == name {
			f, err := formula.Parse(l.Formula)
			require.NoError(t, err)
			return f
		}
	}
	require.Fail(t, "no law "+name)
	return nil
}

// result writes the document of the fake grid.
func result(t *testing.T, line ...string) string {
	t.Helper()
	code, text, stderr := call(t, append([]string{"run", "fake/grid", "--json"}, line...)...)
	require.Equal(t, exitOK, code, stderr)
	file := filepath.Join(t.TempDir(), "result.json")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

// TestPlot draws what nobody has asked for beforehand, in three formats.
func TestPlot(t *testing.T) {
	file := result(t)
	draw := []string{"plot", file, "--x", "params.hold", "--y", "P(mutual-exclusion)"}
	code, svg, stderr := call(t, draw...)
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, svg, "<svg")
	require.Contains(t, svg, ">P(mutual-exclusion) by params.hold<")
	require.Contains(t, svg, "3 points, 100 runs each, seeds 1 to 100<")
	_, again, _ := call(t, draw...)
	require.Equal(t, svg, again)

	out := filepath.Join(t.TempDir(), "a.svg")
	for range 2 { // what is there is replaced, as by other commands
		code, stdout, stderr := call(t, append(draw, "--out", out)...)
		require.Equal(t, exitOK, code, stderr)
		require.Empty(t, stdout)
		text, err := os.ReadFile(out)
		require.NoError(t, err)
		require.Equal(t, svg, string(text))
	}
	for ending, magic := range map[string]string{"png": "\x89PNG", "pdf": "%PDF"} {
		out := filepath.Join(t.TempDir(), "a."+ending)
		code, _, stderr := call(t, append(draw, "--out", out)...)
		require.Equal(t, exitOK, code, stderr)
		text, err := os.ReadFile(out)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(text), magic))
	}
	code, bars, _ := call(t, "plot", file, "--x", "params.hold", "--y", "acquisitions", "--y", "p99 of acquired-at", "--kind", "bar", "--title", "Two <b>|</b>\n")
	require.Equal(t, exitOK, code)
	require.Contains(t, bars, "Two &lt;b")
}

// TestPlotRefuses: what is wrong, where, and what was meant.
func TestPlotRefuses(t *testing.T) {
	file := result(t)
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
		{"", "want one document", exitUsage},
		{file + " " + file, "want one document", exitUsage},
		{"nothing.json", "nothing.json: no such file", exitError},
		{dir, "is a directory", exitError},
		{cut, "cut.json: the document is cut off at its end", exitError},
		{other, `other.json: the document is of another version, "v2"`, exitError},
		{file, "asks for no plots: want --x and --y", exitUsage},
		{file + " --x params.hold", "--x without --y", exitUsage},
		{file + " --y acquisitions", `there is no axis ""`, exitUsage},
		{file + " --x params.hlod --y acquisitions", `there is no axis "params.hlod": want one of params.hold, time; did you mean params.hold?`, exitUsage},
		{file + " " + x + "--y aquisitions", `there is no measure "aquisitions": want one of acquired-at, acquisitions,`, exitUsage},
		{file + " " + x + "--y aquisitions", "did you mean acquisitions?", exitUsage},
		{file + " " + x + "--y P(mutual-exlusion)", `there is no property "mutual-exlusion"`, exitUsage},
		{file + " " + x + "--y P(mutual-exlusion)", "did you mean mutual-exclusion?", exitUsage},
		{file + " " + x + "--y acquisitions --series params.x", `there is no axis "params.x"`, exitUsage},
		{file + " " + x + "--y acquisitions --kind pie", `there is no kind of plot "pie": want one of line, step`, exitUsage},
		{file + " " + x + "--y acquisitions --log z", "--log: want x, y or xy", exitUsage},
		{file + " --x time --y acquisitions", "has the axis params.hold as well", exitUsage},
		{file + " " + x + "--y acquisitions --out a.gif", "ends in .svg, .png or .pdf", exitUsage},
		{file + " " + x + "--y acquisitions --out=", "the path is empty", exitUsage},
		{file + " " + x + "--y acquisitions --out " + dir, "want a file that ends in", exitUsage},
		{file + " " + x + "--y acquisitions --out nowhere/a.svg", "there is no folder nowhere", exitError},
	} {
		code, stdout, stderr := call(t, append([]string{"plot"}, strings.Fields(c.line)...)...)
		assert.Equal(t, c.code, code, c.line)
		assert.Empty(t, stdout, c.line)
		assert.Contains(t, stderr, c.want, c.line)
	}
}

// TestPlotOfLogAxis: a value that such an axis does not have is named.
func TestPlotOfLogAxis(t *testing.T) {
	file := result(t)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	zero := strings.Replace(string(text), `"path": "params.hold",
          "value": "2ms"`, `"path": "params.hold",
          "value": "0s"`, 1)
	require.NotEqual(t, string(text), zero)
	require.NoError(t, os.WriteFile(file, []byte(zero), 0o644))
	code, stdout, stderr := call(t, "plot", file, "--x", "params.hold", "--y", "acquisitions", "--log", "x")
	require.Equal(t, exitError, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "is 0: want more than 0 on a log axis")
}

// TestRunDrawsPlots: the folder of --out has the plots, and the document has what they
// need.
func TestRunDrawsPlots(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitOK, run([]string{"run", "clock/figure-hlc-step", "--out", folder, "--quiet"}, &stdout, &stderr), stderr.String())
	require.Equal(t, []string{"hlc-ahead.svg", "hlc-counter.svg", "report.json", "report.txt", "trace.txt"}, under(t, folder))
	drawn, err := os.ReadFile(filepath.Join(folder, "hlc-ahead.svg"))
	require.NoError(t, err)
	document := filepath.Join(folder, "report.json")
	stdout.Reset()
	require.Equal(t, exitOK, run([]string{"plot", document, "--figure", "hlc-ahead"}, &stdout, &stderr), stderr.String())
	require.Equal(t, string(drawn), stdout.String())
	for line, want := range map[string]string{"": "has 2 plots: want one of them, as --figure hlc-ahead or hlc-counter", "--figure hlc-ahed": "did you mean hlc-ahead?"} {
		stderr.Reset()
		require.Equal(t, exitUsage, run(append([]string{"plot", document}, strings.Fields(line)...), &stdout, &stderr))
		require.Contains(t, stderr.String(), want)
	}
}
