package chain

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

const ms = time.Millisecond

func ptr[T any](v T) *T { return &v }

func perSecond(n int64) traffic.Rate { return traffic.Rate{Requests: n, Per: time.Second} }

// at is an instant in milliseconds.
func at(ms int64) sim.Time { return sim.Time(ms * 1e6) }

// play runs a chain until an instant, without delays.
func play(t *testing.T, p Params, until sim.Time, change ...simtest.Change) *simtest.Played {
	t.Helper()
	require.Empty(t, p.Problems())
	return playSystem(t, p.System, until, change...)
}

// playSystem is play with a system of one's own.
func playSystem(t *testing.T, build func() sim.System[Msg], until sim.Time, change ...simtest.Change) *simtest.Played {
	t.Helper()
	return simtest.Play(t, build, sim.Config{Until: until}, append([]simtest.Change{simtest.Once()}, change...)...)
}

// twice checks that steps are pure, which takes long where queues are.
func twice(c *sim.Config, _ *sim.Program) { c.Twice = true }
