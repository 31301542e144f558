package ntp

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// The test vectors P-01 to P-07 in runs. P-01 to P-07 as arithmetic are
// tests of models/clock.

// drifting is a client that nobody corrects.
func drifting(t *testing.T, rate sim.PPB, length time.Duration) time.Duration {
	t.Helper()
	r := play(t, params(func(p *Params) { p.Discipline, p.Poll, p.Drift = "none", 10*time.Minute, 1_000_000 }),
		simtest.Clock("client-1", sim.Clock{Rate: rate}), simtest.Until(sim.Time(length)))
	r.Holds("within-bound", "no-falseticker", "monotonic")
	return time.Duration(r.Measure("client-1-ahead"))
}

// TestVectors are the vectors of the specification by their ids:
//
//	go test -run TestVectors/P-01
func TestVectors(t *testing.T) {
	for _, v := range []struct {
		id   string
		test func(*testing.T)
	}{
		{"P-01", vectorP01}, {"P-02", vectorP02}, {"P-03", vectorP03}, {"P-04", vectorP04}, {"P-05", vectorP05},
		{"P-06", vectorP06}, {"P-07", vectorP07},
	} {
		t.Run(v.id, v.test)
	}
}

func vectorP01(t *testing.T) {
	assert.Equal(t, time.Millisecond, drifting(t, 1_000_000, time.Second), "1 ms/s")
	assert.Equal(t, 86_400*ms, drifting(t, 1_000_000, 24*time.Hour), "is 86.4 s a day")
}

func vectorP02(t *testing.T) {
	for _, v := range []struct {
		ppm        sim.PPB
		day, lease time.Duration
	}{
		{20, 1728 * ms, 600 * time.Microsecond}, {50, 4320 * ms, 1500 * time.Microsecond}, {100, 8640 * ms, 3 * ms},
		{200, 17_280 * ms, 6 * ms}, {500, 43_200 * ms, 15 * ms},
	} {
		t.Run(fmt.Sprint(v.ppm, "ppm"), func(t *testing.T) {
			assert.Equal(t, v.day, drifting(t, v.ppm*1000, 24*time.Hour))
			assert.Equal(t, v.lease, drifting(t, v.ppm*1000, 30*time.Second))
			assert.Equal(t, -v.day, drifting(t, -v.ppm*1000, 24*time.Hour))
		})
	}
}

func vectorP03(t *testing.T) {
	for _, v := range []struct {
		discipline   string
		offset, want time.Duration
	}{
		{"ntpd", 128 * ms, 256 * time.Second}, {"ntpd", time.Second, 2000 * time.Second}, {"ntpd", 10 * time.Second, 20_000 * time.Second},
		{"chrony", time.Second, 12_000_000_048}, // 83 333 333 ppb, rounded: 12.000 s
	} {
		for _, sign := range []time.Duration{1, -1} {
			t.Run(fmt.Sprint(v.discipline, " ", sign*v.offset), func(t *testing.T) {
				r := play(t, params(func(p *Params) {
					p.Discipline = v.discipline
					if v.discipline == "ntpd" {
						p.Threshold = ptr(600 * time.Second) // ntpd -x
					}
				}), simtest.Clock("client-1", sim.Clock{Offset: sign * v.offset}), simtest.Until(at(21_000_000)), simtest.Once())
				assert.Equal(t, v.want, time.Duration(r.Measure("slew-time")))
				assert.EqualValues(t, 1, r.Measure("slews"), "a poll in the midst changes nothing")
				assert.Zero(t, r.Measure("error-at-end"))
				r.Holds("monotonic", "within-bound")
			})
		}
	}
}

// once is a client that polls once and does nothing about it.
func once(p *Params) {
	p.Polls, p.Discipline, p.Work = 1, "none", sim.Constant(2*ms)
}

func vectorP04(t *testing.T) {
	r := play(t, params(func(p *Params) { once(p); p.Start = []time.Duration{1050 * ms} }),
		simtest.Delay(100*ms), simtest.Clock("client-1", sim.Clock{Offset: -50 * ms}))
	assert.Equal(t, 50*ms, time.Duration(r.Measure("offset")))
	assert.Equal(t, 200*ms, time.Duration(r.Measure("delay")))
	assert.Zero(t, r.Measure("offset-error"))
	assert.Contains(t, r.Trace(), "reply 1, came at 1.150s, left at 1.152s", "t1 and t2")
	r.Logs("1.252s client-1 takes its clock to be 50ms behind by server-1, give or take 100ms")
	r.Holds("within-bound", "no-falseticker")
}

