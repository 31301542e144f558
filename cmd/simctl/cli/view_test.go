package cli

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/viewing"
	"fencepost/reports/page"
)

// viewed writes a page and reads its runs.
func viewed(t *testing.T, args ...string) []*page.Run {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	code, stdout, stderr := call(t, append([]string{"view", "--out", file}, args...)...)
	require.Equal(t, cli.ExitOK, code, stderr)
	require.True(t, strings.HasPrefix(stdout, file+" shows "), stdout)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	runs, err := page.Read(text)
	require.NoError(t, err)
	return runs
}

// TestViewShowsTheRun: its events, what was violated, and the command that runs it again.
func TestViewShowsTheRun(t *testing.T) {
	runs := viewed(t, "fake/pause")
	require.Len(t, runs, 1)
	r := runs[0]
	require.Equal(t, "fake/pause", r.Scenario)
	require.Equal(t, "simctl run fake/pause --seed 1 --runs 1", r.Command)
	require.NotEmpty(t, r.Violations)
	require.Contains(t, r.Strings, "is paused for 15ms")
	require.Contains(t, r.Strings, "notes acquired")
}

// TestViewOfTwoRuns: of two files, or of one with and without its faults, or with two seeds.
func TestViewOfTwoRuns(t *testing.T) {
	two := viewed(t, "fake/pause", "fake/calm")
	require.Equal(t, []string{"fake/pause", "fake/calm"}, []string{two[0].Scenario, two[1].Scenario})
	calm := viewed(t, "fake/pause", "--other-no-faults")
	require.NotEmpty(t, calm[0].Faults)
	require.Empty(t, calm[1].Faults)
	seeds := viewed(t, "fake/drawn", "--seed", "3", "--other-seed", "4")
	require.Equal(t, []uint64{3, 4}, []uint64{seeds[0].Seed, seeds[1].Seed})
	require.NotEqual(t, seeds[0].Digest, seeds[1].Digest)
}

// TestViewRefuses: errors in words, and nothing half-written.
func TestViewRefuses(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there.html")
	require.NoError(t, os.WriteFile(there, []byte("mine"), 0o600))
	for args, want := range map[string]struct {
		code int
		text string
	}{
		"":                          {cli.ExitUsage, "view: want one or two names or files"},
		"fake/calm fake/calm x":     {cli.ExitUsage, "got 3"},
		"fake/calm --out=":          {cli.ExitUsage, "--out: the path is empty"},
		"fake/calm --out=- --open":  {cli.ExitUsage, "--open shows a file"},
		"fake/nothing":              {cli.ExitUsage, "fake/nothing"},
		"fake/grid":                 {cli.ExitUsage, "pick it with --set"},
		"x.replay.json --seed 1":    {cli.ExitUsage, "a replay file says all of its run"},
		"fake/calm --set x":         {cli.ExitUsage, "--set: want path=value"},
		"fake/calm --out " + there:  {cli.ExitError, "there.html is there already, and is not replaced without --force"},
		"fake/calm --out " + dir:    {cli.ExitError, "is a folder: want a file"},
		"fake/calm --out no/x.html": {cli.ExitError, "there is no folder no"},
		"missing.replay.json":       {cli.ExitUsage, "1 file cannot be replayed; nothing was run"},
		"fake/pause --from 1ms --to 9ms --step 1ns": {cli.ExitUsage, "there are 8000001 runs 1ns apart, and a page has at most 50"},
		"fake/pause --from 1ms":                     {cli.ExitUsage, "a slider has two ends"},
		"fake/pause fake/calm --from 1ms --to 9ms":  {cli.ExitUsage, "a slider is of one scenario"},
		"fake/calm --from 1ms --to 9ms":             {cli.ExitUsage, "fake/calm has no number among its faults: want --vary"},
		"fake/pause --from 1ms --to 9":              {cli.ExitUsage, "want both of one kind"},
		"x.replay.json --from 1ms --to 9ms":         {cli.ExitUsage, "a replay file says all of its run"},
		"fake/pause --vary params.hold --slider":    {cli.ExitUsage, "--vary params.hold is no number among the faults of fake/pause"},
		"fake/calm --slider":                        {cli.ExitUsage, "fake/calm has no number among its faults"},
		"fake/nothing --out " + there:               {cli.ExitUsage, "there.html is there already, and is not replaced without --force\nsimctl: nothing was run"},
		"fake/nothing fake/nothing2":                {cli.ExitUsage, "fake/nothing2: no scenario"},
		"fake/calm --seed -1":                       {cli.ExitUsage, "invalid argument"},
		"fake/calm fake/nothing":                    {cli.ExitUsage, "fake/nothing"},
	} {
		t.Run(args, func(t *testing.T) {
			words := strings.Fields(args)
			if !strings.Contains(args, "--out") {
				words = append(words, "--out", filepath.Join(dir, "new.html"))
			}
			code, stdout, stderr := call(t, append([]string{"view"}, words...)...)
			require.Equal(t, want.code, code, stderr)
			require.Empty(t, stdout)
			require.Contains(t, stderr, want.text)
			require.Equal(t, []string{"there.html"}, under(t, dir))
		})
	}
	code, _, stderr := call(t, "view", "fake/calm", "--out", there, "--force")
	require.Equal(t, cli.ExitOK, code, stderr)
	text, err := os.ReadFile(there)
	require.NoError(t, err)
	require.NotEqual(t, "mine", string(text))
}

