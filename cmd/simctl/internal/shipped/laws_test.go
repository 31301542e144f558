package shipped

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/reports"
	"fencepost/reports/plot"
	"fencepost/result"
	"fencepost/sim"
	"fencepost/sim/formula"
	"fencepost/sim/stats"
)

// agreement counts the intervals that do not hold what a proof says: of those at 95 % some
// do not.
type agreement struct{ judged, missed int }

// judge compares an interval with the range of the proven values. An interval may miss,
// but not by its own width, and not at all what happens always or never.
func (a *agreement) judge(t *testing.T, got stats.Interval, low, high float64, what string) {
	t.Helper()
	reach, certain := got.High-got.Low, low == high && (low == 0 || low == 1)
	assert.True(t, low <= got.High+reach && got.Low-reach <= high, "%s is %g to %g, and the interval %v", what, low, high, got)
	missed := high < got.Low || got.High < low
	assert.False(t, certain && missed, "%s is certain, and the interval %v", what, got)
	if certain {
		return
	}
	a.judged++
	if missed {
		a.missed++
		t.Logf("%s is %g to %g, and the interval %v", what, low, high, got)
	}
}

// check allows as many misses as have a chance above 1 %: the count is binomial, or nearly,
// as points with the same seeds are alike.
func (a *agreement) check(t *testing.T) {
	t.Helper()
	mass, above := math.Pow(0.95, float64(a.judged)), 1.0 // P(misses = k) and P(misses >= k)
	most := 0
	for k := 0; k <= a.judged && above > 0.01; k++ {
		most = k
		above -= mass
		mass *= float64(a.judged-k) / float64(k+1) * 0.05 / 0.95
	}
	assert.LessOrEqual(t, a.missed, most, "of %d", a.judged)
	t.Logf("%d of %d intervals miss, and %d may", a.missed, a.judged, most)
}

// TestLawsAgree: what a proof says and what was simulated are the same: the closed form
// is within the intervals of the points, but for as many as miss by chance, or where there
// is none equal to them. It says which points of which plots it has judged.
func TestLawsAgree(t *testing.T) {
	seen := agreement{}
	for _, c := range []struct {
		scenario, file, law, of string // the value of the series, "" without
		y                       string
		slack                   float64 // of a value without an interval
		points                  int
	}{
		{"redis/figure-pause", "pause", "no check", "no check", "P(no-lost-update)", 0, 7},
		{"redis/figure-pause", "pause", "check", "check", "P(no-lost-update)", 0, 7},
		{"redis/figure-pause", "pause", "check and fence", "check and fence", "P(no-lost-update)", 0, 7},
		{"redis/figure-pause", "pause", "no check", "check and fence", "P(mutual-exclusion)", 0, 7},
		{"redis/figure-renewal", "renewal", "every L/2", "every L/2", "P(mutual-exclusion)", 0, 9},
		{"redis/figure-renewal", "renewal", "every L/3", "every L/3", "P(mutual-exclusion)", 0, 9},
		{"redis/figure-renewal", "renewal", "every L/5", "every L/5", "P(mutual-exclusion)", 0, 9},
		{"redlock/figure-clock-rate", "clock-rate", "end of the lease less end of the keys", "wall", "entitled-overlap", 2e6, 14}, // Redis counts milliseconds, and client-2 asks every 1.2 ms
		{"redlock/figure-clock-rate", "clock-rate", "end of the lease less end of the keys", "boottime", "entitled-overlap", 2e6, 14},
		{"redlock/figure-clock-rate", "clock-rate", "end of the lease less end of the keys", "monotonic", "entitled-overlap", 2e6, 14},
		{"redlock/figure-split-votes", "split-votes", "the chance of three votes of five", "", "acquisitions", 0, 9},
		{"redis/figure-overlap", "overlap", "pause law", "", "overlap", 0, 12},
		{"ordering/figure-mutex", "mutex-messages", "Lamport", "lamport", "messages-per-entry", 0, 7},
		{"ordering/figure-mutex", "mutex-messages", "Ricart and Agrawala", "ricart-agrawala", "messages-per-entry", 0, 7},
		{"clock/figure-bytes", "clock-bytes", "the dense form, any sender", "", "bytes-per-message", 1, 21}, // a server that has had more than 127 events takes a second byte
		{"store/figure-lag", "overshoot-lag", "the limit and the requests of the lag", "", "worst-window", 0, 9},
		{"store/figure-skew", "overshoot-skew", "the limit and what one limiter is asked in the time between the clocks", "", "worst-window", 0, 9},
		{"kv/pbs-exponential", "pbs-exponential", "R=1 W=1", "R=1 W=1", "fresh", 0, 8},
		{"kv/pbs-exponential", "pbs-exponential", "R=1 W=2", "R=1 W=2", "fresh", 0, 8},
		{"kv/pbs-exponential", "pbs-exponential", "R=2 W=1", "R=2 W=1", "fresh", 0, 8},
		{"kv/pbs-versions", "pbs-versions", "N=3 R=1 W=1", "N=3 R=1 W=1", "within-versions", 0, 5},
		{"kv/pbs-versions", "pbs-versions", "N=3 R=1 W=2", "N=3 R=1 W=2", "within-versions", 0, 5},
		{"kv/pbs-versions", "pbs-versions", "N=5 R=1 W=1", "N=5 R=1 W=1", "within-versions", 0, 5},
		{"kv/pbs-versions", "pbs-versions", "N=5 R=2 W=2", "N=5 R=2 W=2", "within-versions", 0, 5},
	} {
		r := outcomeOf(t, c.scenario).Run
		p := plotOf(t, r, c.file)
		p.Y = []string{c.y}
		points, err := plot.Points(r, p, c.of)
		require.NoError(t, err)
		require.Len(t, points, c.points, c.scenario)
		for _, at := range points {
			y := law(t, p, c.law).At(at.X)
			if at.Low < at.High {
				seen.judge(t, stats.Interval{Low: at.Low, High: at.High}, y, y, fmt.Sprintf("%s: %s at %g", c.scenario, c.law, at.X))
				continue
			}
			assert.InDelta(t, y, at.Y, c.slack+1e-9, "%s: %s at %g, and %s", c.scenario, c.law, at.X, c.y)
		}
	}
	seen.check(t)
}

