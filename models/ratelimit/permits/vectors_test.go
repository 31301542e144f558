package permits

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// The test vectors CC-01 to CC-11, each as the source's middleware does it and,
// with the same schedule, as the fixed algorithm does.

// coded is the middleware with one permit and four places, and fixed the algorithm with
// the same parameters.
func coded(set func(*Params)) Params {
	p := DefaultParams()
	set(&p)
	return p
}

func fixed(set func(*Params)) Params {
	p := coded(set)
	p.Algorithm = "fixed"
	return p
}

// leak is A, which holds the only permit for 120 ms, and B and others who wait for 50 ms.
func leak(p *Params) {
	p.Clients, p.Timeout = 4, ptr(50*ms)
	p.Start, p.Work = list(0, 10, 200, 300), works(120, 20)
}

// TestVectors are the vectors of the specification by their ids:
//
//	go test -run TestVectors/CC-01
func TestVectors(t *testing.T) {
	for _, v := range []struct {
		id   string
		test func(*testing.T)
	}{
		{"CC-01", vectorCC01}, {"CC-02", vectorCC02}, {"CC-03", vectorCC03}, {"CC-04", vectorCC04}, {"CC-05", vectorCC05},
		{"CC-06", vectorCC06}, {"CC-07", vectorCC07}, {"CC-08", vectorCC08}, {"CC-09", vectorCC09}, {"CC-10", vectorCC10},
		{"CC-11", vectorCC11},
	} {
		t.Run(v.id, v.test)
	}
}

func vectorCC01(t *testing.T) {
	r := play(t, coded(leak), simtest.Until(at(200)))
	r.Logs(
		"0.060s limiter-1 answers the request of client-2 504: it has waited for 50ms",
		"0.120s limiter-1 has done the request of client-1",
		"0.120s limiter-1 hands a permit to the request of client-2, which has given up: it is never returned")
	assert.EqualValues(t, 1, r.Measure("in-use-at-end"), r)
	assert.EqualValues(t, 0, r.Measure("running-at-end"))
	r.Violated("permits-conserved", at(120))
	r.OnlyViolates("permits-conserved")

	r = play(t, fixed(leak), simtest.Until(at(200)))
	assert.EqualValues(t, 0, r.Measure("in-use-at-end"), r)
	r.Holds("permits-conserved", "one-answer", "concurrency-limit", "fifo", "queue-bound", "no-start-for-gone")
}

func vectorCC02(t *testing.T) {
	r := play(t, coded(leak))
	r.Logs("0.250s limiter-1 answers the request of client-3 504: it has waited for 50ms",
		"0.350s limiter-1 answers the request of client-4 504: it has waited for 50ms")
	assert.EqualValues(t, 1, r.Measure("served"), "the limiter is dead: nobody is served any more")
	assert.EqualValues(t, 880*ms, r.Measure("leaked-time"), "from 120 ms on")
	assert.EqualValues(t, 3, play(t, fixed(leak)).Measure("served"))
}

// three is three holders for 100 ms, and five who wait for 30 ms.
func three(p *Params) {
	p.Permits, p.Clients, p.Timeout = 3, 8, ptr(30*ms)
	p.Start, p.Work = list(0, 0, 0, 10), works(100)
}

func vectorCC03(t *testing.T) {
	r := play(t, coded(three))
	assert.EqualValues(t, 5, r.Measure("rejected-504"), r)
	assert.EqualValues(t, 3, r.Measure("leaked-permits"), "of 3")
	assert.EqualValues(t, 0, play(t, fixed(three)).Measure("leaked-permits"))

	t.Run("the dead items", func(t *testing.T) {
		m := AsWritten{Permits: 3, Queue: 4}
		m.Dispatch()
		for rid := range uint32(8) {
			m.Arrive(rid + 1)
			m.Reach(rid + 1)
		}
		for rid := range uint32(5) {
			m.Expire(rid + 4)
		}
		for range 3 {
			m.Release()
			m.Dispatch() // its line is written
		}
		queued, inHand := m.Dead()
		assert.Equal(t, 3, m.InUse())
		assert.Equal(t, 1, queued)
		assert.True(t, inHand)
	})
}

// both is B, whose permit comes at 40 and whose time is over at 60, and which gets to its
// select at 70.
func both(p *Params) {
	p.Timeout, p.Preempted = ptr(50*ms), works(0, 60)
	p.Start, p.Work = list(0, 10), works(40, 10)
}

