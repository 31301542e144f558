package gclog

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	us = time.Microsecond
	ms = time.Millisecond
)

// The logs written by hand, with every pause in them.
func TestHandwrittenLogs(t *testing.T) {
	for _, test := range []struct {
		file, format, series string
		pauses               []Pause
	}{
		{"parallel_jdk8.log", Classic, GC, []Pause{
			{412 * ms, 10471200, "GC (Allocation Failure)"},
			{733 * ms, 5200 * us, "GC (System.gc())"},
			{739 * ms, 41300500, "Full GC (System.gc())"},
			{1250 * ms, 30 * ms, "GC (Allocation Failure)"},
			{1281 * ms, 221 * ms, "Full GC (Ergonomics)"}, // a histogram with "[B" inside
		}},
		{"cms_jdk8.log", Classic, GC, []Pause{
			{2000 * ms, 53220 * us, "GC (Allocation Failure)"}, // over four lines
			{3000 * ms, 2205100, "GC (CMS Initial Mark)"},
			{8104 * ms, 68219 * us, "GC (CMS Final Remark)"}, // with the young collection inside
			{9500 * ms, 1183500 * us, "GC (Allocation Failure)"},
		}},
		{"cms_jdk8.log", Classic, App, []Pause{
			{1100*ms - 180*us, 180 * us, "stopped"},
			{2054*ms - 53773*us, 53773 * us, "stopped"},
			{3003*ms - 2400*us, 2400 * us, "stopped"},
			{8173*ms - 69*ms, 69 * ms, "stopped"},
			{10684*ms - 1184029*us, 1184029 * us, "stopped"},
		}},
		{"g1_jdk8.log", Classic, GC, []Pause{
			{1595 * ms, 9617300, "GC pause (G1 Evacuation Pause) (young)"},
			{2503 * ms, 240 * ms, "GC pause (G1 Humongous Allocation) (young) (initial-mark)"},
			{2750 * ms, 45 * ms, "GC pause (G1 Evacuation Pause) (young)"},
			{3101 * ms, 14077400, "GC remark"},
			{3120 * ms, 653800, "GC cleanup"},
			{4000 * ms, 334278800, "Full GC (Metadata GC Threshold)"},
		}},
		{"serial_jdk7_unstamped.log", Classic, GC, []Pause{
			{-1, 4326 * us, "GC"}, {-1, 25100 * us, "GC"}, {-1, 31100 * us, "Full GC"}, {-1, 29 * ms, "Full GC (System)"},
		}},
		{"stopped_jdk11.log", Unified, App, []Pause{
			{102*ms - 238500, 238500, "stopped"}, {236*ms - 5610*us, 5610 * us, "stopped"},
		}},
		{"stopped_jdk11.log", Unified, GC, []Pause{
			{236*ms - 5324*us, 5324 * us, "Pause Young (Normal) (G1 Evacuation Pause)"},
		}},
		{"pauses.csv", CSV, Unnamed, []Pause{
			{1500 * ms, 2500 * us, "young"}, {-1, 80250, "remark, final"}, {7 * time.Second, 0, "young"},
		}},
		{"durations.txt", CSV, Unnamed, []Pause{{-1, 15200 * us, ""}, {-1, 300 * us, ""}, {-1, 1500 * ms, ""}, {-1, 42, ""}}},
	} {
		t.Run(test.file+"/"+test.series, func(t *testing.T) {
			log, err := ReadFile(filepath.Join("testdata", test.file), test.series)
			require.NoError(t, err)
			assert.Equal(t, test.format, log.Format)
			assert.Equal(t, test.pauses, log.Pauses)
			assert.Empty(t, log.Problems)
		})
	}
}

