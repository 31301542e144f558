package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/journal"
	"fencepost/cmd/simctl/internal/parts"
	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// manySided is a grid whose points have all that a point can have: violations with
// their reasons, faults that strike and are drawn, and a panic.
func manySided() *format.Scenario {
	s := fake("fake/grid")
	s.Runs = 40
	for i, hold := range []string{"2ms", "5ms", "20ms", "9ms"} {
		d, _ := time.ParseDuration(hold)
		v := fake("fake/grid")
		v.Runs, v.Program = 40, fakeProgram(sim.Exponential(d), i == 2)
		if i == 1 {
			v.Config.Faults = append(pauseAt(time.Millisecond), sim.Fault{Name: "drawn", Do: sim.Crash, Node: 2,
				For: sim.Constant(time.Millisecond), When: sim.When{Every: sim.Exponential(20 * time.Millisecond)}})
		}
		s.Variants = append(s.Variants, format.Variant{Settings: []result.Setting{{Path: "params.hold", Value: hold}}, Scenario: v})
	}
	return s
}

// runGrid runs it; it is interrupted as the given point begins, from 1, or 0 for not.
func runGrid(t *testing.T, interruptAt int, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("NO_COLOR", "")
	t.Setenv("CLICOLOR_FORCE", "")
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	c := fakeCatalog()
	load := c.Load
	c.Load = func(name string, o format.Options) (*format.Scenario, error) {
		if !strings.HasPrefix(name, "fake/grid") {
			return load(name, o)
		}
		s := manySided()
		s.Name, s.Sets = name, o.Sets
		if interruptAt > 0 {
			p := &s.Variants[interruptAt-1].Scenario.Program
			newWorld := p.NewWorld
			p.NewWorld = func(c sim.Config) (sim.Runner, error) {
				stop()
				return newWorld(c)
			}
		}
		return s, nil
	}
	var out, err bytes.Buffer
	code = simctl(ctx, c, append([]string{"run"}, args...), &out, &err)
	return code, out.String(), err.String()
}

// contents are the files under a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	}))
	return files
}

// TestResume: "the result is byte for byte that of an uninterrupted run", wherever it
// was interrupted, with one job and with two.
func TestResume(t *testing.T) {
	for _, args := range []string{"--jobs 1", "--jobs 2", "--jobs 2 --output csv", "--jobs 1 --output junit", "--output json", "--output markdown"} {
		whole := filepath.Join(t.TempDir(), "whole")
		line := append([]string{"fake/grid"}, split("%s", args)...)
		code, want, stderr := runGrid(t, 0, append(line, "--out", whole)...)
		require.Equal(t, cli.ExitNotExpected, code, stderr)
		require.Contains(t, contents(t, whole), "points.jsonl")
		for at := 2; at <= 4; at++ {
			dir := filepath.Join(t.TempDir(), "part")
			code, stdout, stderr := runGrid(t, at, append(line, "--out", dir)...)
			require.Equal(t, cli.ExitNotExpected, code, "a violation is certain")
			require.Equal(t, "simctl: interrupted; the points that are finished are kept, and the same command with --resume continues\n", stderr)
			if !strings.Contains(args, "--output") {
				require.Contains(t, stdout, "INTERRUPTED with "+string(rune('0'+5-at))+" of 4 points missing")
				require.Contains(t, stdout, string(rune('0'+at-1))+" point")
			}
			code, stdout, stderr = runGrid(t, 0, append(line, "--out", dir, "--resume")...)
			require.Equal(t, cli.ExitNotExpected, code, stderr)
			require.Empty(t, stderr)
			require.Equal(t, want, stdout)
			require.Equal(t, contents(t, whole), contents(t, dir))
		}
	}
}

