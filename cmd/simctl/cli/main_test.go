package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/output"
	"fencepost/cmd/simctl/internal/plan"
	"fencepost/internal/printable"
	"fencepost/reports/golden"
	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/sim/rare"
)

func TestExitCodes(t *testing.T) {
	for line, want := range map[string]int{
		"run fake/calm":                          cli.ExitOK,
		"run fake/pause":                         cli.ExitOK,
		"run fake/pause --control":               cli.ExitOK,
		"run fake/pause --no-faults":             cli.ExitOK,
		"run fake/drawn":                         cli.ExitOK,
		"run fake/grid":                          cli.ExitOK,
		"run fake/surprise":                      cli.ExitNotExpected,
		"run fake/surprise --no-faults":          cli.ExitOK,
		"run fake/vacuous":                       cli.ExitNotExpected,
		"run fake/vacuous --control":             cli.ExitNotExpected,
		"run fake/panic":                         cli.ExitNotExpected,
		"run fake/panic --control":               cli.ExitNotExpected,
		"run fake/drawn --runs 1":                cli.ExitOK, // of 1,000 the file expects 10 to 20 %, and of one nothing
		"run fake/calm fake/pause":               cli.ExitOK,
		"run fake/calm fake/surprise fake/pause": cli.ExitNotExpected,
		"run --all":                              cli.ExitNotExpected,
		"run fake/nothing":                       cli.ExitUsage,
		"run bad.yaml":                           cli.ExitUsage,
		"run fake/surprise bad.yaml":             cli.ExitUsage,
		"run":                                    cli.ExitUsage,
		"run fake/calm --all":                    cli.ExitUsage,
		"run fake/calm --runs 0":                 cli.ExitUsage,
		"run fake/calm --runs many":              cli.ExitUsage,
		"run fake/calm --seed -1":                cli.ExitUsage,
		"run fake/calm --jobs -1":                cli.ExitUsage,
		"run fake/calm --jobs 4097":              cli.ExitUsage,
		"run fake/calm --runs 1000000001":        cli.ExitUsage,
		"run fake/calm fake/calm":                cli.ExitUsage, // named twice
		"run fake/calm --set ttl":                cli.ExitUsage,
		"run fake/calm --set =1":                 cli.ExitUsage,
		"run fake/calm --color blue":             cli.ExitUsage,
		"run fake/calm --control --no-faults":    cli.ExitUsage,
		"run fake/calm --json --quiet":           cli.ExitUsage,
		"run fake/calm --json --trace":           cli.ExitUsage,
		"run fake/calm fake/pause --trace":       cli.ExitUsage,
		"run fake/grid --trace":                  cli.ExitUsage,
		"run fake/grid --set params.hold=3ms":    cli.ExitUsage,
		"run fake/grid --set params.hold=2ms":    cli.ExitOK,
		"run fake/calm --out /dev/null":          cli.ExitError,
		"run fake/calm --trace=/no/such/folder":  cli.ExitError,
		"run fake/calm --out=":                   cli.ExitUsage,
		"run fake/calm --trace=":                 cli.ExitUsage,
		"rnu":                                    cli.ExitUsage,
		"help rnu":                               cli.ExitUsage,
		"help run":                               cli.ExitOK,
		"run --help":                             cli.ExitOK,
		"--help":                                 cli.ExitOK,
		"list":                                   cli.ExitOK,
		"list fake":                              cli.ExitOK,
		"list fake/":                             cli.ExitOK,
		"list fake/calm":                         cli.ExitUsage,
		"list fake fake":                         cli.ExitUsage,
		"show fake/calm":                         cli.ExitOK,
		"show":                                   cli.ExitUsage,
		"show fake/nothing":                      cli.ExitUsage,
		"show fake/nothing --file":               cli.ExitUsage,
		"show fake/calm --file":                  cli.ExitOK,
		"show bad.yaml":                          cli.ExitUsage,
		"new lock":                               cli.ExitOK,
		"new lokc":                               cli.ExitUsage,
		"new":                                    cli.ExitUsage,
		"new lock a.yaml b.yaml":                 cli.ExitUsage,
		"new lock /no/such/folder/a.yaml":        cli.ExitError,
		"new lock /":                             cli.ExitUsage,
		"schema":                                 cli.ExitOK,
		"schema lock":                            cli.ExitUsage,
		"validate fake/calm":                     cli.ExitOK,
		"validate":                               cli.ExitUsage,
		"validate fake/calm bad.yaml":            cli.ExitUsage,
		"version":                                cli.ExitOK,
		"version --jsno":                         cli.ExitUsage,
		"completion bash":                        cli.ExitOK,
		"completion":                             cli.ExitOK,
		"completion tcsh":                        cli.ExitUsage, // F13
		"--version":                              cli.ExitOK,
	} {
		t.Run(line, func(t *testing.T) {
			code, stdout, stderr := call(t, split("%s", line)...)
			require.Equal(t, want, code, "%s%s", stdout, stderr)
			if code == cli.ExitError || code == cli.ExitUsage {
				require.Contains(t, stderr, "simctl: ")
			}
		})
	}
}