// The logs of programs run for this test. The figures were taken from them with
// another program (a regular expression for "Total: n ns", "Pause ... ms" or
// "a+b+c ms clock", and sort).
func TestRealLogs(t *testing.T) {
	for _, test := range []struct {
		file, format, series string
		first                Pause
		summary              Summary
	}{
		{"g1_jdk17.log", Unified, Safepoint, Pause{106*ms - 1023035, 1023035, "G1PauseRemark"}, Summary{6, 959781, 1528188, 1528188, 5474351}},
		{"g1_jdk17.log", Unified, GC, Pause{106*ms - 1011*us, 1011 * us, "Pause Remark"}, Summary{6, 534000, 1100000, 1100000, 4075000}},
		{"parallel_jdk17_uptimemillis.log", Unified, Safepoint, Pause{48*ms - 2979181, 2979181, "ParallelGCFailedAllocation"}, Summary{20, 1240960, 8392240, 8392240, 46669721}},
		{"parallel_jdk17_uptimemillis.log", Unified, GC, Pause{48*ms - 2895*us, 2895 * us, "Pause Young (Allocation Failure)"}, Summary{20, 1200000, 8334000, 8334000, 45848000}},
		{"serial_jdk17_undecorated.log", Unified, GC, Pause{-1, 1542 * us, "Pause Young (Allocation Failure)"}, Summary{29, 3246000, 5275000, 5275000, 81039000}},
		{"serial_jdk17_uptimenanos.log", Unified, GC, Pause{43433097 - 1900*us, 1900 * us, "Pause Young (Allocation Failure)"}, Summary{4, 2034000, 3568000, 3568000, 10791000}},
		{"shenandoah_jdk17_four_clocks.log", Unified, Safepoint, Pause{100*ms - 62283, 62283, "ShenandoahInitMark"}, Summary{5, 62283, 139027, 139027, 338025}},
		{"shenandoah_jdk17_four_clocks.log", Unified, GC, Pause{100*ms - 22*us, 22 * us, "Pause Init Mark (unload classes)"}, Summary{5, 17000, 34000, 34000, 85000}},
		{"zgc_jdk17_timemillis.log", Unified, GC, Pause{151*ms - 5*us, 5 * us, "Pause Mark Start"}, Summary{9, 5000, 9000, 9000, 45000}},
		{"go1.26_gctrace.txt", GoTrace, Go, Pause{0, 39 * us, "sweep-term"}, Summary{72, 47000, 210000, 210000, 3828000}},
		{"../../redlock/gc/g1-small-heap.log", Unified, Safepoint, Pause{827*ms - 5575561, 5575561, "G1CollectForAllocation"}, Summary{106, 4156566, 19245360, 20523765, 602395553}},
	} {
		t.Run(test.file+"/"+test.series, func(t *testing.T) {
			log, err := ReadFile(filepath.Join("testdata", test.file), test.series)
			require.NoError(t, err)
			assert.Equal(t, test.format, log.Format)
			assert.Equal(t, test.first, log.Pauses[0])
			assert.Equal(t, test.summary, log.Summary())
			assert.Zero(t, log.Bad)
			assert.Equal(t, log.Lines, log.Used+log.Ignored)
		})
	}
}

// read reads a log from its lines.
func read(lines ...string) (*Log, error) {
	return Read(strings.NewReader(strings.Join(lines, "\n") + "\n"))
}

func TestTheMostCompleteSeriesIsChosen(t *testing.T) {
	const (
		collection = "[0.5s][gc] GC(0) Pause Young (Normal) 14M->2M(64M) 5.324ms"
		stop       = "[0.5s][safepoint] Total time for which application threads were stopped: 0.0061 seconds, Stopping threads took: 0.0001 seconds"
		safepoint  = `[0.5s][safepoint] Safepoint "G1", Time since last: 1 ns, At safepoint: 2 ns, Total: 7000000 ns`
	)
	for _, test := range []struct {
		lines  []string
		series string
		found  []string
		length time.Duration
	}{
		{[]string{collection}, GC, []string{GC}, 5324 * us},
		{[]string{collection, stop}, App, []string{App, GC}, 6100 * us},
		{[]string{collection, stop, safepoint}, Safepoint, []string{Safepoint, App, GC}, 7 * ms},
		{[]string{"series,t_s,pause_ms", "gc,1,1", "disk,1,2"}, GC, []string{GC, "disk"}, ms},
		{[]string{"series,t_s,pause_ms", "disk,1,2"}, "disk", []string{"disk"}, 2 * ms},
	} {
		log, err := read(test.lines...)
		require.NoError(t, err)
		assert.Equal(t, test.series, log.Series)
		assert.Equal(t, test.found, log.Found)
		assert.Equal(t, test.length, log.Pauses[0].For)
		assert.Equal(t, 1, log.Used)
		assert.Equal(t, len(test.lines)-1, log.Ignored)
	}
}

func TestWantIsAnOrderOfPreference(t *testing.T) {
	log, err := ReadFile("testdata/g1_jdk17.log", App, GC)
	require.NoError(t, err)
	assert.Equal(t, GC, log.Series)

	_, err = ReadFile("testdata/g1_jdk17.log", App, Go)
	assert.EqualError(t, err, "testdata/g1_jdk17.log: no pauses of series app, go; the log has safepoint, gc")
	_, err = ReadFile("testdata/g1_jdk17.log", "\x1c\x1b[2J")
	assert.EqualError(t, err, "testdata/g1_jdk17.log: no pauses of series ??[2J; the log has safepoint, gc")
}

