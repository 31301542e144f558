package ntp

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// What is checked, and what is not; and corners of what a client does.

// ahead is a server that tells more than its clock shows.
type ahead struct {
	Server
	By time.Duration
}

func (a *ahead) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	in.Wall = in.Wall.Add(a.By)
	a.Server.Step(in, out)
}

// Half of the delay is the bound, and not all of it: here 5 ms.
func TestHalfTheDelay(t *testing.T) {
	const (
		sample = 5*ms + rounding          // what a sample may be wrong
		belief = sample + 1000 + rounding // and what the client allows for: a clock 100 ppm fast, for 10 ms
	)
	for _, v := range []struct {
		by                  time.Duration
		within, falseticker sim.Verdict
	}{
		{sample, sim.Holds, sim.Holds}, {sample + 1, sim.Violated, sim.Holds},
		{belief, sim.Violated, sim.Holds}, {belief + 1, sim.Violated, sim.Violated},
		{-sample, sim.Holds, sim.Holds}, {-sample - 1, sim.Violated, sim.Holds},
		{-belief, sim.Violated, sim.Holds}, {-belief - 1, sim.Violated, sim.Violated},
	} {
		p := params(func(*Params) {})
		r := playSystem(t, func() sim.System[Msg] {
			s := p.System()
			s.Nodes[0] = sim.Place[Msg]("server-1", ahead{By: v.by})
			return s
		})
		assert.Equal(t, v.within, r.Finding("within-bound").Verdict, "%v", v.by)
		assert.Equal(t, v.falseticker, r.Finding("no-falseticker").Verdict, "%v", v.by)
	}
}

// A server that is nearly right is right, and its error is added to the bound; one that is
// wrong is not checked.
func TestWhichServersAreChecked(t *testing.T) {
	near := play(t, params(func(*Params) {}), simtest.Delay(0), simtest.Clock("server-1", sim.Clock{Offset: ms}))
	near.Holds("within-bound", "no-falseticker")
	wrong := play(t, params(func(*Params) {}), simtest.Delay(0), simtest.Clock("server-1", sim.Clock{Offset: ms + 1}))
	assert.Equal(t, sim.NotExercised, wrong.Finding("within-bound").Verdict)
	half := play(t, params(func(p *Params) { p.Servers = 2 }), simtest.Clock("server-1", sim.Clock{Offset: time.Second}))
	assert.Equal(t, sim.NotExercised, half.Finding("no-falseticker").Verdict, "one of two is not most of them")
}

// A right server that is silent counts as right for eight polls, as long as the client has
// a sample of it, and no longer. Server-2 turns wrong, server-1 stays right.
func TestSilentServers(t *testing.T) {
	turns := func(wrong int64) *simtest.Played {
		return play(t, params(func(p *Params) { p.Servers, p.Epsilon = 3, time.Hour }),
			simtest.Disturb("", "server-3", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: Request}, When: sim.When{At: at(1000)}}),
			simtest.Inject("server-2", sim.Fault{Do: sim.StepClock, By: 500 * ms, When: sim.When{At: at(wrong)}}))
	}
	turns(100_000).Violated("no-falseticker", at(128_010))
	turns(440_000).Violated("no-falseticker", at(448_010)) // the eighth poll
	turns(450_000).Holds("no-falseticker")
	turns(1000_000).Holds("no-falseticker")
}

// What a clock does while its server is down misleads nobody.
func TestServerThatIsDown(t *testing.T) {
	r := play(t, params(func(p *Params) { p.Servers = 2 }),
		simtest.Inject("server-2", sim.Fault{Do: sim.Crash, When: sim.When{At: at(100_000)}, Forever: true}),
		simtest.Inject("server-2", sim.Fault{Do: sim.StepClock, By: 5 * time.Second, When: sim.When{At: at(110_000)}}),
		simtest.Inject("server-1", sim.Fault{Do: sim.StepClock, By: 0, When: sim.When{At: at(120_000)}}))
	assert.Zero(t, r.Measure("servers-apart"))
	r.OnlyViolates()
}

