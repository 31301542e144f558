package fleet

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/lease"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/simtest"
)

// "leases L=100, n=4, 1000 rps even, B=1,10,25,50,100: 100 each; grants 100,10,4,2,1;
// stranded 0"
func TestLeaseBatches(t *testing.T) {
	for batch, grants := range map[int64]int64{1: 100, 10: 10, 25: 4, 50: 2, 100: 1} {
		p := together("lease", ms)
		p.Lease.Batch = batch
		r := play(t, p, simtest.Until(at(1000)))
		assert.EqualValues(t, 100, r.Measure("admitted"), "TL-01, %d", batch)
		assert.Equal(t, grants, r.Measure("lease-grants"), "TL-01, %d", batch)
		assert.Zero(t, r.Measure("stranded"), "TL-01, %d", batch)
		r.Holds("window-limit", "outstanding-within-limit", "one-answer")
	}
}

// stranding is TL-02: one request on each of three limiters, then 100 on the fourth.
func stranding(gap time.Duration) Params {
	p := together("lease", 0)
	p.Window, p.Clients = 10*time.Second, nil
	for to := 2; to <= 4; to++ {
		p.Clients = append(p.Clients, core.ClientParams{Route: "fixed", To: to})
	}
	p.Clients = append(p.Clients, core.ClientParams{Route: "fixed", To: 1, Phases: []core.Phase{{At: 10 * ms, Every: sim.Constant(gap), Count: ptr(100)}}})
	return p
}

func TestLeaseStranded(t *testing.T) {
	r := play(t, stranding(ms), simtest.Until(at(2000)))
	assert.EqualValues(t, 73, r.Measure("admitted"), "TL-02")
	assert.EqualValues(t, 30, r.Measure("rejected"), "TL-02")
	assert.EqualValues(t, 27, r.Measure("stranded"), "TL-02")
	r.Violated("no-false-rejection", at(80))

	// What is not used for half a lease goes back, and to who needs it.
	p := stranding(8 * ms)
	p.Lease.Idle = "return"
	r = play(t, p, simtest.Until(at(2000)))
	assert.EqualValues(t, 100, r.Measure("admitted"))
	r.Holds("window-limit", "no-false-rejection", "outstanding-within-limit")
}

// carried is TL-03: a lease of 10 that was taken at 0.9 s, of which one was used, is
// still there when limiter-1 resumes in the next window.
func carried(expiry string) Params {
	p := together("lease", 0)
	p.Limiters, p.Lease.Expiry = 2, expiry
	p.Clients = []core.ClientParams{
		{Route: "fixed", To: 1, Phases: []core.Phase{{At: 900 * ms}, {At: 1_050 * ms, Every: sim.Constant(ms), Count: ptr(20)}}},
		{Route: "fixed", To: 2, Phases: []core.Phase{{At: 1_001 * ms, Every: sim.Constant(500 * time.Microsecond), Count: ptr(100)}}},
	}
	return p
}

func stop(who string, from int64, d time.Duration) simtest.Change {
	return simtest.Inject(who, sim.Fault{Do: sim.Pause, When: sim.When{At: at(from)}, For: sim.Constant(d)})
}

func TestLeaseCarried(t *testing.T) {
	r := play(t, carried("none"), simtest.Until(at(2000)), stop("limiter-1", 910, 190*ms))
	assert.EqualValues(t, 1+109, r.Measure("admitted"), "TL-03: one in window 0, 109 in window 1")
	r.Violated("outstanding-within-limit", at(1100))

	r = play(t, carried("from-send"), simtest.Until(at(2000)), stop("limiter-1", 910, 190*ms))
	assert.EqualValues(t, 1+100, r.Measure("admitted"), "TL-03")
	assert.EqualValues(t, 9, r.Measure("stranded"))
	r.Holds("outstanding-within-limit", "no-false-rejection")
}

