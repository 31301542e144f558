package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/reports"
	"fencepost/scenarios"
)

const ownLog = "../../scenarios/accesslog/testdata/combined.log"

// runLine runs a command line of the real program.
func runLine(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(args, &out, &err)
	return code, out.String(), err.String()
}

// TestCompareAccessLog is `simctl run ratelimit/compare` on a log.
func TestCompareAccessLog(t *testing.T) {
	code, out, errs := runLine("run", "ratelimit/compare", "--set", "params.traffic.accesslog="+ownLog, "--set", "params.limit=5")
	require.Equal(t, exitOK, code, errs)
	for _, want := range []string{
		"  runs      1 run of 286s, seed 1, 58 events\n",
		"  input     combined.log: combined, 60 lines, 58 requests in 4m46s from 2026-03-01T07:00:01Z, 7 out of order, 2 malformed\n",
		"  input     line 31: no time such as [17/May/2015:10:05:03 +0000]: \"this line is not of a web server\"\n",
		"\n token-bucket ", "\n sliding-log ",
	} {
		assert.Contains(t, out, want)
	}
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "  ") {
			assert.LessOrEqual(t, len([]rune(line)), 101)
		}
	}
}

// TestNoNodes: what is about nodes says that there are none.
func TestNoNodes(t *testing.T) {
	for _, line := range []string{
		"explore ratelimit/compare", "explain ratelimit/compare", "run ratelimit/compare --trace",
		"boundary ratelimit/compare --vary params.limit --from 10 --to 60 --property promised-window",
	} {
		code, _, errs := runLine(strings.Fields(line)...)
		assert.Equal(t, exitUsage, code, line)
		assert.Contains(t, errs, "replays requests and has no nodes", line)
	}
	dir := filepath.Join(t.TempDir(), "out")
	code, _, errs := runLine("run", "ratelimit/compare-boundaries", "--quiet", "--out", dir)
	require.Equal(t, exitOK, code, errs)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 2, "a report as text and as a document, and no trace")
}

// TestInterruptedReplay reports what was done until then.
func TestInterruptedReplay(t *testing.T) {
	s, err := scenarios.Load("ratelimit/compare", scenarios.Options{})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	parts := 0
	r, err := execute.Run(ctx, &execute.Plan{Scenario: s, Jobs: 1, Progress: func(g execute.Progress) {
		if g.Whole > 0 {
			parts++
			assert.Less(t, g.Part, g.Whole)
			stop()
		}
	}})
	require.NoError(t, err, "the one run is complete as far as it goes")
	require.True(t, r.BrokenOff)
	require.Equal(t, 1, parts)
	require.Contains(t, r.Verdict(reports.Style{}), "INTERRUPTED")
}

// TestReplaying is the line that a terminal shows during a replay.
func TestReplaying(t *testing.T) {
	assert.Equal(t, "250 MB of 1 GB, 125 MB/s, 6s left",
		replaying(execute.Progress{Part: 250e6, Whole: 1e9, Bytes: true}, 2*time.Second))
	assert.Equal(t, "60s of 300s, 8s left",
		replaying(execute.Progress{Part: int64(time.Minute), Whole: int64(5 * time.Minute)}, 2*time.Second))
	assert.Equal(t, "0s of 60s", replaying(execute.Progress{Whole: int64(time.Minute)}, time.Second))
}