// TestResumeAfterAnything: of what is left after a crash, the last record may be cut
// off, and the reports need not be there. A folder that is complete is no harm.
func TestResumeAfterAnything(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	_, want, _ := runGrid(t, 0, "fake/grid", "--out", dir)
	whole := contents(t, dir)
	points := filepath.Join(dir, journal.Name)
	text := whole[journal.Name]
	for cut := 0; cut < len(text); cut += 1 + len(text)/61 {
		require.NoError(t, os.RemoveAll(dir))
		require.NoError(t, os.Mkdir(dir, 0o755))
		require.NoError(t, os.WriteFile(points, []byte(text[:cut]), 0o644))
		_, stdout, stderr := runGrid(t, 0, "fake/grid", "--out", dir, "--resume")
		require.Empty(t, stderr)
		require.Equal(t, want, stdout)
		require.Equal(t, whole, contents(t, dir))
	}
	_, stdout, _ := runGrid(t, 1, "fake/grid", "--out", dir, "--resume")
	require.Equal(t, want, stdout, "no point is run again")
	_, stdout, _ = runGrid(t, 0, "fake/grid", "--out", filepath.Join(t.TempDir(), "new"), "--resume")
	require.Equal(t, want, stdout, "there is nothing to go on from yet")

	// A report in a form that is not asked for any more is of the part only.
	_, _, _ = runGrid(t, 2, "fake/grid", "--out", dir+"2", "--output", "csv")
	require.Contains(t, contents(t, dir+"2"), "report.csv")
	_, _, _ = runGrid(t, 0, "fake/grid", "--out", dir+"2", "--resume")
	require.Equal(t, whole, contents(t, dir+"2"))
}

// TestResumeKnowsThePlaces: each line is whole, and one is missing, there twice, or
// where another belongs.
func TestResumeKnowsThePlaces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	_, _, _ = runGrid(t, 3, "fake/grid", "--out", dir)
	points := filepath.Join(dir, journal.Name)
	l := strings.SplitAfter(contents(t, dir)[journal.Name], "\n")
	require.GreaterOrEqual(t, len(l), 4) // the header, three points
	for _, lines := range [][]string{{l[0], l[2]}, {l[0], l[1], l[1]}, {l[0], l[2], l[1]}} {
		require.NoError(t, os.WriteFile(points, []byte(strings.Join(lines, "")), 0o644))
		code, stdout, stderr := runGrid(t, 0, "fake/grid", "--out", dir, "--resume")
		require.NotEqual(t, cli.ExitOK, code)
		require.Contains(t, stderr, "is not that of the grid")
		require.Empty(t, stdout)
	}
	require.NoError(t, os.Remove(points))
	require.NoError(t, os.Mkdir(points, 0o755))
	_, _, stderr := runGrid(t, 0, "fake/grid", "--out", dir, "--resume")
	require.Contains(t, stderr, "is no ordinary file")
}

// TestResumeOfSeveral: each grid goes on, and what is no grid is run again.
func TestResumeOfSeveral(t *testing.T) {
	whole, part := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "part")
	args := []string{"fake/pause", "fake/grid", "fake/grid/b.yaml", "--out"}
	code, want, _ := runGrid(t, 0, append(args, whole)...)
	require.Equal(t, cli.ExitNotExpected, code)
	code, _, _ = runGrid(t, 3, append(args, part)...)
	require.Equal(t, cli.ExitNotExpected, code, "a violation is certain")
	_, stdout, stderr := runGrid(t, 0, append(args, part, "--resume")...)
	require.Empty(t, stderr)
	require.Equal(t, want, stdout)
	require.Equal(t, contents(t, whole), contents(t, part))
	require.Contains(t, contents(t, part), "003-b/points.jsonl")
}

// TestResumeRefuses: points of another run, of another program, and damaged ones.
func TestResumeRefuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	_, _, _ = runGrid(t, 3, "fake/grid", "--out", dir)
	points := filepath.Join(dir, journal.Name)
	before := contents(t, dir)
	for args, want := range map[string]string{
		"fake/grid --seed 2":  `its points are of another run: the seed was "1" and is "2"`,
		"fake/grid --runs 50": `its points are of another run: the number of runs was "40" and is "50"`,
		"fake/grid --control": `its points are of another run: --control or --no-faults was "" and is "no-faults"`,
		"fake/grid.yaml":      `its points are of another run: the scenario was "fake/grid" and is "fake/grid.yaml"`,
		"fake/grid --set x=1": `its points are of another run: the settings was "" and is "x=1"`,
		"fake/grid fake/calm": "there is no " + filepath.Join(dir, "fake", "grid", journal.Name) + ": want the folder of a grid that was interrupted",
	} {
		code, stdout, stderr := runGrid(t, 0, append(split("%s", args), "--out", dir, "--resume")...)
		require.Equal(t, cli.ExitError, code)
		require.Empty(t, stdout)
		require.Contains(t, stderr, want)
		require.Equal(t, before, contents(t, dir), "nothing is changed")
	}
	lines := strings.SplitAfter(before[journal.Name], "\n")
	for text, want := range map[string]string{
		"hello\nyou\n": "this is no file of points",
		"hello":        "this is no file of points",
		lines[1]:       "this is no file of points",
		lines[0] + strings.Replace(lines[1], "violated", "violeted", 1) + lines[2]: "line 2 is damaged: checksum mismatch",
		lines[0] + "{\n" + lines[1]:                                             "line 2 is damaged: it is not JSON",
		lines[0] + strings.Repeat(lines[1], 5):                                  "there are 5 points in it, and the grid has 4",
		strings.Replace(lines[0], `"digest_version":`, `"digest_version":9`, 1): "this is no file of points",
	} {
		require.NoError(t, os.WriteFile(points, []byte(text), 0o644))
		code, _, stderr := runGrid(t, 0, "fake/grid", "--out", dir, "--resume")
		require.Equal(t, cli.ExitError, code, text)
		require.Contains(t, stderr, points+": "+want)
		require.Equal(t, text, contents(t, dir)[journal.Name], "nothing is changed")
	}
}

