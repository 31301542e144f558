package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/internal/printable"
	"fencepost/models/lock/promises"
	"fencepost/reports"
	"fencepost/reports/layout"
)

// advised runs simctl advise.
func advised(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(append([]string{"advise"}, args...), &out, &err)
	return code, out.String(), err.String()
}

// K-02, and the effective tolerance for clock rates of K-01 beside the nominal one.
func TestAdviseK8sLease(t *testing.T) {
	code, text, stderr := advised("k8s-lease", "--lease", "15s", "--renew", "10s", "--retry", "2s", "--runs", "100")
	require.Equal(t, cli.ExitOK, code, stderr)
	assert.Contains(t, text, "takeover after a crash, at most: 23.8s\n  takeover <= lease + 2*(retry + jitter*retry) + 10*delay\n  simulated: at most 2")
	assert.Contains(t, text, "often copied: takeover <= lease, which is 15s")
	assert.Contains(t, text, "candidate's clock faster than the leader's, at most: 1.25 (250000 ppm)")
	assert.Contains(t, text, "often copied: rate < lease/renew, which is 1.5 (500000 ppm)")
	assert.Contains(t, text, "OK: no run contradicts a formula")
}

// TestAdviseNumbers are vectors of single numbers: L-01 and L-18 of Redlock, L-20 of the
// watchdog, Z-03 of ZooKeeper.
func TestAdviseNumbers(t *testing.T) {
	for _, v := range []struct {
		lock, want string
		flags      []string
	}{
		{"redlock", "servers that may be down: 2\n", nil},
		{"redlock", "which is 1.5: N/2 - 1 may fail", nil},
		{"redlock", "server's clock faster than the holder's, at most: 1.010305 (10305 ppm)\n", nil},
		{"redlock", "messages per acquisition and release: 20\n", nil},
		{"watchdog", "harmless pause, no check before the write: 20s\n", []string{"--delay", "0s"}},
		{"zookeeper", "if the holder stops only at LOST: 4s\n", []string{"--session", "6s", "--delay", "0s"}},
		{"zookeeper", "if the holder stops only at LOST: 0s\n", []string{"--session", "6s", "--delay", "0s", "--percent", "33"}},
		{"zookeeper", "= min(max(session, 2*tick), 20*tick) = 40s", []string{"--session", "60s"}}, // Z-02
		{"etcd", "takeover after a crash, at most: 1m0.53s\n", nil},
	} {
		code, text, stderr := advised(append([]string{v.lock, "--runs", "0"}, v.flags...)...)
		require.Equal(t, cli.ExitOK, code, stderr)
		assert.Contains(t, text, v.want, v.lock)
	}
}

