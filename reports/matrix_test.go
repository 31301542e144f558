package reports

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/reports/layout"
	"fencepost/result"
)

// compared is a run with metrics for each of several rows.
func compared(columns int) *Run {
	r := &Run{Scenario: "x/y", Model: "compare", Runs: 1}
	r.Metrics = Metrics{{Name: "requests", Unit: Count, Value: result.Int(12345678)}, {Name: "plain/spread", Unit: Count, Count: 2, Mean: result.Int(1), P50: result.Int(1), P99: result.Int(1), Max: result.Int(1)}}
	for i, row := range []string{"token-bucket", "gcra"} {
		add := func(name, unit, value string) {
			r.Metrics = append(r.Metrics, Metric{Name: row + "/" + name, Unit: unit, Value: numberOf(value)})
		}
		add("admitted", Count, fmt.Sprint(12_345_678+i))
		add("factor", Count, "1.9833333")
		add("false-admits", Count, fmt.Sprint(i))
		add("wait-p99", Nanoseconds, "59000000000")
		add("never-any", Count, "0")
		for c := range columns {
			add(fmt.Sprintf("column-%02d", c), Count, "123456")
		}
	}
	return r
}

func TestMatrix(t *testing.T) {
	var b strings.Builder
	require.NoError(t, compared(0).writeCosts(&b, layout.Style{}))
	lines := strings.Split(b.String(), "\n")
	require.Len(t, lines, 3+1+3+1+5+1+1)
	assert.Equal(t, []string{
		"               admitted  factor   false  wait",
		"                                 admits   p99",
		"──────────────────────────────────────────────",
		" token-bucket    12.35M   1.983       0   59s",
		" gcra            12.35M   1.983       1   59s",
	}, lines[8:13])
}

// What there is no room for is named.
func TestMatrixIsNarrow(t *testing.T) {
	var b strings.Builder
	require.NoError(t, compared(12).writeCosts(&b, layout.Style{}))
	for line := range strings.Lines(b.String()) {
		assert.LessOrEqual(t, len([]rune(line)), matrixWidth+1)
	}
	assert.Contains(t, b.String(), " also measured, see --json: column-")
	assert.Contains(t, b.String(), " none for any: never-any\n")
}

func TestNoMatrix(t *testing.T) {
	var b strings.Builder
	r := &Run{Runs: 1}
	require.NoError(t, r.writeCosts(&b, layout.Style{}))
	assert.Empty(t, b.String())
}

func TestShort(t *testing.T) {
	for value, want := range map[string]string{"999999": "999999", "1000000": "1M", "1234567890": "1.235G", "2.5": "2.5", "5000000000000": "5T"} {
		m := Metric{Unit: Count, Value: numberOf(value)}
		assert.Equal(t, want, m.short())
	}
}

func TestBrokenOff(t *testing.T) {
	r := &Run{Runs: 1, Seed: 1, BrokenOff: true, Outcome: Outcome{OK: true, Properties: []Property{{Name: "p", Verdict: "holds", Runs: 1}}}}
	assert.Equal(t, "INTERRUPTED: before the end of the run: no violation so far; seed 1, digest ", decided(r).Line(layout.Style{}))
}

// numberOf is a number as a document has it.
func numberOf(text string) (n result.Number) {
	if err := n.UnmarshalJSON([]byte(text)); err != nil {
		panic(err)
	}
	return n
}
