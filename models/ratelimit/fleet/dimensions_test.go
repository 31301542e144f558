package fleet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/dimensions"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// twoLimits are a global limit of 10 and one of 5 for each user, and an abuser who asks
// a hundred times before the victim asks five times.
func twoLimits(mode string, userFirst bool) Params {
	p := DefaultParams()
	p.Form = "dimensions"
	p.Dimensions.Mode = mode
	p.Dimensions.Limits = []dimensions.DimensionLimit{{Name: "global", Of: "all", Limit: 10}, {Name: "user", Of: "key", Limit: 5}}
	if userFirst {
		l := p.Dimensions.Limits
		l[0], l[1] = l[1], l[0]
	}
	p.Clients = []core.ClientParams{
		{Phases: []core.Phase{{At: time.Second, Count: ptr(100), Every: sim.Constant(10 * ms)}}},
		{Key: ptr(int64(2)), Phases: []core.Phase{{At: 10 * time.Second, Count: ptr(5), Every: sim.Constant(10 * ms)}}},
	}
	return p
}

// MD-01: what rejected requests are charged in the global limit is missing to others.
func TestAbuserAndVictim(t *testing.T) {
	for _, v := range []struct {
		id, mode       string
		userFirst      bool
		abuser, victim int64
	}{
		{"MD-01 global first, no refund", "seq-charge", false, 5, 0},
		{"MD-01 global first, refund", "seq-refund", false, 5, 5},
		{"MD-01 user first", "seq-charge", true, 5, 5},
		{"all checked, then all charged", "check-all", false, 5, 5},
		{"all charged, then all checked", "charge-all", false, 5, 0},
		{"reserved and confirmed", "reserve", false, 5, 5},
	} {
		t.Run(v.id, func(t *testing.T) {
			r := play(t, twoLimits(v.mode, v.userFirst))
			assert.Equal(t, v.abuser, r.Measure("client-1-admitted"))
			assert.Equal(t, v.victim, r.Measure("client-2-admitted"))
			r.Holds("dimension-limits", "one-answer")
			if v.victim > 0 {
				r.Holds("victim-served")
			} else {
				r.Violated("victim-served", at(10_000))
			}
		})
	}
}

// MD-02: the user's own limit comes first, and the global one is empty while the victim
// tries. What it was charged it does not get back, but with a refund.
func TestVictimOfAnEmptyLimit(t *testing.T) {
	for _, v := range []struct {
		id, mode string
		victim   int64
	}{{"MD-02 no refund", "seq-charge", 0}, {"MD-02 refund", "seq-refund", 5}} {
		t.Run(v.id, func(t *testing.T) {
			p := twoLimits(v.mode, true)
			p.Dimensions.Limits[0].Window = ptr(10 * time.Minute) // the user's
			p.Clients = []core.ClientParams{
				{Phases: []core.Phase{{At: time.Second, Burst: ptr(5)}}},
				{Key: ptr(int64(2)), Phases: []core.Phase{{At: time.Second, Burst: ptr(5)}}},
				{Key: ptr(int64(3)), Phases: []core.Phase{{At: 10 * time.Second, Burst: ptr(5)}, {At: 70 * time.Second, Burst: ptr(5)}}},
			}
			r := play(t, p)
			assert.Equal(t, v.victim, r.Measure("client-3-admitted"))
			assert.EqualValues(t, 10, r.Measure("client-1-admitted")+r.Measure("client-2-admitted"))
		})
	}
}

// RD-18: limits of 2, 5 and 10 in one script, four calls; nothing is charged on a
// rejection.
func TestCheckAllThenChargeAll(t *testing.T) {
	p := DefaultParams()
	p.Form = "dimensions"
	p.Dimensions.Mode = "check-all"
	for _, limit := range []int64{2, 5, 10} {
		p.Dimensions.Limits = append(p.Dimensions.Limits, dimensions.DimensionLimit{Limit: limit})
	}
	p.Clients = []core.ClientParams{{Phases: []core.Phase{{Count: ptr(4)}}}}
	r := play(t, p)
	assert.Equal(t, "AARR", r.verdicts("client-1"))
	assert.Contains(t, r.Trace(), "taken 1.3 dimension 1 rejected")
}

// lose loses each message of a kind.
func lose(kind sim.Kind) simtest.Change {
	return simtest.Disturb("", "", sim.Fault{Do: sim.Lose, Forever: true, Msg: sim.MsgChoice{Kind: kind}})
}

// TestLostRefund loses what gives back: the quota is lost until the window is over, and
// with a reservation until that is out of time.
func TestLostRefund(t *testing.T) {
	r := play(t, twoLimits("seq-refund", false), lose(message.Refund))
	assert.Zero(t, r.Measure("client-2-admitted"))
	r.Holds("dimension-limits")
	r = play(t, twoLimits("reserve", false), lose(message.Cancel))
	assert.EqualValues(t, 5, r.Measure("client-2-admitted"), "the reservations have lapsed 5 s after the abuser")
	p := twoLimits("reserve", false)
	p.Dimensions.TTL = 20 * time.Second
	assert.Zero(t, play(t, p, lose(message.Cancel)).Measure("client-2-admitted"))
}

// TestLostConfirmation is the unsafe side of a reservation: what was admitted lapses as if
// it had not been.
func TestLostConfirmation(t *testing.T) {
	p := twoLimits("reserve", true)
	p.Clients = []core.ClientParams{{Phases: []core.Phase{{At: time.Second, Burst: ptr(5)}, {At: 10 * time.Second, Burst: ptr(5)}}}}
	play(t, p, lose(message.Confirm)).Violated("dimension-limits", at(10_000))
	play(t, p).Holds("dimension-limits", "victim-served")
}

// TestDimensionMutants: each property of dimensions has a mutant that violates it.
func TestDimensionMutants(t *testing.T) {
	p := twoLimits("check-all", false)
	with := func(step otherwise) func() sim.System[message.Msg] {
		return func() sim.System[message.Msg] {
			s := p.System()
			s.Nodes[2] = sim.Place[message.Msg]("limiter-1", mutant{fault: step})
			return s
		}
	}
	play(t, p).Holds("dimension-limits", "victim-served")
	playSystem(t, with(generous{})).Violated("dimension-limits", at(1_050))
	playSystem(t, with(grumpy{})).Violated("victim-served", at(1_000))
}

func TestDimensionProblems(t *testing.T) {
	p := DefaultParams()
	p.Form = "dimensions"
	p.Dimensions.TTL = -1
	p.Dimensions.Limits = []dimensions.DimensionLimit{{Limit: 0}, {Limit: 1, Window: ptr(time.Duration(0))}}
	var got []string
	for _, found := range p.Problems() {
		got = append(got, found.Path+": "+found.Message)
	}
	assert.Equal(t, []string{
		"dimensions.limits.0.limit: want 1 to 1099511627776, got 0",
		"dimensions.limits.1.window: want 1ns to 10000h0m0s, got 0s",
		"dimensions.ttl: want 1ns to 10000h0m0s, got -1ns",
	}, got)
	p = DefaultParams()
	p.Form = "dimensions"
	require.Len(t, p.Problems(), 1, "no limits")
}
