package ntp

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

const ms = time.Millisecond

// list is lengths in milliseconds.
var list = simtest.Lengths

func ptr[T any](v T) *T { return &v }

var at = modeltest.At

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

func hour(c *sim.Config, _ *sim.Program) { c.Until = at(3_600_000) }

// playSystem is play with a system of one's own.
func playSystem(t *testing.T, build func() sim.System[Msg], change ...simtest.Change) *simtest.Played {
	t.Helper()
	return modeltest.Play(t, build, append([]simtest.Change{hour}, change...)...)
}

// longest is the longest duration of a parameter.
const longest = 100_000 * time.Hour

// way is how long messages from one node to another take.
func way(from, to string, d time.Duration) simtest.Change {
	return simtest.Link(from, to, sim.Link{Delay: sim.Constant(d)})
}
