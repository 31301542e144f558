package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/parts"
)

// caller runs a command line.
type caller func(t *testing.T, line ...string) (code int, stdout, stderr string)

// callReal runs a command line over the scenarios that ship.
func callReal(t *testing.T, line ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("NO_COLOR", "")
	var out, err bytes.Buffer
	code = run(line, &out, &err)
	return code, out.String(), err.String()
}

// shards does all parts of a command, last first, each with other jobs.
func shards(t *testing.T, with caller, line []string, n int) (folder string) {
	folder = filepath.Join(t.TempDir(), "parts")
	for i := n; i > 0; i-- {
		code, stdout, stderr := with(t, append(slices.Clone(line), "--shard", fmt.Sprintf("%d/%d", i, n), "--out", folder, "--jobs", fmt.Sprint(i))...)
		require.Equal(t, cli.ExitOK, code, stderr)
		require.Contains(t, stdout, fmt.Sprintf("shard %d/%d, runs ", i, n))
	}
	return folder
}

// TestMergePrintsWhatOneMachineWould: intervals, quantiles, digests and first violations of
// parts are those of all runs, byte for byte, and so is the exit code.
func TestMergePrintsWhatOneMachineWould(t *testing.T) {
	for _, line := range []string{
		"run fake/drawn", "run fake/drawn --seed 7 --runs 10", "run fake/panic --runs 12", "run fake/pause --runs 9 --no-faults",
		"run fake/grid", "run fake/table", "run fake/vacuous --runs 9", "run fake/surprise --runs 9 --control",
		"compare fake/grid --baseline 20ms", "compare fake/calm fake/pause fake/panic --runs 20 --measure acquired-at", "compare fake/table",
		"explore fake/drawn --budget pauses=1 --runs 300", "explore fake/calm --budget pauses=1 --runs 300 --no-shrink", "explore fake/pause --budget none --runs 20 --no-faults",
		"explore fake/calm --budget pauses=1 --mode pct --runs 100",
	} {
		t.Run(line, func(t *testing.T) { sameBytes(t, call, split("%s", line), 3, 8) })
	}
}

// TestMergeOfShippedScenarios: the same of real models, with drawn faults, quantiles and a
// grid of which a part has the end of one point and the start of the next.
func TestMergeOfShippedScenarios(t *testing.T) {
	grid := filepath.Join(t.TempDir(), "grid.yaml")
	require.NoError(t, os.WriteFile(grid, []byte(someGrid), 0o644))
	for _, line := range []string{
		"run redlock/gc-pause --runs 60", "run " + grid, "compare redlock/gc-pause redlock/gc-pause-fenced --runs 20 --no-faults",
		"explore redlock/gc-pause --no-faults --budget pauses=1 --runs 600 --shrink-for 1m", "explore redlock/gc-pause-fenced --no-faults --budget crashes=1 --runs 300",
	} {
		t.Run(line, func(t *testing.T) { sameBytes(t, callReal, split("%s", line), 7) })
	}
}

// sameBytes compares what is printed, as text and as a document, with what parts give.
func sameBytes(t *testing.T, with caller, line []string, shardings ...int) {
	var folders []string // of the parts of each
	for _, n := range shardings {
		folders = append(folders, shards(t, with, line, n))
	}
	for _, form := range [][]string{nil, {"--json"}} {
		wantCode, want, wantErr := with(t, append(slices.Clone(line), form...)...)
		for _, folder := range folders {
			code, got, gotErr := with(t, append([]string{"merge", folder}, form...)...)
			require.Equal(t, want, got)
			require.Equal(t, wantErr, gotErr)
			require.Equal(t, wantCode, code)
		}
	}
}

// TestMergeWritesTheSameFiles: --out of merge has the files of the command.
func TestMergeWritesTheSameFiles(t *testing.T) {
	dir := t.TempDir()
	one, many := filepath.Join(dir, "one"), filepath.Join(dir, "many")
	_, _, stderr := call(t, split("run fake/drawn --output csv --out %s", one)...)
	require.Empty(t, stderr)
	_, _, stderr = call(t, split("merge %s --output csv --out %s", shards(t, call, split("run fake/drawn"), 4), many)...)
	require.Empty(t, stderr)
	for _, name := range []string{"report.txt", "report.json", "trace.txt", "report.csv"} {
		want, err := os.ReadFile(filepath.Join(one, name))
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(many, name))
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), name)
	}
}

// TestSearchNeedsNoPartsAfterItsFind: the parts before it it does need.
func TestSearchNeedsNoPartsAfterItsFind(t *testing.T) {
	line := split("explore fake/calm --budget pauses=1 --runs 400 --shrink-for 1m")
	_, want, _ := call(t, line...)
	require.Contains(t, want, "VIOLATED")
	folder := shards(t, call, line, 8)
	for i := 3; i <= 8; i++ {
		require.NoError(t, os.Remove(filepath.Join(folder, parts.Shard{Number: i, Of: 8}.File())))
	}
	_, got, stderr := call(t, "merge", folder)
	require.Empty(t, stderr)
	require.Equal(t, want, got)
}

