package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/models/lock/promises"
	"fencepost/reports/searches"
)

// Of a scenario the advice is its edge and the law of that, over the delays and pauses of the file, which are
// drawn: the law that simctl certify proves is in its about.
func TestAdviseLaw(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	code, text, stderr := advised("redis/pause-certified", "--json", "--points", "2", "--out", dir)
	require.Equal(t, cli.ExitOK, code, stderr)
	var d searches.LawAdvice
	require.NoError(t, json.Unmarshal([]byte(text), &d))
	assert.Equal(t, searches.LawAdviceSchema, d.Schema)
	assert.Equal(t, []searches.Ranged{{Path: "network.delay", MostNS: 5e6}, {Path: "faults.0.for", MostNS: 795e6}}, d.Over)
	require.Len(t, d.Edges, 1)
	assert.EqualValues(t, 795e6, d.Edges[0].HoldsNS)
	require.NotEmpty(t, d.Law.Laws)
	assert.Equal(t, "pause + work + 3*delay.max > ttl + delay.min", d.Law.Laws[0].Conditions[0].Text)
	assert.Equal(t, 2, d.Law.Agreed)
	written, err := os.ReadFile(filepath.Join(dir, "advice.txt"))
	require.NoError(t, err)
	assert.Contains(t, string(written), "edge: faults.0.for: safe for every pause up to 795ms")
	assert.Contains(t, string(written), "\n  over each delay that the file draws and pauses from none on; simctl certify --law has")
}

// What stands beside the formulas of a lock as proven is what the proof gives: its law, or an edge to 2 ns.
func TestProofsOfLocksAreDerived(t *testing.T) {
	for _, proof := range promises.Proofs() {
		args := append(strings.Fields(proof.Command)[1:], "--quiet")
		if proof.Law != "" {
			code, text, stderr := runLine(append(args, "--points", "2")...)
			require.Equal(t, cli.ExitOK, code, stderr)
			assert.Contains(t, text, "law: violated if "+proof.Law+"\n")
			continue
		}
		_, text, stderr := runLine(args...)
		found := regexp.MustCompile(`safe for every pause up to ([^;]+); a failing run exists at ([^;\n]+)`).FindStringSubmatch(text)
		require.Len(t, found, 3, "%s %s", text, stderr)
		holds, err := time.ParseDuration(found[1])
		require.NoError(t, err)
		fails, err := time.ParseDuration(found[2])
		require.NoError(t, err)
		edge, err := time.ParseDuration(proof.Edge)
		require.NoError(t, err)
		assert.LessOrEqual(t, holds, edge)
		assert.LessOrEqual(t, edge, fails)
		assert.LessOrEqual(t, fails-holds, 4*time.Nanosecond)
	}
}

// A law is checked at the edge that it gives, however much longer that is than the pauses which were looked at: here up
// to minutes, where the scenario's is a second.
func TestALawIsCheckedAtItsEdgeHoweverLongThatIs(t *testing.T) {
	code, text, stderr := advised("idempotency/record-certified", "--quiet")
	require.Equal(t, cli.ExitOK, code, stderr)
	assert.Contains(t, text, "law: violated if pause + start.1 + 2*delay.max >= start.0 + work + ttl + 6*delay.min\n  right at 10 random points ")
}

// A condition that is false where it hardly ever decides is found: some points are drawn so that each decides. The watchdog's law
// had one more, of work of less than 30 s, with which ten points that were drawn at random agreed.
func TestALawIsCheckedWhereEachConditionDecides(t *testing.T) {
	code, text, stderr := advised("redis/watchdog-certified", "--quiet")
	require.Equal(t, cli.ExitOK, code, stderr)
	assert.Contains(t, text, "law: violated if pause + 2*delay.max > 20s\n  right at 10 random points ")
}

// A law has a third of a duration that the file writes: a renewal comes a third of the TTL after the reply to the one before. A third of
// 10s is no whole nanosecond, which is no reason to have none.
func TestAdviseLawInThirds(t *testing.T) {
	code, text, stderr := advised("redis/watchdog-certified", "--quiet", "--set", "params.ttl=10s", "--points", "2")
	require.Equal(t, cli.ExitOK, code, stderr)
	assert.Contains(t, text, "law: violated if pause + 2*delay.max > 2*ttl/3\n  right at 2 random points ")
}

// Where there is no law a line says why not, which is no failure.
func TestAdviseNoLaw(t *testing.T) {
	for want, args := range map[string][]string{
		"law: none: not covered: model lock is not covered as such here: client-1, as 1 other node: it does not say": {"lock/naive-crash", "--set", "params.service=none"},
		"law: none: stopped at 20 states":                                             {"redis/pause-certified", "--states", "20"},
		"law: none: a law is of one range of pauses, and the scenario":                {"redis/pause-certified", "--no-faults"},
		"law: none: there is no edge to have a law: no pause up to 3.18s violates it": {"redis/pause-certified", "--set", "params.clients=1"},
	} {
		code, text, stderr := advised(append(args, "--quiet")...)
		require.Equal(t, cli.ExitOK, code, stderr)
		assert.Contains(t, text, want, args)
	}
}

func TestAdviseLawRefuses(t *testing.T) {
	for want, args := range map[string][]string{
		"--states: want 1 or more, got 0":    {"redis/pause-certified", "--states", "0"},
		"--points: want 0 to 100000, got -1": {"redis/pause-certified", "--points", "-1"},
		"advise: --over: want PATH=A..B":     {"redis/pause-certified", "--over", "x"},
		"--ttl is for a lock, behind its name, as in simctl advise consul --ttl: of a scenario --set changes": {"redis/pause-certified", "--ttl", "3s"},
		"--explain is for a lock, behind its name, as in simctl advise consul --explain: a scenario has none": {"redis/pause-certified", "--explain"},
		"advise redis: --over is for a scenario, as in simctl advise redis/pause-certified --over":            {"redis", "--over", "network.delay=0..5ms"},
		"unknown flag: --ttll":                       {"redis/pause-certified", "--ttll", "3s"},
		"want one of redis, redlock":                 {"pause"},
		"no scenario has this name":                  {"redis/pause-certify"},
		"want the name or the file of one scenario,": {"redis/pause-certified", "redis/gc-pause"},
	} {
		code, text, stderr := advised(args...)
		assert.Equal(t, cli.ExitUsage, code, args)
		assert.Empty(t, text)
		assert.Contains(t, stderr, want)
	}
}
