package pbs

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// published is a row of table 4 of Bailis et al., VLDB 2012, for N=3, in milliseconds: the
// 99.9th percentiles of the latencies, and the t-visibility at 99.9%.
type published struct {
	fit                  string
	r, w                 int
	read, write, visible float64
}

var table4 = []published{
	{"lnkd-ssd", 1, 1, 0.66, 0.66, 1.85}, {"lnkd-ssd", 1, 2, 0.66, 1.63, 1.79}, {"lnkd-ssd", 2, 1, 1.63, 0.65, 0},
	{"lnkd-ssd", 2, 2, 1.62, 1.64, 0}, {"lnkd-ssd", 3, 1, 4.14, 0.65, 0}, {"lnkd-ssd", 1, 3, 0.65, 4.09, 0},
	{"lnkd-disk", 1, 1, 0.66, 10.99, 45.5}, {"lnkd-disk", 1, 2, 0.65, 20.97, 43.3}, {"lnkd-disk", 2, 1, 1.63, 10.9, 13.6},
	{"lnkd-disk", 2, 2, 1.64, 20.96, 0}, {"lnkd-disk", 3, 1, 4.12, 10.89, 0}, {"lnkd-disk", 1, 3, 0.65, 112.65, 0},
	{"ymmr", 1, 1, 5.58, 10.83, 1364}, {"ymmr", 1, 2, 5.61, 427.12, 1352}, {"ymmr", 2, 1, 32.6, 10.73, 202},
	{"ymmr", 2, 2, 33.18, 428.11, 0}, {"ymmr", 3, 1, 219.27, 10.79, 0}, {"ymmr", 1, 3, 5.63, 1870.86, 0},
	{"wan", 1, 1, 3.4, 55.12, 113}, {"wan", 1, 2, 3.4, 167.64, 0}, {"wan", 2, 1, 151.3, 56.36, 30.2},
	{"wan", 2, 2, 151.31, 167.72, 0}, {"wan", 3, 1, 153.86, 55.19, 0}, {"wan", 1, 3, 3.44, 241.55, 0},
}

// Table 4: latencies are as published within 8%, which is what the tails leave open with
// 200,000 trials. The t-visibility is 0 where it is there; elsewhere it is not less than
// published by more than 5%, and at most a quarter above: see TestFirstCrossingIsEarly.
func TestTable4(t *testing.T) {
	for _, want := range table4 {
		t.Run(fmt.Sprintf("%s R=%d W=%d", want.fit, want.r, want.w), func(t *testing.T) {
			_, got := run(t, func(p *Params) {
				p.Latency.Fit, p.Read, p.Write, p.Trials = want.fit, want.r, want.w, 200_000
				if want.fit == "ymmr" {
					p.Latency.Write = withAlpha(t)
				}
			})
			assert.InEpsilon(t, want.read, float64(got["read-p99.9"])/1e6, 0.08, "read")
			assert.InEpsilon(t, want.write, float64(got["write-p99.9"])/1e6, 0.08, "write")
			if visible := float64(got["t-visibility-p99.9"]) / 1e6; want.visible == 0 {
				assert.Zero(t, visible, "t-visibility")
			} else {
				assert.GreaterOrEqual(t, visible, 0.95*want.visible, "t-visibility")
				assert.LessOrEqual(t, visible, 1.25*want.visible, "t-visibility")
			}
		})
	}
}

// withAlpha is the writes of Yammer with the alpha of the published program, 3.5, from which
// the published numbers come; table 3 prints 3.35.
func withAlpha(t *testing.T) *sim.Dist {
	body, err := sim.Pareto(3*ms, 3_500_000)
	require.NoError(t, err)
	d, err := sim.Mix(sim.Part{Share: 939_000_000, Of: body}, sim.Part{Share: 61_000_000, Of: sim.Exponential(357142857)})
	require.NoError(t, err)
	return &d
}

// "YMMR had a 89.3% chance of consistency, LNKD-SSD had a 97.4% chance, and LNKD-DISK had a
// 43.9% chance. Ten milliseconds after write commit, YMMR had a 93.9% chance [...] and
// LNKD-DISK had a 92.5% chance"; WAN 33%. Source: section 5.6. As in the program of the paper
// and not as printed, YMMR has an alpha of 3.5; with 3.35 the 89.3% are 88.7%.
func TestChanceOfConsistency(t *testing.T) {
	const n = 200_000
	for _, c := range []struct {
		fit       string
		own       *sim.Dist
		at0, at10 float64 // in percent; 0: not published
	}{
		{"lnkd-ssd", nil, 97.4, 100}, {"lnkd-disk", nil, 43.9, 92.5}, {"ymmr", withAlpha(t), 89.3, 93.9}, {"wan", nil, 33, 0},
		{"ymmr", nil, 88.7, 93.9},
	} {
		_, got := run(t, func(p *Params) {
			p.Latency.Fit, p.Latency.Write, p.Trials, p.T = c.fit, c.own, n, []time.Duration{0, 10 * ms}
		})
		assert.InDelta(t, c.at0, 100*float64(got["fresh"])/n, 0.5, "%s at 0", c.fit)
		if c.at10 > 0 {
			assert.InDelta(t, c.at10, 100*float64(got["fresh/10ms"])/n, 0.3, "%s at 10 ms", c.fit)
		}
	}
}

// The published program tries t in steps, with 50,000 new trials for each, and takes the
// first at which at most one in a thousand is stale. It finds 1.85 ms for LNKD-SSD with
// R = W = 1, and so does this; the quantile is 1.96 ms.
func TestFirstCrossingIsEarly(t *testing.T) {
	d, _ := Fit("lnkd-ssd")
	trials, next := NewTrials(d, Quorums{3, 1, 1}, 1), uint64(0)
	const step, each = 10 * time.Microsecond, 50_000
	for at := 1600 * time.Microsecond; ; at += step {
		stale := 0
		for range each {
			if trials.Trial(next).Visible > at {
				stale++
			}
			next++
		}
		if 1000*stale <= each {
			assert.InDelta(t, 1.85, at.Seconds()*1000, 0.07)
			break
		}
	}
	_, got := run(t, func(p *Params) { p.Latency.Fit, p.Trials = "lnkd-ssd", 1_000_000 })
	assert.InDelta(t, 1.96, float64(got["t-visibility-p99.9"])/1e6, 0.03)
}
