package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/internal/printable"
	"fencepost/reports/golden"
	"fencepost/scenarios/format"
	"fencepost/sim/explore"
)

func TestExploreText(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		code int
	}{
		"found":              {"fake/pause --no-faults --budget pauses=1", cli.ExitNotExpected},
		"unshrunk":           {"fake/pause --no-faults --budget pauses=2 --no-shrink --seed 8", cli.ExitNotExpected},
		"scripted":           {"fake/surprise --budget pauses=1", cli.ExitNotExpected},
		"panic":              {"fake/panic --budget pauses=1", cli.ExitNotExpected},
		"drawn":              {"fake/drawn --budget none", cli.ExitNotExpected},
		"fewest":             {"fake/calm --budget pauses=2 --mode exhaustive --runs 1000 --seed 2", cli.ExitNotExpected},
		"pct":                {"fake/calm --budget pauses=1 --mode pct", cli.ExitNotExpected},
		"held":               {"fake/calm --budget pauses=1,pause-for=1ms --runs 500", cli.ExitOK},
		"exhausted":          {"fake/calm --budget pauses=1,pause-for=1ms --mode exhaustive --runs 1000", cli.ExitOK},
		"stopped":            {"fake/calm --budget pauses=2,pause-for=1ms --mode exhaustive --runs 3", cli.ExitError},
		"memory":             {"fake/calm --budget pauses=2,pause-for=1ms --mode exhaustive --runs 1000 --memory 16KiB", cli.ExitError},
		"vacuous":            {"fake/calm --budget pauses=1,pause-for=1ms --property fairness --runs 50", cli.ExitNotExpected},
		"unstruck":           {"fake/calm --budget pauses=1,pause-for=1ms --runs 1", cli.ExitNotExpected},
		"nowhere":            {"fake/calm --budget lost=1 --runs 50", cli.ExitNotExpected},
		"block":              {"fake/budget --runs 50", cli.ExitOK},
		"default":            {"fake/calm --no-shrink", cli.ExitNotExpected},
		"own-nodes":          {"fake/calm --budget pauses=1,pause-for=1ms,pause-nodes=client-1,lost=1,message-nodes=client-2,cuts=1,cut-for=1ms|forever --runs 50", cli.ExitNotExpected},
		"reached":            {"fake/calm --budget pauses=2,cuts=1 --reach acquired-at>=20ms", cli.ExitOK},
		"reached-exhaustive": {"fake/calm --budget pauses=2 --mode exhaustive --reach acquired-at>=20ms", cli.ExitOK},
		"reached-pct":        {"fake/calm --budget pauses=1 --mode pct --reach acquired-at>=20ms", cli.ExitOK},
		"reached-at-once":    {"fake/calm --budget pauses=1 --reach acquisitions<=2", cli.ExitOK},
		"reached-by-file":    {"fake/pause --budget none --reach acquired-at>=10ms --no-shrink", cli.ExitOK},
		"missed":             {"fake/calm --budget pauses=1,pause-for=1ms --reach acquired-at>=20ms --runs 100", cli.ExitNotExpected},
		"missed-exhaustive":  {"fake/calm --budget pauses=1,pause-for=1ms --reach acquired-at>=20ms --mode exhaustive", cli.ExitNotExpected},
		"missed-stopped":     {"fake/calm --budget pauses=2,pause-for=1ms --reach acquired-at>=20ms --mode exhaustive --runs 3", cli.ExitError},
		"reached-panic":      {"fake/panic --budget pauses=1 --reach acquired-at>=20ms", cli.ExitNotExpected},
		"not-wanted":         {"fake/surprise --budget pauses=1 --runs 10 --property fairness", cli.ExitNotExpected},
	} {
		t.Run(name, func(t *testing.T) {
			line := append([]string{"explore"}, split("%s", c.line)...)
			code, stdout, stderr := callOn(t, context.Background(), budgetCatalog(), line...)
			require.Empty(t, stderr)
			require.Equal(t, c.code, code, stdout)
			golden.Require(t, stdout, ".txt")
			_, again, _ := callOn(t, context.Background(), budgetCatalog(), append(line, "--jobs", "3")...)
			require.Equal(t, stdout, again, "it does not depend on --jobs")
			_, document, _ := callOn(t, context.Background(), budgetCatalog(), append(line, "--json")...)
			require.True(t, json.Valid([]byte(document)), document)
		})
	}
}