// TestPartThatIsThereIsNotDoneAgain, and one that is damaged is; one of another job stays.
func TestPartThatIsThereIsNotDoneAgain(t *testing.T) {
	folder := t.TempDir()
	line := split("run fake/drawn --runs 20 --shard 2/4 --out %s", folder)
	file := filepath.Join(folder, "part-2-of-4.json")
	_, _, stderr := call(t, line...)
	require.Empty(t, stderr)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	_, stdout, _ := call(t, line...)
	require.Equal(t, "shard 2/4, runs 6 to 10 of 20: "+file+" is there and whole, nothing to do\n", stdout)

	for _, damage := range [][]byte{nil, whole[:len(whole)/2], whole[:len(whole)-1], bytes.Replace(whole, []byte(`"runs":5`), []byte(`"runs":6`), 1)} {
		require.NoError(t, os.WriteFile(file, damage, 0o644))
		_, stdout, stderr = call(t, line...)
		require.Empty(t, stderr)
		require.Contains(t, stdout, "with all 4: simctl merge")
		again, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(whole), string(again))
	}

	code, _, stderr := call(t, split("run fake/drawn --runs 20 --seed 9 --shard 2/4 --out %s", folder)...)
	require.Equal(t, cli.ExitError, code)
	require.Contains(t, stderr, `part-2-of-4.json is a part of another job, and stays as it is: the command is "run fake/drawn --runs=20", and not "run fake/drawn --runs=20 --seed=9"`)
}

// TestMergeRefuses is what merge says of parts that are not all of one job.
func TestMergeRefuses(t *testing.T) {
	remove := func(numbers ...int) func(*testing.T, string) {
		return func(t *testing.T, folder string) {
			for _, n := range numbers {
				require.NoError(t, os.Remove(filepath.Join(folder, parts.Shard{Number: n, Of: 4}.File())))
			}
		}
	}
	change := func(old, new string) func(*testing.T, string) {
		return func(t *testing.T, folder string) {
			file := filepath.Join(folder, "part-3-of-4.json")
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Contains(t, string(text), old)
			require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), old, new, 1)), 0o644))
		}
	}
	// rewritten changes what a part says, and its checksum with it.
	rewritten := func(with func(*parts.Part), numbers ...int) func(*testing.T, string) {
		return func(t *testing.T, folder string) {
			for _, n := range numbers {
				file := filepath.Join(folder, parts.Shard{Number: n, Of: 4}.File())
				p, err := parts.Read(file)
				require.NoError(t, err)
				with(p)
				require.NoError(t, p.Keep(file))
			}
		}
	}
	all := []int{1, 2, 3, 4}
	for want, spoil := range map[string]func(*testing.T, string){
		"runs 6 to 15 of 20 are missing: simctl run fake/drawn --runs=20 --shard 2/4 --out DIR": remove(2, 3),
		"runs 16 to 20 of 20 are missing":           remove(4),
		"runs 1 to 5 of 20 are missing":             remove(1),
		"there is no part in ":                      remove(1, 2, 3, 4),
		"is damaged, or was not written to its end": change(`"runs":5`, `"runs":6`),
		"part-3-of-4.json is damaged": func(t *testing.T, folder string) {
			require.NoError(t, os.Truncate(filepath.Join(folder, "part-3-of-4.json"), 300))
		},
		"runs 11 to 15 are in ":                                                  func(t *testing.T, folder string) { copyFile(t, folder, "part-3-of-4.json", "part-9-of-4.json") },
		`the build of simctl is "other", and not "`:                              rewritten(func(p *parts.Part) { p.Job.Build = "other" }, 3),
		"the parts are of another job than this simctl":                          rewritten(func(p *parts.Part) { p.Job.Build = "other" }, all...),
		`the checksum of the scenario and of the files that it reads is "other"`: rewritten(func(p *parts.Part) { p.Job.Checksum = "other" }, 2),
		"want run, explore or compare":                                           rewritten(func(p *parts.Part) { p.Job.Command[0] = "show" }, all...),
		"the command of the parts is ":                                           rewritten(func(p *parts.Part) { p.Job.Command = append(p.Job.Command, "--trace=stolen.txt") }, all...),
		"part-2-of-4.json is not the result of its runs: results[0]: point and first are 0 and 0: want 0 and 5\nremove it, and run its shard again": rewritten(func(p *parts.Part) {
			p.Results = []byte(strings.Replace(string(p.Results), `"first":5`, `"first":0`, 1))
		}, 2),
		"part-2-of-4.json is not the result of its runs: results[0]: faults: there are more than 0 elements: want 0": rewritten(func(p *parts.Part) {
			p.Results = []byte(strings.Replace(string(p.Results), `"tally":{`, `"tally":{"faults":[{}],`, 1))
		}, 2),
		"has the runs 1 to 5: want 6 to 10 of shard 2/4": rewritten(func(p *parts.Part) { p.First, p.End = 0, 5 }, 2),
	} {
		t.Run(want, func(t *testing.T) {
			folder := shards(t, call, split("run fake/drawn --runs 20"), 4)
			spoil(t, folder)
			code, stdout, stderr := call(t, "merge", folder)
			require.Contains(t, stderr, want)
			require.NotContains(t, stderr, "panic")
			require.Empty(t, stdout)
			require.Equal(t, cli.ExitError, code)
		})
	}
}