// "coordinator restarts with empty memory in mid window: 200 / 100"
func TestLeaseCoordinatorRestart(t *testing.T) {
	crash := simtest.Inject("coordinator", sim.Fault{Do: sim.Crash, When: sim.When{At: at(500)}, For: sim.Constant(10 * ms)})
	for _, v := range []struct {
		name     string
		learning string
		length   time.Duration
		want     int64
	}{
		{"TL-04 none", "none", time.Second, 200},
		{"TL-04 a lease", "lease", time.Second, 100},
		{"the window", "window", time.Second, 100},
		// A budget per window is forgotten for as long as the window, not the lease.
		{"leases shorter than the window", "lease", 100 * ms, 200},
		{"leases shorter than the window, the window", "window", 100 * ms, 100},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := together("lease", ms)
			p.Lease.Batch, p.Lease.Learning, p.Lease.For = 25, v.learning, v.length
			r := play(t, p, simtest.Until(at(1000)), crash)
			assert.Equal(t, v.want, r.Measure("admitted"))
			assert.Equal(t, v.want == 200, r.Finding("outstanding-within-limit").Verdict == sim.Violated)
		})
	}
}

// overlong is a limiter that leases 100 at 0.9 s and gets a request every 10 ms, while
// the other takes the whole next window at its begin.
func overlong(expiry string) Params {
	p := together("lease", 0)
	p.Limiters, p.Lease.Batch, p.Lease.Expiry = 2, 100, expiry
	p.Clients = []core.ClientParams{
		{Route: "fixed", To: 1, Phases: []core.Phase{{At: 900 * ms, Every: sim.Constant(10 * ms), Count: ptr(40)}}},
		{Route: "fixed", To: 2, Phases: []core.Phase{{At: 1_000 * ms, Count: ptr(100)}}},
	}
	return p
}

// "absolute expiry times under skew +d: overshoot up to rate*d"; and the other ways not
// to notice that a lease is over.
func TestLeaseExpiry(t *testing.T) {
	// The answer to the ask of 0.9 s takes 60 ms.
	late := simtest.Disturb("", "limiter-1", sim.Fault{Do: sim.Delay, For: sim.Constant(60 * ms), Msg: sim.MsgChoice{Kind: message.LeaseGrant, Nth: 1}})
	skew := simtest.Clock("limiter-1", sim.Clock{Offset: -200 * ms})
	slow := simtest.Clock("limiter-1", sim.Clock{Rate: -100_000_000}) // 10 %, a hundred times that of quartz
	for _, v := range []struct {
		name   string
		expiry string
		drift  int64
		fault  simtest.Change
		over   int64 // beyond the 100 of limiter-2 and the 10 of window 0
	}{
		{"from send", "from-send", 0, nil, 0},
		{"by the wall clock", "wall", 0, nil, 0},
		{"by a wall clock that is 200ms behind", "wall", 0, skew, 20},
		{"from send, 200ms behind", "from-send", 0, skew, 0},
		{"from receive, 60ms late", "from-receive", 0, late, 6},
		{"from send, 60ms late", "from-send", 0, late, 0},
		{"a slow oscillator", "from-send", 0, slow, 2},
		{"a slow oscillator, allowed for", "from-send", 100_000, slow, 0},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := overlong(v.expiry)
			p.Lease.Drift, p.Lease.Timeout = v.drift, time.Second
			change := []simtest.Change{simtest.Until(at(2000))}
			if v.fault != nil {
				change = append(change, v.fault)
			}
			r := play(t, p, change...)
			assert.Equal(t, v.over, r.Measure("admitted")-110)
			assert.Equal(t, v.over > 0, r.Finding("outstanding-within-limit").Verdict == sim.Violated)
		})
	}
}

// Windows are those of the coordinator's clock, wherever that begins: also before 1970.
func TestLeaseClockOfTheCoordinator(t *testing.T) {
	for _, offset := range []time.Duration{-time.Hour, -300 * ms, 400 * ms, time.Hour} {
		p := together("lease", 5*ms)
		p.Bound = ptr(2 * p.Limit)
		r := play(t, p, simtest.Until(at(5_000)), simtest.Clock("coordinator", sim.Clock{Offset: offset}))
		r.Holds("window-limit", "outstanding-within-limit", "one-answer")
		assert.GreaterOrEqual(t, r.Measure("admitted"), int64(500), "%v", offset)
	}
}

