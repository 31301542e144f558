package reach_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/reach"
)

// counts is a result without what depends on how it was computed.
func counts(r reach.Result) reach.Result {
	r.Bytes, r.Bits = 0, 0
	return r
}

// Every number of a result is that of a search that is too simple to be wrong.
func TestVisitAgreesWithNaive(t *testing.T) {
	for ttl := 1; ttl <= 3; ttl++ {
		for pause := range 4 {
			for tokens := range 4 {
				p := params{ttl, pause, tokens}
				r, err := reach.Visit(t.Context(), leaseSpace(p, true), reach.Limits{})
				require.NoError(t, err)
				require.Equal(t, naive(p), counts(r), "%+v", p)
			}
		}
	}
}

// The states are those of the model, not only as many: each is seen once, as a view.
func TestViewIsTheState(t *testing.T) {
	p := params{2, 3, 2}
	space, seen := leaseSpace(p, true), map[pml]int{}
	space.Invariant = func(v *reach.View[msg]) string {
		seen[asPML(v)]++
		return ""
	}
	_, err := reach.Visit(t.Context(), space, reach.Limits{})
	require.NoError(t, err)
	want := map[pml]int{}
	for s := range depths(p, &reach.Result{}) {
		want[s] = 1
	}
	assert.Equal(t, want, seen)
}

// The lock passes on while its holder is suspended: the way there has a pause, and ticks
// in which the lease of the server runs out.
func TestVisitTellsPausesAndTicks(t *testing.T) {
	space := leaseSpace(params{ttl: 2, pause: 3, tokens: 1}, true)
	space.Invariant = func(v *reach.View[msg]) string {
		if v.Suspended(1) > 0 && v.Node(3).(*server).holder == sim.None {
			return "client-1 is suspended and has lost the lock"
		}
		return ""
	}
	r, err := reach.Visit(t.Context(), space, reach.Limits{})
	require.NoError(t, err)
	require.NotNil(t, r.Violation)
	var what []reach.What
	for _, m := range r.Violation.Moves {
		what = append(what, m.What)
	}
	assert.Equal(t, `  1  client-1 handles try of its own, sends request to server
  2  server handles request from client-1, sends granted 1 to client-1
  3  client-1 handles granted 1 from server
  4  client-1 is suspended for 3 ticks
  5  a tick passes
  6  a tick passes
     violated: client-1 is suspended and has lost the lock
`, r.Violation.String())
	assert.Equal(t, []reach.What{reach.Handle, reach.Handle, reach.Handle, reach.Suspend, reach.Tick, reach.Tick}, what)
	assert.Equal(t, sim.NodeID(1), r.Violation.Moves[3].Node)
}

// The numbers of SPIN 6.5.2 for the model, with partial order reduction off. It counts
// the first state as a transition too.
func TestVisitAgreesWithSpin(t *testing.T) {
	for _, c := range []struct {
		params
		stored, transitions int64
	}{
		{params{1, 1, 1}, 76, 169},
		{params{1, 1, 2}, 676, 1953},
		{params{2, 1, 2}, 1398, 4343},
		{params{2, 3, 2}, 2200, 5963},
		{params{3, 2, 3}, 17968, 56287},
		{params{1, 2, 4}, 13966, 44819},
		{params{4, 6, 2}, 11644, 27891},
	} {
		r, err := reach.Visit(t.Context(), leaseSpace(c.params, true), reach.Limits{})
		require.NoError(t, err)
		assert.True(t, r.Exhausted)
		assert.Equal(t, c.stored, r.States, "%+v", c.params)
		assert.Equal(t, c.transitions, r.Transitions+1, "%+v", c.params)
	}
}

func TestVisitWhole(t *testing.T) {
	p, states, transitions := large, int64(wholeStates), int64(wholeTransitions)
	if !whole.Tests() {
		p, states, transitions = params{3, 2, 3}, 17968, 56286
	}
	r, err := reach.Visit(t.Context(), leaseSpace(p, true), reach.Limits{Memory: 250 << 20})
	require.NoError(t, err)
	assert.True(t, r.Exhausted)
	assert.Empty(t, r.Bound)
	assert.Nil(t, r.Violation)
	assert.Equal(t, states, r.States)
	assert.Equal(t, transitions, r.Transitions)
}

