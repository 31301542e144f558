package permits

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
	"fencepost/sim/stats"
)

// TestNewestFirst is an overload in which the newest first keeps what is served fast.
func TestNewestFirst(t *testing.T) {
	median := func(order string) time.Duration {
		p := fixed(func(p *Params) {
			p.Order, p.Clients, p.Permits, p.Queue, p.Timeout = order, 40, 2, ptr(20), ptr(time.Second)
			p.Requests, p.Think = []int{0}, []sim.Dist{sim.Exponential(500 * ms)}
		})
		program := sim.NewProgram(p.System)
		w, err := program.NewWorld(sim.Config{Until: at(20_000)})
		require.NoError(t, err)
		tally := stats.NewTally(&program, 0)
		for seed := range uint64(20) {
			tally.Add(w.Run(seed + 1))
		}
		for i := range tally.Measures {
			if m := &tally.Measures[i]; m.Name == "wait" {
				return time.Duration(m.Quantile(500).Value)
			}
		}
		t.Fatal("no measure wait")
		return 0
	}
	assert.Greater(t, median("fifo"), 900*ms)
	assert.Less(t, median("lifo"), 50*ms)
}

// TestDeadlineAndReleaseInAPause is a limiter that is paused while a deadline and a
// release come due. Whichever was due first, the waiter is told that its time is over, and
// no permit is given to it.
func TestDeadlineAndReleaseInAPause(t *testing.T) {
	set := func(p *Params) { p.Timeout, p.Start, p.Work = ptr(50*ms), list(0, 10), works(70, 10) }
	pause := simtest.Inject("limiter-1", sim.Fault{Do: sim.Pause, When: sim.When{At: at(30)}, For: sim.Constant(100 * ms)})
	r := play(t, fixed(set), pause)
	r.OnlyViolates()
	r.Logs("0.130s limiter-1 answers the request of client-2 503: it has waited for 120ms",
		"0.130s limiter-1 has done the request of client-1")
	// The release was due first, and finds a waiter whose deadline is over.
	r = play(t, fixed(func(p *Params) { set(p); p.Work = works(40, 10) }), pause)
	r.OnlyViolates()
	r.Logs("0.130s limiter-1 has done the request of client-1", "0.130s limiter-1 answers the request of client-2 503: it has waited for 120ms")
}

// TestLeases is the distributed form: a TTL that is shorter than a job, and heartbeats.
func TestLeases(t *testing.T) {
	set := func(p *Params) {
		p.Algorithm, p.Limiters, p.TTL = "leases", 2, 50*ms
		p.Start, p.Work = list(0, 60), works(80)
	}
	r := play(t, coded(set), simtest.Delay(ms))
	r.Violated("permits-conserved", at(62))
	r.Violated("concurrency-limit", at(63))
	assert.EqualValues(t, 2, r.Measure("peak-running"))
	assert.Equal(t, "the permit of the request of client-1 expired while its handler ran", r.Why[0])

	for _, start := range []int{60, 78} { // with one heartbeat alone the permit would be gone at 71
		r = play(t, coded(func(p *Params) { set(p); p.Heartbeat, p.Start = 20*ms, list(0, start) }), simtest.Delay(ms))
		r.OnlyViolates()
		assert.EqualValues(t, 1, r.Measure("rejected-429"), r)
	}
	r = play(t, coded(func(p *Params) { set(p); p.TTL, p.Start = time.Second, list(0, 90) }), simtest.Delay(ms))
	assert.EqualValues(t, 2, r.Measure("served"), "a permit comes back with the answer, long before it expires\n%v", r)

	t.Run("a crash frees the permit after the TTL", func(t *testing.T) {
		down := simtest.Inject("limiter-1", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(30)}})
		for start, served := range map[int]int64{48: 0, 53: 1} {
			r := play(t, coded(func(p *Params) { set(p); p.Start = list(0, start) }), simtest.Delay(ms), down)
			assert.Equal(t, served, r.Measure("served"), r)
			r.OnlyViolates()
		}
	})
	t.Run("the store forgets nothing in a crash", func(t *testing.T) {
		restart := simtest.Inject("store", sim.Fault{Do: sim.Crash, When: sim.When{At: at(10)}, For: sim.Constant(10 * ms)})
		r := play(t, coded(func(p *Params) { set(p); p.Start = list(0, 30) }), simtest.Delay(ms), restart)
		assert.EqualValues(t, 1, r.Measure("rejected-429"), r)
		r.OnlyViolates()
	})
	t.Run("a permit that comes too late goes back", func(t *testing.T) {
		r := play(t, coded(func(p *Params) { set(p); p.Clients, p.Limiters, p.TTL, p.Start = 1, 1, time.Minute, nil }), simtest.Delay(30*ms))
		assert.EqualValues(t, []int64{1, 1, 0}, []int64{r.Measure("rejected-503"), r.Measure("peak-in-use"), r.Measure("in-use-at-end")}, r)
		r.OnlyViolates()
	})
	t.Run("the store is down", func(t *testing.T) {
		down := simtest.Inject("store", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(0)}})
		r := play(t, coded(set), simtest.Delay(ms), down)
		assert.EqualValues(t, 2, r.Measure("rejected-503"), r)
		r.Holds("one-answer")
	})
}