func copyFile(t *testing.T, folder, from, to string) {
	text, err := os.ReadFile(filepath.Join(folder, from))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, to), text, 0o644))
}

// TestShardRefuses is what --shard says of bad input, before anything is run.
func TestShardRefuses(t *testing.T) {
	for line, want := range map[string]string{
		"run fake/calm --shard 0/0 --out d":                                         "--shard: want 1 to 100000 shards",
		"run fake/calm --shard 5/4 --out d":                                         "--shard: want shard 1 to 4 of 4",
		"run fake/calm --shard 0/4 --out d":                                         "--shard: want shard 1 to 4 of 4",
		"run fake/calm --shard 1 --out d":                                           `as in 1/3, got "1"`,
		"run fake/calm --shard 1/200000 --out d":                                    "--shard: want 1 to 100000 shards",
		"run fake/calm --shard 1/2":                                                 "--shard: want --out DIR",
		"run fake/calm --shard 1/2 --out d":                                         "--shard: there are 1 runs: want at most as many shards, got 2",
		"run fake/calm --shard 1/2 --out d --json":                                  "--json is for one machine, or for simctl merge",
		"run fake/calm fake/drawn --shard 1/2 --out d":                              "run: --shard is for one scenario",
		"run - --shard 1/2 --out d":                                                 "not standard input",
		"run fake/drawn --shard -/2 --out d":                                        "want no --out",
		"explore fake/calm --budget pauses=1 --shard 1/2 --out d --for 1s":          "a search with --for cannot be divided",
		"explore fake/calm --budget pauses=1 --shard 1/2 --out d --mode exhaustive": "an exhaustive search cannot be divided",
		"explore fake/calm --budget pauses=1 --shard 1/2 --out d --runs 10 --quiet": "--quiet is for one machine",
		"compare fake/calm fake/pause --shard 1/2":                                  "--shard: want --out DIR",
		"merge":                "merge: want the folders in which the parts are",
		"merge d d":            "merge: d is named twice",
		"merge d --output xml": "there is no part in d",
	} {
		t.Run(line, func(t *testing.T) {
			t.Chdir(t.TempDir())
			require.NoError(t, os.Mkdir("d", 0o755))
			code, stdout, stderr := call(t, split("%s", line)...)
			require.Contains(t, stderr, want)
			require.Empty(t, stdout)
			require.Contains(t, []int{cli.ExitUsage, cli.ExitError}, code)
			entries, err := os.ReadDir("d")
			require.NoError(t, err)
			require.Empty(t, entries)
		})
	}
}

// TestPartThatIsNotTheResultOfItsRunsIsMovedAside: the same command does the shard again, and what it took for a part
// stays, to be looked at.
func TestPartThatIsNotTheResultOfItsRunsIsMovedAside(t *testing.T) {
	folder := t.TempDir()
	line := split("run fake/drawn --runs 20 --shard 2/4 --out %s", folder)
	file := filepath.Join(folder, "part-2-of-4.json")
	_, _, stderr := call(t, line...)
	require.Empty(t, stderr)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	bad := sealed(t, whole, bytes.Replace(resultsOf(t, whole), []byte(`"runs":5`), []byte(`"runs":6`), 1))
	require.NoError(t, os.WriteFile(file, bad, 0o644))

	_, _, stderr = call(t, line...)
	require.Contains(t, stderr, file+" is not the result of its runs: results[0]")
	require.Contains(t, stderr, "moved to "+file+".bad; the shard runs again")
	again, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(whole), string(again))
	kept, err := os.ReadFile(file + ".bad")
	require.NoError(t, err)
	require.Equal(t, string(bad), string(kept))
}

// FuzzParse: a part from elsewhere is refused, or is written again as it was.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"crc32":"00000000","part":{"job":{},"results":[]}}` + "\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, line := range [][]byte{text, append(fmt.Appendf(nil, `{"crc32":"%s","part":%s}`, parts.Sum(text), text), '\n')} {
			if p, err := parts.Parse(line); err == nil {
				var again bytes.Buffer
				require.NoError(t, p.Write(&again))
				require.Equal(t, string(line), again.String())
			}
		}
	})
}
