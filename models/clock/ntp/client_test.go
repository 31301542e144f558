package ntp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

func TestAnswersThatDoNotCount(t *testing.T) {
	three := params(func(p *Params) { p.Polls, p.Poll, p.Epsilon = 3, 10*time.Second, time.Second })
	for _, v := range []struct {
		name            string
		fault           sim.Fault
		from, to        string
		samples, missed int64
	}{
		{"none", sim.Fault{}, "", "", 3, 0},
		{"lost on the way there", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: Request, Nth: 1}}, "client-1", "server-1", 2, 1},
		{"lost on the way back", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: Reply, Nth: 2}}, "server-1", "client-1", 2, 1},
		{"late", sim.Fault{Do: sim.Delay, Msg: sim.MsgChoice{Kind: Reply, Nth: 2}, For: sim.Constant(time.Second)}, "server-1", "client-1", 2, 1},
		{"just in time", sim.Fault{Do: sim.Delay, Msg: sim.MsgChoice{Kind: Reply, Nth: 2}, For: sim.Constant(995 * ms)}, "server-1", "client-1", 3, 0},
		{"after the next poll", sim.Fault{Do: sim.Delay, Msg: sim.MsgChoice{Kind: Reply, Nth: 1}, For: sim.Constant(15 * time.Second)}, "server-1", "client-1", 2, 1},
		{"twice", sim.Fault{Do: sim.Duplicate, Msg: sim.MsgChoice{Kind: Reply}, For: sim.Constant(20 * ms)}, "server-1", "client-1", 3, 0},
	} {
		t.Run(v.name, func(t *testing.T) {
			var change []simtest.Change
			if v.from != "" {
				change = append(change, simtest.Disturb(v.from, v.to, v.fault))
			}
			r := play(t, three, change...)
			assert.Equal(t, []int64{3, v.samples, v.missed}, []int64{r.Measure("polls"), r.Measure("samples"), r.Measure("missed")})
			r.OnlyViolates()
		})
	}
}

// An answer to a poll before a crash carries a reading that the client has forgotten.
func TestAnswerFromBeforeACrash(t *testing.T) {
	r := play(t, params(func(p *Params) { p.Polls, p.Start = 1, []time.Duration{time.Second} }),
		simtest.Disturb("server-1", "client-1", sim.Fault{Do: sim.Delay, Msg: sim.MsgChoice{Kind: Reply, Nth: 1}, For: sim.Constant(1200 * ms)}),
		simtest.Inject("client-1", sim.Fault{Do: sim.Crash, When: sim.When{At: at(1100)}, For: sim.Constant(100 * ms)}))
	assert.EqualValues(t, 2, r.Measure("polls"))
	assert.EqualValues(t, 1, r.Measure("samples"))
	assert.EqualValues(t, 10*ms, r.Measure("delay"), "of the second")
	r.OnlyViolates()
}

// A client that crashes in the midst of a slew has its wall clock again as it was.
func TestCrashInASlew(t *testing.T) {
	r := play(t, params(func(p *Params) { p.Epsilon = 2 * time.Second }), simtest.Clock("client-1", sim.Clock{Offset: time.Second}),
		simtest.Inject("client-1", sim.Fault{Do: sim.Crash, When: sim.When{At: at(6010)}, For: sim.Constant(time.Second)}), simtest.Until(at(60_000)))
	assert.EqualValues(t, 2, r.Measure("slews"))
	assert.EqualValues(t, 6*time.Second+12_000_000_048, r.Measure("slew-time"))
	assert.Zero(t, r.Measure("error-at-end"))
	r.OnlyViolates()
}

func TestWallClockSetBackInAnExchange(t *testing.T) {
	back := simtest.Inject("client-1", sim.Fault{Do: sim.StepClock, By: -time.Second, When: sim.When{At: at(5)}})
	r := play(t, params(func(p *Params) { p.Polls = 1 }), back)
	assert.Zero(t, r.Measure("samples"), "that cannot be")
	r.Violated("monotonic", at(5))
	r = play(t, params(func(p *Params) { p.Polls = 1 }), simtest.Inject("client-1", sim.Fault{Do: sim.StepClock, By: time.Second, When: sim.When{At: at(5)}}))
	assert.EqualValues(t, 1010*ms, r.Measure("delay"), "that could, and the bound is as large")
	assert.EqualValues(t, 500*ms, r.Measure("offset-error"))
	r.Holds("within-bound", "no-falseticker", "monotonic")
}

