package idempotency

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/internal/kit/kittest"
	"fencepost/sim"
	"fencepost/sim/explore"
	"fencepost/sim/simtest"
)

// searched is an exhaustive search of a flow with two clients and two servers.
func searched(t testing.TB, program string, b explore.Budget) *explore.Report {
	t.Helper()
	c := sim.Config{Until: kittest.At(5000), Calm: true}
	p := sim.NewProgram(system(t, program, small))
	simtest.Delay(5*ms)(&c, &p)
	r, err := explore.Find(context.Background(), explore.Search{Program: p, Config: c, Budget: b, Mode: explore.Exhaustive})
	require.NoError(t, err)
	return r
}

func TestReferenceInEverySchedule(t *testing.T) {
	for _, b := range []explore.Budget{within(0, 1, 0), within(1, 0, 0), within(0, 0, 1)} {
		r := searched(t, reference, b)
		t.Logf("%d runs, %d states, %d steps", r.Runs, r.States, r.Steps)
		require.Nil(t, r.Found)
		assert.True(t, r.Exhausted, r.Bound)
	}
}