// share is how many of so many runs violate a property.
func share(t *testing.T, p Params, property string, runs int) (violated int) {
	t.Helper()
	require.Empty(t, p.Problems())
	program := sim.NewProgram(p.System)
	w, err := program.NewWorld(sim.Config{Until: at(1000)})
	require.NoError(t, err)
	for seed := range uint64(runs) {
		r := w.Run(seed)
		require.Nil(t, r.Panic)
		for i, f := range r.Properties {
			if program.Properties[i] == property && f.Verdict == sim.Violated {
				violated++
			}
		}
	}
	return violated
}

func vectorCC04(t *testing.T) {
	// 9,993 leaks in 20,000 trials on the real runtime. Five standard deviations of a fair
	// coin are 354.
	n := share(t, coded(both), "permits-conserved", 20_000)
	assert.InDelta(t, 10_000, n, 354)
	assert.Zero(t, share(t, fixed(both), "permits-conserved", 100))
	t.Logf("%d leaks in 20,000 runs", n)

	t.Run("parked in the select, the first wins", func(t *testing.T) {
		assert.Zero(t, share(t, coded(func(p *Params) { both(p); p.Preempted = nil }), "permits-conserved", 100))
	})
}

func vectorCC05(t *testing.T) {
	closed := func(p *Params) {
		p.Clients, p.Start, p.Work, p.Shutdown = 2, list(0, 60), works(100), list(50)
	}
	r := play(t, coded(closed))
	r.Violated("no-panic", at(60))
	r.Violated("one-answer", at(60))
	r.Logs("0.060s the handler of the request of client-2 panics: send on closed channel: client-2 never has an answer")
	play(t, fixed(closed)).OnlyViolates()

	t.Run("a second Shutdown", func(t *testing.T) {
		twice := func(p *Params) { closed(p); p.Start, p.Shutdown = list(0, 80), list(50, 70) }
		r := play(t, coded(twice))
		r.Violated("no-panic", at(70))
		r.Logs("0.050s the dispatcher of limiter-1 returns", "0.070s limiter-1 panics: close of closed channel: the process is gone")
		assert.EqualValues(t, []int64{1, 0}, []int64{r.Measure("requests"), r.Measure("served")}, "nobody hears the second client")
		r = play(t, fixed(twice))
		r.OnlyViolates()
		assert.EqualValues(t, []int64{1, 1}, []int64{r.Measure("served"), r.Measure("rejected-503")}, "idempotent")
	})
	t.Run("with a free permit it is served", func(t *testing.T) {
		free := func(p *Params) { closed(p); p.Start = list(0, 120) }
		r := play(t, coded(free))
		r.Violated("no-start-after-drain", at(120))
		assert.EqualValues(t, 2, r.Measure("served"))
		assert.EqualValues(t, 1, play(t, fixed(free)).Measure("rejected-503"))
	})
}

func vectorCC06(t *testing.T) {
	waiters := func(p *Params) {
		p.Clients, p.Timeout, p.Shutdown = 3, ptr(200*ms), list(50)
		p.Start, p.Work = list(0, 10, 20), works(300)
	}
	r := play(t, coded(waiters))
	assert.NotContains(t, play(t, coded(waiters), simtest.Until(at(100))).Log(), "the dispatcher of limiter-1 returns")
	r.Logs(
		"0.050s limiter-1 is shut down",
		"0.210s limiter-1 answers the request of client-2 504: it has waited for 200ms",
		"0.220s limiter-1 answers the request of client-3 504: it has waited for 200ms",
		"0.300s limiter-1 hands a permit to the request of client-2, which has given up: it is never returned")
	r.Violated("drains", at(51))
	r.Violated("permits-conserved", at(300))
	r = play(t, fixed(waiters))
	r.OnlyViolates()
	r.Logs("0.050s limiter-1 answers the request of client-2 503: it has waited for 40ms")
}

func vectorCC07(t *testing.T) {
	eight := func(p *Params) {
		p.Clients, p.Queue, p.Start, p.Work = 9, ptr(3), list(0, 10), works(100)
	}
	r := play(t, coded(eight), simtest.Until(at(50)))
	assert.EqualValues(t, 4, r.Measure("waiting-at-end"))
	assert.EqualValues(t, 4, r.Measure("rejected-429"))
	r.Violated("queue-bound", at(10))
	assert.EqualValues(t, 3, play(t, fixed(eight), simtest.Until(at(50))).Measure("waiting-at-end"))

	t.Run("the dispatcher has not run yet", func(t *testing.T) {
		r := play(t, coded(func(p *Params) { eight(p); p.DispatcherStart = 20 * ms }), simtest.Until(at(15)))
		assert.EqualValues(t, 3, r.Measure("waiting-at-end"))
	})
}

