package process

import (
	"testing"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// TestResetForgetsEverything runs each clock under each pattern through storms and
// crashes.
func TestResetForgetsEverything(t *testing.T) {
	for clock := range promises {
		for _, pattern := range []string{"ring", "random", "client-server", "gossip"} {
			t.Run(clock+" "+pattern, func(t *testing.T) {
				p := busy(clock, pattern, func(p *Params) { p.Durable, p.MaxOffset, p.Granule, p.Epsilon = true, 3*ms, ms, ptr(3*ms) })
				simtest.Forgets(t, p.System, sim.Config{}, storm, clockSteps, crashes, simtest.Until(at(1000)))
			})
		}
		t.Run(clock+" script", func(t *testing.T) {
			p := scripted(clock, example, "A: refused")
			gap := sim.Exponential(20 * ms)
			p.Gap, p.Then = &gap, []int{5}
			simtest.Forgets(t, p.System, sim.Config{}, storm, crashes, simtest.Until(at(500)))
		})
	}
}

// TestPure does every step twice, on copies, and compares: in storms, with crashes.
func TestPure(t *testing.T) {
	for clock := range promises {
		for _, pattern := range []string{"random", "gossip"} {
			p := busy(clock, pattern, func(p *Params) { p.Durable = true })
			simtest.Play(t, p.System, sim.Config{}, storm, crashes, simtest.Until(at(1000)))
		}
		p := scripted(clock, example, "")
		simtest.Play(t, p.System, sim.Config{}, storm, crashes)
	}
}
