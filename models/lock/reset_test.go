package lock

import (
	"testing"
	"time"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// TestResetForgetsEverything runs each property through storms and crashes.
func TestResetForgetsEverything(t *testing.T) {
	p := contended(func(p *Params) {
		p.Tokens, p.Fencing, p.Extend, p.Work = "counter", "lex", 300*ms, []time.Duration{2 * time.Second}
	})
	crashes := func(who string, every time.Duration) simtest.Change {
		return simtest.Inject(who, sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(every)}, For: sim.Constant(time.Second)})
	}
	simtest.Forgets(t, p.System, sim.Config{}, storm, crashes("redis-1", 5*time.Second), crashes("client-1", 9*time.Second))
}