// "The storage server remembers that it has already processed a write with a higher
// token number (34), and so it rejects the request with token 33." Kleppmann, "How to
// do distributed locking", 2016. The store without a fence does not.
func TestVisitFindsShortestViolation(t *testing.T) {
	p := params{ttl: 2, pause: 3, tokens: 2}
	r, err := reach.Visit(t.Context(), leaseSpace(p, false), reach.Limits{})
	require.NoError(t, err)
	require.NotNil(t, r.Violation)
	assert.False(t, r.Exhausted)
	assert.Equal(t, r.Depth, len(r.Violation.Moves))
	assert.Equal(t, `  1  client-1 handles try of its own, sends request to server
  2  server handles request from client-1, sends granted 1 to client-1
  3  client-1 handles granted 1 from server
  4  client-1 handles work of its own, sends write 1 to store
  5  client-1 handles finish of its own, sends release 1 to server (server handles release 1 from client-1)
  6  client-2 handles try of its own, sends request to server
  7  server handles request from client-2, sends granted 2 to client-2
  8  client-2 handles granted 2 from server
  9  client-2 handles work of its own, sends write 2 to store
 10  store handles write 2 from client-2
 11  store handles write 1 from client-1
     violated: the store applied an older write after a newer one
`, r.Violation.String())

	r, err = reach.Visit(t.Context(), leaseSpace(p, true), reach.Limits{})
	require.NoError(t, err)
	assert.Nil(t, r.Violation)
	assert.True(t, r.Exhausted)
}

// A limit is reached with exactly as many states, or within as much memory, and
// is no error.
func TestVisitLimits(t *testing.T) {
	p := params{3, 2, 3}
	for _, states := range []int64{1, 2, 100, 17967} {
		r, err := reach.Visit(t.Context(), leaseSpace(p, true), reach.Limits{States: states})
		require.NoError(t, err)
		assert.Equal(t, states, r.States)
		assert.Equal(t, fmt.Sprint(states, " states"), r.Bound)
		assert.False(t, r.Exhausted)
	}
	r, err := reach.Visit(t.Context(), leaseSpace(p, true), reach.Limits{States: 17968})
	require.NoError(t, err)
	assert.True(t, r.Exhausted)

	before := int64(0)
	for memory := int64(1); memory <= 8<<20; memory *= 2 {
		r, err := reach.Visit(t.Context(), leaseSpace(p, true), reach.Limits{Memory: memory})
		require.NoError(t, err)
		assert.GreaterOrEqual(t, r.States, before)
		before = r.States
		if !r.Exhausted {
			assert.Equal(t, fmt.Sprint(memory, " bytes"), r.Bound)
			assert.True(t, r.States <= 17968)
		} else {
			assert.LessOrEqual(t, r.Bytes, memory)
		}
	}
	assert.Equal(t, int64(17968), before)
}

func TestVisitIsTheSameEveryTime(t *testing.T) {
	for _, fence := range []bool{false, true} {
		space := leaseSpace(params{2, 3, 3}, fence)
		first, err := reach.Visit(t.Context(), space, reach.Limits{})
		require.NoError(t, err)
		again, err := reach.Visit(t.Context(), space, reach.Limits{})
		require.NoError(t, err)
		assert.Equal(t, first, again)
	}
}

func TestVisitStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	space := leaseSpace(large, true)
	seen := 0
	space.Invariant = func(*reach.View[msg]) string {
		if seen++; seen == 5000 {
			cancel()
		}
		return ""
	}
	r, err := reach.Visit(ctx, space, reach.Limits{})
	require.ErrorIs(t, err, context.Canceled)
	assert.False(t, r.Exhausted)
	assert.GreaterOrEqual(t, r.States, int64(5000))
	assert.Less(t, r.States, int64(10000))
}