// TestStopsAgree: of the stops that strike between the check and the write, those break
// the lock that are longer than the TTL. Client-2 has it a little later: the key expires
// on a whole millisecond, client-2 asks a hundred times within a TTL, and its messages take
// 2 ms.
func TestStopsAgree(t *testing.T) {
	o := outcomeOf(t, "redlock/figure-gc-logs")
	s, r := o.original, o.Run
	require.Len(t, r.Variants, 130)
	seen := agreement{}
	for i, v := range s.Variants {
		ttl, err := time.ParseDuration(v.Settings[1].Value)
		require.NoError(t, err)
		stops := &v.Scenario.Config.Faults[0].For
		low, high := longer(stops, ttl+ttl/100+4*time.Millisecond), longer(stops, ttl-time.Millisecond)
		got := shareOf(t, r.Variants[i].Properties, "mutual-exclusion")
		seen.judge(t, stats.Interval{Low: got.Low, High: got.High}, low, high, fmt.Sprint(v.Settings))
	}
	seen.check(t)
}

// longer is the probability of more than a length.
func longer(d *sim.Dist, length time.Duration) float64 {
	const n = 1 << 16
	more := 0
	for i := range uint64(n) {
		if d.Sample(i<<48|1<<47) > length {
			more++
		}
	}
	return float64(more) / n
}

func shareOf(t *testing.T, list []reports.Property, name string) *reports.Share {
	t.Helper()
	for _, p := range list {
		if p.Name == name {
			require.NotNil(t, p.Share)
			return p.Share
		}
	}
	require.Fail(t, "no property "+name)
	return nil
}

func plotOf(t *testing.T, r *reports.Run, file string) *result.Plot {
	t.Helper()
	for i := range r.Plots {
		if r.Plots[i].File == file {
			p := r.Plots[i]
			return &p
		}
	}
	require.Fail(t, "no plot "+file)
	return nil
}

func law(t *testing.T, p *result.Plot, name string) *formula.Formula {
	t.Helper()
	for _, l := range p.Laws {
		if l.Name == name {
			f, err := formula.Parse(l.Formula)
			require.NoError(t, err)
			return f
		}
	}
	require.Fail(t, "no law "+name)
	return nil
}
