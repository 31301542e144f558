package explore

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// restless is two clients and five instances in a network in which everything that can
// be drawn is.
func restless(t testing.TB) *Search {
	p, c := redlock()
	c.Network.Default = sim.Link{Delay: sim.Uniform(time.Millisecond, 20*time.Millisecond), Loss: sim.Certain / 20, Duplicate: sim.Certain / 20}
	c.Costs = []sim.Dist{sim.Uniform(0, time.Millisecond)}
	lengths, err := sim.LogNormal(10*time.Millisecond, 5*time.Second)
	require.NoError(t, err)
	c.Faults = []sim.Fault{{Name: "collections", Do: sim.Pause, Node: 2, When: sim.When{Every: sim.Uniform(time.Second, 9*time.Second)}, For: lengths}}
	c.Until = sim.Time(5 * time.Second)
	return &Search{Program: p, Config: c, Seed: 1, Budget: Budget{Pauses: 2, Suspends: 1, Crashes: 1, ClockSteps: 1, Slews: 1,
		Cuts: 1, Late: 1, Lost: 2, Duplicated: 1}}
}

// random gives bytes of which half are 0.
func random(r *rand.Rand, n int) []byte {
	b := make([]byte, r.IntN(n))
	for i := range b {
		if r.IntN(2) == 0 {
			b[i] = byte(r.IntN(4) * r.IntN(86))
		}
	}
	return b
}

// found is what a search finds first.
func found(t testing.TB, s Search) *Failure {
	t.Helper()
	r, err := Find(context.Background(), s)
	require.NoError(t, err)
	require.NotNil(t, r.Found)
	return r.Found
}