func vectorCC08(t *testing.T) {
	barging := func(p *Params) {
		p.Permits, p.Clients, p.DispatcherLog = 2, 5, sim.Constant(40*ms)
		p.Start, p.Work = list(0, 0, 10, 13, 55), works(30, 45, 100)
	}
	r := play(t, coded(barging))
	r.Logs("0.030s limiter-1 starts the request of client-3, which has waited for 20ms",
		"0.055s limiter-1 starts the request of client-5",
		"0.130s limiter-1 starts the request of client-4, which has waited for 117ms")
	r.Violated("fifo", at(130))
	assert.Equal(t, [2]sim.NodeID{5, 4}, r.Finding("fifo").Nodes)
	r.OnlyViolates("fifo")
	r = play(t, fixed(barging))
	r.OnlyViolates()
	r.Logs("0.045s limiter-1 starts the request of client-4, which has waited for 32ms")
}

func vectorCC09(t *testing.T) {
	drain := func(p *Params) {
		p.DispatcherStart, p.Shutdown = 50*ms, list(20)
		p.Start, p.Work = list(0, 10), works(30, 10)
	}
	// 985 of 2,000 on the real runtime. Four standard deviations of a fair coin are 90.
	n := share(t, coded(drain), "no-start-after-drain", 2000)
	assert.InDelta(t, 1000, n, 90)
	assert.Zero(t, share(t, fixed(drain), "no-start-after-drain", 100))
	t.Logf("granted in %d of 2,000 runs", n)
}

func vectorCC10(t *testing.T) {
	cancels := func(p *Params) {
		p.Start, p.Work, p.Patience = list(0, 10), works(100), list(0, 20)
	}
	r := play(t, coded(cancels))
	r.Violated("no-start-for-gone", at(100))
	assert.EqualValues(t, 1, r.Measure("wasted-starts"))
	r = play(t, fixed(cancels))
	r.Holds("no-start-for-gone")
	assert.EqualValues(t, 0, r.Measure("wasted-starts"))
}

func vectorCC11(t *testing.T) {
	f := Fixed{Permits: 1, Queue: 2}
	const a, b, c, d, e = 1, 2, 3, 4, 5
	never := int64(time.Hour)
	assert.Equal(t, Start, f.Arrive(Waiter{a, never}))
	assert.Equal(t, Wait, f.Arrive(Waiter{b, never}))
	assert.Equal(t, Wait, f.Arrive(Waiter{c, never}))
	assert.Equal(t, Full, f.Arrive(Waiter{d, never}))
	assert.True(t, f.Leave(b), "503")
	assert.Equal(t, Wait, f.Arrive(Waiter{e, never}))
	w, fate := f.Release(0)
	assert.Equal(t, Handed, fate)
	assert.EqualValues(t, c, w.Rid)
	assert.False(t, f.Leave(c), "the timeout is ignored: C owns a permit")
	w, fate = f.Release(0)
	assert.Equal(t, Handed, fate)
	assert.EqualValues(t, e, w.Rid)
	_, fate = f.Release(0)
	assert.Equal(t, Kept, fate)
	assert.Zero(t, f.InUse())

	t.Run("in a run", func(t *testing.T) {
		r := play(t, fixed(func(p *Params) {
			p.Clients, p.Queue = 5, ptr(2)
			p.Start, p.Work, p.Deadline = list(0, 10, 20, 30, 50), works(60, 10, 40, 10), list(0, 30, 60, 0)
		}))
		r.Logs(
			"0.000s limiter-1 starts the request of client-1",
			"0.030s limiter-1 answers the request of client-4 429: the queue is full",
			"0.040s limiter-1 answers the request of client-2 503: it has waited for 30ms",
			"0.050s limiter-1 lets the request of client-5 wait: 2 of 2 places are taken",
			"0.060s limiter-1 starts the request of client-3, which has waited for 40ms",
			"0.100s limiter-1 starts the request of client-5, which has waited for 50ms")
		assert.EqualValues(t, 3, r.Measure("served"), "the timeout of client-3 at 0.080s is ignored")
		assert.EqualValues(t, 0, r.Measure("in-use-at-end"))
		r.OnlyViolates()
	})
}
