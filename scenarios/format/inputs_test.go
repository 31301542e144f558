package format_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"
	"fencepost/sim"
)

func TestTables(t *testing.T) {
	for file, want := range map[string][]time.Duration{
		"rtt.csv": {1500 * time.Microsecond, 2250 * time.Microsecond, 123456},
		"own.csv": {ms, 2500 * time.Microsecond, time.Hour},
	} {
		s := fake.Good(t, fake.Minimal+"network: {delay: {csv: "+file+"}}\n")
		dist, err := sim.Empirical(want)
		require.NoError(t, err)
		require.Equal(t, dist, s.Config.Network.Default.Delay)
		require.Len(t, s.Inputs, 1)
	}
	for file, want := range map[string]string{
		"bad.csv":    `fake/bad.csv:3: "fast" is not a duration: want a number`,
		"wide.csv":   `fake/wide.csv:1: "1ms,2ms" has several columns: want one, or two below a header such as length_ms,count`,
		"twice.csv":  `fake/twice.csv:2: "1ms" has a unit of its own, and the header has one, too`,
		"nounit.csv": `fake/nounit.csv:1: "1" is not a duration: want a unit, as in 1ms or 1s`,
		"hollow.csv": `fake/hollow.csv: no durations in 2 lines: want one per line, such as 1.5ms, or numbers below a header such as delay_ms`,
		"empty.log":  `fake/empty.log: no durations in 0 lines: want one per line, such as 1.5ms, or numbers below a header such as delay_ms`,
		"long.csv":   `fake/long.csv:1: the line is too long: want one duration`,
		"many.csv":   `fake/many.csv:1000001: more than 1000000 rows`,
		"no.csv":     `there is no file fake/no.csv`,
	} {
		assert.Equal(t, []string{"3:24: " + want + " (at network.delay.csv)"}, fake.Lines(fake.Minimal+"network: {delay: {csv: "+file+"}}\n"))
	}
}

func TestLogs(t *testing.T) {
	problem := func(file string) format.Problem {
		_, err := fake.LoadText(fake.Minimal+"faults: [{pause: client-1, for: {gclog: "+file+"}}]\n", format.Options{})
		e := (*format.Invalid)(nil)
		require.True(t, errors.As(err, &e), file)
		require.Len(t, e.Problems, 1)
		return e.Problems[0]
	}
	for file, want := range map[string]string{
		"none.log":     "fake/none.log: no pauses in 2 lines. Lines with a pause look like",
		"empty.log":    "fake/empty.log: log is empty",
		"binary.log":   "fake/binary.log: line 1: zero byte: the file is binary, or was truncated while the process wrote it",
		"back.csv":     "fake/back.csv cannot be replayed: its time goes back from 1m30s to 10ms at stop 2, as if it were of two processes: want at, on or every as well",
		"short.csv":    "fake/short.csv cannot be replayed: it is 1ns long: want at, on or every as well",
		"timeless.csv": "fake/timeless.csv cannot be replayed: it does not say when the stops began: want at, on or every as well",
	} {
		require.Equal(t, want, problem(file).Message, file)
	}
	require.Contains(t, problem("none.log").Detail, "Run the JVM with -Xlog:gc")
	require.Contains(t, problem("mixed.log").Message, "fake/mixed.log: two formats in one log: line 1 is unified")
	require.Contains(t, problem("series.csv").Message, "fake/series.csv: several series (a, b): ask for one")
	require.Contains(t, problem("{file: series.csv, series: c}").Message, "fake/series.csv: no pauses of series c; the log has a, b")
	require.Equal(t, "faults.0.for.gclog.file", problem("{file: none.log}").Path)

	s := fake.Good(t, fake.Minimal+"faults: [{pause: client-1, for: {gclog: {file: series.csv, series: b}}}]\n")
	require.Equal(t, []sim.Stop{{At: 5 * ms, For: 2 * ms}}, s.Config.Faults[0].When.Replay)
	s = fake.Good(t, fake.Minimal+"faults: [{pause: client-1, for: {gclog: cut.log}}]\n")
	require.Equal(t, "cut.log: unified, series gc: 3 pauses, p50 200ms, p99 300ms, max 300ms, total 600ms; 1 of 4 lines cannot be read, the first: "+
		`line 4: the log is cut here: the line has no end: "[3.500s][gc] GC(3) Pause Yo"`, s.Inputs[0].Summary)
	require.Equal(t, []int64{1, 4}, []int64{s.Inputs[0].LeftOut, s.Inputs[0].Lines}, "which the line of verdict says")
}