func TestSuggestions(t *testing.T) {
	for line, want := range map[string]string{
		"rnu":               "\trun\n",
		"help vlaidate":     "\tvalidate\n",
		"run x --sed 1":     "did you mean --seed?",
		"run x --nofaults":  "did you mean --no-faults?",
		"list --jsno":       "did you mean --json?",
		"list fak":          `did you mean "fake"?`,
		"run x --zzzzzzzzz": "unknown flag: --zzzzzzzzz\nsee simctl run --help",
	} {
		_, stdout, stderr := call(t, split("%s", line)...)
		require.Contains(t, stderr, want)
		require.Empty(t, stdout)
	}
}

func TestRunText(t *testing.T) {
	for _, name := range fakeNames {
		t.Run(strings.TrimPrefix(name, "fake/"), func(t *testing.T) {
			_, stdout, stderr := call(t, "run", name)
			require.Empty(t, stderr)
			golden.Require(t, stdout, ".txt")
		})
	}
	t.Run("all", func(t *testing.T) {
		_, stdout, _ := call(t, "run", "--all", "--quiet")
		golden.Require(t, stdout, ".txt")
	})
	t.Run("control", func(t *testing.T) {
		_, stdout, _ := call(t, "run", "fake/pause", "--control")
		golden.Require(t, stdout, ".txt")
	})
	t.Run("trace", func(t *testing.T) {
		_, stdout, _ := call(t, "run", "fake/pause", "--trace", "--quiet")
		trace, verdict, ok := strings.Cut(stdout, "\n\n")
		require.True(t, ok)
		require.Equal(t, 2, strings.Count(trace, "acquired"))
		require.True(t, strings.HasPrefix(verdict, "REPRODUCED: "), verdict)
	})
}

func TestRunJSON(t *testing.T) {
	for _, name := range fakeNames {
		t.Run(strings.TrimPrefix(name, "fake/"), func(t *testing.T) {
			_, stdout, stderr := call(t, "run", name, "--json")
			require.Empty(t, stderr)
			golden.Require(t, stdout, ".json")
			_, again, _ := call(t, "run", name, "--json", "--jobs", "7")
			require.Equal(t, stdout, again)
		})
	}
	_, stdout, _ := call(t, "run", "fake/calm", "fake/pause", "--json")
	var doc struct {
		Schema    string
		OK        bool
		Scenarios []struct{ Scenario string }
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &doc))
	require.Equal(t, "fencepost/suite/v1", doc.Schema)
	require.True(t, doc.OK)
	require.Equal(t, "fake/pause", doc.Scenarios[1].Scenario)
}