// budgetCatalog is the fake catalog and fake/budget, whose file has a budget. What is
// set as faults comes about, if it is the pause of client-1 before it leaves.
func budgetCatalog() cli.Catalog {
	c := fakeCatalog()
	load := c.Load
	c.Load = func(name string, o format.Options) (*format.Scenario, error) {
		known := name
		if name == "fake/budget" {
			known = "fake/calm"
		}
		s, err := load(known, o)
		if err == nil && name == "fake/budget" {
			s.Name, s.Budget = name, &explore.Budget{Pauses: 1, PauseFor: explore.Lengths{List: []time.Duration{time.Millisecond}}}
		}
		return s, err
	}
	return c
}

func TestExploreExitCodes(t *testing.T) {
	for line, said := range map[string]string{
		"":                            "want the name or the file of one scenario, got 0",
		"fake/calm fake/calm":         "got 2",
		"fake/calm --budget=":         "--budget: it is empty",
		"fake/calm --budget pauses=0": "allows nothing",
		"fake/calm --budget pauses=999999999999999999":                            "want 0 to 64",
		"fake/calm --budget pauses=65":                                            "want 0 to 64",
		"fake/calm --budget pauss=1":                                              `did you mean "pauses"?`,
		"fake/calm --budget slews=1 --mode exhaustive":                            "slews are for random search",
		"fake/calm --budget cuts=1 --mode pct":                                    "cuts are for random search",
		"fake/calm --budget loss=1% --mode exhaustive":                            "loss is a chance",
		"fake/calm --budget lost=1 --mode pct":                                    "pct injects faults into nodes and not messages",
		"fake/calm --budget pauses=1 --mode guess":                                "--mode: want random, exhaustive or pct",
		"fake/calm --budget pauses=1 --runs 0":                                    "--runs: want 1 to 1000000000, got 0",
		"fake/calm --budget pauses=1 --runs -5":                                   "--runs: want 1 to 1000000000, got -5",
		"fake/calm --budget pauses=1 --for -1s":                                   "--for: want more than 0",
		"fake/calm --budget pauses=1 --for 0s":                                    "--for: want more than 0",
		"fake/calm --budget pauses=1 --for soon":                                  "--for",
		"fake/calm --budget pauses=1 --jobs 10000":                                "--jobs: want 0 to 4096, got 10000",
		"fake/calm --budget pauses=1 --depth 3":                                   "--depth is for --mode pct",
		"fake/calm --budget pauses=1 --mode pct --depth 0":                        "--depth: want 1 to 65",
		"fake/calm --budget pauses=1 --mode pct --depth 3":                        "depth: want at most 2, one more than the faults",
		"fake/calm --budget pauses=1 --memory 1GiB":                               "--memory is for --mode exhaustive",
		"fake/calm --budget pauses=1 --mode exhaustive --memory 0B":               "--memory: want a size above 0",
		"fake/calm --budget pauses=1 --mode exhaustive --memory lots":             "--memory: want a size above 0",
		"fake/calm --budget pauses=1 --shrink-for 0s":                             "--shrink-for: want more than 0",
		"fake/calm --budget pauses=1 --shrink-for 1s --no-shrink":                 "or --no-shrink instead",
		"fake/calm --budget pauses=1 --property mutual-exclusoin":                 `did you mean "mutual-exclusion"?`,
		"fake/calm --budget pauses=1 --property x":                                "want one of mutual-exclusion, fairness",
		"fake/calm --budget pauses=1 --json --quiet":                              "not both",
		"fake/calm --budget pauses=1 --set x":                                     "--set: want path=value",
		"fake/calm --budget pauses=1 --reach acquired>=1ms":                       `there is no measure "acquired"`,
		"fake/calm --budget pauses=1 --reach=":                                    "--reach: it is empty",
		"fake/calm --budget pauses=1 --reach acquisitions>=1 --property x":        "want --reach or --property, not both",
		"fake/calm --budget pauses=1 --reach acquisitions>=9 --shard 1/2 --out x": "--shard: a search with --reach cannot be divided",
		"fake/grid --budget pauses=1":                                             "pick it with --set params.hold=2ms",
		"fake/none --budget pauses=1":                                             "no scenario has this name",
		"bad.yaml --budget pauses=1":                                              `did you mean "ttl"?`,
		"fake/calm --budgte pauses=1":                                             "did you mean --budget?",
	} {
		code, stdout, stderr := call(t, append([]string{"explore"}, split("%s", line)...)...)
		require.Equal(t, cli.ExitUsage, code, "%s: %s", line, stderr)
		require.Contains(t, stderr, said, line)
		require.Empty(t, stdout)
	}
	code, _, stderr := call(t, split("explore fake/calm --budget pauses=1 --out /dev/null/x")...)
	require.Equal(t, cli.ExitError, code)
	require.Contains(t, stderr, "simctl: --out: ")
}

