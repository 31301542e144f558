package idempotency

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// searched is an exhaustive search of a flow with two clients and two servers.
func searched(t testing.TB, program string, b explore.Budget) *explore.Report {
	t.Helper()
	c := sim.Config{Until: modeltest.At(5000), Minimal: true}
	p := sim.NewProgram(system(t, program, small))
	simtest.Delay(5*ms)(&c, &p)
	r, err := explore.Find(context.Background(), explore.Search{Program: p, Config: c, Budget: b, Mode: explore.Exhaustive})
	require.NoError(t, err)
	return r
}

// Two clients send one intent to two servers: whatever stops, wherever it does, and whatever
// message is lost, there is one effect and one answer. Which schedules there are does not
// change unless the flow or the model does.
func TestReferenceInEverySchedule(t *testing.T) {
	cases := []struct {
		name   string
		budget explore.Budget
		runs   int
	}{
		{"a crash", within(0, 1, 0), 144},
		{"a pause", within(1, 0, 0), 144},
		{"a lost message", within(0, 0, 1), 39},
		{"a crash and a lost message", within(0, 1, 1), 7376},
	}
	if testing.Short() {
		cases = cases[:3]
	}
	for _, v := range cases {
		t.Run(v.name, func(t *testing.T) {
			r := searched(t, reference, v.budget)
			require.Nil(t, r.Found)
			require.True(t, r.Exhausted, r.Bound)
			assert.Equal(t, v.runs, r.Runs)
			t.Logf("%d schedules, %d states", r.Runs, r.States)
		})
	}
}

// The search finds without being told that two lookups at once both process.
func TestLookupProcessStoreInEverySchedule(t *testing.T) {
	r := searched(t, lookup, within(0, 1, 0))
	require.NotNil(t, r.Found)
	assert.Equal(t, 0, r.Found.Property, "at-most-once")
}

// BenchmarkExhaustive is states per second of a search with one crash.
func BenchmarkExhaustive(b *testing.B) {
	states := 0
	for range b.N {
		states += searched(b, reference, within(0, 1, 0)).States
	}
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
}