// One line of each shape that a JVM or a Go program is known to write.
func TestLines(t *testing.T) {
	for _, test := range []struct {
		line  string
		pause Pause
	}{
		{ // JDK 25
			`[2026-03-16T16:44:06.116+0000][2.029s][info][safepoint      ] Safepoint "ShenandoahInitMark", Time since last: 1914913627 ns, Reaching safepoint: 221863 ns, At safepoint: 109884 ns, Leaving safepoint: 7125 ns, Total: 338872 ns, Threads: 1 runnable, 11 total`,
			Pause{2029*ms - 338872, 338872, "ShenandoahInitMark"},
		},
		{"[1.749s][gc,phases      ] GC(0) Y: Pause Mark Start (Major) 0.012ms", Pause{1749*ms - 12*us, 12 * us, "Y: Pause Mark Start (Major)"}},
		{"[info][17ms][123] GC(5) Pause Remark 25M->25M(64M) 1.2ms", Pause{17*ms - 1200*us, 1200 * us, "Pause Remark"}},
		{"[0.001s][gc] GC(0) Pause Full (System.gc()) 2M->1M(8M) 3.5ms", Pause{0, 3500 * us, "Pause Full (System.gc())"}},
		{"[1795170593172ms] GC(0) Pause Remark 1.0ms", Pause{-1, ms, "Pause Remark"}}, // no uptime, but the time of day
		{"2026-01-01T00:00:00Z stdout F [3.5s][gc] GC(0) Pause Remark 1.0ms", Pause{3499 * ms, ms, "Pause Remark"}},
		{"Total time for which application threads were stopped: 0.0005 seconds", Pause{-1, 500 * us, "stopped"}},
		{"2015-03-07T15:09:22.950+0000: [GC (System.gc())  1M->1M(8M), 0.001 secs]", Pause{-1, ms, "GC (System.gc())"}}, // a date, but no uptime
		{"2015-03-07T15:09:22.950+0000: 6.062: #3: [GC (System.gc())  1M->1M(8M), 0.001 secs]", Pause{6062 * ms, ms, "GC (System.gc())"}},
		{ // JDK 21
			`[1.068s][info][safepoint] Safepoint "GenCollectFull", Time since last: 1028233356 ns, Reaching safepoint: 21416081 ns, Cleanup: 23803 ns, At safepoint: 2605287 ns, Leaving safepoint: 66045 ns, Total: 24111216 ns`,
			Pause{1068*ms - 24111216, 24111216, "GenCollectFull"},
		},
		{"5.0: [GC[YG occupancy: 3 K (9 K)]5.1: [Rescan (parallel) , 0.1 secs] [1 CMS-remark: 4K(6K)] 6K(11K), 0.25 secs]", Pause{5 * time.Second, 250 * ms, "GC"}},
		{"gc 7 @1.5s 0%: 2.5+11+0.93 ms clock, 1+2/3/4+5 ms cpu, 4->4->1 MB, 5 MB goal, 4 P (forced)", Pause{1500 * ms, 2500 * us, "sweep-term"}},
	} {
		log, err := read(test.line)
		if assert.NoError(t, err, test.line) {
			assert.Equal(t, test.pause, log.Pauses[0], test.line)
		}
	}
}

// Reference: package runtime, "wall-clock/CPU times for the phases of the GC":
// sweep termination, concurrent mark, mark termination; the second is no pause.
func TestBothStopsOfAGoCycleCount(t *testing.T) {
	log, err := read("server started", "gc 1 @0.058s 0%: 0.5+1.9+0.93 ms clock, 0+0.94/1.9/2.9+0 ms cpu, 4->4->1 MB, 5 MB goal, 4 P", "scvg0: inuse: 3")
	require.NoError(t, err)
	assert.Equal(t, []Pause{
		{58 * ms, 500 * us, "sweep-term"},
		{58*ms + 2400*us, 930 * us, "mark-term"},
	}, log.Pauses)
	assert.Equal(t, []int{3, 1, 2, 0}, []int{log.Lines, log.Used, log.Ignored, log.Bad})
}

func TestConcurrentPhasesAreNoPauses(t *testing.T) {
	for _, line := range []string{
		"[0.5s][gc] GC(0) Concurrent Mark Cycle 65.072ms",
		"[0.5s][gc,phases] GC(0)   Evacuate Collection Set: 2.1ms",
		"[0.5s][gc,start] GC(0) Pause Young (Normal) (G1 Evacuation Pause)",
		"[0.5s][gc,stats] Pause Init Mark (G)                1458 us",
		"2.313: [CMS-concurrent-mark: 0.008/0.008 secs] [Times: user=0.09 sys=0.01, real=0.01 secs] ",
		"2.744: [GC concurrent-mark-end, 1.0515749 secs]",
	} {
		_, err := read(line)
		assert.ErrorContains(t, err, "no pauses in 1 lines", line)
	}
}

func TestLineEndsAndByteOrderMark(t *testing.T) {
	log, err := Read(strings.NewReader("\ufeffpause_ms,t_s\r\n1.5,2\r\n\r\n2.5,3"))
	require.NoError(t, err)
	assert.Equal(t, []Pause{{2 * time.Second, 1500 * us, ""}, {3 * time.Second, 2500 * us, ""}}, log.Pauses)
	assert.Equal(t, []int{4, 2, 2, 0}, []int{log.Lines, log.Used, log.Ignored, log.Bad})
}
