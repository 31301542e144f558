package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/reports"
	"fencepost/reports/golden"
	"fencepost/result"
)

// comparisons are command lines over the fake scenarios.
var comparisons = map[string]string{
	"grid":     "compare fake/grid",
	"baseline": "compare fake/grid --baseline 20ms",
	"two":      "compare fake/calm fake/drawn",
	"one run":  "compare fake/calm fake/pause fake/panic",
	"vacuous":  "compare fake/calm fake/vacuous --runs 10",
	"calm":     "compare fake/calm fake/pause --no-faults --runs 50",
	"measure":  "compare fake/pause fake/calm --runs 20 --measure acquired-at",
	"axes":     "compare fake/table",
	"axes run": "compare fake/table --runs 1",
}

func TestCompareText(t *testing.T) {
	for name, line := range comparisons {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			code, stdout, stderr := call(t, split("%s", line)...)
			require.Equal(t, cli.ExitOK, code, "nothing is expected of a comparison")
			require.Empty(t, stderr)
			golden.Require(t, stdout, ".txt")
			_, again, _ := call(t, split("%s --jobs 1", line)...)
			require.Equal(t, stdout, again)
			_, again, _ = call(t, split("%s --jobs 8", line)...)
			require.Equal(t, stdout, again)
		})
	}
}

func TestCompareJSON(t *testing.T) {
	for name, line := range comparisons {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			_, stdout, _ := call(t, split("%s --json --jobs 1", line)...)
			_, again, _ := call(t, split("%s --json --jobs 2", line)...)
			require.Equal(t, stdout, again)
			if name == "grid" || name == "one run" {
				golden.Require(t, stdout, ".json")
			}
		})
	}
}

// TestCompareAxes: the document of a grid of two axes names them in the order of the file,
// and has each point once, with its cases. A grid of another shape has none.
func TestCompareAxes(t *testing.T) {
	type document struct {
		Axes       []reports.GridAxis
		Candidates []struct{ Settings []result.Setting } `json:"candidates"`
	}
	read := func(line string) (doc document) {
		_, stdout, stderr := call(t, split("%s --json --runs 3", line)...)
		require.NoError(t, json.Unmarshal([]byte(stdout), &doc), stderr)
		return doc
	}
	doc := read("compare fake/table")
	require.Equal(t, []reports.GridAxis{
		{Name: "situation", Values: []string{"calm", "double click, key per call", "crash after effect, before record", "pause > lock TTL"}},
		{Name: "strategy", Values: []string{"S1 as coded (timestamp key)", "S3 as coded + UNIQUE", "D1"}},
	}, doc.Axes)
	points := map[result.Setting]int{}
	for _, c := range doc.Candidates {
		points[c.Settings[0]]++
		points[c.Settings[1]]++
	}
	for _, v := range doc.Axes[0].Values {
		require.Equal(t, 3, points[result.Setting{Path: "situation", Value: v}])
	}
	for _, v := range doc.Axes[1].Values {
		require.Equal(t, 4, points[result.Setting{Path: "strategy", Value: v}])
	}
	require.Empty(t, read("compare fake/grid").Axes)
	require.Empty(t, read("compare fake/table --set strategy=D1").Axes)
	require.Empty(t, read("compare fake/calm fake/drawn").Axes)
}

// TestCompareColour says the same with colour, cell by cell.
func TestCompareColour(t *testing.T) {
	for _, name := range []string{"fake/grid", "fake/table"} {
		_, plain, _ := call(t, "compare", name)
		_, coloured, _ := call(t, "compare", name, "--color", "always")
		require.NotEqual(t, plain, coloured)
		for _, c := range []string{"\x1b[1;31m", "\x1b[1;32m", "\x1b[1;33m", "\x1b[0m"} {
			coloured = strings.ReplaceAll(coloured, c, "")
		}
		require.Equal(t, plain, coloured)
	}
}

func TestCompareOut(t *testing.T) {
	dir := t.TempDir() + "/new"
	code, stdout, _ := call(t, "compare", "fake/grid", "--out", dir)
	require.Equal(t, cli.ExitOK, code)
	require.FileExists(t, dir+"/report.json")
	require.FileExists(t, dir+"/report.txt")
	require.NotEmpty(t, stdout)
	code, _, stderr := call(t, "compare", "fake/grid", "--out", dir)
	require.Equal(t, cli.ExitError, code)
	require.Contains(t, stderr, "--out: ")
}