// TestDeadlineOfTheClient is a client that says how long it may wait: the shorter of that
// and the limiter's own timeout counts.
func TestDeadlineOfTheClient(t *testing.T) {
	for deadline, waited := range map[int]string{20: "20ms", 200: "50ms", 0: "50ms"} {
		r := play(t, fixed(func(p *Params) {
			p.Timeout, p.Deadline, p.Start, p.Work = ptr(50*ms), list(0, deadline), list(0, 10), works(100)
		}))
		assert.Contains(t, r.Log(), "answers the request of client-2 503: it has waited for "+waited)
		r.OnlyViolates()
	}
}

// TestCopies doubles every message. A connection delivers a request once, so nothing comes
// of it.
func TestCopies(t *testing.T) {
	for _, algorithm := range []string{"as-written", "fixed", "leases"} {
		r := play(t, coded(func(p *Params) {
			p.Algorithm, p.Clients, p.Permits, p.Requests = algorithm, 3, 2, []int{3}
		}), func(c *sim.Config, _ *sim.Program) {
			c.Network.Default = sim.Link{Delay: sim.Constant(ms), Duplicate: sim.Certain}
		})
		assert.EqualValues(t, 9, r.Measure("requests"), r)
		r.OnlyViolates()
	}
}

// TestLateAnswer is a client whose first request is answered when it waits for its third:
// that is not what it waits for.
func TestLateAnswer(t *testing.T) {
	r := play(t, fixed(func(p *Params) {
		p.Clients, p.Requests, p.Patience, p.Work = 1, []int{3}, list(20), works(50)
	}))
	r.Logs("0.050s limiter-1 has done request 1 of client-1", "0.060s client-1 gives up and closes the connection")
}

// TestOperatorCrash is an operator that restarts: it does not shut down once more what it
// has shut down.
func TestOperatorCrash(t *testing.T) {
	r := play(t, coded(func(p *Params) { p.Clients, p.Work, p.Shutdown = 1, works(100), list(50) }),
		simtest.Inject("operator", sim.Fault{Do: sim.Crash, When: sim.When{At: at(60)}, For: sim.Constant(10 * ms)}))
	r.Holds("no-panic")
	assert.EqualValues(t, 1, r.Measure("served"), r)
}

// TestWastedStart is a client that has gone when its handler starts, though the limiter
// cannot know it yet: wasted all the same, and nobody's mistake.
func TestWastedStart(t *testing.T) {
	r := play(t, fixed(func(p *Params) { p.Start, p.Patience = list(0, 10), list(0, 95) }), simtest.Delay(20*ms))
	assert.EqualValues(t, 1, r.Measure("wasted-starts"), r)
	r.OnlyViolates()
}

// TestNoAnswerForWhoIsGone is a limiter that tells nobody that its time is over. A client
// that had gone before is owed nothing.
func TestNoAnswerForWhoIsGone(t *testing.T) {
	for patience, want := range map[int]sim.Verdict{75: sim.Holds, 200: sim.Violated} {
		p := fixed(func(p *Params) {
			p.Timeout, p.Start, p.Patience, p.Work = ptr(70*ms), list(0, 10), list(0, patience), works(150)
		})
		r := playSystem(t, func() sim.System[Msg] {
			s := p.System()
			s.Nodes[2] = sim.Place[Msg]("limiter-1", mute{FixedLimiter{executor: newExecutor(forEach(p.Clients, p.Work, sim.Dist{})), Timeout: p.timeout(), Drain: p.drain(),
				Limit: Fixed{Permits: 1, Queue: 4}}})
			return s
		}, simtest.Delay(20*ms))
		require.Equal(t, want, r.Finding("one-answer").Verdict, r)
	}
}
