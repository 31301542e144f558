package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/reports"
	"fencepost/result"
)

// withCases is a grid of cases, of which some have names that a format might trip over.
const withCases = `model: lock
until: 30s
runs: 3
params: {ttl: 5s}
faults:
  - {pause: client-1, every: {exp: 5s}, for: {exp: 8s}, name: collections}
show: [mutual-exclusion, no-lost-update]
vary:
  protection:
    check: {}
    "<b>no, |check|</b>": {params.check: false}
    "; ..\\ \u00e4 & \"fence\"": {params.fencing: lex, params.tokens: counter}
  network.delay: [1ms, 2ms]
plots:
  - {title: By case, file: by-case, kind: bar, x: protection, series: network.delay, names: [near, far], y: P(no-lost-update)}
`

// runCases runs simctl in a folder with the file.
func runCases(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("NO_COLOR", "")
	if _, err := os.Stat("cases.yaml"); err != nil {
		t.Chdir(t.TempDir())
		require.NoError(t, os.WriteFile("cases.yaml", []byte(withCases), 0o644))
	}
	var out, err bytes.Buffer
	code = run(args, &out, &err)
	return code, out.String(), err.String()
}

// TestCasesInReports: every form of a report has the names of the cases, and stays what
// it is whatever they are.
func TestCasesInReports(t *testing.T) {
	names := []string{"check", "<b>no, |check|</b>", `; ..\ ä & "fence"`}
	code, text, stderr := runCases(t, "run", "cases.yaml", "--output", "json")
	require.Equal(t, cli.ExitNotExpected, code, stderr)
	var r reports.Run
	require.NoError(t, json.Unmarshal([]byte(text), &r))
	require.Len(t, r.Variants, 6)
	for i, v := range r.Variants {
		require.Equal(t, []result.Setting{{Path: "protection", Value: names[i/2]}, {Path: "network.delay", Value: []string{"1ms", "2ms"}[i%2]}}, v.Settings)
	}

	_, text, _ = runCases(t, "run", "cases.yaml", "--output", "csv")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 7)
	for i, row := range rows[1:] {
		require.Equal(t, names[i/2], row[2])
	}

	_, text, _ = runCases(t, "run", "cases.yaml", "--output", "junit")
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
	}
	_, text, _ = runCases(t, "run", "cases.yaml", "--output", "markdown")
	require.NotContains(t, text, "<b>")
	require.NotContains(t, text, "|check|")
	_, text, _ = runCases(t, "compare", "cases.yaml")
	for _, name := range names {
		require.Contains(t, text, "\n "+name+" ")
	}
}

// TestPickCase: --set picks the case of a run and of an explanation, and its name for a figure.
func TestPickCase(t *testing.T) {
	code, text, stderr := runCases(t, "run", "cases.yaml", "--set", "protection=check", "--set", "network.delay=2ms", "--out", "picked")
	require.Equal(t, cli.ExitNotExpected, code, text+stderr)
	require.Contains(t, text, "protection = check")
	figure, err := os.ReadFile(filepath.Join("picked", "by-case.svg"))
	require.NoError(t, err)
	assert.Contains(t, string(figure), ">check<")

	code, _, stderr = runCases(t, "run", "cases.yaml", "--set", "protection=chekc")
	require.Equal(t, cli.ExitUsage, code)
	require.Contains(t, stderr, `protection has no case "chekc"; did you mean "check"?`)

	code, text, stderr = runCases(t, "explain", "cases.yaml", "--set", "protection=check", "--set", "network.delay=2ms", "--property", "deadlock-free")
	require.Equal(t, cli.ExitNotExpected, code, text+stderr)
	require.Contains(t, text, "protection = check")
}