// TestViewNamesThePageAfterTheScenario: where nobody says how it is called.
func TestViewNamesThePageAfterTheScenario(t *testing.T) {
	for name, want := range map[string]string{
		"redlock/gc-pause": "gc-pause.html", "a/b/my.yaml": "my.html", "-": "run.html",
		"found/x.no-lost-update.replay.json": "x.html",
	} {
		require.Equal(t, want, viewing.PageName(name))
	}
}

// TestViewWithASlider: a run for each value of the range, by default of how long the only fault lasts.
func TestViewWithASlider(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.html")
	code, stdout, stderr := play(t, "view", "redlock/gc-pause", "--from", "1s", "--to", "20s", "--step", "1s", "--out", file)
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Contains(t, stdout, "20 runs, faults.0.for from 1s to 20s")
	_, runs := pageParts(t, file)
	require.Len(t, runs, 20)
	for i, r := range runs {
		require.Equal(t, "faults.0.for", r.Vary)
		require.Equal(t, fmt.Sprintf("%ds", i+1), r.Value)
		require.Contains(t, r.Command, "--set faults.0.for="+r.Value)
		require.Equal(t, i+1 >= 10, len(r.Violations) > 0, r.Value)
	}
}

// TestSliderFitsTheOnlyNumber: from a step to twice the value of the fault, which is among them; a line says that
// there is one.
func TestSliderFitsTheOnlyNumber(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.html")
	code, stdout, stderr := play(t, "view", "redlock/gc-pause", "--slider", "--out", file)
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Contains(t, stdout, "48 runs, faults.0.for from 625ms to 30s")
	_, runs := pageParts(t, file)
	own := 0
	for _, r := range runs {
		if r.Own {
			require.Equal(t, "15s", r.Value)
			own++
		}
	}
	require.Equal(t, 1, own)
	_, stdout, _ = play(t, "view", "redlock/gc-pause", "--out", file, "--force")
	require.Contains(t, stdout, "with --slider it goes through values of faults.0.for, which is 15s here\n")
	code, _, stderr = play(t, "view", "redlock/gc-pause", "--slider", "--set", "network.loss=1%", "--out", file, "--force")
	require.Equal(t, cli.ExitUsage, code)
	require.Contains(t, stderr, "has 2 numbers among its faults: want --vary with one of faults.0.for, network.loss")
	_, stdout, _ = play(t, "view", "clock/vector-concurrent", "--out", file, "--force")
	require.NotContains(t, stdout, "--slider")
}