func TestResumeUsage(t *testing.T) {
	dir := t.TempDir()
	for args, want := range map[string]string{
		"fake/grid --resume":                  "simctl: --resume: want --out DIR, the folder in which the points are\n",
		"fake/calm --resume --out " + dir:     "simctl: --resume: there is no grid to continue: want a scenario with vary\n",
		"fake/calm --output xml":              "simctl: --output: want table, json, csv, junit, markdown, got \"xml\"\n",
		"fake/calm --output csv --json":       "simctl: run: want --json or --output csv, not both\n",
		"fake/calm --output csv --quiet":      "simctl: run: want --output csv or --quiet, not both\n",
		"fake/calm --json --quiet":            "simctl: run: want --json or --quiet, not both\n",
		"fake/calm --output json --quiet":     "simctl: run: want --output json or --quiet, not both\n",
		"fake/calm --output markdown --trace": "simctl: run: --output markdown prints one document: want the trace in a file, as in --trace=trace.txt\n",
	} {
		code, stdout, stderr := runGrid(t, 0, split("%s", args)...)
		require.Equal(t, cli.ExitUsage, code, args)
		require.Empty(t, stdout)
		require.Equal(t, want, stderr)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine"), nil, 0o644))
	code, _, stderr := runGrid(t, 0, "fake/grid", "--out", dir)
	require.Equal(t, cli.ExitError, code)
	require.Equal(t, "simctl: --out: "+dir+" is not empty, and nothing in it is overwritten; --resume continues what is in it\n", stderr)
	require.Equal(t, map[string]string{"mine": ""}, contents(t, dir))
	code, _, stderr = runGrid(t, 0, "fake/grid", "--out", filepath.Join(dir, "mine"))
	require.Equal(t, cli.ExitError, code)
	require.Equal(t, "simctl: --out: "+filepath.Join(dir, "mine")+" is a file: want a folder\n", stderr)
}

// TestResumeOfReplays: what was read of an access log at a point that is kept is in the
// report all the same; with another log the points are of no use.
func TestResumeOfReplays(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile(ownLog)
	require.NoError(t, err)
	log := filepath.Join(dir, "access.log")
	require.NoError(t, os.WriteFile(log, text, 0o644))
	line := []string{"run", "limiter/compare", "--set", "params.traffic.accesslog=" + log, "--set", "vary={params.limit: [5, 10, 20]}", "--out", filepath.Join(dir, "out")}
	_, want, errs := runLine(line...)
	require.Empty(t, errs)
	require.Contains(t, want, "input     access.log: combined, 60 lines")
	whole := contents(t, filepath.Join(dir, "out"))
	lines := strings.SplitAfter(whole[journal.Name], "\n")
	require.Len(t, lines, 5, "a header, three points and nothing")
	for n := 1; n <= 4; n++ {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "out", journal.Name), []byte(strings.Join(lines[:n], "")), 0o644))
		_, stdout, errs := runLine(append(line, "--resume")...)
		require.Empty(t, errs)
		require.Equal(t, want, stdout)
		require.Equal(t, whole, contents(t, filepath.Join(dir, "out")))
	}
	require.NoError(t, os.WriteFile(log, text[:len(text)/2], 0o644))
	code, _, errs := runLine(append(line, "--resume")...)
	require.Equal(t, cli.ExitError, code)
	require.Contains(t, errs, "its points are of another run: the checksum of the scenario and of the files that it reads was")
}

