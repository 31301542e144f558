package gclog

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/realdata"
)

// The logs of other people's processes are in shared/data/gc beside the
// repository. A clone without them has the tests of this file with no rows.

// figures are those of shared/data/SOURCES.md: milliseconds, and seconds for the sum.
type figures struct {
	file, series       string
	n                  int
	p50, p99, max, sum float64
}

var published = []figures{
	{"kafka0_g1_jdk8.log", GC, 771, 26.408, 170.759, 387.475, 26.11},
	{"nekop_cms_jdk8.log", GC, 212, 224.748, 331.977, 648.323, 41.2},
	{"nekop_g1_jdk8.log", GC, 148, 128.482, 345.151, 630.701, 19.61},
	{"nekop_g1_p50_r16_jdk8.log", GC, 202, 108.837, 284.453, 336.433, 20.14},
	{"lucid_cms_jdk8_77s_stops.log", App, 4803, 0.608, 3.514, 77394.5, 207.45},
	{"lucid_cms_jdk8_77s_stops.log", GC, 27, 118.036, 15129.8, 15129.8, 20.21},
	{"lucid_cms_jdk7.log", App, 1178, 0.212, 204.174, 2204.53, 14.93},
	{"lucid_cms_jdk7.log", GC, 58, 7.538, 2203.43, 2203.43, 15.71},
	{"zgc_gen_jdk25.log", GC, 575, 0.024, 0.088, 0.094, 0.02},
	{"zgc_gen_jdk25.log", Safepoint, 1313, 0.074, 0.63, 2.175, 0.13},
	{"shenandoah_jdk25.log", GC, 109, 0.16, 0.702, 0.978, 0.03},
	{"shenandoah_jdk25.log", Safepoint, 113, 0.448, 3.857, 4.746, 0.08},
	{"go1.9_gctrace.txt", Go, 1270, 0, 1, 48, 0.22},
}

// remarksCutShort names the logs whose sidecar gives, for a CMS remark with a
// young collection inside, the length of that collection alone, so that its gc
// figures fall short.
var remarksCutShort = []string{"lucid_cms_jdk8_77s_stops.log", "lucid_cms_jdk7.log"}

// present returns the rows whose log is there.
func present(t *testing.T) []figures {
	var rows []figures
	for _, row := range published {
		if realdata.Path("gc", row.file) != "" {
			rows = append(rows, row)
		}
	}
	return rows
}

func (f figures) check(t *testing.T, s Summary) {
	t.Helper()
	assert.Equal(t, f.n, s.Count)
	for _, pair := range []struct {
		name string
		want float64
		got  time.Duration
	}{{"p50", f.p50, s.P50}, {"p99", f.p99, s.P99}, {"max", f.max, s.Max}} {
		got := float64(pair.got) / 1e6
		assert.InDelta(t, pair.want, got, max(0.00051, pair.want*1e-5), pair.name)
	}
	assert.InDelta(t, f.sum, s.Total.Seconds(), 0.0051, "sum")
}

func TestPublishedFigures(t *testing.T) {
	for _, row := range present(t) {
		t.Run(row.file+"/"+row.series, func(t *testing.T) {
			sidecar, err := ReadFile(realdata.Path("gc", row.file+".pauses.csv"), row.series)
			require.NoError(t, err)
			row.check(t, sidecar.Summary())

			log, err := ReadFile(realdata.Path("gc", row.file), row.series)
			require.NoError(t, err)
			assert.Zero(t, log.Bad)
			if row.series == GC && slices.Contains(remarksCutShort, row.file) {
				assert.Greater(t, log.Summary().Total, sidecar.Summary().Total)
			} else {
				row.check(t, log.Summary())
			}
		})
	}
}

// Every pause of every series is compared with the sidecar, which rounds to
// 100 ns and gives the stamp of the line.
func TestSidecars(t *testing.T) {
	for _, row := range present(t) {
		t.Run(row.file+"/"+row.series, func(t *testing.T) {
			path := realdata.Path("gc", row.file)
			log, err := ReadFile(path, row.series)
			require.NoError(t, err)
			sidecar, err := ReadFile(path+".pauses.csv", row.series)
			require.NoError(t, err)
			require.Len(t, log.Pauses, len(sidecar.Pauses))
			if row.series == GC {
				wholeRemarks(t, path, sidecar.Pauses)
			}
			for i, want := range sidecar.Pauses {
				got := log.Pauses[i]
				require.InDelta(t, want.For, got.For, 50, "pause %d: %v, want %v", i, got, want)
				at := stamp(log, got, log.Pauses[max(0, i-1)])
				if want.Kind == "Remark" { // or its young collection, up to a millisecond later
					require.InDelta(t, want.At, at, float64(ms), "pause %d", i)
				} else {
					require.Equal(t, want.At, at, "pause %d", i)
				}
			}
		})
	}
}