func TestSeveralScenariosLoadBeforeAnyRuns(t *testing.T) {
	_, stdout, stderr := call(t, "run", "fake/calm", "bad-1.yaml", "bad-2.yaml")
	require.Empty(t, stdout)
	require.Contains(t, stderr, "bad-1.yaml:3:5: unknown key \"tll\"; did you mean \"ttl\"? (at params.tll)\n")
	require.Contains(t, stderr, "bad-2.yaml:3:5")
	require.Contains(t, stderr, "simctl: 2 scenarios are invalid; nothing was run\n")

	code, stdout, stderr := call(t, "run", "bad-1.yaml", "--json")
	require.Equal(t, cli.ExitUsage, code)
	require.Empty(t, stderr)
	golden.Require(t, stdout, ".json")
}

func TestValidate(t *testing.T) {
	_, stdout, stderr := call(t, "validate", "fake/calm", "bad.yaml")
	require.Equal(t, "fake/calm: valid\n", stdout)
	require.Contains(t, stderr, "bad.yaml:3:5: ")
	code, stdout, stderr := call(t, "validate", "fake/calm", "bad.yaml", "--json")
	require.Equal(t, cli.ExitUsage, code)
	require.Empty(t, stderr)
	golden.Require(t, stdout, ".json")
}

func TestListShowVersion(t *testing.T) {
	_, stdout, _ := call(t, "list")
	golden.Require(t, stdout, ".txt")
	_, stdout, _ = call(t, "list", "--json")
	golden.Require(t, stdout, ".json")
	_, folder, _ := call(t, "list", "fake", "--json")
	require.Equal(t, stdout, folder, "they are all in one folder")
	_, stdout, _ = call(t, "show", "fake/calm", "--file")
	require.Equal(t, "about: fake/calm\n", stdout)
	_, stdout, _ = call(t, "version")
	require.Regexp(t, `^simctl \S+ \((no )?revision.*\), go1\.\S+, \w+/\w+, digest encoding \d+, replay format fencepost/replay/v\d+\n$`, stdout)
	_, flag, _ := call(t, "--version")
	require.Equal(t, stdout, flag, "F13")
	_, stdout, _ = call(t, "version", "--json")
	require.True(t, json.Valid([]byte(stdout)))
}

// The command that a failure prints does fail in the same way.
func TestReproduction(t *testing.T) {
	for line, want := range map[string]string{
		"run fake/surprise":                              "simctl run fake/surprise --seed 1",
		"run fake/surprise --seed 5":                     "simctl run fake/surprise --seed 5",
		"run fake/surprise --runs 100":                   "simctl run fake/surprise --seed 1 --runs 1",
		"run fake/vacuous --set params.ttl=5s":           "simctl run fake/vacuous --seed 1 --set params.ttl=5s",
		"run fake/drawn --no-faults":                     "simctl run fake/drawn --seed 4 --runs 1 --no-faults",
		"run fake/drawn --control --seed 100":            "simctl run fake/drawn --seed 101 --runs 1 --control",
		"run fake/panic --runs 3":                        "simctl run fake/panic --seed 1 --runs 1",
		"run fake/drawn --runs 7":                        "simctl run fake/drawn --seed 4 --runs 1",
		"run fake/grid --control":                        "simctl run fake/grid --seed 37 --runs 1 --control --set params.hold=2ms",
		"run fake/grid --control --set params.hold=20ms": "simctl run fake/grid --seed 1 --runs 1 --control --set params.hold=20ms",
	} {
		t.Run(line, func(t *testing.T) {
			code, stdout, _ := call(t, split("%s", line)...)
			require.Equal(t, cli.ExitNotExpected, code)
			require.Contains(t, stdout, "\n  reproduce: "+want+"\n")
			code, again, _ := call(t, split("%s", want)[1:]...)
			require.Equal(t, cli.ExitNotExpected, code)
			require.Contains(t, again, "\n  reproduce: "+want+"\n", "it reproduces itself")
		})
	}
	_, stdout, _ := call(t, "run", "fake/surprise it's.yaml", "--set", "params.x={exp: 5ms}")
	require.Contains(t, stdout, `reproduce: simctl run 'fake/surprise it'\''s.yaml' --seed 1 --set 'params.x={exp: 5ms}'`+"\n")
}