// TestShowCases: what each case changes, and the figures.
func TestShowCases(t *testing.T) {
	_, text, _ := runCases(t, "show", "cases.yaml")
	for _, line := range []string{
		"protection     check, <b>no, |check|</b>, ; ..\\ ä & \"fence\"", "cases of protection, and what each changes",
		"  check               nothing: it is the file\n", "  <b>no, |check|</b>  params.check is false\n",
		"figures\n  by-case.svg  By case\n", "simctl run cases.yaml --out DIR",
	} {
		require.Contains(t, text, line)
	}
	_, text, _ = runCases(t, "show", "redis/figure-overlap")
	require.Contains(t, text, "figures\n  docs/figures/overlap.svg  ")
}

// TestCasesAtTheShell: completion knows the cases, and a boundary has none between them.
func TestCasesAtTheShell(t *testing.T) {
	_, text, _ := runCases(t, "__complete", "run", "cases.yaml", "--set", "")
	require.Contains(t, text, "\nprotection=check\nprotection=<b>no, |check|</b>\n")
	require.NotContains(t, text, "network.delay=1ms")

	code, _, stderr := runCases(t, "boundary", "cases.yaml", "--vary", "protection", "--from", "1", "--to", "5", "--property", "deadlock-free")
	require.Equal(t, cli.ExitUsage, code)
	require.Contains(t, stderr, `boundary: --vary protection: it has cases, and between "check" and the others there is no value: want the path of a number`)

	code, text, stderr = runCases(t, "compare", "cases.yaml", "--set", "network.delay=2ms")
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Contains(t, text, "set       network.delay = 2ms\n")
	require.NotContains(t, text, "\n delay=2ms", "all have it")
	require.NotContains(t, text, "\n protection=")
	require.Contains(t, text, "\n <b>no, |check|</b> ")
}

// TestResumeCases: a grid of cases goes on from its points, and only from its own.
func TestResumeCases(t *testing.T) {
	code, _, stderr := runCases(t, "run", "cases.yaml", "--out", "whole")
	require.Equal(t, cli.ExitNotExpected, code, stderr)
	want := contents(t, "whole")
	points := strings.SplitAfter(want["points.jsonl"], "\n")
	require.NoError(t, os.WriteFile(filepath.Join("whole", "points.jsonl"), []byte(strings.Join(points[:4], "")), 0o644))
	code, _, stderr = runCases(t, "run", "cases.yaml", "--out", "whole", "--resume")
	require.Equal(t, cli.ExitNotExpected, code, stderr)
	require.Equal(t, want, contents(t, "whole"))

	other := strings.Replace(withCases, "check: {}", "check: {resume: messages-first}", 1)
	require.NoError(t, os.WriteFile("cases.yaml", []byte(other), 0o644))
	code, _, stderr = runCases(t, "run", "cases.yaml", "--out", "whole", "--resume")
	require.Equal(t, cli.ExitError, code)
	require.Contains(t, stderr, "its points are of another run")
}

// TestUndrawn: a figure that cannot be drawn is an error, once all else is written.
func TestUndrawn(t *testing.T) {
	const grid = "model: lock\nuntil: 60s\nvary: {params.ttl: [5s, 10s, 15s, 20s, 25s, 30s, 35s, 40s], network.delay: [1ms, 2ms]}\nplots:\n" +
		"  - {title: More lines than colours, file: lines, x: network.delay, y: overlap, series: params.ttl}\n" +
		"  - {title: Fine, file: fine, x: params.ttl, y: overlap, series: network.delay, log: y}\n"
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("grid.yaml", []byte(grid), 0o644))
	var out, stderr bytes.Buffer
	require.Equal(t, cli.ExitError, run([]string{"run", "grid.yaml", "--out", "out"}, &out, &stderr))
	require.Contains(t, stderr.String(), "simctl: lines is not drawn: ")
	require.Contains(t, out.String(), "HELD: at all 16 points")
	found := contents(t, "out")
	require.Contains(t, found, "fine.svg")
	require.Contains(t, found, "report.json")
	require.NotContains(t, found, "lines.svg")
	require.Contains(t, found["fine.svg"], "What is 0 is at the edge.")
}