func TestExploreOptions(t *testing.T) {
	a := &app{&cli.App{Catalog: fakeCatalog(), Out: cli.NewOutput(io.Discard), ErrOut: printable.NewWriter(io.Discard), Getenv: func(string) string { return "" }}}
	for line, want := range map[string]exploreOptions{
		"a":                      {Runs: defaultRuns, ShrinkFor: 10 * time.Second},
		"a --for 30s":            {For: 30 * time.Second, ShrinkFor: 10 * time.Second},
		"a --runs 7 --for 1m":    {Runs: 7, For: time.Minute, ShrinkFor: 10 * time.Second},
		"a --mode exhaustive":    {Mode: explore.Exhaustive, For: defaultFor, ShrinkFor: 10 * time.Second},
		"a --mode pct --depth 3": {Mode: explore.PCT, Depth: 3, Runs: defaultRuns, ShrinkFor: 10 * time.Second},
		"a --no-shrink":          {Runs: defaultRuns},
		"a --shrink-for 1h":      {Runs: defaultRuns, ShrinkFor: time.Hour},
		"a --property p --property q --budget pauses=1": {Properties: []string{"p", "q"}, Budget: "pauses=1", Runs: defaultRuns, ShrinkFor: 10 * time.Second},
	} {
		var got *exploreOptions
		cmd := newExploreCmd(a, func(_ context.Context, o *exploreOptions) error {
			got = o
			return nil
		})
		cmd.SetArgs(split("%s", line))
		require.NoError(t, cmd.Execute())
		want.Name, want.Memory = "a", defaultMemory
		require.Equal(t, &want, got, line)
	}
}

func TestExploreOut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "found")
	line := split("explore fake/pause --no-faults --budget pauses=1 --out %s", dir)
	code, stdout, stderr := call(t, line...)
	require.Equal(t, cli.ExitNotExpected, code, stderr)
	require.Contains(t, stdout, "VIOLATED: mutual-exclusion")
	story, err := os.ReadFile(filepath.Join(dir, "explanation.txt"))
	require.NoError(t, err)
	require.Contains(t, stdout, string(story))
	text, err := os.ReadFile(filepath.Join(dir, "explore.txt"))
	require.NoError(t, err)
	require.Equal(t, stdout, string(text))

	code, stdout, stderr = call(t, line...)
	require.Equal(t, cli.ExitError, code)
	require.Empty(t, stdout, "nothing is searched for what cannot be written")
	require.Contains(t, stderr, "is not empty, and nothing in it is overwritten")

	dir = filepath.Join(t.TempDir(), "nothing")
	code, _, _ = call(t, split("explore fake/calm --budget pauses=1,pause-for=1ms --runs 20 --out %s", dir)...)
	require.Equal(t, cli.ExitOK, code)
	require.Equal(t, []string{"explore.json", "explore.txt"}, under(t, dir))
}

// An interrupt before anything was run, and with --out, leaves what is whole.
func TestExploreInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	dir := filepath.Join(t.TempDir(), "found")
	for _, mode := range []string{"random", "exhaustive", "pct"} {
		path := filepath.Join(dir, mode)
		code, stdout, stderr := callOn(t, ctx, fakeCatalog(), split("explore fake/calm --budget pauses=1 --mode %s --out %s", mode, path)...)
		require.Equal(t, cli.ExitInterrupted, code)
		require.Contains(t, stdout, "INTERRUPTED: after 0 runs: no violation so far\n")
		require.Contains(t, stderr, "interrupted; what was done until then is reported")
		require.Equal(t, []string{"explore.json", "explore.txt"}, under(t, path))
	}
	require.NotContains(t, strings.Join(under(t, dir), " "), ".random", "no half-written folder stays")
}

