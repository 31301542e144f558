package service

import (
	"testing"
	"time"

	"fencepost/models/lock"
	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/simtest"
)

// fencing is what our store does with the token of a write: it rejects one that is smaller than the largest so far.
const fencing = "ge"

// ourLock is how we take the lock: etcd's mutex with a lease of 10 s, and two workers.
func ourLock() sim.System[lock.Msg] {
	p := lock.DefaultParams()
	p.Service, p.Fencing = "etcd", fencing
	return p.System()
}

// TestNoUpdateIsLost searches 500 runs, each with one pause of any node, anywhere and of any duration.
func TestNoUpdateIsLost(t *testing.T) {
	simtest.Explore(t, simtest.Case[lock.Msg]{
		System: ourLock,
		Config: sim.Config{
			Until:   sim.Time(60 * time.Second),
			Network: sim.Network{Default: sim.Link{Delay: sim.Uniform(time.Millisecond, 20*time.Millisecond)}},
		},
		Budget:     explore.Budget{Pauses: 1},
		Properties: []string{"no-lost-update"},
		Runs:       500,
	})
}

// longest is the longest pause of a worker, as its collector has it.
const longest = 7 * time.Second

// leased is another way to take it: a key of Redis with a TTL of 10 s, and work of 2 s.
func leased() sim.System[lock.Msg] {
	p, ttl := lock.DefaultParams(), 10*time.Second
	p.Service, p.TTL, p.Work = "redis", &ttl, []time.Duration{2 * time.Second}
	return p.System()
}

// TestOneHoldsTheLock proves it for all delays up to 5 ms, and a pause of either worker at any moment.
func TestOneHoldsTheLock(t *testing.T) {
	simtest.Certify(t, simtest.Case[lock.Msg]{
		System: leased,
		Config: sim.Config{
			Until:   sim.Time(60 * time.Second),
			Network: sim.Network{Default: sim.Link{Delay: sim.Uniform(0, 5*time.Millisecond+1)}},
		},
		Budget: explore.Budget{
			Pauses: 1, PauseFor: explore.Lengths{List: []time.Duration{longest}},
			Nodes: []sim.NodeID{1, 2},
		},
		Properties: []string{"mutual-exclusion"},
	})
}
