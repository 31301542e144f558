package advise

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/lock/promises"
	"fencepost/reports"
	"fencepost/scenarios"
)

// logged writes a file of a log.
func logged(t *testing.T, name, text string) string {
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// stops is a log of a collector with a stop of the given length every 100 s.
func stops(t *testing.T, length string) string {
	var b strings.Builder
	b.WriteString("at_s,pause_ms\n")
	for i := range 20 {
		fmt.Fprintf(&b, "%d,%s\n", 50+100*i, length)
	}
	return logged(t, "gc.csv", b.String())
}

func riskOf(t *testing.T, lock string, g Logs) *reports.Risk {
	for _, l := range promises.Locks() {
		if l.Name == lock {
			s, err := Read(&l, nil, scenarios.Catalog().LoadText)
			require.NoError(t, err)
			g.PerDay = 1000
			r, err := s.Risk(t.Context(), &g, func(string) {})
			require.NoError(t, err)
			return r
		}
	}
	t.Fatalf("no lock %s", lock)
	return nil
}

func rowOf(t *testing.T, r *reports.Risk, what string) reports.RiskRow {
	for _, row := range r.Rows {
		if row.What == what {
			return row
		}
	}
	t.Fatalf("no row %q", what)
	return reports.RiskRow{}
}

// TestRiskIsThePauseLaw: stops of 9 s every 100 s, a TTL of 10 s, work of 2 s. The write comes
// too late if a stop begins in the last 9 s - 7.99 s of the work, which it does in 1.01% of the
// acquisitions.
func TestRiskIsThePauseLaw(t *testing.T) {
	r := riskOf(t, "redis", Logs{GC: stops(t, "9000"), Acquisitions: 2000})
	row := rowOf(t, r, "two holders at once, no check")
	assert.Less(t, row.Low, 0.0101)
	assert.Greater(t, row.High, 0.0101)
	assert.InDelta(t, 1, row.Year, 1e-3, "one of 365,000 acquisitions a year")
	assert.Zero(t, rowOf(t, r, "an update is lost, check before the write").Count, "the stops come before the check")
	assert.Contains(t, strings.Join(r.Notes, "\n"), "20 of the log's 20 stops are longer than the harmless pause of 7.99s; the longest is 9s")
	assert.Contains(t, strings.Join(r.Notes, "\n"), "--ttl 11.011s outlasts every stop of this log")
}

// TestRiskOfNone: stops that the lock survives are none of N, p < 3/N, and what is below that
// is not claimed.
func TestRiskOfNone(t *testing.T) {
	r := riskOf(t, "zookeeper", Logs{GC: stops(t, "9000"), Acquisitions: 400, Below: 1e-6})
	row := rowOf(t, r, "an update is lost, no check")
	assert.Zero(t, row.Count)
	assert.InDelta(t, 3.0/400, row.High, 1e-12)
	assert.Contains(t, strings.Join(r.Notes, "\n"), "400 acquisitions can show at most p < 7.5e-03: for 1e-06 it takes --acquisitions 3000000")
}

// TestRiskBelow: the shortest lease that is twice another and outlasts stops of 9 s and 2 s
// of work is 16.384 s: with 8.192 s they are too long.
func TestRiskBelow(t *testing.T) {
	r := riskOf(t, "redis", Logs{GC: stops(t, "9000"), Acquisitions: 800, Below: 0.004})
	assert.Contains(t, strings.Join(r.Notes, "\n"), "the shortest lease for p below 0.004 without a check, each twice the one before: --ttl 16.384s")
}

// TestRiskOfClocks: the server's clock is stepped forward by 12 s once in 200 s, and a key of
// 10 s that is there is gone. It is there for 2 s.
func TestRiskOfClocks(t *testing.T) {
	var b strings.Builder
	b.WriteString("seconds,offset_ms\n")
	for i := range 20 {
		offset := 0
		if i == 10 {
			offset = -12_000
		}
		fmt.Fprintf(&b, "%d,%d\n", 10*i, offset)
	}
	r := riskOf(t, "redis", Logs{Clock: logged(t, "clock.csv", b.String()), Acquisitions: 400})
	assert.Positive(t, rowOf(t, r, "two holders at once, check before the write").Count, "the check reads the client's clock")
	assert.Zero(t, rowOf(t, r, "an update is lost, check and fencing").Count)
}

// TestLongestDelay: the formulas take the longest delay of the table.
func TestLongestDelay(t *testing.T) {
	g := Logs{Latency: logged(t, "delay.csv", "delay_ms\n1\n7\n3\n")}
	d, err := g.LongestDelay(scenarios.Catalog().LoadText)
	require.NoError(t, err)
	assert.Equal(t, "7ms", d.String())
	g.Latency = logged(t, "rtt.csv", "rtt_ms\n1\n")
	_, err = g.LongestDelay(scenarios.Catalog().LoadText)
	require.ErrorContains(t, err, "round trip")
}