// The error is checked from settle on, to the end, and while the client is up.
func TestWhenTheErrorIsChecked(t *testing.T) {
	behind := simtest.Clock("client-1", sim.Clock{Offset: -time.Second})
	// It is 1 s, and grows less for 12 s: at 11.5 s it is 42 ms.
	r := play(t, params(func(p *Params) { p.Settle = 11500 * ms }), behind)
	r.Holds("bounded-error")
	r = play(t, params(func(p *Params) { p.Settle = 10 * time.Second }), behind)
	r.Violated("bounded-error", at(10_000))
	// At the end, and no longer.
	r = play(t, params(func(p *Params) { p.Settle, p.Start = 10*time.Second, list(20_000) }), behind, simtest.Until(at(10_000)))
	r.Violated("bounded-error", at(10_000))
	assert.EqualValues(t, time.Second, r.Measure("worst-error"))
	// What is allowed is allowed, from the start and at the end.
	r = play(t, params(func(p *Params) { p.Discipline, p.Epsilon = "none", time.Second }), behind)
	r.Holds("bounded-error")
	r = play(t, params(func(p *Params) { p.Discipline, p.Drift = "none", 1_000_000 }), simtest.Clock("client-1", sim.Clock{Rate: 1_000_000}), simtest.Until(at(100_000)))
	r.Holds("bounded-error")
	// Nobody looks after the first poll, but at the end.
	r = play(t, params(func(p *Params) { p.Polls, p.Discipline, p.Drift = 1, "none", 1_000_000 }), simtest.Clock("client-1", sim.Clock{Rate: 1_000_000}), simtest.Until(at(200_000)))
	r.Violated("bounded-error", at(100_000)+1000) // a nanosecond more takes a microsecond
	// Nor then, if it crashes before.
	r = play(t, params(func(p *Params) { p.Polls, p.Discipline, p.Drift = 1, "none", 1_000_000 }), simtest.Clock("client-1", sim.Clock{Rate: 1_000_000}),
		simtest.Inject("client-1", sim.Fault{Do: sim.Crash, When: sim.When{At: at(200_000)}, Forever: true}))
	r.Violated("bounded-error", at(100_000)+1000)
	assert.EqualValues(t, 200*ms, r.Measure("worst-error"))
	// Down, it is a second behind again, and nobody reads it.
	r = play(t, params(func(p *Params) { p.Settle = 20 * time.Second }), behind,
		simtest.Inject("client-1", sim.Fault{Do: sim.Crash, When: sim.When{At: at(30_000)}, Forever: true}))
	r.Holds("bounded-error")
}

// A clock goes back when it does, also if nobody has looked for a while; and a clock that
// begins again does not go back.
func TestWhenAClockGoesBack(t *testing.T) {
	r := play(t, params(func(*Params) {}), simtest.Inject("client-1", sim.Fault{Do: sim.StepClock, By: -time.Second, When: sim.When{At: at(30_000)}}))
	r.Violated("monotonic", at(30_000))
	r = play(t, params(func(*Params) {}), simtest.Clock("client-1", sim.Clock{Offset: -time.Second}),
		simtest.Inject("client-1", sim.Fault{Do: sim.Crash, When: sim.When{At: at(20_000)}, For: sim.Constant(10 * ms)}))
	r.Holds("monotonic")
	// Nobody looks any more, but at the end: it runs backwards, of two clients that of the last.
	fast := params(func(p *Params) {
		p.Clients, p.Polls, p.Epsilon, p.SlewRate = 2, 1, time.Second, ptr(sim.PPB(1_500_000_000))
	})
	r = playSystem(t, fast.system, simtest.Clock("client-2", sim.Clock{Offset: 200 * ms}), simtest.Until(at(60)))
	r.Violated("monotonic", at(60))
}

