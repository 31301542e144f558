package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/internal/hostile"
	"fencepost/reports/layout"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
)

const ownLog = "../../../scenarios/accesslog/testdata/combined.log"

// runLine runs a command line of the real program.
func runLine(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(args, &out, &err)
	return code, out.String(), err.String()
}

// TestCompareAccessLog is `simctl run limiter/compare` on a log.
func TestCompareAccessLog(t *testing.T) {
	code, out, errs := runLine("run", "limiter/compare", "--set", "params.traffic.accesslog="+ownLog, "--set", "params.limit=5")
	require.Equal(t, cli.ExitOK, code, errs)
	for _, want := range []string{
		"  runs      1 run of 286s, seed 1, 58 events\n",
		"  input     combined.log: combined, 60 lines, 58 requests in 4m46s from 2026-03-01T07:00:01Z, 7 out of order; 2 left out (3.3%): 2 malformed\n",
		"HELD: with traffic.accesslog=combined.log, limit=5: promised-window, equals-exact-log, bounded-wait; seed 1, digest ", "; 2 of 60 lines of combined.log left out (3.",
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

// onLog runs the comparison on a log of these bytes.
func onLog(t *testing.T, data []byte, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "access.log")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	return runLine(append([]string{"run", "limiter/compare", "--set", "params.traffic.accesslog=" + file, "--set", "params.limit=5"}, args...)...)
}

// The text lists 20 of the clients over the limit, and JSON all of them.
func TestRefusedClients(t *testing.T) {
	log := "time,client\n"
	for i := range 23 * 6 {
		log += fmt.Sprintf("2026-03-01T07:00:%02dZ,192.0.2.%d\n", i/23, i%23)
	}
	code, out, _ := onLog(t, []byte(log))
	require.Equal(t, cli.ExitOK, code)
	assert.Contains(t, out, "  input     23 of 23 clients ask for more than 5 in 1m\n")
	assert.Equal(t, 20, strings.Count(out, ": 1 of its 6 requests are over the limit\n"))
	assert.Contains(t, out, "  input       and 3 more clients; --json lists all\n")
	code, out, _ = onLog(t, []byte(log), "--json")
	require.Equal(t, cli.ExitOK, code)
	assert.Equal(t, 23, strings.Count(out, `"refused": 1`))
	assert.Contains(t, out, `"client": "192.0.2.22"`)

	code, out, _ = onLog(t, []byte(log), "--set", "params.window=1s")
	require.Equal(t, cli.ExitOK, code, "any window can be compared")
	assert.NotContains(t, out, "in steps of", "it makes no difference")
	_, out, _ = onLog(t, []byte(log), "--set", "params.window=1s", "--set", "params.limit=1")
	assert.Contains(t, out, "; its times are in steps of 1s, coarse for a window of 1s: an exact log refuses 0 to 69 of 138")
}

// R4 to R7: the verdict on a log is the same however the log comes, or there is none.
func TestVerdictOnVariants(t *testing.T) {
	text, err := os.ReadFile(ownLog)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	_, want, _ := onLog(t, text, "--quiet")
	require.Contains(t, want, "; 2 of 60 lines of access.log left out (3.")
	for _, name := range []string{"cr", "utf16le-bom", "gzip", "half-quoted-lines", "syslog-3164", "journald", "timestamps", "cri", "docker-json"} {
		code, out, errs := onLog(t, hostile.Named(lines, name).Data, "--quiet")
		assert.Equal(t, cli.ExitOK, code, name+errs)
		assert.Equal(t, want, out, name)
	}
	for name, words := range map[string][]string{
		"foreign-half": {"62 of 120 lines (51.7%) were left out: want at most a tenth", "62 cannot be read as combined", "line 2: "},
		"grep-names":   {"no line of 60 is of a known format", "what stands first is no client"},
		"binary":       {"binary"},
		"empty":        {"the log is empty"},
	} {
		code, out, errs := onLog(t, hostile.Named(lines, name).Data, "--quiet")
		assert.NotEqual(t, cli.ExitOK, code, name)
		assert.NotContains(t, out, "HELD", name)
		for _, w := range words {
			assert.Contains(t, errs, w, name)
		}
	}
	code, out, errs := onLog(t, hostile.Named(lines, "years-ahead-first").Data, "--json")
	require.Equal(t, cli.ExitOK, code, errs)
	assert.Contains(t, out, "\"lines\": 61,\n      \"left_out\": 3\n")
}

// R4: a log that is all of one client is read, and the verdict says it; an expectation
// refuses it.
func TestOneClient(t *testing.T) {
	line := "192.0.2.1 - - [01/Mar/2026:08:00:01 +0100] \"GET / HTTP/1.1\" 200 5\n"
	code, out, errs := onLog(t, []byte(strings.Repeat(line, 20)), "--quiet")
	require.Equal(t, cli.ExitOK, code, errs)
	assert.Contains(t, out, "; all 20 requests are of one client\n")
	code, out, _ = onLog(t, []byte(strings.Repeat(line, 20)), "--quiet", "--set", "expect.clients={least: 2}")
	assert.Equal(t, cli.ExitNotExpected, code, out)
}

// F2: what the clients of a log may take has a bound, which --memory moves.
func TestMemoryOfClients(t *testing.T) {
	var log bytes.Buffer
	for i := range 20_000 {
		fmt.Fprintf(&log, "10.0.%d.%d - - [01/Mar/2026:08:00:01 +0100] \"GET / HTTP/1.1\" 200 5\n", i/2%10_000/250, i/2%250)
	}
	packed := hostile.Gzip(log.String())
	code, _, errs := onLog(t, packed, "--quiet")
	assert.Equal(t, cli.ExitOK, code, errs)
	code, _, errs = onLog(t, packed, "--quiet", "--memory", "4MiB")
	assert.Equal(t, cli.ExitError, code)
	assert.Contains(t, errs, "different keys take more than 4 MiB, the bound of memory: raise --memory")
	assert.Contains(t, errs, "compare fewer algorithms")
	line := "192.0.2.1 - - [01/Mar/2026:08:00:01 +0100] \"GET / HTTP/1.1\" 200 5\n"
	code, _, errs = onLog(t, hostile.Gzip(strings.Repeat(line, 20_000)), "--quiet", "--memory", "64KiB")
	assert.Equal(t, cli.ExitError, code)
	assert.Contains(t, errs, "the log is larger than 1 MiB: cut it at a line end, or raise --memory")
	code, _, errs = onLog(t, packed, "--memory", "much")
	assert.Equal(t, cli.ExitUsage, code)
	assert.Contains(t, errs, "--memory: want a size above 0 with its unit, such as 64KiB, 512MiB or 1GiB")
}

// TestNoNodes: what is about nodes says that there are none.
func TestNoNodes(t *testing.T) {
	for _, line := range []string{
		"explore limiter/compare", "explain limiter/compare", "run limiter/compare --trace",
		"boundary limiter/compare --vary params.limit --from 10 --to 60 --property promised-window",
	} {
		code, _, errs := runLine(strings.Fields(line)...)
		assert.Equal(t, cli.ExitUsage, code, line)
		assert.Contains(t, errs, "has no nodes", line)
	}
	dir := filepath.Join(t.TempDir(), "out")
	code, _, errs := runLine("run", "limiter/compare-boundaries", "--quiet", "--out", dir)
	require.Equal(t, cli.ExitOK, code, errs)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 2, "a report as text and as a document, and no trace")
}

// TestInterruptedReplay reports what was done until then.
func TestInterruptedReplay(t *testing.T) {
	s, err := scenarios.Load("limiter/compare", format.Options{})
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
	require.Contains(t, r.Line(layout.Style{}), "INTERRUPTED")
}

// TestReplaying is the line that a terminal shows during a replay.
func TestReplaying(t *testing.T) {
	assert.Equal(t, "250 MB of 1 GB, 125 MB/s, 6s left",
		replaying(execute.Progress{Part: 250e6, Whole: 1e9, Bytes: true}, 2*time.Second))
	assert.Equal(t, "60s of 300s, 8s left",
		replaying(execute.Progress{Part: int64(time.Minute), Whole: int64(5 * time.Minute)}, 2*time.Second))
	assert.Equal(t, "0s of 60s", replaying(execute.Progress{Whole: int64(time.Minute)}, time.Second))
}
