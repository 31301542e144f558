package scenarios

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/scenarios/gclog"
)

// rowsOf reads a table.
func rowsOf(text string) ([]time.Duration, error) {
	in := &input{Input: Input{Path: "x.csv"}}
	err := readTable(in, strings.NewReader(text))
	return in.values, err
}

// TestCountedTable: a row of a histogram stands for as many durations as it says.
func TestCountedTable(t *testing.T) {
	want := []time.Duration{1500 * time.Microsecond, 2 * ms, 2 * ms, 2 * ms}
	for _, text := range []string{
		"length_ms,count\n1.5,1\n2,3\n",
		"# stops\n\"length (ms)\", \"count\"\n 1.5 , 1 \n# and\n\n2,003\n9,0\n",
		"length_us,count\n1500,1\n2000,1\n2000,2\n",
	} {
		values, err := rowsOf(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, values, text)
	}
	values, err := rowsOf("length_s,count\n1,1000000\n")
	require.NoError(t, err)
	assert.Len(t, values, maxTableRows)
}

func TestCountedTableRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"length_ms,count\n1,2\n3\n":                                 `x.csv:3: "3" has no count: want two columns, as in 1.5,20`,
		"length_ms,count\n1,\n":                                     `x.csv:2: "" is not a count: want a whole number, 0 or more`,
		"length_ms,count\n1,-1\n":                                   `x.csv:2: "-1" is not a count: want a whole number, 0 or more`,
		"length_ms,count\n1,1.5\n":                                  `x.csv:2: "1.5" is not a count: want a whole number, 0 or more`,
		"length_ms,count\n1,2,3\n":                                  `x.csv:2: "2,3" is not a count: want a whole number, 0 or more`,
		"length_ms,count\nfast,2\n":                                 `x.csv:2: "fast" is not a duration: want a number`,
		"length_ms,count\n1ms,2\n":                                  `x.csv:2: "1ms" has a unit of its own, and the header has one, too`,
		"length_ms,count\n-1,2\n":                                   `x.csv:2: `,
		"length_ms,count\n1,500000\n2,500001\n":                     `x.csv:3: more than 1000000 durations`,
		"length_ms,count\n1,1000000000000000000":                    `x.csv:2: more than 1000000 durations`,
		"length_ms,count\n1,99999999999999999999999999999999999999": `x.csv:2: more than 1000000 durations`,
		"length_ms,count\n1,0\n":                                    `x.csv: the counts are all 0: want one above 0`,
		"length_ms,number\n1,2\n":                                   `x.csv:1: "length_ms,number" has several columns: want one`,
		"length_ms,count,kind\n1,2,a\n":                             `x.csv:1: "length_ms,count,kind" has several columns: want one`,
		"length,count\n1ms,2\n":                                     `x.csv:1: "length,count" has several columns: want one, or two below a header such as length_ms,count`,
		"count,length_ms\n2,1\n":                                    `x.csv:1: "count,length_ms" has several columns: want one, or two below a header such as length_ms,count`,
		"1ms,2\n":                                                   `x.csv:1: "1ms,2" has several columns: want one`,
	} {
		_, err := rowsOf(text)
		assert.ErrorContains(t, err, want, text)
	}
}

// FuzzTable: whatever a table says, it is read or refused, and never larger than it may be.
func FuzzTable(f *testing.F) {
	for _, text := range []string{"rtt_ms\n1.5\n", "1ms\n", "length_ms,count\n1.5,20\n2,0\n", "length_ms,count\n1,999999\n1,2\n", "\uFEFF# a\n\"length (us)\",count\n 1 , 1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		values, err := rowsOf(text)
		if err != nil {
			return
		}
		if len(values) == 0 || len(values) > maxTableRows || slices.Min(values) < 0 {
			t.Fatalf("%d values", len(values))
		}
	})
}

// stopsOf is the logs that were summarised in lock/gc/stops.
var stopsOf = map[string]string{
	"cms-jdk7-lucid":     "lucid_cms_jdk7.log",
	"cms-jdk8-nekop":     "nekop_cms_jdk8.log",
	"cms-jdk8-solr":      "lucid_cms_jdk8_77s_stops.log",
	"g1-50ms-jdk8-nekop": "nekop_g1_p50_r16_jdk8.log",
	"g1-jdk8-kafka":      "kafka0_g1_jdk8.log",
	"g1-jdk8-nekop":      "nekop_g1_jdk8.log",
	"go1.9":              "go1.9_gctrace.txt",
	"shenandoah-jdk25":   "shenandoah_jdk25.log",
	"zgc-jdk25":          "zgc_gen_jdk25.log",
}

// TestStopsOfLogs: the summaries are what the logs say, where the logs are there: of the
// most complete series, each length rounded up to two significant digits.
func TestStopsOfLogs(t *testing.T) {
	files, err := filepath.Glob("lock/gc/stops/*.csv")
	require.NoError(t, err)
	require.Len(t, files, len(stopsOf))
	for name, log := range stopsOf {
		text, err := os.ReadFile(filepath.Join("lock", "gc", "stops", name+".csv"))
		require.NoError(t, err)
		got, err := rowsOf(string(text))
		require.NoError(t, err, name)
		require.True(t, slices.IsSorted(got), name)
		path := filepath.Join("..", "..", "shared", "data", "gc", log)
		if _, err := os.Stat(path); err != nil {
			continue // a clone without the shared files
		}
		read, err := gclog.ReadFile(path)
		require.NoError(t, err)
		var want []time.Duration
		for _, p := range read.Pauses {
			want = append(want, twoDigits(p.For))
		}
		slices.Sort(want)
		assert.Equal(t, want, got, name)
	}
}

// twoDigits rounds up to two significant digits.
func twoDigits(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d > 99*unit {
		unit *= 10
	}
	return (d + unit - 1) / unit * unit
}
