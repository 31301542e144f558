package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/reports/golden"
)

func TestExplainText(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		code int
	}{
		"pause":    {"fake/pause --no-curve", cli.ExitOK},
		"panic":    {"fake/panic --no-curve", cli.ExitOK},
		"drawn":    {"fake/drawn --no-curve", cli.ExitOK},
		"nothing":  {"fake/calm", cli.ExitOK},
		"expected": {"fake/pause --no-faults --seed 3", cli.ExitOK}, // without the faults nobody expects it
		"asked":    {"fake/pause --property fairness", cli.ExitNotExpected},
		"few-runs": {"fake/drawn --runs 1 --seed 1", cli.ExitNotExpected}, // the file expects 10 to 20 %
		"one-axis": {"fake/grid --set params.hold=20ms --no-curve", cli.ExitOK},
	} {
		t.Run(name, func(t *testing.T) {
			line := append([]string{"explain"}, split("%s", c.line)...)
			code, stdout, stderr := call(t, line...)
			require.Empty(t, stderr)
			require.Equal(t, c.code, code, stdout)
			golden.Require(t, stdout, ".txt")
			_, document, _ := call(t, append(line, "--json")...)
			require.True(t, json.Valid([]byte(document)), document)
			_, again, _ := call(t, append(line, "--jobs", "3")...)
			require.Equal(t, stdout, again)
		})
	}
}

func TestExplainExitCodes(t *testing.T) {
	for line, said := range map[string]string{
		"":                                  "want the name or the file of one scenario, got 0",
		"fake/pause --redraws 0":            "--redraws: want 1 to",
		"fake/pause --redraws 99999999999":  "--redraws: want 1 to",
		"fake/pause --redraws 7 --no-curve": "not both",
		"fake/pause --runs 0":               "--runs: want 1 to 1000000000, got 0",
		"fake/pause --property fairnes":     `did you mean "fairness"?`,
		"fake/pause --jobs -1":              "--jobs: want 0 to",
		"fake/grid":                         "pick it with --set",
		"fake/none":                         "no scenario has this name",
		"fake/pause --out=":                 "--out: the path is empty",
	} {
		code, stdout, stderr := call(t, append([]string{"explain"}, split("%s", line)...)...)
		require.Equal(t, cli.ExitUsage, code, "%s: %s", line, stderr)
		require.Contains(t, stderr, said)
		require.Empty(t, stdout)
	}
}

func TestExplainOut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "why")
	code, _, stderr := call(t, split("explain fake/pause --no-curve --out %s", dir)...)
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Equal(t, []string{"explain.json", "explain.txt"}, under(t, dir))
}

func TestExplainInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	dir := t.TempDir()
	code, stdout, stderr := callOn(t, ctx, fakeCatalog(), split("explain fake/pause --out %s", filepath.Join(dir, "why"))...)
	require.Equal(t, cli.ExitInterrupted, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "interrupted before anything was found")
	require.Empty(t, under(t, dir))
}

// TestExplainCurve draws the rest of the run anew, a given number of times.
func TestExplainCurve(t *testing.T) {
	_, stdout, _ := call(t, split("explain fake/pause --redraws 20")...)
	require.Contains(t, stdout, "P(mutual-exclusion is violated) if everything after a point is drawn anew, 20 runs for each\n")
	_, quiet, _ := call(t, split("explain fake/pause --redraws 20 --quiet")...)
	require.Regexp(t, `^VIOLATED: mutual-exclusion at 0\.010s \(client-2, client-1\); P\(mutual-exclusion is violated\) is .*\n$`, quiet)
	_, again, _ := call(t, split("explain fake/pause --redraws 20 --jobs 3")...)
	require.Equal(t, stdout, again)

	o := &explainOptions{}
	require.Equal(t, 1000, o.redraws(60))
	require.Equal(t, 500, o.redraws(10_000))
	require.Equal(t, 50, o.redraws(1_000_000_000))
	o.Redraws = 7
	require.Equal(t, 7, o.redraws(1_000_000_000))
}

// TestExplainOfScenarios explains the first failure of every scenario that expects one
// of each run.
func TestExplainOfScenarios(t *testing.T) {
	for name, want := range map[string]string{
		"redlock/gc-pause --property no-lost-update":       "VIOLATED: no-lost-update at 15.105s (client-1, client-2)",
		"redlock/clock-jump --property entitled-exclusion": "VIOLATED: entitled-exclusion",
		"redis/unsafe-release --property owner-release":    "VIOLATED: owner-release",
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			args := append([]string{"explain", "--no-curve"}, strings.Fields(name)...)
			require.Equal(t, cli.ExitOK, run(args, &stdout, &stderr), stderr.String())
			require.Contains(t, stdout.String(), "\n"+want)
			require.Contains(t, stdout.String(), "why it was possible")
		})
	}
}