func TestColor(t *testing.T) {
	const code = "\x1b[1;31mVIOLATED"
	for _, c := range []struct {
		flag, noColor, force string
		want                 bool
	}{
		{"auto", "", "", false}, // a buffer is no terminal
		{"auto", "", "1", true},
		{"auto", "", "0", false},
		{"auto", "1", "1", false},
		{"always", "1", "", true},
		{"never", "", "1", false},
	} {
		t.Setenv("NO_COLOR", c.noColor)
		t.Setenv("CLICOLOR_FORCE", c.force)
		var out bytes.Buffer
		simctl(context.Background(), fakeCatalog(), []string{"run", "fake/pause", "--color", c.flag}, &out, io.Discard)
		require.Equal(t, c.want, strings.Contains(out.String(), code), "%+v", c)
	}
}

// closed is a pipe whose reader has gone, or a disk that is full.
type closed struct{ err error }

func (c closed) Write([]byte) (int, error) { return 0, c.err }

func TestClosedPipe(t *testing.T) {
	for line, want := range map[string]int{"run fake/surprise --trace": cli.ExitNotExpected, "run --all": cli.ExitReaderLeft, "run fake/surprise --json": cli.ExitNotExpected} {
		var stderr bytes.Buffer
		code := simctl(context.Background(), fakeCatalog(), split("%s", line), closed{&os.PathError{Op: "write", Err: syscall.EPIPE}}, &stderr)
		require.Equal(t, want, code, line)
		require.Empty(t, stderr.String())
	}
	var stderr bytes.Buffer
	code := simctl(context.Background(), fakeCatalog(), split("run fake/calm"), closed{syscall.ENOSPC}, &stderr)
	require.Equal(t, cli.ExitError, code)
	require.Equal(t, "simctl: no space left on device\n", stderr.String())
}

func TestOut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "results")
	code, stdout, stderr := call(t, "run", "fake/pause", "--out", dir)
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Equal(t, []string{"report.json", "report.txt", "trace.txt"}, under(t, dir))
	text, err := os.ReadFile(filepath.Join(dir, "report.txt"))
	require.NoError(t, err)
	require.Equal(t, stdout, string(text))
	_, document, _ := call(t, "run", "fake/pause", "--json")
	saved, err := os.ReadFile(filepath.Join(dir, "report.json"))
	require.NoError(t, err)
	require.Equal(t, document, string(saved))

	code, stdout, stderr = call(t, "run", "fake/calm", "--out", dir)
	require.Equal(t, cli.ExitError, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "is not empty, and nothing in it is overwritten")
	require.Equal(t, []string{"results"}, under(t, filepath.Dir(dir))[3:], "nothing half-written")
}

// under lists files and, after them, folders.
func under(t *testing.T, dir string) []string {
	var names, folders []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		if !d.IsDir() {
			names = append(names, filepath.ToSlash(filepath.Base(path)))
		} else if rel != "." {
			folders = append(folders, filepath.ToSlash(rel))
		}
		return err
	}))
	return append(names, folders...)
}

func TestOutOfSeveral(t *testing.T) {
	dir := t.TempDir() // an empty folder is as good as none
	code, _, stderr := call(t, "run", "fake/pause", "fake/grid", "--out", dir)
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Equal(t, []string{"points.jsonl", "report.json", "report.txt", "report.json", "report.txt", "trace.txt", "fake", "fake/grid", "fake/pause"}, under(t, dir))
	require.Equal(t, "002-x", output.FolderOf("../a/x.yaml", 2))
}

func TestOutLeavesNothingBehind(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	c := fakeCatalog()
	load := c.Load
	c.Load = func(name string, o format.Options) (*format.Scenario, error) {
		s, err := load(name, o)
		s.Config.Until = -1 // which the engine refuses
		return s, err
	}
	var stderr bytes.Buffer
	require.Equal(t, cli.ExitError, simctl(context.Background(), c, []string{"run", "fake/calm", "--out", dir}, io.Discard, &stderr))
	require.Equal(t, "simctl: fake/calm: until: must be positive, got -0.000000001s\n", stderr.String())
	require.Empty(t, under(t, filepath.Dir(dir)))
}

func TestTraceFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.txt")
	code, stdout, _ := call(t, "run", "fake/panic", "--json", "--trace="+file)
	require.Equal(t, cli.ExitNotExpected, code)
	require.True(t, json.Valid([]byte(stdout)))
	trace, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(trace), "client-2 panicked, handling take: lock: who asks?\ngoroutine ")
}

// TestTraceFileFirst: that the trace cannot be written is said before anything runs.
func TestTraceFileFirst(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		dir:                               dir + " is a folder: want a file",
		filepath.Join(dir, "no", "t.txt"): "there is no folder " + filepath.Join(dir, "no"),
	} {
		code, stdout, stderr := call(t, "run", "fake/calm", "--trace="+path)
		require.Equal(t, cli.ExitError, code)
		require.Empty(t, stdout)
		require.Equal(t, "simctl: --trace: "+want+"\n", stderr)
	}
	require.Empty(t, under(t, dir))
}

func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	var stdout, stderr bytes.Buffer
	require.Equal(t, cli.ExitInterrupted, simctl(ctx, fakeCatalog(), []string{"run", "fake/calm"}, &stdout, &stderr))
	require.Empty(t, stdout.String())
	require.Contains(t, stderr.String(), "interrupted")
}

func TestRunOptions(t *testing.T) {
	a := &app{&cli.App{Catalog: fakeCatalog(), Out: cli.NewOutput(io.Discard), ErrOut: printable.NewWriter(io.Discard), Getenv: func(string) string { return "" }}}
	var got *runOptions
	cmd := newRunCmd(a, func(_ context.Context, o *runOptions) error {
		got = o
		return nil
	})
	cmd.SetArgs(split("a b --seed 18446744073709551615 --runs 7 --set x=1 --set y=a=b --quiet --jobs 3 --out d"))
	require.NoError(t, cmd.Execute())
	seed, runs := ^uint64(0), 7
	require.Equal(t, &runOptions{Names: []string{"a", "b"}, Options: output.Options{Output: output.Table, Quiet: true, Out: "d"}, Rare: rareOptions{Repeat: rare.UsualRepetitions, Population: rare.UsualPopulation}, Request: plan.Request{
		Seed: &seed, Runs: &runs, Jobs: 3, Memory: 1 << 30, Sets: []result.Setting{{Path: "x", Value: "1"}, {Path: "y", Value: "a=b"}}}}, got)
}

func TestCompletion(t *testing.T) {
	_, stdout, _ := call(t, "__complete", "run", "")
	require.Contains(t, stdout, "fake/calm\n")
	_, stdout, _ = call(t, "__complete", "run", "fake/calm", "--set", "")
	require.Contains(t, stdout, "expect.mutual-exclusion=holds\n")
	require.Contains(t, stdout, "expect.acquisitions=\n")
	_, stdout, _ = call(t, "__complete", "run", "--color", "")
	require.Contains(t, stdout, "never\n")
}

func TestReport(t *testing.T) {
	var b bytes.Buffer
	require.Equal(t, cli.ExitUsage, cli.ExitCode(errors.New("from cobra"), &b))
	require.Equal(t, cli.ExitNotExpected, cli.ExitCode(cli.End(cli.ExitNotExpected, nil), &b))
	require.Equal(t, "simctl: from cobra\n", b.String())
}

// TestRunsAreBounded: by whichever command they are asked for.
func TestRunsAreBounded(t *testing.T) {
	for _, line := range []string{"run fake/calm", "compare fake/grid", "explain fake/calm", "explore fake/calm", "boundary fake/calm --vary params.x --from 1 --to 2 --property fairness"} {
		for _, runs := range []string{"0", "1000000001"} {
			code, _, stderr := call(t, split("%s --runs %s", line, runs)...)
			require.Equal(t, cli.ExitUsage, code, line)
			require.Contains(t, stderr, "--runs: want 1 to 1000000000, got "+runs, line)
		}
	}
}