func TestExploreCompletion(t *testing.T) {
	_, stdout, _ := call(t, "__complete", "explore", "fake/calm", "--property", "")
	require.Contains(t, stdout, "fairness\n")
	_, stdout, _ = call(t, "__complete", "explore", "fake/calm", "--reach", "")
	require.Contains(t, stdout, "acquisitions >=\n")
	_, stdout, _ = call(t, "__complete", "explore", "--mode", "")
	require.Contains(t, stdout, "exhaustive\n")
	_, stdout, _ = call(t, "__complete", "explore", "")
	require.Contains(t, stdout, "fake/calm\n")
}

// Of a scenario of many runs the command shows the one in which it happens, and says
// that its draws are others than those of the calm run that was found.
func TestExploreReproducesOneRun(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := run(split("explore redlock/under-gc --no-faults --set vary.params.ttl=[20ms] --budget suspends=1,pause-for=25ms --runs 300 --quiet"), &stdout, &stderr)
	require.Equal(t, cli.ExitNotExpected, code, stderr.String())
	require.Contains(t, stdout.String(), "  the same with other draws: simctl run redlock/under-gc --seed ")
	require.Contains(t, stdout.String(), " --runs 1\n")
}

// TestExploreFinds is what search alone must find, and must not find, in the scenarios
// that ship, without their faults and with only a budget.
func TestExploreFinds(t *testing.T) {
	for _, v := range []struct {
		line string
		code int
		want string
	}{
		{"redis/unsafe-release --property owner-release --budget pauses=1", cli.ExitNotExpected, "VIOLATED: owner-release"},
		{"redis/unsafe-release --property owner-release --budget pauses=1 --mode exhaustive", cli.ExitNotExpected, "VIOLATED: owner-release"},
		{"redlock/gc-pause --property no-lost-update --budget pauses=1", cli.ExitNotExpected, "VIOLATED: no-lost-update"},
		{"redis/lua-release --budget none --mode exhaustive", cli.ExitOK, "EXHAUSTED: 1 schedule"},
	} {
		t.Run(v.line, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			args := append([]string{"explore", "--no-faults", "--quiet"}, strings.Fields(v.line)...)
			require.Equal(t, v.code, run(args, &stdout, &stderr), stdout.String()+stderr.String())
			require.Contains(t, stdout.String(), v.want)
		})
	}
}

// A run that reaches a goal is replayed and explained as one, and a set of faults that another search undercuts is not the answer.
func TestExploreReaches(t *testing.T) {
	simctl := func(line string, args ...any) (code int, stdout string) {
		t.Helper()
		var out, stderr bytes.Buffer
		code = run(split(line, args...), &out, &stderr)
		require.Empty(t, stderr.String())
		return code, out.String()
	}
	dir := filepath.Join(t.TempDir(), "found")
	code, stdout := simctl("explore election/k8s-pause --no-faults --budget pauses=1,crashes=1 --mode pct --reach overlap>=9s --out %s", dir)
	require.Equal(t, cli.ExitOK, code)
	require.Contains(t, stdout, "1 crash down for 600ms or 15s, and 1 in one run", "fewer faults were tried")
	require.Contains(t, stdout, "REACHED: overlap >= 9s: overlap is 9.990973145s, reached at ")
	file := filepath.Join(dir, "k8s-pause-reach-overlap.replay.json")
	code, stdout = simctl("replay %s", file)
	require.Equal(t, cli.ExitOK, code)
	require.Contains(t, stdout, "REPRODUCED: overlap >= 9s at ")
	code, stdout = simctl("explain %s --no-curve", file)
	require.Equal(t, cli.ExitOK, code)
	require.Contains(t, stdout, "REACHED: overlap is 9.990973145s")
	require.Contains(t, stdout, "\nREACHED: overlap >= 9s at ")
	require.Contains(t, stdout, "fault: not reached without it")

	var report struct {
		Verdict string
		Goal    struct {
			Goal, Measure, Unit string
			Reached             bool
			Value               int64
		}
		Properties []struct{ Name string }
	}
	text, err := os.ReadFile(filepath.Join(dir, "explore.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &report))
	require.Equal(t, "reached", report.Verdict)
	require.Equal(t, "overlap >= 9s", report.Goal.Goal)
	require.Equal(t, "ns", report.Goal.Unit)
	require.EqualValues(t, 9_990_973_145, report.Goal.Value)
	require.NotContains(t, string(text), `"name": "overlap >= 9s"`, "the goal is no property")
}
