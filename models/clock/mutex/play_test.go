package mutex

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

const ms = time.Millisecond

var at = modeltest.At

// Lengths in milliseconds, and what always gives them.
var list, dists = simtest.Lengths, simtest.Constants

// in is a bound.
func in(d time.Duration) *time.Duration { return &d }

// params are the parameters of an algorithm, with changes.
func params(algorithm string, set func(*Params)) Params {
	p := DefaultParams()
	p.Algorithm, p.Within = algorithm, in(time.Second)
	if set != nil {
		set(&p)
	}
	return p
}

func seconds(c *sim.Config, _ *sim.Program) { c.Until = at(3000) }

// play runs processes for three seconds, or until the given instant, over a network in
// which a message takes 5 ms.
func play(t *testing.T, p Params, change ...simtest.Change) *simtest.Played {
	t.Helper()
	require.Empty(t, p.Problems())
	return modeltest.Play(t, p.System, append([]simtest.Change{seconds}, change...)...)
}

var both = []string{"lamport", "ricart-agrawala"}

var durabilities = []string{"nothing", "clock", "everything"}