// An ask that a later one has overtaken takes no tokens with it: nobody waits for them.
func TestLeaseOldAsk(t *testing.T) {
	p := together("lease", 0)
	p.Limiters, p.Window = 1, 10*time.Second
	p.Clients[0].Phases = []core.Phase{{Count: ptr(0), Every: sim.Constant(10 * ms)}}
	r := play(t, p, simtest.Until(at(9_000)), echoed(message.LeaseAsk, 1, 500*ms))
	assert.EqualValues(t, 100, r.Measure("admitted"))
	r.Holds("no-false-rejection", "outstanding-within-limit")
}

// A grant that takes longer than its lease grants nothing.
func TestLeaseOverOnArrival(t *testing.T) {
	p := together("lease", 0)
	p.Limiters, p.Lease.For, p.Lease.Timeout = 1, 100*ms, time.Second
	p.Clients[0].Phases = nil
	r := play(t, p, simtest.Until(at(900)), func(c *sim.Config, p *sim.Program) {
		c.Faults = append(c.Faults, sim.Fault{Name: "late", Do: sim.Delay, For: sim.Constant(150 * ms), Msg: sim.MsgChoice{Kind: message.LeaseGrant, Nth: 1}})
	})
	assert.EqualValues(t, []int64{0, 10}, []int64{r.Measure("admitted"), r.Measure("stranded")})
}

// What is asked again is the same ask: a grant that was lost costs no tokens.
func TestLeaseAskedAgain(t *testing.T) {
	p := together("lease", 0)
	p.Limiters, p.Window = 1, 10*time.Second
	p.Clients[0].Phases = []core.Phase{each(0, 300, 10*ms)}
	r := play(t, p, simtest.Until(at(9_000)), tamper(sim.Lose, message.LeaseGrant, "coordinator", 1))
	assert.EqualValues(t, 100, r.Measure("admitted"))
}

// Tokens of the window before are not added to those of the next, even if the limiter's
// clock is so slow that to it they are not over.
func TestLeaseOfAnotherWindow(t *testing.T) {
	p := together("lease", 0)
	p.Limiters = 2
	p.Clients = []core.ClientParams{
		{Route: "fixed", To: 1, Phases: []core.Phase{{At: 500 * ms}}},
		{Route: "fixed", To: 1, Cost: ptr(int64(11)), Phases: []core.Phase{{At: 1_020 * ms}}},
		{Route: "fixed", To: 2, Phases: []core.Phase{burst(1_100*ms, 100)}},
	}
	r := play(t, p, simtest.Until(at(1_900)), simtest.Clock("limiter-1", sim.Clock{Rate: -100_000_000}))
	assert.Equal(t, "A", r.verdicts("client-2"))
	assert.EqualValues(t, 89, r.Measure("client-3-admitted"))
	r.Holds("outstanding-within-limit")
}

// A lease that is in use is not returned.
func TestLeaseInUse(t *testing.T) {
	p := together("lease", 0)
	p.Limiters, p.Window, p.Lease.Idle = 1, 10*time.Second, "return"
	p.Clients[0].Phases = []core.Phase{each(0, 15, 100*ms)}
	r := play(t, p, simtest.Until(at(1_500)))
	assert.EqualValues(t, 15, r.Measure("admitted"))
	assert.NotContains(t, r.Log(), "back from limiter-1")
}

// A lease that was over before the coordinator had learned is no longer outstanding.
func TestLeaseOverWhileLearning(t *testing.T) {
	p := together("lease", 0)
	p.Limiters, p.Lease.Batch, p.Lease.For, p.Lease.Learning = 2, 60, 100*ms, "lease"
	p.Clients = []core.ClientParams{asks(1, core.Phase{}), asks(2, burst(500*ms, 40))}
	crash := simtest.Inject("coordinator", sim.Fault{Do: sim.Crash, When: sim.When{At: at(10)}, For: sim.Constant(ms)})
	r := play(t, p, simtest.Until(at(540)), crash) // it has forgotten the one that was used, and would grant it again at 550 ms
	assert.EqualValues(t, 41, r.Measure("admitted"))
	r.Holds("outstanding-within-limit")
}

