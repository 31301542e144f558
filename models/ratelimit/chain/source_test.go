package chain

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// different is how many of the runs of five seeds are, each step done twice.
func different(t *testing.T, p Params, calm bool) int {
	t.Helper()
	require.Empty(t, p.Problems())
	var n notes
	program := sim.NewProgram(func() sim.System[Msg] {
		s := p.System()
		s.Meters = append(s.Meters, &n)
		return s
	})
	way := sim.Network{Default: sim.Link{Delay: sim.Constant(5 * ms)}} // nothing fails before there is a generator
	w, err := program.NewWorld(sim.Config{Until: at(30_000), Network: way, Twice: true, Minimal: calm})
	require.NoError(t, err)
	runs := map[sim.Digest]bool{}
	for seed := range uint64(5) {
		require.Nil(t, w.Run(1000*seed).Panic)
		runs[n.digest] = true
	}
	return len(runs)
}

// notes folds every note of a run, with its instant.
type notes struct{ digest sim.Digest }

func (n *notes) Reset(*sim.View[Msg]) { n.digest = 0 }
func (n *notes) End(*sim.View[Msg])   {}
func (n *notes) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	n.digest = o.Msg.Fold(n.digest).Fold(uint64(v.Now()), uint64(o.Node))
}

// What is drawn depends on the seed of the run, unless the generators are given: then all
// runs are one. So they are where no generator is needed, and where every draw is minimal.
func TestGeneratorsAreOfTheSeed(t *testing.T) {
	const all, one = 5, 1
	for _, v := range []struct {
		name string
		want int
		set  func(*Params)
	}{
		{"full", all, func(p *Params) { p.Retry.Backoff = "full" }},
		{"equal", all, func(p *Params) { p.Retry.Backoff = "equal" }},
		{"decorrelated", all, func(p *Params) { p.Retry.Backoff = "decorrelated" }},
		{"jitter", all, func(p *Params) { p.Limiter.RetryAfter, p.Retry.Jitter = "seconds", time.Second }},
		{"layer", all, func(p *Params) { p.Layers, p.LayerRetry = 1, &RetryParams{Attempts: 3, Backoff: "full"} }},
		{"adaptive", all, func(p *Params) { adaptive(p) }},
		{"adaptive, and nothing but timeouts", all, func(p *Params) { adaptive(p); p.Limiter.Silent = true }},
		{"adaptive, in the first millisecond", all, func(p *Params) {
			adaptive(p)
			p.Rate, p.Operations, p.Limiter.Capacity = []traffic.Rate{perSecond(50_000)}, []int{20}, 1
		}},
		{"fixed", one, func(*Params) {}},
		{"jitter below a grain", one, func(p *Params) { p.Limiter.RetryAfter, p.Retry.Jitter = "seconds", 1 }},
		{"jitter of what is ignored", one, func(p *Params) { p.Retry.RetryAfter = "ignored" }},
		{"one attempt", one, func(p *Params) { p.Retry = RetryParams{Attempts: 1, Backoff: "full"} }},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := herd(RetryParams{Attempts: 4, Backoff: "fixed"})
			p.Clients, p.Limiter.RetryAfter = 20, "none"
			v.set(&p)
			assert.Equal(t, v.want, different(t, p, false))
			assert.Equal(t, one, different(t, p, true), "calm")
			p.Source = ptr(7)
			assert.Equal(t, one, different(t, p, false), "source 7")
		})
	}
}

func adaptive(p *Params) {
	p.Clients, p.Retry = 2, RetryParams{Attempts: 1, Adaptive: 20}
	p.Rate, p.Operations = []traffic.Rate{perSecond(100)}, []int{500}
}

// A client has its generator after a millisecond: from then on it decides at once. What
// fails before waits for it.
func TestWhenGeneratorsAreDrawn(t *testing.T) {
	p := herd(RetryParams{Attempts: 2, Backoff: "full"})
	p.Clients, p.Stagger, p.Limiter.Capacity, p.Limiter.RetryAfter = 2, 0, 1, "none"
	decided := func(change ...simtest.Change) (when []sim.Time) {
		for _, m := range play(t, p, at(10_000), append(change, twice)...).Moments {
			if strings.Contains(m.Text, "client-2 will call again in") {
				when = append(when, m.At)
			}
		}
		return when
	}
	assert.Equal(t, []sim.Time{at(10)}, decided(simtest.Delay(5*ms)))
	soon := decided()
	require.Len(t, soon, 1)
	assert.Positive(t, soon[0])
	assert.Less(t, soon[0], sim.Time(1<<20))
}