// "Step, ntpd: if abs(offset) > 128 ms for longer than stepout": what comes and goes
// meanwhile is a spike.
func TestSpike(t *testing.T) {
	spike := func(length time.Duration) *simtest.Played {
		return play(t, params(func(p *Params) { p.Discipline = "ntpd" }), simtest.Disturb("client-1", "server-1",
			sim.Fault{Do: sim.Delay, Msg: sim.MsgChoice{Kind: Request}, When: sim.When{At: at(600_000)}, For: sim.Constant(700 * ms)}),
			func(c *sim.Config, _ *sim.Program) { c.Until = at(600_000).Add(length) })
	}
	r := spike(5 * time.Minute)
	assert.Zero(t, r.Measure("steps")+r.Measure("slews"))
	assert.EqualValues(t, 0, r.Measure("error-at-end"))
	r = spike(10 * time.Minute)
	assert.EqualValues(t, 1, r.Measure("steps"), "it lasts")
	assert.EqualValues(t, 347500*time.Microsecond, r.Measure("error-at-end"))
}

func TestExit(t *testing.T) {
	far := simtest.Clock("client-1", sim.Clock{Offset: -1001 * time.Second})
	r := play(t, params(func(p *Params) { p.Discipline = "ntpd" }), far)
	r.Logs("0.010s client-1 takes its clock to be 16m41s behind by server-1, give or take 5ms",
		"0.010s client-1 gives up: its clock is 16m41s behind, and that cannot be")
	assert.EqualValues(t, []int64{1, 1}, []int64{r.Measure("exits"), r.Measure("polls")})
	r.Violated("bounded-error", 0)
	assert.Equal(t, "the clock of client-1 is 16m41s behind, and 100ms is allowed", r.Why[1])

	r = play(t, params(func(p *Params) { p.Mode, p.Discipline = "broadcast", "ntpd" }), far)
	assert.EqualValues(t, 1, r.Measure("samples"), "it does not listen any more either")
	r = play(t, params(func(p *Params) { p.Discipline, p.Panic = "ntpd", ptr(time.Duration(0)) }), far)
	assert.EqualValues(t, 1, r.Measure("steps"), "ntpd -g")
}

func TestMakestep(t *testing.T) {
	later := simtest.Inject("client-1", sim.Fault{Do: sim.StepClock, By: 5 * time.Second, When: sim.When{At: at(300_000)}})
	r := play(t, params(func(*Params) {}), simtest.Clock("client-1", sim.Clock{Offset: -5 * time.Second}), later)
	assert.EqualValues(t, []int64{1, 1}, []int64{r.Measure("steps"), r.Measure("slews")})
	assert.InDelta(t, time.Minute, r.Measure("slew-time"), float64(ms))
	r.Holds("monotonic")
	r = play(t, params(func(p *Params) { p.Updates = ptr(0) }), simtest.Clock("client-1", sim.Clock{Offset: -5 * time.Second}), later)
	assert.EqualValues(t, []int64{2, 0}, []int64{r.Measure("steps"), r.Measure("slews")}, "makestep 1.0 -1")
	r.Violated("monotonic", at(320_010))
}

// While the machine is suspended its clock stands, and after that it is stale until it is
// stepped (P-10, with a client that has to find out).
func TestResume(t *testing.T) {
	suspend := simtest.Inject("client-1", sim.Fault{Do: sim.Suspend, When: sim.When{At: at(3000)}, For: sim.Constant(5 * time.Second)})
	r := play(t, params(func(p *Params) { p.Poll, p.Updates = 10*time.Second, ptr(0) }), suspend, simtest.Until(at(60_000)))
	r.Logs("15.010s client-1 takes its clock to be 5s behind by server-1, give or take 5ms", "15.010s client-1 sets its clock forward by 5s")
	r.Holds("monotonic", "within-bound")
	r.Violated("bounded-error", at(3100)+1) // it stands
	assert.EqualValues(t, 5*time.Second, r.Measure("worst-error"))
	assert.Zero(t, r.Measure("error-at-end"))
}

