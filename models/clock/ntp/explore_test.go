package ntp

import (
	"testing"
	"time"

	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/simtest"
)

// TestMajorityIsSafe searches for messages that are lost, late or doubled, and for pauses,
// with which a client that asks three servers believes the one that is wrong.
func TestMajorityIsSafe(t *testing.T) {
	p := params(func(p *Params) {
		p.Servers, p.Select, p.Polls, p.Poll, p.Settle = 3, "marzullo", 3, 2*time.Second, 2*time.Second
	})
	simtest.Explore(t, simtest.Case[Msg]{
		System: p.System,
		Config: sim.Config{
			Until:   at(10_000),
			Network: sim.Network{Default: sim.Link{Delay: sim.Uniform(ms, 20*ms)}},
			Clocks:  []sim.Clock{{}, {}, {Offset: 80 * ms}},
		},
		Budget:     explore.Budget{Pauses: 1, Lost: 2, Late: 2, Duplicated: 1},
		Properties: []string{"within-bound", "no-falseticker", "monotonic"},
	})
}
