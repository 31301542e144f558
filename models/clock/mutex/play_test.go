package mutex

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

const ms = time.Millisecond

// at is an instant in milliseconds.
func at(ms int64) sim.Time { return sim.Time(ms * 1e6) }

// Lengths in milliseconds, and what always gives them.
var list, dists = simtest.Lengths, simtest.Constants

// params are the parameters of an algorithm, with changes.
func params(algorithm string, set func(*Params)) Params {
	p := DefaultParams()
	p.Algorithm, p.Within = algorithm, time.Second
	if set != nil {
		set(&p)
	}
	return p
}

// play runs processes for three seconds, or until the given instant, over a network in
// which a message takes 5 ms.
func play(t *testing.T, p Params, change ...simtest.Change) *simtest.Played {
	t.Helper()
	require.Empty(t, p.Problems())
	return playSystem(t, p.System, change...)
}

// playSystem is play with a system of one's own.
func playSystem(t *testing.T, build func() sim.System[Msg], change ...simtest.Change) *simtest.Played {
	t.Helper()
	c := sim.Config{Until: at(3000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(5 * ms)}}}
	return simtest.Play(t, build, c, change...)
}

var both = []string{"lamport", "ricart-agrawala"}
