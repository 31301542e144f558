package fleet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/ratelimit/fleet/balancer"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// balanced are four limiters of 100 a minute behind a balancer.
func balanced(set func(*balancer.Params)) Params {
	p := DefaultParams()
	p.Form, p.Limiters = "balancer", 4
	set(&p.Balancer)
	return p
}

// every is so many requests, 10 ms apart.
func every(at time.Duration, count int) core.Phase {
	return core.Phase{At: at, Count: &count, Every: sim.Constant(10 * ms)}
}

func TestLocalVectors(t *testing.T) {
	for _, v := range []struct {
		id       string
		set      func(*Params)
		admitted int64
	}{
		{"ST-02 whole", func(p *Params) { p.Limit = 100 }, 400},
		{"ST-02 divided", func(p *Params) { p.Limit, p.Share = 10, "divided" }, 8},
	} {
		t.Run(v.id, func(t *testing.T) {
			p := DefaultParams()
			p.Limiters = 4
			v.set(&p)
			p.Clients = []core.ClientParams{{Phases: []core.Phase{{At: time.Second, Burst: ptr(1000)}}}}
			assert.Equal(t, v.admitted, play(t, p).Measure("admitted"))
		})
	}
	t.Run("ST-03", func(t *testing.T) {
		p := balanced(func(b *balancer.Params) { b.Stick = "cookie" })
		for range 3 {
			p.Clients = append(p.Clients, core.ClientParams{Phases: []core.Phase{every(0, 200)}})
		}
		assert.EqualValues(t, 300, play(t, p).Measure("admitted"))
		p.Balancer.Stick = "key"
		assert.EqualValues(t, 100, play(t, p).Measure("admitted"))
	})
}

// TestBalancerTakesTurns: round robin is even, and n limiters admit n limits.
func TestBalancerTakesTurns(t *testing.T) {
	p := balanced(func(*balancer.Params) {})
	p.Clients = []core.ClientParams{{Phases: []core.Phase{every(0, 1000)}}, {Phases: []core.Phase{every(0, 1000)}}}
	r := play(t, p, simtest.Delay(ms))
	assert.EqualValues(t, 400, r.Measure("admitted"))
	assert.EqualValues(t, 1000, r.Measure("limiter-jain-index"))
	r.Holds("one-answer")
}

// TestBalancerHealth: a limiter that crashes is taken out when it has not said for a
// second that it lives. Until then what it is sent is lost, and the balancer answers it.
func TestBalancerHealth(t *testing.T) {
	p := balanced(func(b *balancer.Params) { b.Stick = "key" })
	p.Limit = 10_000
	p.Clients = []core.ClientParams{{Phases: []core.Phase{{Count: ptr(1000), Every: sim.Constant(20 * ms)}}}}
	r := play(t, p, simtest.Delay(ms), simtest.Inject("limiter-3", sim.Fault{Do: sim.Crash, When: sim.When{At: at(5_500)}, For: sim.Constant(5 * time.Second)}))
	r.Holds("one-answer")
	asked, admitted := r.Measure("asked"), r.Measure("admitted")
	assert.EqualValues(t, 1000, asked)
	// Down from 5.5 s; asked at 6 s for the first time in vain, and taken out at 7 s.
	assert.InDelta(t, asked-1_500/20, admitted, 1)
	assert.EqualValues(t, 2, r.Measure("moved-keys"), "away at 7 s, and back when it has said at 11 s that it lives")
}

// TestCookieOfTheDead: a device whose limiter is gone gets another, and keeps it.
func TestCookieOfTheDead(t *testing.T) {
	p := balanced(func(b *balancer.Params) { b.Stick = "cookie" })
	p.Limit = 10
	p.Clients = []core.ClientParams{{Phases: []core.Phase{every(0, 20), every(10*time.Second, 20), every(20*time.Second, 20)}}}
	r := play(t, p, simtest.Delay(ms), simtest.Inject("limiter-1", sim.Fault{Do: sim.Crash, When: sim.When{At: at(5_000)}, For: sim.Constant(10 * time.Second)}))
	assert.EqualValues(t, 20, r.Measure("admitted"), "ten of limiter-1 and ten of limiter-2, with which it stays")
	r.Holds("one-answer")
}

// TestNobodyLives: where there is no limiter the balancer rejects.
func TestNobodyLives(t *testing.T) {
	p := balanced(func(*balancer.Params) {})
	p.Limiters = 1
	p.Clients = []core.ClientParams{{Phases: []core.Phase{every(10*time.Second, 5)}}}
	r := play(t, p, simtest.Delay(ms), simtest.Inject("limiter-1", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(1_000)}}))
	assert.Equal(t, "RRRRR", r.verdicts("client-1"))
	assert.Zero(t, r.Measure("rejected"), "by no limit")
}

// TestScaleOut is what a change of the members does to their shares: told late, the new
// ones have those of before.
func TestScaleOut(t *testing.T) {
	for announce, admitted := range map[time.Duration]int64{0: 150, 10 * time.Second: 200} {
		p := balanced(func(b *balancer.Params) {
			b.Members, b.Announce, b.Scale = 2, announce, []balancer.ScaleParams{{At: 10 * time.Second, To: 4}}
		})
		p.Share = "divided"
		p.Clients = []core.ClientParams{{Phases: []core.Phase{{At: 5 * time.Second, Burst: ptr(100)}, {At: 15 * time.Second, Burst: ptr(200)}}}}
		assert.Equal(t, admitted, play(t, p, simtest.Until(at(59_000))).Measure("admitted"), announce)
	}
}

func TestBalancerProblems(t *testing.T) {
	for _, v := range []struct {
		set  func(*Params)
		want []string
	}{
		{func(*Params) {}, nil},
		{func(p *Params) {
			p.Balancer = balancer.Params{Members: 5, Health: 0, Announce: -1, Scale: []balancer.ScaleParams{{At: -1, To: 0}}}
		}, []string{
			"balancer.members: want 1 to 4, got 5", "balancer.health: want 1ms to 10000h0m0s, got 0s", "balancer.announce: want 0s to 10000h0m0s, got -1ns",
			"balancer.scale.0.to: want 1 to 4, got 0", "balancer.scale.0.at: want 0s to 10000h0m0s, got -1ns",
		}},
		{func(p *Params) { p.Clients = []core.ClientParams{{Route: "key"}} }, []string{"clients.0.route: the balancer chooses the limiter: want none"}},
		{func(p *Params) { p.Algorithm.Algorithm, p.Share = "gcra", "divided" },
			[]string{"share: the limit of gcra cannot change on its way: want fixed-window, anchored-window, sliding-log, sliding-counter or sub-windows"}},
	} {
		p := balanced(func(*balancer.Params) {})
		v.set(&p)
		var got []string
		for _, found := range p.Problems() {
			got = append(got, found.Path+": "+found.Message)
		}
		assert.Equal(t, v.want, got)
	}
}
