package kv

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/models/internal/kit/kittest"
	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/simtest"
)

// small is three nodes that store one key, a client that writes it twice, and one that reads it.
func small(p *Params) {
	p.Timeout, p.ReplicaTimeout, p.Suspect, p.Patience = 100*ms, 30*ms, 200*ms, 150*ms
	p.Clients = []ClientParams{script("put x v1", "put x v2"), script("get x via node-2", "get x via node-3", "get x via node-2")}
}

// searched is an exhaustive search of a store in which a message takes 5 ms.
func searched(t testing.TB, set func(*Params), b explore.Budget) *explore.Report {
	t.Helper()
	c := sim.Config{Until: kittest.At(1000), Calm: true}
	p := sim.NewProgram(system(t, set))
	simtest.Delay(5*ms)(&c, &p)
	r, err := explore.Find(context.Background(), explore.Search{Program: p, Config: c, Budget: b, Mode: explore.Exhaustive})
	require.NoError(t, err)
	return r
}

// within is what may go wrong in the searches of these tests.
func within(pauses, crashes, lost int) explore.Budget {
	one := func(d time.Duration) explore.Lengths { return explore.Lengths{List: []time.Duration{d}} }
	return explore.Budget{Pauses: pauses, Crashes: crashes, Lost: lost, PauseFor: one(150 * ms), DownFor: one(60 * ms)}
}

// BenchmarkExhaustive is states per second of a search with one crash and one lost message.
func BenchmarkExhaustive(b *testing.B) {
	b.ReportAllocs()
	states := 0
	for range b.N {
		r := searched(b, small, within(0, 1, 1))
		require.True(b, r.Exhausted)
		states += r.States
	}
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
	b.ReportMetric(float64(states)/float64(b.N), "states")
}
