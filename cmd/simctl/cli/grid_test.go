package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/output"
	"fencepost/reports"
)

// someGrid varies what changes runs, and in its last axis what does not: the budget is that
// of a search.
const someGrid = `model: lock
until: 30s
runs: 60
params: {service: redlock, clients: 3, fencing: none}
network: {delay: {exp: 5ms}, loss: 1%}
faults:
  - {pause: client-1, every: {exp: 5s}, for: {exp: 8s}, name: collections}
show: [mutual-exclusion]
vary:
  params.ttl: {from: 2s, to: 8s, points: 3, log: true}
  budget.lost: [1, 2]
`

// runFile runs a scenario file.
func runFile(t *testing.T, text string, args ...string) (code int, stdout string) {
	t.Helper()
	t.Setenv("NO_COLOR", "")
	file := filepath.Join(t.TempDir(), "grid.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	t.Chdir(filepath.Dir(file))
	var out, err bytes.Buffer
	code = run(append([]string{"run", "grid.yaml"}, args...), &out, &err)
	require.Empty(t, err.String())
	return code, out.String()
}

// TestGridDoesNotDependOnJobs: the same bytes with one job and with two, in every form.
func TestGridDoesNotDependOnJobs(t *testing.T) {
	for _, output := range output.Forms() {
		code, want := runFile(t, someGrid, "--output", output, "--jobs", "1", "--runs", "20")
		require.Equal(t, cli.ExitNotExpected, code, want)
		_, got := runFile(t, someGrid, "--output", output, "--jobs", "2", "--runs", "20")
		require.Equal(t, want, got)
	}
}

// TestGridHasTheSameSeeds: "the same seeds across cells, so that algorithms are compared
// on identical workloads, networks and faults". What does not matter gives the same
// runs, and where the TTL is another the pauses strike as before.
func TestGridHasTheSameSeeds(t *testing.T) {
	_, stdout := runFile(t, someGrid, "--output", "json")
	var r reports.Run
	require.NoError(t, json.Unmarshal([]byte(stdout), &r))
	require.Len(t, r.Variants, 6)
	digests := map[string]int{}
	for i := range r.Variants {
		v := &r.Variants[i]
		require.Equal(t, r.Seed, v.Seed)
		require.Equal(t, 60, v.Runs)
		require.Equal(t, r.Variants[i/2*2].Digest, v.Digest, "only the budget is another")
		digests[v.Digest]++
		require.Positive(t, v.Faults[0].Injected)
		require.Equal(t, r.Variants[0].Faults, v.Faults, "the same pauses at the same instants")
	}
	require.Len(t, digests, 3)
}

// T2: a measure is a column of a grid when somebody asks for it, and not otherwise.
func TestMeasureFlag(t *testing.T) {
	_, plain := runFile(t, someGrid)
	require.NotContains(t, plain, "acquisitions")
	code, shown := runFile(t, someGrid, "--measure", "acquisitions")
	require.Equal(t, cli.ExitNotExpected, code)
	require.Regexp(t, `mutual-exclusion +acquisitions +verdict`, shown)
	var stdout, stderr bytes.Buffer
	require.Equal(t, cli.ExitUsage, run([]string{"run", "redlock/gc-pause", "--measure", "acquisition"}, &stdout, &stderr))
	require.Contains(t, stderr.String(), `did you mean "acquisitions"?`)
}

// BenchmarkGrid runs 10 points of 1000 runs each on one processor, their points kept in a
// folder as they are finished. Of a larger grid the time grows with its runs.
func BenchmarkGrid(b *testing.B) {
	const points, runs = 10, 1000
	for b.Loop() {
		var out, err bytes.Buffer
		code := run([]string{"run", "redlock/gc-pause", "--runs", strconv.Itoa(runs), "--jobs", "1", "--quiet",
			"--out", filepath.Join(b.TempDir(), "results"),
			"--set", "plots=[]", "--set", "vary={params.ttl: {from: 1s, to: 100s, points: " + strconv.Itoa(points) + "}}"}, &out, &err)
		require.Empty(b, err.String())
		require.Contains(b, []int{cli.ExitOK, cli.ExitNotExpected}, code) // a long TTL loses no update
	}
	b.ReportMetric(points*runs*float64(b.N)/b.Elapsed().Seconds(), "runs/s")
}