func vectorP05(t *testing.T) {
	r := play(t, params(func(p *Params) { once(p); p.Start = []time.Duration{time.Second} }),
		way("client-1", "server-1", 100*ms), way("server-1", "client-1", 20*ms))
	assert.Equal(t, 40*ms, time.Duration(r.Measure("offset")), "and the true offset is 0")
	assert.Equal(t, 120*ms, time.Duration(r.Measure("delay")))
	assert.Equal(t, 40*ms, time.Duration(r.Measure("offset-error")))
	assert.Contains(t, r.Trace(), "reply 1, came at 1.100s, left at 1.102s")
	r.Logs("1.122s client-1 takes its clock to be 40ms behind by server-1, give or take 60ms")
	r.Holds("within-bound", "no-falseticker")
}

// S4, section 9.1: "t=1000ms, the message takes 100ms, the receiver gets it at
// t=1100ms (but the local clock is already 1050ms!)". One reading cannot separate offset
// from delay: table A, row 23.
func TestOneReading(t *testing.T) {
	for _, v := range []struct{ behind, travels, ahead time.Duration }{{50 * ms, 100 * ms, -100 * ms}, {0, 50 * ms, -50 * ms}, {-50 * ms, 0, 0}} {
		r := play(t, params(func(p *Params) { p.Mode, p.Polls, p.Start = "broadcast", 1, []time.Duration{time.Second} }),
			simtest.Delay(v.travels), simtest.Clock("client-1", sim.Clock{Offset: -v.behind}))
		assert.Equal(t, -50*ms, time.Duration(r.Measure("offset")), "1000 at 1050, whatever the truth is")
		assert.Equal(t, v.travels, time.Duration(r.Measure("offset-error")), "wrong by as long as it took")
		assert.Equal(t, v.ahead, time.Duration(r.Measure("client-1-ahead")))
	}
	r := play(t, params(func(p *Params) {
		p.Mode, p.Polls, p.Start, p.Assumed = "broadcast", 1, []time.Duration{time.Second}, 100*ms
	}), simtest.Delay(100*ms), simtest.Clock("client-1", sim.Clock{Offset: -50 * ms}))
	assert.Equal(t, 50*ms, time.Duration(r.Measure("offset")), "who knows the delay knows the offset")
	r.Holds("within-bound", "no-falseticker")
}

func vectorP06(t *testing.T) {
	rate := sim.PPB(-clock.SmearRate(time.Second, 24*time.Hour))
	assert.EqualValues(t, -11_574, rate)
	p := params(func(p *Params) { p.Servers, p.Discipline, p.Drift, p.Epsilon = 2, "none", 0, time.Minute })
	step := simtest.Inject("server-1", sim.Fault{Do: sim.StepClock, By: -time.Second, When: sim.When{At: at(12 * 3_600_000)}})
	smear := func(from int64) simtest.Change {
		return simtest.Inject("server-2", sim.Fault{Do: sim.SetRate, Rate: rate, For: sim.Constant(24 * time.Hour), When: sim.When{At: at(from * 3_600_000)}})
	}
	r := play(t, p, step, smear(0), simtest.Until(at(24*3_600_000)), simtest.Once())
	assert.InDelta(t, 500*ms, r.Measure("servers-apart"), float64(ms), "noon to noon")
	r = play(t, p, step, smear(12), simtest.Until(at(37*3_600_000)), simtest.Once())
	assert.Equal(t, time.Second, time.Duration(r.Measure("servers-apart")), "from the leap on")
}

// 10 000 local ms take 10 909.1 and 9 230.8 true ms at a twelfth slow and fast.
func vectorP07(t *testing.T) {
	for rate, want := range map[sim.PPB]time.Duration{-83_333_333: 10_909_100 * time.Microsecond, 83_333_333: 9_230_800 * time.Microsecond} {
		r := play(t, params(func(p *Params) { once(p); p.Start, p.Work = []time.Duration{10 * time.Second}, sim.Dist{} }),
			simtest.Delay(0), simtest.Clock("client-1", sim.Clock{Rate: rate}))
		assert.Equal(t, want, time.Duration(r.Moments[0].At).Round(100*time.Microsecond), r)
	}
}