// TestRunOutlastsStops: a run that ends before a stop of the log does would call
// every lock safe.
func TestRunOutlastsStops(t *testing.T) {
	replayed := "faults: [{pause: client-1, for: {gclog: gc.log}}]\n"
	require.Equal(t, []string{"3:41: fake/gc.log has a stop of 300ms, and the run ends at 300ms, before its damage shows: " +
		"want until above that stop and the leases that it outlasts (at faults.0.for.gclog)"},
		fake.Lines("model: fake\nuntil: 300ms\n"+replayed))
	fake.Good(t, "model: fake\nuntil: 301ms\n"+replayed)
	drawn := "faults: [{pause: client-1, on: checked, for: {gclog: {file: gc.log}}}]\n"
	require.Len(t, fake.Lines("model: fake\nuntil: 300ms\n"+drawn), 1)
	fake.Good(t, "model: fake\nuntil: 301ms\n"+drawn)
}

// TestNoOrdinaryFile: a scenario cannot make us wait for a pipe; who runs it can.
func TestNoOrdinaryFile(t *testing.T) {
	path := fake.WriteFile(t, t.TempDir(), "a.yaml", fake.Minimal+"network: {delay: {csv: "+os.DevNull+"}}\n")
	_, err := fake.LoadPath(path, format.Options{})
	require.ErrorContains(t, err, os.DevNull+" is no ordinary file: give it with --set (at network.delay.csv)")
	_, err = fake.LoadPath(path, format.Options{Sets: []result.Setting{{Path: "network.delay.csv", Value: os.DevNull}}})
	require.ErrorContains(t, err, os.DevNull+": no durations in 0 lines")
}

// TestRoundTripsAreNoDelays: a table of round trips was used as one-way delays, twice what
// the network takes.
func TestRoundTripsAreNoDelays(t *testing.T) {
	dir := t.TempDir()
	for _, head := range []string{"rtt_ms", "RTT (ms)", "round_trip_ms", "rtt_ms,count"} {
		row := "1\n"
		if strings.HasSuffix(head, "count") {
			row = "1,2\n"
		}
		fake.WriteFile(t, dir, "measured.csv", head+"\n"+row)
		for _, at := range []string{"network: {delay: {csv: measured.csv}}\n", "network: {delay: 1ms, links: [{from: client-1, to: store, delay: {csv: measured.csv}}]}\n"} {
			_, err := fake.LoadPath(fake.WriteFile(t, dir, "a.yaml", fake.Minimal+at), format.Options{})
			require.ErrorContains(t, err, "measured.csv holds round trips, and a delay is one way: want a table of halves, with a header such as delay_ms", head)
		}
		_, err := fake.LoadPath(fake.WriteFile(t, dir, "a.yaml", fake.Minimal+"params: {work: {csv: measured.csv}}\n"), format.Options{})
		require.NoError(t, err, "work may be a round trip")
	}
}

// TestEachFileOnce: the passes over a file read its inputs once, and name them once.
func TestEachFileOnce(t *testing.T) {
	s := fake.Good(t, fake.Minimal+`faults: [{pause: client-1, for: {gclog: gc.log}}, {pause: client-2, for: {gclog: gc.log}}]
params: {work: {csv: rtt.csv}}
vary: {faults.0.for: [{gclog: gc.log}, 1s], faults.0.at: [1s]}
`)
	require.Len(t, s.Inputs, 2)
	require.Len(t, s.Variants[1].Scenario.Inputs, 2)
	require.Equal(t, "fake/rtt.csv", s.Inputs[0].Path)
	require.Equal(t, filepath.ToSlash("fake/gc.log"), s.Inputs[1].Path)
}

// TestSchedule: a log that begins long after its process did counts from one mean
// interval before its first stop.
func TestSchedule(t *testing.T) {
	s := fake.Good(t, fake.Minimal+"faults: [{pause: client-1, for: {gclog: gc.log}}]\n")
	w := s.Config.Faults[0].When
	require.Equal(t, 2*time.Second, w.Replay[2].At-w.Replay[0].At+200*ms, "stamps are those of the ends")
	require.Less(t, w.Replay[2].At, w.Span)
}

// A scenario that was copied from those that simctl brings along names a log that
// was not copied with it: the error says where that log is.
func TestCopiedScenario(t *testing.T) {
	text, err := scenarios.Source("redlock/under-gc")
	require.NoError(t, err)
	_, err = scenarios.Load(fake.WriteFile(t, t.TempDir(), "mine.yaml", string(text)), format.Options{})
	require.ErrorContains(t, err, "simctl has that log for its built-in scenario")
}
