package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
)

// fed runs a command line that reads a text from standard input.
func fed(input string, line ...string) (code int, stdout, stderr string) {
	c := cli.CatalogOf(scenarios.Catalog(), strings.NewReader(input))
	var out, err bytes.Buffer
	code = simctl(context.Background(), c, line, &out, &err)
	return code, out.String(), err.String()
}

// TestScenarioFromStandardInput is F13: every command that takes the file of a scenario takes
// - for standard input, and the result is that of the file.
func TestScenarioFromStandardInput(t *testing.T) {
	text, err := scenarios.Source("redlock/gc-pause")
	require.NoError(t, err)
	for _, line := range []string{
		"run %s --json", "run %s --control --json", "show %s --file", "validate %s --json",
		"explain %s --property no-lost-update --no-curve",
		"explore %s --no-faults --budget pauses=1 --runs 200 --property no-lost-update",
		"boundary %s --vary faults.0.for --from 1s --to 20s --property mutual-exclusion",
		"compare %s redlock/gc-pause-fenced",
	} {
		t.Run(line, func(t *testing.T) {
			wantCode, want, _ := fed("", split(line, "redlock/gc-pause")...)
			code, stdout, stderr := fed(string(text), split(line, "-")...)
			require.Equal(t, wantCode, code, stderr)
			if !strings.HasPrefix(line, "compare") { // it shortens names that have a folder in common
				require.Equal(t, strings.ReplaceAll(want, "redlock/gc-pause", "-"), stdout)
			}
		})
	}
}

// TestStandardInputRefuses: bounds and messages are those of a file.
func TestStandardInputRefuses(t *testing.T) {
	for input, want := range map[string]string{
		"":                                    "-: the file is empty",
		"model: lokc\n":                       "-:1:8: ",
		strings.Repeat("a", 2*format.MaxText): "-: the file is too large: want at most 1024 KiB",
	} {
		code, stdout, stderr := fed(input, "run", "-")
		require.Equal(t, cli.ExitUsage, code)
		require.Empty(t, stdout)
		require.Contains(t, stderr, want)
	}
	code, _, stderr := fed("model: lock\n", "run", "-", "-")
	require.Equal(t, cli.ExitUsage, code)
	require.Contains(t, stderr, "named twice")
}

// TestFoundInStandardInput: the files of a search have a name that is no flag.
func TestFoundInStandardInput(t *testing.T) {
	text, err := scenarios.Source("redlock/gc-pause")
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "found")
	code, stdout, stderr := fed(string(text), split("explore - --no-faults --budget pauses=1 --property no-lost-update --out %s", dir)...)
	require.Equal(t, cli.ExitNotExpected, code, stderr)
	require.Contains(t, stdout, "simctl run - --seed ")
	file := filepath.Join(dir, "stdin-no-lost-update.replay.json")
	require.FileExists(t, file)
	code, stdout, stderr = fed("", "replay", file)
	require.Equal(t, cli.ExitOK, code, stdout+stderr)
	out := filepath.Join(t.TempDir(), "out")
	code, _, stderr = fed(string(text), "run", "-", "redlock/late-write", "--out", out)
	require.Equal(t, cli.ExitOK, code, stderr)
	require.FileExists(t, filepath.Join(out, "stdin", "report.txt"))
	_, err = os.Stat(filepath.Join(out, "redlock", "late-write"))
	require.NoError(t, err)
}
