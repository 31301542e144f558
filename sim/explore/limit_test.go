package explore

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/lock"
	"fencepost/sim"
)

// A search ends within a run when its time is over: one of a thousand hours, in which two
// clients fight over a lock without end.
func TestASearchEndsWithinARun(t *testing.T) {
	p := lock.DefaultParams()
	p.Rounds = []int{0}
	s := Search{Program: sim.NewProgram(p.System), Config: sim.Config{Until: sim.Time(1000 * time.Hour)}, Budget: Budget{Pauses: 1}, Jobs: 2}
	s.Config.Network.Default.Delay = sim.Uniform(time.Millisecond, 10*time.Millisecond) // above 0, for a run ends between two instants
	for _, mode := range []Mode{Random, Exhaustive} {
		s.Mode = mode
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		r, err := Find(ctx, s)
		cancel()
		require.NoError(t, err)
		assert.Equal(t, "time", r.Bound)
		assert.Zero(t, r.Runs)
	}
	s.Mode, s.Budget = Exhaustive, Budget{} // no survey comes before the search
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	r, err := Find(ctx, s)
	require.NoError(t, err)
	assert.Equal(t, "time", r.Bound)
}
