package mutex

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// What becomes of the promises when what the papers assume does not hold: order, delivery
// of each message, once, and processes that live.

func lose(from, to string, kind sim.Kind) simtest.Change {
	return simtest.Disturb(from, to, sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: kind, Nth: 1}})
}

func twice(from, to string, kind sim.Kind, after int64) simtest.Change {
	return simtest.Disturb(from, to, sim.Fault{Do: sim.Duplicate, For: sim.Constant(time.Duration(after) * ms), Msg: sim.MsgChoice{Kind: kind, Nth: 1}})
}

func late(from, to string, kind sim.Kind, by int64) simtest.Change {
	return simtest.Disturb(from, to, sim.Fault{Do: sim.Delay, For: sim.Constant(time.Duration(by) * ms), Msg: sim.MsgChoice{Kind: kind, Nth: 1}})
}

func crash(who string, when sim.When, down time.Duration) simtest.Change {
	return simtest.Inject(who, sim.Fault{Do: sim.Crash, When: when, For: sim.Constant(down), Forever: down == 0})
}

func two(p *Params) { p.Processes = 2 }

func TestSchedules(t *testing.T) {
	restart := func(durable string) func(*Params) {
		return func(p *Params) {
			p.Processes, p.Durable, p.Start, p.Work = 2, durable, list(50, 0), dists(10, 500)
		}
	}
	down := crash("process-1", sim.When{At: at(20)}, 10*ms)
	for _, v := range []struct {
		name     string
		lamport  []string // what is violated
		ricart   []string
		set      func(*Params)
		schedule simtest.Change
	}{
		{"nothing goes wrong", nil, nil, nil, func(*sim.Config, *sim.Program) {}},
		{"a reply overtakes a request", []string{"mutual-exclusion"}, nil, two, late("process-1", "process-2", Request, 50)},
		{"a reply overtakes requests, while one waits", []string{"mutual-exclusion", "in-request-order"}, nil, func(p *Params) { p.Start = list(0, 0, 2000) },
			simtest.Disturb("process-1", "", sim.Fault{Do: sim.Delay, For: sim.Constant(50 * ms), Msg: sim.MsgChoice{Kind: Request}})},
		{"a request is lost", []string{"mutual-exclusion"}, []string{"progress"}, two, lose("process-1", "process-2", Request)},
		{"a reply is lost", nil, []string{"progress"}, two, lose("process-2", "process-1", Reply)}, // the request of process-2 is a sign of life as well
		{"a reply is lost, and nothing else is said", []string{"progress"}, []string{"progress"}, func(p *Params) { p.Processes, p.Start = 2, list(0, 5000) },
			lose("process-2", "process-1", Reply)},
		{"a release is lost", []string{"progress"}, nil, two, lose("process-1", "process-2", Release)},
		{"a request arrives twice", []string{"progress"}, nil, func(p *Params) { p.Processes, p.Start = 2, list(0, 500) }, twice("process-1", "process-2", Request, 200)},
		{"a request arrives twice, in the next round", nil, []string{"mutual-exclusion"}, func(p *Params) { p.Processes, p.Start, p.Rounds = 2, list(0, 50), []int{2, 1} },
			twice("process-1", "process-2", Request, 150)},
		{"a reply arrives twice", nil, []string{"mutual-exclusion"}, func(p *Params) { p.Start = list(0, 1000, 0) }, twice("process-2", "process-3", Reply, 1)},
		{"a release arrives twice", []string{"mutual-exclusion"}, nil, func(p *Params) { p.Processes, p.Rounds = 2, []int{2} }, twice("process-1", "process-2", Release, 120)},
		{"one that wants nothing crashes", []string{"progress"}, []string{"progress"}, func(p *Params) { p.Start = list(0, 0, 5000) }, crash("process-3", sim.When{}, 0)},
		{"one that is in crashes", []string{"progress"}, []string{"progress"}, nil, crash("process-1", sim.When{Note: Entered}, 0)},
		{"one that is in is paused", nil, nil, nil, simtest.Inject("process-1", sim.Fault{Do: sim.Pause, When: sim.When{Note: Entered}, For: sim.Constant(700 * ms)})},
		{"a restart without a clock", []string{"mutual-exclusion", "in-request-order"}, []string{"mutual-exclusion", "in-request-order"}, restart("nothing"), down},
		{"a restart with the clock", []string{"mutual-exclusion"}, nil, restart("clock"), down},
		{"a restart with everything", nil, nil, restart("everything"), down},
	} {
		t.Run(v.name, func(t *testing.T) {
			for algorithm, violated := range map[string][]string{"lamport": v.lamport, "ricart-agrawala": v.ricart} {
				t.Run(algorithm, func(t *testing.T) {
					r := play(t, params(algorithm, v.set), func(c *sim.Config, p *sim.Program) {
						v.schedule(c, p)
						if algorithm == "ricart-agrawala" && len(c.Faults) > 0 && c.Faults[0].Msg.Kind == Release {
							c.Faults = nil // it sends none
						}
					})
					r.OnlyViolates(violated...)
				})
			}
		})
	}
}

