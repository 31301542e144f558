package cli

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/internal/whole"
	"fencepost/reports"
	"fencepost/reports/searches"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// tail is a holder that is paused between its check and its write: its update is lost if the pause takes
// longer than 8.320 s, as simctl boundary finds for pauses of one length.
const tail = `about: A holder of a lock with a lease of 10 s is paused between its check and its write.
model: lock
until: 30s
params: {service: redis, clients: 2, start: [0s, 100ms], work: 1980ms, retry: 500ms}
network: {delay: 5ms}
faults:
  - {pause: client-1, before: write, nth: 1, for: 8320ms}
`

// tailFile is the scenario as a file.
func tailFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tail.yaml")
	require.NoError(t, os.WriteFile(path, []byte(tail), 0o644))
	return path
}

// estimated is the document of an estimate.
func estimated(t *testing.T, line ...string) *searches.Rarity {
	t.Helper()
	code, stdout, stderr := callReal(t, append(line, "--json")...)
	require.Equal(t, cli.ExitOK, code, stderr)
	var r searches.Rarity
	require.NoError(t, json.Unmarshal([]byte(stdout), &r))
	return &r
}

// TestRareHasTheTailOfThePauseLaw: what is lost is what is paused for too long, of a Pareto pause; docs/search.md has an
// exponential one, whose estimate TestPages makes.
func TestRareHasTheTailOfThePauseLaw(t *testing.T) {
	law := math.Pow(8.320, -6)
	r := estimated(t, "run", tailFile(t), "--set", "faults.0.for={pareto: {least: 1s, alpha: 6}}", "--rare", "--property", "no-lost-update", "--repeat", "5", "--population", "40")
	require.NotNil(t, r.Share)
	assert.LessOrEqual(t, r.Share.Low, law)
	assert.GreaterOrEqual(t, r.Share.High, law)
	assert.Zero(t, r.Zero)
	assert.Greater(t, r.Plain, float64(4*r.Runs))
}

// TestRareIsTheSameInParts: a repetition is the unit that machines share.
func TestRareIsTheSameInParts(t *testing.T) {
	line := []string{"run", tailFile(t), "--set", "faults.0.for={exp: 600ms}", "--rare", "--property", "no-lost-update", "--repeat", "5", "--population", "10"}
	sameBytes(t, callReal, line, 3)
}

// TestRareWritesARunThatReplays, in which nothing is replaced but the pause.
func TestRareWritesARunThatReplays(t *testing.T) {
	out := filepath.Join(t.TempDir(), "found")
	code, stdout, stderr := callReal(t, "run", tailFile(t), "--set", "faults.0.for={exp: 600ms}", "--rare", "--property", "no-lost-update", "--repeat", "2", "--population", "40", "--out", out)
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Regexp(t, `ESTIMATED: a run violates no-lost-update with a probability of \S+, of 2 repetitions; an interval takes 5\n`, stdout)
	for _, name := range []string{"rare.txt", "rare.json"} {
		require.FileExists(t, filepath.Join(out, name))
	}
	code, stdout, stderr = callReal(t, "replay", filepath.Join(out, "tail-no-lost-update.replay.json"))
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Contains(t, stdout, "REPRODUCED: no-lost-update")
	require.Contains(t, stdout, "draws     fault 1: at 99.999")
}

// TestRareOfWhatCannotHappenIsABound of plain runs, and of what is never measured it is no estimate.
func TestRareOfWhatCannotHappenIsABound(t *testing.T) {
	file := tailFile(t)
	code, stdout, stderr := callReal(t, "run", file, "--set", "faults.0.for={uniform: [1s, 2s]}", "--rare", "--property", "no-lost-update", "--repeat", "2", "--population", "20", "--quiet")
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Contains(t, stdout, "ESTIMATED: no-lost-update was violated in no repetition; at 95% the probability is below 0.0876, as")
	code, stdout, _ = callReal(t, "run", file, "--set", "until=1s", "--no-faults", "--rare", "--property", "no-lost-update", "--quiet")
	require.Equal(t, cli.ExitNotExpected, code)
	require.Contains(t, stdout, "VACUOUS: no-lost-update: no run of the pilot had anything that the level measures.")
}

// interruptible is a world that calls stop, as Ctrl-C does, when so many runs have been begun in all worlds.
type interruptible struct {
	sim.Runner
	left *int
	stop func()
}

func (w interruptible) Run(seed uint64) *sim.Result {
	if *w.left--; *w.left == 0 {
		w.stop()
	}
	return w.Runner.Run(seed)
}

