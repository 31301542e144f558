package permits

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// TestResetForgetsEverything runs each limiter through storms and crashes.
func TestResetForgetsEverything(t *testing.T) {
	crashes := func(who string, every time.Duration) simtest.Change {
		return simtest.Inject(who, sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(every)}, For: sim.Constant(time.Second)})
	}
	for _, algorithm := range []string{"as-written", "fixed", "leases"} {
		t.Run(algorithm, func(t *testing.T) {
			p := busy(algorithm, func(p *Params) {
				if algorithm == "leases" {
					p.Limiters = 2
				}
			})
			simtest.Forgets(t, p.System, sim.Config{}, storm, crashes("limiter-1", 5*time.Second), crashes("client-1", 9*time.Second))
		})
	}
}

// TestCrashes lets limiters and clients crash in a storm: what is in the memory of a
// process is gone with it, and nothing of it is held against the next one.
func TestCrashes(t *testing.T) {
	p := busy("fixed", func(*Params) {})
	program := sim.NewProgram(p.System)
	var c sim.Config
	storm(&c, &program)
	for _, n := range []string{"limiter-1", "client-1", "client-2"} {
		simtest.Inject(n, sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(2 * time.Second)}, For: sim.Exponential(300 * ms)})(&c, &program)
	}
	w, err := program.NewWorld(c)
	require.NoError(t, err)
	for seed := range uint64(200) {
		r := w.Run(seed)
		require.False(t, r.Panic != nil, "%v", r.Panic)
		for i, f := range r.Properties {
			require.NotEqual(t, sim.Violated, f.Verdict, "seed %d: %s at %v: %s", seed, program.Properties[i], f.First, w.Why(i))
		}
	}
}