// TestShortestWayIsPlayed plays the schedule that visiting every state finds (see
// reach_test.go).
func TestShortestWayIsPlayed(t *testing.T) {
	r := play(t, params("lamport", two), late("process-1", "process-2", Request, 50))
	r.Violated("mutual-exclusion", at(10))
	r.Logs(
		"0.005s process-1 enters, stamped 1, after 5ms",
		"0.010s process-2 enters, stamped 1, after 10ms, while process-1 is in")
	assert.EqualValues(t, 2, r.Measure("peak-inside"))
}

// TestWhoWaits: that somebody who asked before still waits is seen when another enters, and
// not only when he follows.
func TestWhoWaits(t *testing.T) {
	early := simtest.Disturb("process-1", "", sim.Fault{Do: sim.Delay, For: sim.Constant(50 * ms), Msg: sim.MsgChoice{Kind: Request}})
	r := play(t, params("lamport", func(p *Params) { p.Start = list(0, 0, 2500) }), early)
	r.Violated("in-request-order", at(10))
	assert.Equal(t, "process-2 entered by a request stamped 1, while process-1 waited with one stamped 1", r.Why[1])
	// The last process is one like the others.
	early = simtest.Disturb("process-3", "", sim.Fault{Do: sim.Delay, For: sim.Constant(50 * ms), Msg: sim.MsgChoice{Kind: Request}})
	r = play(t, params("lamport", func(p *Params) { p.Start, p.Work = list(0, 6, 0), dists(5) }), early)
	r.Violated("in-request-order", at(20))
	assert.Equal(t, "process-2 entered by a request stamped 4, while process-3 waited with one stamped 1", r.Why[1])
}

// TestNobodyWaits: the time until somebody asks is not that of a handover.
func TestNobodyWaits(t *testing.T) {
	for _, algorithm := range both {
		r := play(t, params(algorithm, func(p *Params) { p.Start = list(0, 500, 1000) }))
		assert.EqualValues(t, 3, r.Measure("entries"))
		assert.Zero(t, r.Measure("handover"), algorithm)
	}
}

// "the failure of a single process will make it impossible for any other process to
// execute State Machine commands, thereby halting the system" (Lamport 1978).
func TestOneCrashBlocksEverybody(t *testing.T) {
	for _, algorithm := range both {
		r := play(t, params(algorithm, func(p *Params) { p.Processes, p.Rounds, p.Work, p.Think = 5, []int{0}, dists(10), dists(30) }), crash("process-5", sim.When{At: at(500)}, 0))
		assert.EqualValues(t, 4, r.Measure("unserved"), "%s: everybody else", algorithm)
		assert.Contains(t, r.String(), "was not let in: process-5 was down")
		r.OnlyViolates("progress")
		for i, m := range r.Moments {
			assert.Less(t, m.At, at(700), "%d: %s", i, m.Text)
		}
	}
}

// TestPauseInside: a process that is stopped in the critical section keeps everybody
// out; what the others wait is the pause and no more than one would wait anyway.
func TestPauseInside(t *testing.T) {
	for _, algorithm := range both {
		r := play(t, params(algorithm, nil), simtest.Inject("process-1", sim.Fault{Do: sim.Pause, When: sim.When{Note: Entered}, For: sim.Constant(700 * ms)}))
		r.Holds("mutual-exclusion", "in-request-order", "progress")
		assert.EqualValues(t, 1, r.Measure("peak-inside"))
		assert.EqualValues(t, 3, r.Measure("entries"))
	}
}