// What client-go refuses is refused in its words, and all mistakes come at once.
func TestAdviseRefuses(t *testing.T) {
	for _, v := range []struct {
		args []string
		want []string
	}{
		{[]string{"k8s-lease", "--lease", "10s", "--renew", "10s", "--retry", "9s"},
			[]string{"--lease: leaseDuration must be greater than renewDeadline, got 10s", "--renew: renewDeadline must be greater than retryPeriod*JitterFactor, got 10s"}},
		{[]string{"k8s-lease", "--retry", "0s"}, []string{"--retry: retryPeriod must be greater than zero, got 0s"}},
		{[]string{"redis", "--work", "10ms"}, []string{"--work: must be more than 2*delay: before it writes the holder reads, got 10ms"}},
		{[]string{"watchdog", "--work", "0s"}, []string{"--work: must be more than 2*delay: before it writes the holder reads, got 0s"}},
		{[]string{"redlock", "--instances", "4", "--ttl", "0s", "--retry", "soon", "--runs", "-1"},
			[]string{"--instances: an even number", "--ttl: must be more than 0, got 0s", `--retry: want a duration such as 10s or 500ms, got "soon"`, "--runs: want 0 to 1000000, got -1"}},
		{[]string{"redis", "--ttl", "2ms", "--delay", "0s"}, []string{"--ttl: an acquisition takes up to 2*delay, and drift is taken off: nothing is left of the lease, got 2ms"}},
		{[]string{"watchdog", "--lease", "3s", "--timeout", "3s"}, []string{"--timeout: a renewal waits for its answer for longer than the lease lasts, got 3s"}},
		{[]string{"redis", "--tll", "2s"}, []string{"unknown flag: --tll; did you mean --ttl?"}},
		{[]string{"redlok"}, []string{`there is no lock "redlok"; did you mean redlock?`}},
		{[]string{"mutex"}, []string{`there is no lock "mutex"; want one of redis, redlock, `}},
		{nil, []string{"which lock? want one of redis, "}},
		{[]string{"redis", "--out", ""}, []string{"--out: want a path"}},
		{[]string{"redis", "--work", "-1s"}, []string{"--work: must not be negative, got -1s"}},
		{[]string{"redis", "--pause", "2000h"}, []string{"--pause: want at most 24h0m0s, got 2000h0m0s"}},
		{[]string{"redis", "--below", "2", "--per-day", "0", "--acquisitions", "0"},
			[]string{"--below: want a probability between 0 and 1, got 2", "--per-day: want more than 0", "--acquisitions: want 1 to", "--below: there is no log to sample from"}},
		{[]string{"redis", "--latency", "no.csv", "--gclog", "gc.log", "--clocklog", "/", "--runs", "-1"},
			[]string{"--latency: there is no file no.csv\n", "--gclog: open gc.log", "--clocklog: /: ", "--runs: want 0 to"}},
		{[]string{"zookeeper", "--percent", "many"}, []string{`--percent: want a number`}},
	} {
		code, text, stderr := advised(v.args...)
		assert.Equal(t, cli.ExitUsage, code, v.args)
		assert.Empty(t, text)
		for _, want := range v.want {
			assert.Contains(t, stderr, want)
		}
	}
}

// TestAdviseContradicted: a formula that a run contradicts is a loud line, and exit code 1.
func TestAdviseContradicted(t *testing.T) {
	doc := &reports.Advice{Lock: "redis", Promises: []reports.Promise{{Name: "pause", Simulated: &reports.Simulated{Runs: 1, Contradicts: true, Text: "harm in 1 of 1"}}}}
	doc.Finish()
	assert.False(t, doc.OK)
	assert.Equal(t, []string{"pause"}, doc.Contradicted())
	var out bytes.Buffer
	require.NoError(t, doc.WriteText(&out, layout.Style{}))
	assert.Contains(t, out.String(), "CONTRADICTS THE FORMULA, harm in 1 of 1")
	assert.Contains(t, out.String(), "CONTRADICTED: pause: the model does otherwise than the formula says, which is a defect of simctl")
}

// TestAdviseOut: the scenario of the worst run runs, and the document has every promise.
func TestAdviseOut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	code, text, stderr := advised("redis", "--runs", "50", "--json", "--out", dir)
	require.Equal(t, cli.ExitOK, code, stderr)
	var doc reports.Advice
	require.NoError(t, json.Unmarshal([]byte(text), &doc))
	require.True(t, doc.OK)
	for _, l := range promises.Locks() {
		if l.Name == "redis" {
			require.Len(t, doc.Promises, len(l.Promises))
		}
	}
	var out, errs bytes.Buffer
	file := filepath.Join(dir, "overlap.yaml")
	require.Equal(t, cli.ExitNotExpected, run([]string{"run", file}, &out, &errs), "two hold the lock at once, and the file expects nothing: %s", errs.String())
	assert.Contains(t, out.String(), "mutual-exclusion")
	_, err := os.Stat(filepath.Join(dir, "advice.txt"))
	require.NoError(t, err)
}

func TestAdviseFlags(t *testing.T) {
	var got *adviseOptions
	cmd := newAdviseCmd(&app{&cli.App{Out: cli.NewOutput(&bytes.Buffer{}), ErrOut: printable.NewWriter(&bytes.Buffer{}), Getenv: func(string) string { return "" }}}, func(_ context.Context, o *adviseOptions) error { got = o; return nil })
	cmd.SetArgs([]string{"etcd", "--ttl", "10s", "--explain", "--color", "never"})
	require.NoError(t, cmd.Execute())
	assert.Equal(t, "--ttl 10s --delay 5ms --work 2s --pause 1m30s", got.Settings.String())
	assert.True(t, got.Explain)
	assert.Equal(t, 1000, got.Runs)
}
