package cli

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
)

// document is what a program reads of a run.
type document struct {
	OK         bool
	Digest     string
	Properties []struct{ Name, Verdict string }
	Metrics    map[string]struct{ Value json.Number }
}

// runJSON runs one scenario for its JSON document.
func runJSON(t *testing.T, args ...string) *document {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(append([]string{"run", "--json"}, args...), &stdout, &stderr)
	require.Contains(t, []int{cli.ExitOK, cli.ExitNotExpected}, code, stderr.String())
	var r document
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &r))
	return &r
}

// TestThresholds is the test vectors that lie at the edge of a failure: the
// scenario with one value changed.
func TestThresholds(t *testing.T) {
	for _, v := range []struct {
		id, scenario, set, property, verdict string
	}{
		{"L-21", "redis/gc-pause", "faults.0.for=8060ms", "mutual-exclusion", "holds"},
		{"L-21", "redis/gc-pause", "faults.0.for=8061ms", "mutual-exclusion", "violated"},
		{"L-21", "redis/gc-pause", "faults.0.for=15s", "mutual-exclusion", "violated"},
		{"L-11b", "redlock/clock-jump", "faults.2.by=8000ms", "entitled-exclusion", "holds"},
		{"L-11c", "redlock/clock-jump", "faults.2.by=8001ms", "entitled-exclusion", "violated"},
		{"L-10a", "redlock/pause-during-acquire-wall-clock", "params.clock=monotonic", "entitled-exclusion", "holds"},
		{"L-10c", "redlock/pause-during-acquire-vm-suspend", "params.clock=boottime", "entitled-exclusion", "holds"},
		{"L-14a", "redlock/crash-restart", "params.persistence=aof-always", "entitled-exclusion", "holds"},
		{"L-14b", "redlock/crash-restart-aof-always", "params.persistence=none", "entitled-exclusion", "violated"},
		{"L-05a", "redis/unsafe-release", "params.release=script", "owner-release", "holds"},
		{"F-06", "redlock/gc-pause-fenced", "params.fencing=none", "fenced-order", "violated"},
	} {
		t.Run(v.id+" "+v.scenario+" "+v.set, func(t *testing.T) {
			r := runJSON(t, v.scenario, "--set", v.set)
			for _, p := range r.Properties {
				if p.Name == v.property {
					assert.Equal(t, v.verdict, p.Verdict)
					return
				}
			}
			t.Fatalf("no property %s", v.property)
		})
	}
}

// TestDelayedRestartEdge is L-14d and L-14f: a millisecond later the keys are gone.
func TestDelayedRestartEdge(t *testing.T) {
	for start, acquisitions := range map[string]string{"[0s, 10001ms]": "1", "[0s, 10s]": "0"} {
		r := runJSON(t, "redlock/crash-restart-delayed-expired", "--set", "params.start="+start)
		assert.Equal(t, json.Number(acquisitions), r.Metrics["client-2-acquisitions"].Value, start)
	}
}

// TestSeedsAndDigests gives two runs the same digest, and another seed another.
func TestSeedsAndDigests(t *testing.T) {
	digest := func(args ...string) string {
		return runJSON(t, append([]string{"redlock/orphan-key"}, args...)...).Digest
	}
	assert.Equal(t, digest(), digest())
	assert.Equal(t, digest("--jobs", "1", "--runs", "50"), digest("--jobs", "2", "--runs", "50"))
	assert.NotEqual(t, digest(), digest("--seed", "2"))
}

// TestShownBy is what the failure and its fix come to for a program that reads them.
func TestShownBy(t *testing.T) {
	verdicts := func(scenario string) map[string]string {
		r := runJSON(t, scenario)
		require.True(t, r.OK)
		m := map[string]string{}
		for _, p := range r.Properties {
			m[p.Name] = p.Verdict
		}
		return m
	}
	v := verdicts("redlock/gc-pause")
	assert.Equal(t, "violated", v["mutual-exclusion"])
	assert.Equal(t, "violated", v["no-lost-update"])
	assert.Equal(t, "holds", verdicts("redlock/gc-pause-fenced")["fenced-order"])
}
