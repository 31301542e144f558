package mutex

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// What a process takes with it across a crash, and what that is worth.

// A process that has kept everything and comes back while it waits goes on waiting: it
// does not ask again, and its time begins anew.
func TestResumed(t *testing.T) {
	for _, algorithm := range both {
		waits := params(algorithm, func(p *Params) {
			p.Processes, p.Durable, p.Start, p.Work, p.Rounds = 2, "everything", list(0, 50), dists(200, 10), []int{1, 2}
		})
		r := play(t, waits, crash("process-2", sim.When{At: at(100)}, 10*ms))
		r.OnlyViolates()
		r.Logs("0.050s process-2 asks to enter, stamped 4",
			"0.110s process-2 still waits to enter",
			"0.215s process-2 enters, stamped 4, after 105ms",
			"0.225s process-2 leaves")
		assert.EqualValues(t, 3, r.Measure("entries"), algorithm)
		assert.EqualValues(t, 10*ms+105*ms+10*ms, r.Measure("wait"), algorithm)

		waits.Work = dists(1500, 10)
		r = play(t, waits, crash("process-2", sim.When{At: at(100)}, 10*ms))
		r.Violated("progress", at(1110))
	}
}

// A process that has kept everything and comes back to the critical section leaves it, and
// does not block the others.
func TestBackInside(t *testing.T) {
	for _, algorithm := range both {
		r := play(t, params(algorithm, func(p *Params) { p.Durable = "everything" }), crash("process-1", sim.When{Note: Entered}, 50*ms))
		r.OnlyViolates()
		assert.EqualValues(t, []int64{3, 1}, []int64{r.Measure("entries"), r.Measure("peak-inside")}, algorithm)
	}
}

// A process that has crashed is not in any more. How often it has asked is never
// forgotten: it has two rounds, and asks twice.
func TestForgetful(t *testing.T) {
	for _, algorithm := range both {
		r := play(t, params(algorithm, func(p *Params) { p.Processes, p.Start, p.Rounds = 2, list(0, 2500), []int{2, 1} }),
			crash("process-1", sim.When{Note: Entered}, 50*ms), simtest.Until(at(2000)))
		r.OnlyViolates()
		assert.EqualValues(t, []int64{2, 1}, []int64{r.Measure("entries"), r.Measure("peak-inside")}, algorithm)
	}
}

// Lamport's queue is worth what has arrived: a request that comes while the process is
// down is lost, like any message, and two are in.
func TestRequestWhileDown(t *testing.T) {
	set := func(p *Params) {
		p.Processes, p.Durable, p.Start, p.Work = 2, "everything", list(0, 50), dists(500, 10)
	}
	down := crash("process-2", sim.When{At: at(2)}, 10*ms)
	r := play(t, params("lamport", set), down)
	r.Violated("mutual-exclusion", at(72))
	r.OnlyViolates("mutual-exclusion")
	play(t, params("ricart-agrawala", set), down).OnlyViolates("progress")
}

// A reply to a request from before a crash is taken for one to the request after it: the
// message does not say which it answers, since no process of the papers asks twice. That
// takes no more than messages in order and a clock that is right.
func TestReplyFromBeforeACrash(t *testing.T) {
	p := params("ricart-agrawala", func(p *Params) {
		p.Durable, p.Rounds, p.Think = "clock", []int{1, 1, 2}, dists(10)
		p.Start, p.Work = list(35, 2500, 0), dists(500)
	})
	slow := simtest.Link("process-1", "process-3", sim.Link{Delay: sim.Constant(50 * ms)})
	r := play(t, p, slow, crash("process-3", sim.When{At: at(20)}, 10*ms))
	r.Violated("mutual-exclusion", at(90))
	r.Logs("0.035s process-1 asks to enter, stamped 4", "0.040s process-3 asks to enter, stamped 5",
		"0.055s process-3 enters, stamped 5, after 15ms",
		"0.090s process-1 enters, stamped 4, after 55ms, while process-3 is in")
	play(t, p, slow).OnlyViolates()
	p.Durable = "everything"
	play(t, p, slow, crash("process-3", sim.When{At: at(20)}, 10*ms)).OnlyViolates()
}

// Who enters too late has not entered in time, though all is well at the end; each who is
// late counts, each time.
func TestLate(t *testing.T) {
	for _, algorithm := range both {
		r := play(t, params(algorithm, func(p *Params) { p.Processes, p.Work, p.Rounds = 2, dists(1300, 10), []int{2} }), simtest.Until(at(10_000)))
		r.Violated("progress", at(1000))
		r.OnlyViolates("progress")
		assert.EqualValues(t, 4, r.Measure("entries"))
		assert.EqualValues(t, 2, r.Finding("progress").Violations, algorithm)
	}
}

// In time is at the instant at which the time is over, also at the end of a run.
func TestInTime(t *testing.T) {
	for algorithm, work := range map[string]int{"lamport": 990, "ricart-agrawala": 985} {
		set := func(p *Params) { p.Processes, p.Work, p.Within = 2, dists(work), in(time.Second) }
		r := play(t, params(algorithm, set))
		assert.Equal(t, at(1000), r.Moment("process-2 enters"), algorithm)
		r.Holds("progress")

		lost := lose("process-2", "process-1", Reply)
		alone := func(p *Params) { set(p); p.Start = list(0, 2500) }
		play(t, params(algorithm, alone), lost, simtest.Until(at(1000))).Violated("progress", at(1000))
		r = play(t, params(algorithm, alone), lost, simtest.Until(at(999)))
		assert.Equal(t, sim.NotExercised, r.Finding("progress").Verdict)
	}
}
