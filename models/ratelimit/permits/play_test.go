package permits

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

// Lengths in milliseconds, and what always gives them.
var list, works = simtest.Lengths, simtest.Constants

// play runs a limiter for a second, or until the given instant, over a network without
// delay.
func play(t *testing.T, p Params, change ...simtest.Change) *simtest.Played {
	t.Helper()
	require.Empty(t, p.Problems())
	return playSystem(t, p.System, change...)
}

// playSystem is play with a system of one's own.
func playSystem(t *testing.T, build func() sim.System[Msg], change ...simtest.Change) *simtest.Played {
	t.Helper()
	return simtest.Play(t, build, sim.Config{Until: at(1000)}, change...)
}
