package main

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/reports"
	"fencepost/reports/plot"
	"fencepost/scenarios"
	"fencepost/sim"
	"fencepost/sim/formula"
)

// TestLawsAgree: what a proof says and what was simulated are the same: the closed form
// is within the interval of each point, or where there is none equal to it. It says which
// points of which plots it has judged.
func TestLawsAgree(t *testing.T) {
	runs := map[string]*reports.Run{}
	for _, c := range []struct {
		scenario, file, law, of string // the value of the series, "" without
		y                       string
		slack                   float64 // of a value without an interval
		points                  int
	}{
		{"lock/figure-pause", "pause", "no check", "no check", "P(no-lost-update)", 0, 7},
		{"lock/figure-pause", "pause", "check", "check", "P(no-lost-update)", 0, 7},
		{"lock/figure-pause", "pause", "check and fence", "check and fence", "P(no-lost-update)", 0, 7},
		{"lock/figure-pause", "pause", "no check", "check and fence", "P(mutual-exclusion)", 0, 7},
		{"lock/figure-renewal", "renewal", "every L/2", "every L/2", "P(mutual-exclusion)", 0, 9},
		{"lock/figure-renewal", "renewal", "every L/3", "every L/3", "P(mutual-exclusion)", 0, 9},
		{"lock/figure-renewal", "renewal", "every L/5", "every L/5", "P(mutual-exclusion)", 0, 9},
		{"lock/figure-clock-rate", "clock-rate", "end of the lease less end of the keys", "wall", "entitled-overlap", 2e6, 14}, // Redis counts milliseconds, and client-2 asks every 1.2 ms
		{"lock/figure-clock-rate", "clock-rate", "end of the lease less end of the keys", "boottime", "entitled-overlap", 2e6, 14},
		{"lock/figure-clock-rate", "clock-rate", "end of the lease less end of the keys", "monotonic", "entitled-overlap", 2e6, 14},
		{"lock/figure-split-votes", "split-votes", "the chance of three votes of five", "", "acquisitions", 0, 9},
		{"lock/figure-overlap", "overlap", "pause law", "", "overlap", 0, 12},
		{"clock/figure-mutex", "mutex-messages", "Lamport", "lamport", "messages-per-entry", 0, 7},
		{"clock/figure-mutex", "mutex-messages", "Ricart and Agrawala", "ricart-agrawala", "messages-per-entry", 0, 7},
		{"clock/figure-bytes", "clock-bytes", "the dense form, whoever sends", "", "bytes-per-message", 1, 21}, // a server that has had more than 127 events takes a second byte
		{"ratelimit/figure-lag", "overshoot-lag", "the limit and the requests of the lag", "", "worst-window", 0, 9},
		{"ratelimit/figure-skew", "overshoot-skew", "the limit and what one limiter is asked in the time between the clocks", "", "worst-window", 0, 9},
	} {
		r := runs[c.scenario]
		if r == nil {
			_, r = runOf(t, c.scenario)
			runs[c.scenario] = r
		}
		p := plotOf(t, r, c.file)
		p.Y = []string{c.y}
		points, err := plot.Points(r, p, c.of)
		require.NoError(t, err)
		require.Len(t, points, c.points, c.scenario)
		for _, at := range points {
			y := law(t, p, c.law).At(at.X)
			assert.True(t, at.Low-c.slack <= y && y <= at.High+c.slack || math.Abs(y-at.Y) < 1e-9,
				"%s: %s at %g is %g, and %s is %g (%g to %g)", c.scenario, c.law, at.X, y, c.y, at.Y, at.Low, at.High)
		}
	}
}

// runOf runs a scenario that ships.
func runOf(t *testing.T, name string, sets ...scenarios.Setting) (*scenarios.Scenario, *reports.Run) {
	t.Helper()
	s, err := scenarios.Load(name, scenarios.Options{Sets: sets})
	require.NoError(t, err)
	r, err := execute.Run(context.Background(), &execute.Plan{Scenario: s})
	require.NoError(t, err)
	return s, r
}

// TestStopsAgree: of the stops that strike between the check and the write, those break
// the lock that are longer than the TTL. Client-2 has it a little later: the key expires
// on a whole millisecond, client-2 asks a hundred times within a TTL, and its messages take
// 2 ms. Of 130 intervals of 95 %, 6 may miss.
func TestStopsAgree(t *testing.T) {
	s, r := runOf(t, "lock/figure-gc-logs", scenarios.Setting{Path: "runs", Value: "1000"})
	require.Len(t, r.Variants, 130)
	misses := 0
	for i, v := range s.Variants {
		ttl, err := time.ParseDuration(v.Settings[1].Value)
		require.NoError(t, err)
		stops := &v.Scenario.Config.Faults[0].For
		low, high := longer(stops, ttl+ttl/100+4*time.Millisecond), longer(stops, ttl-time.Millisecond)
		got := shareOf(t, r.Variants[i].Properties, "mutual-exclusion")
		if got.High < low || high < got.Low {
			misses++
			t.Logf("%v: %g to %g, want %g to %g", v.Settings, got.Low, got.High, low, high)
		}
	}
	assert.LessOrEqual(t, misses, 6)
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

func plotOf(t *testing.T, r *reports.Run, file string) *reports.Plot {
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

func law(t *testing.T, p *reports.Plot, name string) *formula.Formula {
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