// A slew that another has taken the place of does not end, and its end is not that of the
// other: 4 s of the first, and 20 s for the 1.67 s that are then left.
func TestSlewInASlew(t *testing.T) {
	set := func(p *Params) { p.Poll, p.Epsilon, p.Threshold = 4*time.Second, 10*time.Second, ptr(time.Hour) }
	r := play(t, params(set), simtest.Clock("client-1", sim.Clock{Offset: -time.Second}),
		simtest.Inject("client-1", sim.Fault{Do: sim.StepClock, By: -time.Second, When: sim.When{At: at(2000)}}))
	assert.InDelta(t, 24*time.Second, r.Measure("slew-time"), float64(ms))
	assert.EqualValues(t, 2, r.Measure("slews"))

	r = play(t, params(func(p *Params) { set(p); p.Threshold, p.Updates = ptr(time.Second), ptr(0) }), simtest.Clock("client-1", sim.Clock{Offset: -900 * ms}),
		simtest.Inject("client-1", sim.Fault{Do: sim.StepClock, By: -5 * time.Second, When: sim.When{At: at(2000)}}))
	assert.EqualValues(t, []int64{1, 1}, []int64{r.Measure("slews"), r.Measure("steps")})
	assert.InDelta(t, 4*time.Second, r.Measure("slew-time"), float64(ms))
	assert.NotContains(t, r.Trace(), "slew-done", "a step ends it")
}

// The threshold of ntpd: 128 ms are slewed, and what is more has to last, each time.
func TestThreshold(t *testing.T) {
	ntpd := params(func(p *Params) { p.Discipline, p.Epsilon = "ntpd", time.Second })
	r := play(t, ntpd, simtest.Clock("client-1", sim.Clock{Offset: -128 * ms}))
	assert.Equal(t, 256*time.Second, time.Duration(r.Measure("slew-time")), "P-03")
	r.Logs("0.010s client-1 takes its clock to be 128ms behind by server-1, give or take 5ms", "0.010s client-1 lets its clock run faster, until 128ms are made up")
	r = play(t, ntpd, simtest.Clock("client-1", sim.Clock{Offset: 200 * ms}),
		simtest.Inject("client-1", sim.Fault{Do: sim.StepClock, By: 200 * ms, When: sim.When{At: at(350_000)}}), simtest.Until(at(600_000)))
	assert.EqualValues(t, 1, r.Measure("steps"), "not again at 384 s")
	assert.EqualValues(t, 200*ms, r.Measure("set-back"))
	// It has lasted when it has lasted for so long, also where no step is allowed any more.
	r = play(t, params(func(p *Params) {
		p.Discipline, p.Poll, p.Updates, p.Epsilon = "ntpd", 100*time.Second, ptr(1), time.Second
	}), simtest.Clock("client-1", sim.Clock{Offset: 200 * ms}))
	r.Logs("300.010s client-1 lets its clock run slower, until 200ms are gone")
	assert.Zero(t, r.Measure("steps"))
}

// An answer counts for the poll that it was asked in, also if two polls read the same.
func TestAnswerOfAnotherPoll(t *testing.T) {
	c := Client{Servers: 1, Poll: time.Second, Timeout: time.Second}
	trial := sim.NewTrial[Msg](2)
	trial.Step(&c, sim.In[Msg]{Self: 2, From: 2, Msg: Msg{Kind: poll}})
	trial.Step(&c, sim.In[Msg]{Self: 2, From: 2, Msg: Msg{Kind: poll}})
	assert.Empty(t, trial.Step(&c, sim.In[Msg]{Self: 2, From: 1, Msg: reply(1, 0, 0, 0)}))
	assert.NotEmpty(t, trial.Step(&c, sim.In[Msg]{Self: 2, From: 1, Msg: reply(2, 0, 0, 0)}))
}

// That a client is undecided is news once, and so is each answer that is unlike the last.
func TestNews(t *testing.T) {
	r := play(t, params(func(p *Params) { p.Servers, p.Select, p.Polls = 3, "marzullo", 5 }),
		simtest.Clock("server-2", sim.Clock{Offset: 500 * ms}), simtest.Clock("server-3", sim.Clock{Offset: -500 * ms}))
	assert.Equal(t, 1, strings.Count(r.Log(), "believes none"))
	r = play(t, params(func(p *Params) { p.Polls, p.Epsilon = 3, time.Second }),
		simtest.Disturb("client-1", "server-1", sim.Fault{Do: sim.Delay, Msg: sim.MsgChoice{Kind: Request, Nth: 2}, For: sim.Constant(20 * ms)}),
		simtest.Disturb("server-1", "client-1", sim.Fault{Do: sim.Delay, Msg: sim.MsgChoice{Kind: Reply, Nth: 2}, For: sim.Constant(20 * ms)}))
	assert.Equal(t, 3, strings.Count(r.Log(), "takes its clock to be right"), "also by delays alone")
}
