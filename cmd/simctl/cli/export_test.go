package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/export"
)

// requireLog reports a text that is no log, or one of fewer events.
func requireLog(t *testing.T, text string, events int) {
	t.Helper()
	require.True(t, strings.HasPrefix(text, `(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`+"\n\n"), text)
	require.GreaterOrEqual(t, strings.Count(text, "\n"), 2+2*events)
	require.NotContains(t, text, "VIOLATED")
}

// TestExport: the log has standard output for itself, and the report goes elsewhere.
func TestExport(t *testing.T) {
	_, report, _ := call(t, "run", "fake/pause")
	code, stdout, stderr := call(t, "run", "fake/pause", "--export", "shiviz")
	require.Equal(t, cli.ExitOK, code)
	require.Equal(t, report, stderr)
	requireLog(t, stdout, 6)
	require.Contains(t, stdout, "client-1 {\"client-1\":2}\n0.000s from itself: take; notes acquired; after 5ms: leave\n")
	require.Contains(t, stdout, "\n0.001s is paused for 15ms\n")

	dir := t.TempDir()
	file := filepath.Join(dir, "run.log")
	code, again, stderr := call(t, "run", "fake/pause", "--export", "shiviz="+file)
	require.Equal(t, cli.ExitOK, code)
	require.Empty(t, stderr)
	require.Equal(t, report, again)
	log, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, stdout, string(log))

	folder := filepath.Join(dir, "out")
	code, _, stderr = call(t, "run", "fake/pause", "--out", folder, "--export", "shiviz", "--json")
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Equal(t, []string{"report.json", "report.txt", "shiviz.log", "trace.txt"}, under(t, folder))
	log, err = os.ReadFile(filepath.Join(folder, "shiviz.log"))
	require.NoError(t, err)
	require.Equal(t, stdout, string(log))
}

// TestExportOfFirstRun: of many runs it is the first, and --seed says which that is.
func TestExportOfFirstRun(t *testing.T) {
	_, many, _ := call(t, "run", "fake/drawn", "--export", "shiviz")
	_, first, _ := call(t, "run", "fake/drawn", "--runs", "1", "--export", "shiviz")
	_, other, _ := call(t, "run", "fake/drawn", "--seed", "2", "--export", "shiviz")
	requireLog(t, many, 4)
	require.Equal(t, many, first)
	require.NotEqual(t, many, other)
	_, point, _ := call(t, "run", "fake/grid", "--set", "params.hold=20ms", "--export", "shiviz")
	requireLog(t, point, 4)
}

func TestExportUsage(t *testing.T) {
	dir := t.TempDir()
	for line, want := range map[string]struct {
		code int
		said string
	}{
		"run fake/calm --export svg":                  {cli.ExitUsage, `--export: want shiviz, perfetto, mermaid or csv, alone or with =FILE, got "svg"`},
		"run fake/calm --export perfeto":              {cli.ExitUsage, `did you mean "perfetto"?`},
		"run fake/calm --export=":                     {cli.ExitUsage, `--export: want shiviz, perfetto, mermaid or csv, alone or with =FILE, got ""`},
		"run fake/calm --export shiviz=":              {cli.ExitUsage, "--export: the path is empty"},
		"run fake/calm --export shiviz --json":        {cli.ExitUsage, "want the events in a file, as in --export shiviz=FILE"},
		"run fake/calm --export shiviz --trace":       {cli.ExitUsage, "want --export or --trace on standard output, not both"},
		"run fake/calm fake/pause --export shiviz":    {cli.ExitUsage, "--export is for one run"},
		"run --all --export shiviz":                   {cli.ExitUsage, "--export is for one run"},
		"run fake/grid --export shiviz":               {cli.ExitUsage, "fake/grid: --export is for one point of the grid: pick it with --set"},
		"run fake/calm --export shiviz=/no/such/file": {cli.ExitError, "--export: there is no folder /no/such"},
		"run fake/calm --export shiviz=" + dir:        {cli.ExitError, "is a folder: want a file"},
		"run fake/calm --export csv=x --trace=./x":    {cli.ExitError, "--trace and --export both write ./x: want a file for each"},
		"replay x.json --export svg":                  {cli.ExitUsage, "--export: want shiviz"},
		"replay x.json y.json --export shiviz":        {cli.ExitUsage, "replay: --export is for one run"},
		"replay x.json --export shiviz --trace":       {cli.ExitUsage, "not both"},
		"replay x.json --export shiviz --json":        {cli.ExitUsage, "--json prints one document"},
	} {
		t.Run(line, func(t *testing.T) {
			code, stdout, stderr := call(t, strings.Fields(line)...)
			require.Equal(t, want.code, code, stderr)
			require.Contains(t, stderr, want.said)
			require.Empty(t, stdout)
		})
	}
	code, stdout, stderr := play(t, "run", "limiter/compare", "--export", "shiviz")
	require.Equal(t, cli.ExitUsage, code)
	require.Contains(t, stderr, "has no nodes, which --export is about")
	require.Empty(t, stdout)
	code, stdout, stderr = play(t, "run", "fleet/shards-soft-sum", "--set", "until=300s", "--export", "shiviz")
	require.Equal(t, cli.ExitError, code)
	require.Contains(t, stderr, "steps, and a log at most 1000000: --set until=... ends it sooner")
	require.Empty(t, stdout)
}

