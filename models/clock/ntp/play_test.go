package ntp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

const ms = time.Millisecond

func ptr[T any](v T) *T { return &v }

// at is an instant in milliseconds.
func at(ms int64) sim.Time { return sim.Time(ms * 1e6) }

// params are the defaults with changes.
func params(set func(*Params)) Params {
	p := DefaultParams()
	set(&p)
	return p
}

// play runs clients and servers for an hour, or until the given instant, over ways of 5 ms.
func play(t *testing.T, p Params, change ...simtest.Change) *simtest.Played {
	t.Helper()
	require.Empty(t, p.Problems())
	return playSystem(t, p.System, change...)
}

// playSystem is play with a system of one's own.
func playSystem(t *testing.T, build func() sim.System[Msg], change ...simtest.Change) *simtest.Played {
	t.Helper()
	return simtest.Play(t, build, sim.Config{Until: at(3_600_000)}, append([]simtest.Change{simtest.Delay(5 * ms)}, change...)...)
}

// clockOf lets a node's clock begin with an error.
func clockOf(who string, c sim.Clock) simtest.Change {
	return func(config *sim.Config, p *sim.Program) {
		for len(config.Clocks) < len(p.Nodes) {
			config.Clocks = append(config.Clocks, sim.Clock{})
		}
		config.Clocks[p.Node(who)-1] = c
	}
}

// way is how long messages from one node to another take.
func way(from, to string, d time.Duration) simtest.Change {
	return func(config *sim.Config, p *sim.Program) {
		config.Network.Rules = append(config.Network.Rules, sim.LinkRule{
			From: []sim.NodeID{p.Node(from)}, To: []sim.NodeID{p.Node(to)}, Link: sim.Link{Delay: sim.Constant(d)}})
	}
}