// TestRareInterrupted keeps the repetitions that are done, and says that they are not all; before the first there is nothing to keep.
func TestRareInterrupted(t *testing.T) {
	interrupted := func(runs int, out string) (stdout string) {
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		c := cli.CatalogOf(scenarios.Catalog(), strings.NewReader(""))
		load := c.Load
		c.Load = func(name string, o format.Options) (*format.Scenario, error) {
			s, err := load(name, o)
			if err != nil {
				return nil, err
			}
			make := s.Program.NewWorld
			s.Program.NewWorld = func(c sim.Config) (sim.Runner, error) {
				w, err := make(c)
				return interruptible{w, &runs, stop}, err
			}
			return s, nil
		}
		code, stdout, stderr := callOn(t, ctx, c, "run", tailFile(t), "--set", "faults.0.for={exp: 600ms}", "--rare", "--property", "no-lost-update",
			"--repeat", "10000", "--population", "10", "--jobs", "1", "--out", out)
		require.Equal(t, cli.ExitInterrupted, code, stderr)
		require.Contains(t, stderr, "interrupted")
		return stdout
	}
	out := filepath.Join(t.TempDir(), "some")
	stdout := interrupted(12_000, out)
	require.Contains(t, stdout, "INTERRUPTED: a run violates no-lost-update with a probability of ")
	require.Regexp(t, `\d of 10000 repetitions were done`, stdout)
	for _, name := range []string{"rare.txt", "rare.json"} {
		require.FileExists(t, filepath.Join(out, name))
	}
	out = filepath.Join(t.TempDir(), "none")
	stdout = interrupted(5, out)
	require.Empty(t, stdout)
	require.NoDirExists(t, out)
}

// burst is requests at random, of which a bucket lets more than its limit through in a window.
const burst = `about: Requests at random, of which a bucket lets more than its limit through in a window.
model: ratelimit
until: 30s
params: {form: central, algorithm: token-bucket, limiters: 2, limit: 20, window: 10s, bound: 22, clients: [{phases: [{every: {exp: 1s}, count: 0}]}]}
`

// TestRareAgreesWithPlainRuns where these are enough: both have the share of runs with two holders, and of those in which a limiter admits too much.
func TestRareAgreesWithPlainRuns(t *testing.T) {
	limiter := filepath.Join(t.TempDir(), "burst.yaml")
	require.NoError(t, os.WriteFile(limiter, []byte(burst), 0o644))
	for property, line := range map[string][]string{
		"mutual-exclusion": {"run", tailFile(t), "--set", "faults.0.for={exp: 2s}", "--set", "until=30s"},
		"window-limit":     {"run", limiter},
	} {
		r := estimated(t, append(line, "--rare", "--property", property, "--repeat", "5", "--population", strconv.Itoa(whole.Of(40, 60)))...)
		code, stdout, stderr := callReal(t, append(line, "--runs", strconv.Itoa(whole.Of(1000, 5000)), "--json")...)
		require.Equal(t, cli.ExitNotExpected, code, stderr)
		var plain reports.Run
		require.NoError(t, json.Unmarshal([]byte(stdout), &plain))
		i := slices.IndexFunc(plain.Properties, func(p reports.Property) bool { return p.Name == property })
		require.GreaterOrEqual(t, i, 0, property)
		share := plain.Properties[i].Share
		assert.Less(t, r.Share.Low, share.High, property)
		assert.Greater(t, r.Share.High, share.Low, property)
		assert.Less(t, r.Share.High, 3*r.Share.Value, "there is an interval")
	}
}

// TestRareRefusesInWords what it has no estimate of.
func TestRareRefusesInWords(t *testing.T) {
	file := tailFile(t)
	for _, c := range []struct{ line, want string }{
		{"--rare", "--rare: want --property mutual-exclusion or no-lost-update\n"},
		{"--rare --property fenced-order", "--rare: fenced-order does not say how near a run came to violating it: want mutual-exclusion or no-lost-update\n"},
		{"--rare --property no-lost-updat", `has no property "no-lost-updat"; did you mean "no-lost-update"?`},
		{"--rare --repeat 0", "--repeat: want 1 to 10000, got 0"},
		{"--rare --population 1", "--population: want 2 to 100000, got 1"},
		{"--rare --runs 5", "--rare estimates a probability of one scenario: --runs is for plain runs"},
		{"--rare --trace", "--trace is for plain runs"},
		{"--rare --output csv", `--rare: want --output table or json, got "csv"`},
		{"--rare redlock/gc-pause", "run: --rare is for one scenario, got 2"},
		{"--repeat 5", "--repeat is for --rare"},
	} {
		code, stdout, stderr := callReal(t, append([]string{"run", file}, split("%s", c.line)...)...)
		assert.Equal(t, cli.ExitUsage, code, c.line)
		assert.Empty(t, stdout, c.line)
		assert.Contains(t, stderr, c.want, c.line)
	}
	for name, want := range map[string]string{
		"kv/cart-or-set":     "no property of model kv says how near a run came to violating it",
		"redis/figure-pause": "--rare is for one point of the grid: pick it with --set 'protection=no check' --set 'faults.0.for={exp: 1s}'",
	} {
		code, _, stderr := callReal(t, "run", name, "--rare", "--property", "no-lost-update")
		assert.Equal(t, cli.ExitUsage, code, name)
		assert.Contains(t, stderr, want, name)
	}
}