func TestCompareUsage(t *testing.T) {
	for line, want := range map[string]string{
		"compare":                                 "want lock, ratelimit, clock, idempotency or kv, or the names or files of scenarios",
		"compare fake/calm":                       "fake/calm is one scenario: want two or more, one with a grid (vary:), or lock, ratelimit, clock, idempotency or kv",
		"compare lok":                             `no scenario is called "lok"; did you mean "lock"?`,
		"compare lock clock":                      "lock is a whole comparison: want it alone, or lock/compare instead",
		"compare fake/calm fake/nobody":           "no scenario has this name",
		"compare fake/calm bad-1.yaml bad-2.yaml": "2 scenarios are invalid; nothing was run",
		"compare fake/calm fake/calm":             "calm is named twice",
		"compare fake/calm fake/grid":             "the file has a grid of 3 points: compare it alone, or pick one with --set params.hold=2ms",
		"compare fake/grid --set params.hold=5ms": "--set leaves one point of the grid",
		"compare fake/grid --set params.hold=7ms": "the grid has no point with params.hold=7ms",
		"compare fake/grid --baseline 5m":         `no candidate named "5m"; did you mean "5ms"?`,
		"compare fake/grid --baseline redlock":    "want one of 2ms, 5ms, 20ms",
		"compare fake/grid --measure aquisitions": `nothing here is measured as "aquisitions"; did you mean "acquisitions"?`,
		"compare fake/huge":                       "a grid of 4 x 17 points is too large for a table: want at most 32 x 16; --set picks points",
		"compare fake/grid --runs 0":              "--runs: want 1 to 1000000000, got 0",
		"compare fake/grid --runs 1000000001":     "--runs: want 1 to 1000000000, got 1000000001",
		"compare fake/grid --jobs 5000":           "--jobs: want 0 to 4096",
		"compare fake/grid --out=":                "--out: the path is empty",
		"compare fake/grid --set ttl":             "--set: want path=value",
		"compare fake/grid --set params.ttl=":     `--set: "params.ttl=" has no value: want one`, // of a shell's variable that is not set
		"compare fake/grid --basline x":           "did you mean --baseline?",
		"compare x.replay.json fake/calm":         "is no scenario",
	} {
		code, stdout, stderr := call(t, split("%s", line)...)
		require.Equal(t, cli.ExitUsage, code, line)
		require.Empty(t, stdout, line)
		require.Contains(t, stderr, want, line)
	}
}

// TestCompareShipped are mistakes about scenarios that ship.
func TestCompareShipped(t *testing.T) {
	for line, want := range map[string]string{
		"compare limiter/compare":                                 "model compare has no nodes, which compare is about: simctl run shows all there is",
		"compare redlock/gc-pause ordering/broadcast-fifo":        "they share no property and no measure",
		"compare redlock/gc-pause lock/redlock-gc-pauze":          `did you mean "redlock/gc-pause"?`,
		"compare lock --set params.service=naive":                 "service naive has none: preset is of redlock",
		"compare clock --set params.clock=hlc --set params.kep=4": `unknown key "kep"`,
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, cli.ExitUsage, run(split("%s", line), &stdout, &stderr), line)
		require.Contains(t, stderr.String(), want, line)
	}
}

// TestCompareInterrupted ends at once, and shows nothing where nothing was done.
func TestCompareInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var out, err bytes.Buffer
	code := simctl(ctx, fakeCatalog(), split("compare fake/grid --runs 1000000000 --json"), &out, &err)
	require.Equal(t, cli.ExitInterrupted, code)
	require.Contains(t, err.String(), "interrupted")
	require.Empty(t, out.String())
}

// TestCompareOnlySomeHave compares what is shared, and says what is not.
func TestCompareOnlySomeHave(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Equal(t, cli.ExitOK, run(split("compare permits/fixed limiter/fixed-window-boundary"), &stdout, &stderr), stderr.String())
	require.Contains(t, stdout.String(), "differ in model, ")
	require.Contains(t, stdout.String(), "only some have: ")
}

// TestCompareNames keeps odd names and values on their line, and long ones short.
func TestCompareNames(t *testing.T) {
	const text = "model: clock\nuntil: 100ms\nparams: {events: 2}\nvary:\n  params.clock: [wall, lamport]\n  network.delay: [1ms, {uniform: [1ms, 2ms]}]\n"
	dir := t.TempDir()
	grid := filepath.Join(dir, "grid.yaml")
	require.NoError(t, os.WriteFile(grid, []byte(text), 0o600))
	var stdout, stderr bytes.Buffer
	require.Equal(t, cli.ExitOK, run([]string{"compare", grid, "--runs", "3"}, &stdout, &stderr), stderr.String())
	require.Contains(t, stdout.String(), "\n params.clock  1ms     {uniform: [1ms,\n                       2ms]}\n")
	require.Contains(t, stdout.String(), "differ in params.clock, network\n")
	require.Contains(t, stdout.String(), "\n how clock=wall, delay=1ms fails:\n")

	odd := filepath.Join(dir, strings.Repeat("long", 50)+".yaml")
	require.NoError(t, os.WriteFile(odd, []byte("model: clock\nuntil: 100ms\nparams: {events: 2, clock: vector}\n"), 0o600))
	stdout.Reset()
	require.Equal(t, cli.ExitOK, run([]string{"compare", odd, grid, "--set", "params.clock=wall", "--set", "network.delay=1ms"}, &stdout, &stderr), stderr.String())
	require.Contains(t, stdout.String(), "\n longlonglonglonglong...longlonglonglong.yaml  VIOLATED", "cut")
}

func TestCompareCompletion(t *testing.T) {
	_, stdout, _ := call(t, "__complete", "compare", "")
	require.Contains(t, stdout, "lock\tevery lock, from none to ZooKeeper")
	require.Contains(t, stdout, "fake/calm\n")
	_, stdout, _ = call(t, "__complete", "compare", "fake/calm", "")
	require.NotContains(t, stdout, "lock\t")
	_, stdout, _ = call(t, "__complete", "compare", "fake/grid", "--baseline", "")
	require.Contains(t, stdout, "2ms\n5ms\n20ms\n")
}
