package format

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/hostile"
	"fencepost/result"
	"fencepost/scenarios/gclog"
)

// rowsOf reads a table.
func rowsOf(text string) ([]time.Duration, error) {
	in := &input{Input: result.Input{Path: "x.csv"}}
	err := readTable(in, strings.NewReader(text))
	return in.values, err
}

// TestCountedTable: a row of a histogram stands for as many durations as it says.
func TestCountedTable(t *testing.T) {
	want := []time.Duration{1500 * time.Microsecond, 2 * time.Millisecond, 2 * time.Millisecond, 2 * time.Millisecond}
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

// Finding R6: of whatever becomes of a table on its way, its durations are what they were,
// or it is refused in words.
func TestHostileTables(t *testing.T) {
	for _, text := range []string{"delay_ms\n1.5\n2.25\n10.0\n20\n", "1.5ms\n2us\n3s\n1h\n", "# stops\nlength_ms,count\n1.5,1\n2,3\n3.25,2\n"} {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		want, err := rowsOf(text)
		require.NoError(t, err)
		slices.Sort(want)
		for _, v := range hostile.Variants(lines) {
			got, err := rowsOf(string(v.Data))
			switch slices.Sort(got); {
			case v.Name == "begins-in-line" && lines[0] == "1.5ms":
				// without a header nothing tells that 5ms was 1.5ms
			case err != nil:
				assert.False(t, v.Same, "%s: %v", v.Name, err)
				assert.ErrorContains(t, err, "x.csv:", v.Name)
			case v.Kept == len(lines):
				assert.Equal(t, want, got, v.Name)
			default: // whole rows of it
				for _, d := range got {
					assert.Contains(t, want, d, v.Name)
				}
			}
		}
	}
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
	for _, text := range []string{"delay_ms\n1.5\n", "1ms\n", "length_ms,count\n1.5,20\n2,0\n", "length_ms,count\n1,999999\n1,2\n", "\uFEFF# a\n\"length (us)\",count\n 1 , 1"} {
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

// stopsOf is the logs that were summarised in redlock/gc/stops.
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
// most complete series, each length rounded to three significant digits (finding R10).
// UPDATE_GOLDEN=1 writes them.
func TestStopsOfLogs(t *testing.T) {
	files, err := filepath.Glob("../redlock/gc/stops/*.csv")
	require.NoError(t, err)
	require.Len(t, files, len(stopsOf))
	for name, log := range stopsOf {
		file := filepath.Join("..", "redlock", "gc", "stops", name+".csv")
		path := filepath.Join("..", "..", "..", "shared", "data", "gc", log)
		var want []time.Duration
		if _, err := os.Stat(path); err == nil { // not so in a clone without the shared files
			read, err := gclog.ReadFile(path)
			require.NoError(t, err)
			for _, p := range read.Pauses {
				want = append(want, threeDigits(p.For))
			}
			slices.Sort(want)
			if os.Getenv("UPDATE_GOLDEN") != "" {
				writeStops(t, file, want)
			}
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(text), stopsRounded)
		got, err := rowsOf(string(text))
		require.NoError(t, err, name)
		require.True(t, slices.IsSorted(got), name)
		for _, d := range got {
			require.Equal(t, threeDigits(d), d, name)
		}
		if want != nil {
			assert.Equal(t, want, got, name)
		}
	}
}

const stopsRounded = "# Each length is rounded to three significant digits; count is how many have it.\nlength_ms,count\n"

// writeStops keeps the first three lines of a summary, which say whose log it is.
func writeStops(t *testing.T, file string, stops []time.Duration) {
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	text := strings.Join(strings.SplitAfterN(string(before), "\n", 4)[:3], "") + stopsRounded
	for i := 0; i < len(stops); {
		n := 1
		for i+n < len(stops) && stops[i+n] == stops[i] {
			n++
		}
		ms := strconv.FormatFloat(float64(stops[i])/1e6, 'f', -1, 64)
		text += fmt.Sprintf("%s,%d\n", ms, n)
		i += n
	}
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
}

// threeDigits rounds to three significant digits, to the nearer one.
func threeDigits(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d >= 1000*unit {
		unit *= 10
	}
	return (d + unit/2) / unit * unit
}

func TestTableTooLarge(t *testing.T) {
	in := &input{Input: result.Input{Path: "x.csv"}}
	err := readTable(in, strings.NewReader(strings.Repeat("1ms # far too many\n", 1)+strings.Repeat("# comment\n", maxTableSize/10)))
	require.ErrorContains(t, err, "x.csv:1: ")
	err = readTable(in, strings.NewReader(strings.Repeat("# comment\n", maxTableSize/10+1)))
	require.EqualError(t, err, "x.csv: the file is too large: want at most 10 MiB")
}