// TestExportFormats: each has each event of the run once, on standard output or in the folder of --out.
func TestExportFormats(t *testing.T) {
	dir := t.TempDir()
	_, rows, _ := call(t, "run", "fake/pause", "--export", "csv")
	events := strings.Count(rows, "\n") - 1
	require.Greater(t, events, 6)
	for format, each := range map[string]string{"perfetto": `"args":{"event":`, "mermaid": "\n    "} {
		code, stdout, stderr := call(t, "run", "fake/pause", "--export", format)
		require.Equal(t, cli.ExitOK, code, stderr)
		require.GreaterOrEqual(t, strings.Count(stdout, each), events, format)
	}
	for format, name := range export.Files {
		code, _, stderr := call(t, "run", "fake/pause", "--out", filepath.Join(dir, format), "--export", format)
		require.Equal(t, cli.ExitOK, code, stderr)
		require.Contains(t, under(t, filepath.Join(dir, format)), name)
	}
	code, _, stderr := call(t, "run", "fake/pause", "--export", "csv=/dev/full")
	require.Equal(t, cli.ExitError, code)
	require.Contains(t, stderr, "no space left")
}

// TestExportOfReplay is the run of a replay file, which need not be one that a scenario
// and a seed give.
func TestExportOfReplay(t *testing.T) {
	code, report, stderr := play(t, "replay", replayFiles(t)[0])
	require.Equal(t, cli.ExitOK, code, stderr)
	code, stdout, stderr := play(t, "replay", replayFiles(t)[0], "--export", "shiviz")
	require.Equal(t, cli.ExitOK, code)
	require.Equal(t, report, stderr)
	requireLog(t, stdout, 6)
	file := filepath.Join(t.TempDir(), "run.log")
	code, stdout2, _ := play(t, "replay", replayFiles(t)[0], "--export", "shiviz="+file, "--json")
	require.Equal(t, cli.ExitOK, code)
	require.True(t, strings.HasPrefix(stdout2, "{"))
	log, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, stdout, string(log))
}

// TestFilesOfARunAreNotReplaced: of --export and --trace both are refused at once, before anything runs, unless --force
// is given.
func TestFilesOfARunAreNotReplaced(t *testing.T) {
	dir := t.TempDir()
	log, trace := filepath.Join(dir, "run.log"), filepath.Join(dir, "trace.txt")
	for _, file := range []string{log, trace} {
		require.NoError(t, os.WriteFile(file, []byte("mine"), 0o600))
	}
	command := []string{"run", "fake/pause", "--export", "shiviz=" + log, "--trace=" + trace}
	code, stdout, stderr := call(t, command...)
	require.Equal(t, cli.ExitError, code)
	require.Empty(t, stdout)
	require.Equal(t, "simctl: --trace: "+trace+" is there already, and is not replaced without --force\n--export: "+log+" is there already, and is not replaced without --force\n", stderr)
	for _, file := range []string{log, trace} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, "mine", string(text))
	}
	code, _, stderr = call(t, append(command, "--force")...)
	require.Equal(t, cli.ExitOK, code, stderr)
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	requireLog(t, string(text), 6)
	code, _, stderr = play(t, "replay", replayFiles(t)[0], "--export", "shiviz="+log)
	require.Equal(t, cli.ExitError, code)
	require.Contains(t, stderr, "is not replaced without --force")
	require.Equal(t, []string{"run.log", "trace.txt"}, under(t, dir))
}
