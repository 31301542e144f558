package lease

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim/reach"
)

// values are those of all parameters.
func values(ttl, pause, tokens, fence int) map[string]int {
	return map[string]int{"ttl": ttl, "pause": pause, "tokens": tokens, "fence": fence}
}

func visit(t *testing.T, c reach.Choice) reach.Result {
	t.Helper()
	r, err := Models()[0].Visit(t.Context(), c, reach.Limits{Workers: 2})
	require.NoError(t, err)
	return r
}

// The numbers of SPIN 6.5.2 for the same lock, with partial order reduction off.
func TestAgreesWithSpin(t *testing.T) {
	for _, c := range []struct {
		ttl, pause, tokens int
		states             int64
	}{
		{1, 1, 1, 76}, {1, 1, 2, 676}, {2, 1, 2, 1398}, {2, 3, 2, 2200}, {3, 2, 3, 17968}, {1, 2, 4, 13966}, {4, 6, 2, 11644},
	} {
		r := visit(t, reach.Choice{Values: values(c.ttl, c.pause, c.tokens, 1), Properties: []string{"no-stale-write"}})
		assert.True(t, r.Exhausted)
		assert.Equal(t, c.states, r.States, "%+v", c)
	}
}

// With a fence no state has a stale write, whatever crashes, is duplicated or lost; without
// one, a store is the mutant in which there is one.
func TestFence(t *testing.T) {
	for _, f := range []reach.Faults{{}, {Crashes: 1}, {Duplicates: 1}, {Losses: 1}, {Crashes: 1, Duplicates: 1, Losses: 1}} {
		c := reach.Choice{Values: values(2, 3, 2, 1), Properties: []string{"no-stale-write"}, Faults: f}
		r := visit(t, c)
		require.Nil(t, r.Violation, "%+v\n%v", f, r.Violation)
		assert.True(t, r.Exhausted)

		c.Values["fence"] = 0
		r = visit(t, c)
		require.NotNil(t, r.Violation)
		assert.Equal(t, "no-stale-write", r.Violation.Property)
	}
}

// A client that is suspended believes in its lease for longer than the server does; one
// that is not, and whose grant takes no time, does not. A grant on its way is enough.
func TestExclusion(t *testing.T) {
	r := visit(t, reach.Choice{Values: values(2, 3, 2, 1), Properties: []string{"mutual-exclusion"}})
	require.NotNil(t, r.Violation)
	assert.Equal(t, "mutual-exclusion", r.Violation.Property)

	r = visit(t, reach.Choice{Values: values(2, 0, 2, 1), Properties: []string{"mutual-exclusion"}})
	require.NotNil(t, r.Violation)
	for _, m := range r.Violation.Moves {
		assert.NotEqual(t, reach.Suspend, m.What)
	}
}