// TestViewHasTheFiguresOfOneRun: a timeline is in the page, and not a figure that needs a grid or many runs.
func TestViewHasTheFiguresOfOneRun(t *testing.T) {
	for name, want := range map[string]int{"redlock/gc-pause": 1, "clock/vector-concurrent": 0} {
		file := filepath.Join(t.TempDir(), "page.html")
		code, _, stderr := play(t, "view", name, "--out", file)
		require.Equal(t, cli.ExitOK, code, stderr)
		_, runs := pageParts(t, file)
		require.Len(t, runs[0].Figures, want, name)
		for _, f := range runs[0].Figures {
			require.NotEmpty(t, f.Title)
			require.True(t, strings.HasPrefix(f.SVG, "<svg") || strings.HasPrefix(f.SVG, "<?xml"), f.SVG[:40])
		}
	}
}

// TestViewToStandardOutput: --out=- writes the page that a file would have, and nothing beside it.
func TestViewToStandardOutput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.html")
	code, _, stderr := call(t, "view", "fake/pause", "--out", file)
	require.Equal(t, cli.ExitOK, code, stderr)
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	code, stdout, stderr := call(t, "view", "fake/pause", "--out=-")
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Equal(t, string(want), stdout)
	require.Empty(t, stderr)
	require.NoFileExists(t, "-")
}

// TestViewOfAFullDisk: an error in words, and no part of a page.
func TestViewOfAFullDisk(t *testing.T) {
	code, stdout, stderr := call(t, "view", "fake/calm", "--out", "/dev/full", "--force")
	require.Equal(t, cli.ExitError, code)
	require.Contains(t, stderr, "no space left")
	require.Empty(t, stdout)
}

// TestPagesOfTheDocumentationAreFresh: those in docs/pages are those that the commands of docs/generate.go write.
func TestPagesOfTheDocumentationAreFresh(t *testing.T) {
	source, err := os.ReadFile("../../../docs/generate.go")
	require.NoError(t, err)
	commands := regexp.MustCompile(`(?m)^//go:generate go run ../cmd/simctl view (\S+) --out (pages/\S+) --force$`).FindAllStringSubmatch(string(source), -1)
	require.Len(t, commands, 3)
	for _, c := range commands {
		fresh := filepath.Join(t.TempDir(), "page.html")
		code, _, stderr := play(t, "view", c[1], "--out", fresh)
		require.Equal(t, cli.ExitOK, code, stderr)
		kept := filepath.Join("../../../docs", c[2])
		want, wantRuns := pageParts(t, fresh)
		got, gotRuns := pageParts(t, kept)
		require.True(t, want == got, "the script or the style of docs/%s is stale: run go generate ./docs", c[2])
		require.Equal(t, wantRuns, gotRuns, "docs/%s is stale: run go generate ./docs", c[2])
	}
}

// TestPictureIsOfThePageThatShips: the picture of the README was taken of the page in docs/pages, whose hash stands
// beside it.
func TestPictureIsOfThePageThatShips(t *testing.T) {
	text, err := os.ReadFile("../../../docs/pages/redlock-gc-pause.html")
	require.NoError(t, err)
	kept, err := os.ReadFile("../../../docs/pages/redlock-gc-pause.png.sha256")
	require.NoError(t, err)
	require.Equal(t, fmt.Sprintf("%x\n", sha256.Sum256(text)), string(kept), "the picture of the README is stale: run go generate ./docs, then go generate in webtest")
}

// pageParts are the text of a page and its runs, which another version of Go may compress otherwise.
func pageParts(t *testing.T, file string) (string, []*page.Run) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	runs, err := page.Read(text)
	require.NoError(t, err)
	return regexp.MustCompile(`(id="data">)[^<]*`).ReplaceAllString(string(text), "$1"), runs
}
