package fleet

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/simtest"
)

// three are regions with 100 a minute between them, and 100 requests a second each.
func three(every time.Duration) Params {
	p := DefaultParams()
	p.Form, p.Limiters, p.Regions.Every = "regions", 3, every
	for to := 1; to <= 3; to++ {
		p.Clients = append(p.Clients, core.ClientParams{Route: "fixed", To: to, Phases: []core.Phase{{Every: sim.Constant(10 * ms), Count: ptr(0)}}})
	}
	return p
}

// "3 regions, 100 rps each, L=100/min, replicate every 100, 500, 1000, 2000 ms: 120,
// 150, 300, 300"
func TestRegionVectors(t *testing.T) {
	for every, want := range map[time.Duration]int64{100 * ms: 120, 500 * ms: 150, 1000 * ms: 300, 2000 * ms: 300} {
		t.Run(fmt.Sprintf("MR-01 %v", every), func(t *testing.T) {
			r := play(t, three(every), simtest.Until(at(10_000)))
			assert.Equal(t, want, r.Measure("admitted"))
			assert.Equal(t, want, r.Measure("worst-window"))
			r.Holds("no-false-rejection", "one-answer")
		})
	}
}

// "Partition: R*L per window"; a window later, and healed, it is as before.
func TestRegionPartition(t *testing.T) {
	all := simtest.Part(sim.Fault{Do: sim.Cut, For: sim.Constant(time.Minute)}, []string{"region-1"}, []string{"region-2"}, []string{"region-3"})
	r := play(t, three(100*ms), simtest.Until(at(62_000)), all)
	assert.EqualValues(t, 300+120, r.Measure("admitted"))
	assert.EqualValues(t, 300, r.Measure("worst-window"))
}

// A counter that only grows does not mind what a network does to it.
func TestRegionLostAndDoubled(t *testing.T) {
	double := tamper(sim.Duplicate, message.Gossip, "region-1", 0)
	lose := tamper(sim.Lose, message.Gossip, "region-2", 1)
	r := play(t, three(100*ms), simtest.Until(at(10_000)), double, lose)
	assert.EqualValues(t, 120, r.Measure("admitted"))
}

// "static L/R (0 overshoot, under-admission for a roaming or skewed user), weighted
// shares, home region by user (adds RTT)"
func TestRegionFixes(t *testing.T) {
	p := three(time.Second)
	p.Regions.Shares = []int64{1, 1, 1}
	assert.EqualValues(t, 99, play(t, p, simtest.Until(at(10_000))).Measure("admitted"), "100/3 three times")

	p.Regions.Shares = []int64{34, 33, 33}
	r := play(t, p, simtest.Until(at(10_000)))
	assert.EqualValues(t, 100, r.Measure("admitted"))
	r.Holds("window-limit", "no-false-rejection")

	p.Clients = p.Clients[:1]
	r = play(t, p, simtest.Until(at(10_000)))
	assert.EqualValues(t, 34, r.Measure("admitted"), "a user who is in one region")
	r.Violated("no-false-rejection", at(340))

	p.Regions.Shares = []int64{8, 1, 1}
	assert.EqualValues(t, 80, play(t, p, simtest.Until(at(10_000))).Measure("admitted"))

	p = three(time.Second)
	p.Regions.Home = true
	r = play(t, p, simtest.Until(at(10_000)), simtest.Delay(40*ms))
	assert.EqualValues(t, 100, r.Measure("admitted"))
	r.Holds("window-limit", "no-false-rejection", "one-answer")
	assert.Contains(t, r.Trace(), "region-2")
}

// What a message says is old if it is less than what is known, or of another window.
func TestRegionOldNews(t *testing.T) {
	r := play(t, three(100*ms), simtest.Until(at(10_000)), echoed(message.Gossip, 0, 250*ms))
	assert.EqualValues(t, 120, r.Measure("admitted"), "a smaller count comes later")
	r = play(t, three(100*ms), simtest.Until(at(62_000)), echoed(message.Gossip, 0, 59_900*ms))
	assert.EqualValues(t, 240, r.Measure("admitted"), "of the window before")
	back := simtest.Inject("region-1", sim.Fault{Do: sim.StepClock, When: sim.When{At: at(5_000)}, By: -time.Minute})
	r = play(t, three(100*ms), simtest.Until(at(10_000)), back)
	assert.EqualValues(t, 120, r.Measure("admitted"), "a clock that goes back opens no window")
}

// A region knows what the others have told it before it is asked for the first time.
func TestRegionHearsFirst(t *testing.T) {
	p := three(100 * ms)
	p.Clients[0].Cost, p.Clients[1].Phases = ptr(int64(101)), []core.Phase{burst(5*time.Second, 10)}
	r := play(t, p, simtest.Until(at(10_000)))
	assert.EqualValues(t, 0, r.Measure("client-2-admitted"))
	assert.EqualValues(t, 100, r.Measure("client-3-admitted"))
	assert.Contains(t, r.Log(), "region-1 rejects client-1 forever: a cost of 101 is more than is ever admitted")
}

func TestRegionProblems(t *testing.T) {
	p := three(time.Microsecond)
	p.Algorithm.Algorithm, p.Share = "gcra", "divided"
	p.Regions.Shares, p.Regions.Home = []int64{0, 0}, true
	assert.ElementsMatch(t, []model.ValidationError{
		{Path: "algorithm", Message: "regions count windows: want fixed-window, got gcra"},
		{Path: "share", Message: "regions divide the limit by regions.shares"},
		{Path: "regions.every", Message: "want 1ms to 10000h0m0s, got 1µs"},
		{Path: "regions.shares", Message: "want one for each of 3 regions, got 2"},
		{Path: "regions.home", Message: "a home region decides alone: regions have no shares"},
		{Path: "regions.shares", Message: "want one share above 0"},
	}, p.Problems())
	p = three(time.Second)
	p.Regions.Shares = []int64{-1, 1, 1_000_001}
	assert.ElementsMatch(t, []model.ValidationError{
		{Path: "regions.shares.0", Message: "want 0 to 1000000, got -1"},
		{Path: "regions.shares.2", Message: "want 0 to 1000000, got 1000001"},
	}, p.Problems())
}
