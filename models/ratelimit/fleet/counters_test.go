package fleet

import (
	"testing"
	"time"

	"fencepost/models/ratelimit/fleet/core"
	"fencepost/sim"
)

// TestBoundaryIsDescribed: the log has both bursts, the boundary at 60 s although nothing
// is asked then, and the worst window with its bounds (results.md, the reproductions).
func TestBoundaryIsDescribed(t *testing.T) {
	p := DefaultParams()
	p.Clients = []core.ClientParams{{Phases: []core.Phase{{At: 59 * time.Second, Count: ptr(100), Every: sim.Constant(9 * ms)}, burst(61*time.Second, 100)}}}
	r := play(t, p)
	r.Logs(
		"59.891s limiter-1 has admitted 100 of key 1 between 59.000s and 59.891s: its counter is 100 of 100",
		"60.000s a window ends on limiter-1, and the next begins: the counter of key 1 goes from 100 to 0",
		"61.000s limiter-1 admits client-1: now 101 of key 1 in 1m, over the bound of 100",
		"61.000s limiter-1 has admitted 100 of key 1 at 61.000s: its counter is 100 of 100",
		"61.000s the worst window of key 1 is (1.000s, 61.000s]: 200 admitted in 1m, and the limit is 100",
	)
}

// TestBoundaryOfAClock: windows end where the clock of the limiter says so.
func TestBoundaryOfAClock(t *testing.T) {
	p := DefaultParams()
	p.Clients = []core.ClientParams{{Phases: []core.Phase{burst(20*time.Second, 1), burst(200*time.Second, 1)}}}
	r := play(t, p, func(c *sim.Config, _ *sim.Program) {
		c.Clocks = []sim.Clock{{}, {Offset: 15 * time.Second}}
		c.Faults = []sim.Fault{{Do: sim.StepClock, Node: 2, By: 5 * time.Second, When: sim.When{At: at(30_000)}}}
	})
	r.Logs("40.000s a window ends on limiter-1, and the next begins: the counter of key 1 goes from 1 to 0")
}