// stamp returns the time on the line of a pause, given the pause before it.
func stamp(log *Log, p, before Pause) time.Duration {
	switch {
	case log.Format == GoTrace && p.Kind == "mark-term":
		return before.At // the line has the start of the cycle
	case log.Format == Unified || log.Series == App:
		return p.At + p.For
	}
	return p.At
}

// wholeRemarks puts the length of the whole remark, from the line that ends it,
// where a sidecar has that of the young collection inside.
func wholeRemarks(t *testing.T, path string, pauses []Pause) {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	ends := regexp.MustCompile(`CMS-remark: \S+\] \S+, ([\d.]+) secs\]`).FindAllSubmatch(text, -1)
	if len(ends) == 0 {
		return // not a log of CMS
	}
	for i, p := range pauses {
		if p.Kind != "Remark" {
			continue
		}
		require.NotEmpty(t, ends)
		whole, err := parseLength(string(ends[0][1]), time.Second)
		require.NoError(t, err)
		require.GreaterOrEqual(t, whole, p.For-50)
		pauses[i].For, ends = whole, ends[1:]
	}
	require.Empty(t, ends)
}

// That the whole remark is the pause, and not the young collection inside, shows
// in the stop around it: the same log says that this was even a bit longer.
func TestRemarksFillTheirStops(t *testing.T) {
	for _, file := range remarksCutShort {
		path := realdata.Path("gc", file)
		if path == "" {
			continue
		}
		stops, err := ReadFile(path, App)
		require.NoError(t, err)
		collections, err := ReadFile(path, GC)
		require.NoError(t, err)
		end := ended(stops.Pauses[len(stops.Pauses)-1])
		remarks := 0
		for _, p := range collections.Pauses {
			if p.Kind == "GC (CMS Final Remark)" && ended(p) < end {
				remarks++
				assert.True(t, hasStopAround(stops.Pauses, p), "%s: no stop around %v", file, p)
			}
		}
		assert.Greater(t, remarks, 6)
	}
}

// hasStopAround reports whether a stop holds p and ends with it.
func hasStopAround(stops []Pause, p Pause) bool {
	for _, s := range stops {
		if s.For > p.For && (ended(s)-ended(p)).Abs() < 5*ms {
			return true
		}
	}
	return false
}

func ended(p Pause) time.Duration {
	return p.At + p.For
}

// GCViewer's summaries of three of the logs are an independent reading of them.
func TestGCViewer(t *testing.T) {
	for _, test := range [][2]string{
		{"nekop_cms_jdk8.log", "nekop_cms-gc.log-summary.txt"},
		{"nekop_g1_jdk8.log", "nekop_g1-gc.log-summary.txt"},
		{"nekop_g1_p50_r16_jdk8.log", "nekop_g1-p50-r16-gc.log-summary.txt"},
	} {
		path := realdata.Path("gc", test[1])
		if path == "" {
			continue
		}
		t.Run(test[0], func(t *testing.T) {
			log, err := ReadFile(realdata.Path("gc", test[0]))
			require.NoError(t, err)
			want := gcViewer(t, path)
			s := log.Summary()
			assert.InDelta(t, want["accumPause"], s.Total.Seconds(), 0.0051)
			assert.InDelta(t, want["avgPause"], s.Total.Seconds()/float64(s.Count), 0.0000051)
			assert.InDelta(t, want["minPause"], log.Quantile(0).Seconds(), 0.0000051)
			assert.InDelta(t, want["maxPause"], s.Max.Seconds(), 0.0000051)
		})
	}
}

// gcViewer reads the lines "name; value; s".
func gcViewer(t *testing.T, path string) map[string]float64 {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	values := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "; ")
		if len(cells) != 3 || cells[2] != "s" {
			continue
		}
		if v, err := strconv.ParseFloat(cells[1], 64); err == nil {
			values[cells[0]] = v
		}
	}
	require.Contains(t, values, "avgPause")
	return values
}