// A limiter that learns does so until the window is over, and no longer.
func TestLeaseLearnsUntilTheNextWindow(t *testing.T) {
	p := together("lease", ms)
	p.Lease.Learning = "window"
	crash := simtest.Inject("coordinator", sim.Fault{Do: sim.Crash, When: sim.When{At: at(500)}, For: sim.Constant(10 * ms)})
	assert.EqualValues(t, 200, play(t, p, simtest.Until(at(1_400)), crash).Measure("admitted"), "100 in each window")
}

// A lost message strands tokens at worst, a doubled one nothing.
func TestLeaseLostAndDoubled(t *testing.T) {
	for _, v := range []struct {
		name  string
		fault simtest.Change
	}{
		{"no fault", tamper(sim.Lose, message.Gossip, "limiter-1", 1)},
		{"an ask is lost", tamper(sim.Lose, message.LeaseAsk, "limiter-1", 1)},
		{"a grant is lost", tamper(sim.Lose, message.LeaseGrant, "coordinator", 1)},
		{"asks are doubled", tamper(sim.Duplicate, message.LeaseAsk, "limiter-1", 0)},
		{"grants are doubled", tamper(sim.Duplicate, message.LeaseGrant, "coordinator", 0)},
		{"returns are doubled", tamper(sim.Duplicate, message.LeaseReturn, "limiter-1", 0)},
		{"returns are lost", tamper(sim.Lose, message.LeaseReturn, "limiter-1", 0)},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := together("lease", 0)
			p.Limiters, p.Window, p.Lease.Idle = 2, 10*time.Second, "return"
			p.Clients = []core.ClientParams{
				{Route: "fixed", To: 1, Phases: []core.Phase{{Count: ptr(20), Every: sim.Constant(700 * ms)}}},
				{Route: "fixed", To: 2, Phases: []core.Phase{{Count: ptr(0), Every: sim.Constant(50 * ms)}}},
			}
			r := play(t, p, simtest.Until(at(10_000)), v.fault)
			r.Holds("window-limit", "outstanding-within-limit", "one-answer")
			assert.LessOrEqual(t, r.Measure("admitted"), int64(100))
			assert.GreaterOrEqual(t, r.Measure("admitted"), int64(60))
		})
	}
}

// TestLeaseMutant is a coordinator that does not remember what it has granted.
func TestLeaseMutant(t *testing.T) {
	p := together("lease", ms)
	build := func() sim.System[message.Msg] {
		s := p.System()
		last := len(s.Nodes) - 1
		require.Equal(t, "coordinator", s.Nodes[last].Name)
		c := lavish{initial: p.Lease.Coordinator(p.fleet())}
		s.Nodes[last] = sim.Place[message.Msg]("coordinator", c)
		return s
	}
	play(t, p, simtest.Until(at(1000))).Holds("outstanding-within-limit", "window-limit")
	r := playSystem(t, build, simtest.Until(at(1000)))
	r.Violated("outstanding-within-limit", 82_500_000)
	require.Equal(t, sim.Violated, r.Finding("window-limit").Verdict)
}

type lavish struct {
	lease.Coordinator
	initial lease.Coordinator
}

func (l *lavish) Reset(initial *lavish) { l.initial = initial.initial }

func (l *lavish) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	l.Coordinator.Reset(&l.initial)
	l.Coordinator.Step(in, out)
}

func TestLeaseProblems(t *testing.T) {
	p := together("lease", ms)
	p.Algorithm.Algorithm, p.Clock, p.Share = "gcra", "monotonic", "divided"
	p.Lease = lease.Params{Batch: -1, For: 1, Drift: -1, Timeout: -1}
	assert.ElementsMatch(t, []model.ValidationError{
		{Path: "algorithm", Message: "a coordinator has a budget per window: want fixed-window, got gcra"},
		{Path: "share", Message: "limiters that lease share the whole limit"},
		{Path: "clock", Message: "a coordinator has windows on its wall clock, got monotonic"},
		{Path: "lease.batch", Message: "want 1 to 1099511627776, got -1"},
		{Path: "lease.drift", Message: "want 0 to 100000, got -1"},
		{Path: "lease.for", Message: "want 1ms to 10000h0m0s, got 1ns"},
		{Path: "lease.timeout", Message: "want 1ms to 10000h0m0s, got -1ns"},
	}, p.Problems())
}