// TestInterruptedGridLeavesNothing where no point was finished.
func TestInterruptedGridLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	code, stdout, _ := runGrid(t, 1, "fake/grid", "--out", filepath.Join(dir, "new"))
	require.Equal(t, cli.ExitInterrupted, code)
	require.Empty(t, stdout)
	require.Empty(t, under(t, dir))
	code, _, _ = runGrid(t, 1, "fake/grid", "--out", dir)
	require.Equal(t, cli.ExitInterrupted, code)
	require.Empty(t, under(t, dir))
}

// TestInterruptedAtOnce: of a grid without a finished point nothing is kept, and nothing
// is said to be.
func TestInterruptedAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	code, _, stderr := runGrid(t, 1, "fake/grid", "--jobs", "1", "--out", dir)
	require.Equal(t, cli.ExitInterrupted, code)
	require.Equal(t, "simctl: interrupted; nothing was finished\n", stderr)
	require.NoDirExists(t, dir)

	_, _, _ = runGrid(t, 3, "fake/grid", "--jobs", "1", "--out", dir)
	code, _, stderr = runGrid(t, 3, "fake/grid", "--jobs", "1", "--out", dir, "--resume")
	require.Equal(t, cli.ExitNotExpected, code, "a violation is certain")
	require.Contains(t, stderr, "the points that are finished are kept")
}

// TestResumeRefusesAFolder: a folder where a file belongs is found before anything is run.
func TestResumeRefusesAFolder(t *testing.T) {
	for _, name := range []string{"report.txt", "report.json", "report.csv"} {
		dir := filepath.Join(t.TempDir(), "results")
		_, _, _ = runGrid(t, 3, "fake/grid", "--out", dir)
		file := filepath.Join(dir, name)
		require.NoError(t, os.RemoveAll(file))
		require.NoError(t, os.Mkdir(file, 0o755))
		before := contents(t, dir)[journal.Name]
		code, stdout, stderr := runGrid(t, 0, "fake/grid", "--out", dir, "--resume")
		require.Equal(t, cli.ExitError, code)
		require.Empty(t, stdout)
		require.Contains(t, stderr, "--resume: "+file+" is a folder: want it out of the way")
		require.Equal(t, before, contents(t, dir)[journal.Name], "nothing was run")
	}
}

// openPoint are the numbers of a kept point that may have another value: measures, intervals and digests are known only from
// the runs, and what the run of a point printed of itself is text.
var openPoint = regexp.MustCompile(`(^|\.)(events|digest|faults\[\d+\]\..*|metrics.*|violations|first\.(seed|at_ns|nodes|nodes\[\d+\]|why|run)|span_ns|` +
	`expectations\[\d+\]\..*|reproduce|series.*|bound.*|worst.*|needs|not_exercised_because|ok|verdict|verdict\..*|variant\.[a-z_]*word|sentence)$`)

// TestEveryEditOfAPointIsNoticed changes each value of a kept point and seals it again: it is refused, or the report is the
// same, or nothing but the runs could tell. A value that is null or missing is always refused.
func TestEveryEditOfAPointIsNoticed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	_, want, _ := runGrid(t, 0, "fake/grid", "--out", dir)
	points := filepath.Join(dir, journal.Name)
	lines := strings.SplitAfter(contents(t, dir)[journal.Name], "\n")
	var l struct{ Point json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(lines[2]), &l))
	edited, accepted := 0, 0
	for _, e := range edits(l.Point) {
		edited++
		sealed := fmt.Sprintf(`{"crc32":"%s","point":%s}`+"\n", parts.Sum(e.text), e.text)
		text := strings.Join(append(slices.Clone(lines[:2]), append([]string{sealed}, lines[3:]...)...), "")
		require.NoError(t, os.WriteFile(points, []byte(text), 0o644))
		_, got, stderr := runGrid(t, 0, "fake/grid", "--out", dir, "--resume")
		require.NotContains(t, stderr, "goroutine")
		switch {
		case stderr != "":
			require.Contains(t, stderr, "remove this line and all after it, and --resume runs their points again", e.path)
		case got != want:
			accepted++
			require.Regexp(t, openPoint, e.path, "%s: %s", e.path, e.what)
		}
	}
	t.Logf("%d edits, %d of them accepted with another report", edited, accepted)
}