func TestMajorityOfServers(t *testing.T) {
	wrong := func(p *Params) { p.Servers, p.Select, p.Polls = 3, "marzullo", 5 }
	apart := []simtest.Change{simtest.Clock("server-2", sim.Clock{Offset: 500 * ms}), simtest.Clock("server-3", sim.Clock{Offset: -500 * ms})}
	r := play(t, params(wrong), apart...)
	assert.EqualValues(t, 15, r.Measure("undecided"))
	r.Logs("0.010s client-1 believes none of its servers: too few agree")
	assert.EqualValues(t, sim.NotExercised, r.Finding("no-falseticker").Verdict)
	r.Holds("bounded-error")

	silent := simtest.Disturb("", "server-1", sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: Request}})
	r = play(t, params(wrong), silent, simtest.Clock("server-2", sim.Clock{Offset: 500 * ms}))
	assert.EqualValues(t, 10, r.Measure("undecided"), "one is silent and one is wrong")
	r.Holds("bounded-error")
	near := func(p *Params) { wrong(p); p.Epsilon = 30 * ms }
	touching := []simtest.Change{silent, simtest.Delay(50 * ms), simtest.Clock("server-2", sim.Clock{Offset: 80 * ms})}
	r = play(t, params(near), touching...)
	r.OnlyViolates("bounded-error")
	assert.EqualValues(t, 40*ms, r.Measure("error-at-end"), "or they agree on a bit, and it is the wrong one")
	r = play(t, params(func(p *Params) { near(p); p.Servers = 5 }), touching...)
	r.Holds("no-falseticker", "bounded-error") // two of five may be wrong or silent
	r = play(t, params(wrong), silent)
	assert.EqualValues(t, 1, r.Measure("undecided"), "until the second of three has answered")
	r.Holds("no-falseticker", "bounded-error")
}

// The disagreement of servers is exact at the instant of a step.
func TestServersApart(t *testing.T) {
	r := play(t, params(func(p *Params) { p.Servers, p.Polls = 2, 1 }), simtest.Clock("server-1", sim.Clock{Rate: 1_000_000}),
		simtest.Inject("server-1", sim.Fault{Do: sim.StepClock, By: -time.Second, When: sim.When{At: at(1000_000)}}), simtest.Until(at(1000_001)))
	assert.EqualValues(t, time.Second, r.Measure("servers-apart"), "1000 s at 1000 ppm")
}

func TestEachFieldCountsInADigest(t *testing.T) {
	modeltest.Folds(t, request(1, 2), request(2, 2), request(1, 3), reply(1, 2, 3, 4), reply(1, 3, 3, 4), reply(1, 2, 4, 4), reply(1, 2, 3, 5),
		broadcast(1, 2), broadcast(1, 3), missed(1, 0), missed(2, 0),
		sampled(1, 2, 3, 4, 5), sampled(1, 2, 4, 4, 5), sampled(1, 2, 3, 5, 5), sampled(1, 2, 3, 4, 6))
}

func TestUnexpectedMessages(t *testing.T) {
	trial := sim.NewTrial[Msg](2)
	assert.PanicsWithValue(t, "ntp: a client got request 0", func() {
		trial.Step(&Client{}, sim.In[Msg]{Self: 2, From: 1, Msg: Msg{Kind: Request}})
	})
	assert.PanicsWithValue(t, "ntp: a server got slewed from 0s to 0s", func() {
		trial.Step(&Server{}, sim.In[Msg]{Self: 1, From: 1, Msg: Msg{Kind: Slewed}})
	})
}

// A slew of the largest offset at the smallest rate is forever, and breaks nothing.
func TestEndlessSlew(t *testing.T) {
	c := Client{Servers: 1, Timeout: time.Second, Corrects: true, Discipline: clock.Discipline{Threshold: longest, SlewPPB: 1}}
	trial := sim.NewTrial[Msg](2)
	trial.Step(&c, sim.In[Msg]{Self: 2, From: 2})
	trial.Step(&c, sim.In[Msg]{Self: 2, From: 2, Msg: Msg{Kind: poll}})
	effects := trial.Step(&c, sim.In[Msg]{Self: 2, From: 1, Msg: reply(1, 0, 1<<58, 1<<58)})
	require.Len(t, effects, 4)
	assert.Equal(t, Slewed, effects[2].Msg.Kind)
	r := play(t, params(func(p *Params) { p.SlewRate, p.Updates, p.Threshold = ptr(sim.PPB(1)), nil, ptr(longest) }),
		simtest.Clock("client-1", sim.Clock{Offset: -time.Duration(1 << 58)}))
	assert.EqualValues(t, 1, r.Measure("slews"))
	r.Holds("monotonic", "within-bound")
}
