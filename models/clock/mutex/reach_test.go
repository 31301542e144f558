package mutex

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/reach"
)

// Every order in which messages can arrive, of a few processes that ask a few times, at
// any time: what the algorithms promise holds in every state that can be reached, and the
// shortest ways to what they do not promise are found without being told.

// visit visits a shipped model, by the values of its parameters.
func visit(t *testing.T, name string, processes, rounds int, order sim.Order) reach.Result {
	t.Helper()
	i := slices.IndexFunc(Models(), func(m reach.Model) bool { return m.Name == name })
	values := map[string]int{"processes": processes, "rounds": rounds, "overtake": 0}
	if order == sim.Free {
		values["overtake"] = 1
	}
	r, err := Models()[i].Visit(context.Background(), reach.Choice{Values: values}, reach.Limits{Memory: 2 << 30, Workers: 2})
	require.NoError(t, err)
	return r
}

func TestInEveryOrder(t *testing.T) {
	for _, v := range []struct {
		name              string
		processes, rounds int
		order             sim.Order
		states            int64
	}{
		{"mutex/lamport", 2, 2, sim.FIFO, 1_931},
		{"mutex/lamport", 2, 4, sim.FIFO, 77_554},
		{"mutex/lamport", 3, 1, sim.FIFO, 1_013_779},
		{"mutex/ricart-agrawala", 2, 4, sim.Free, 10_731},
		{"mutex/ricart-agrawala", 3, 1, sim.Free, 36_366},
	} {
		if v.states > 500_000 && !whole.Tests() {
			continue
		}
		t.Run(fmt.Sprint(v.name, v.processes, v.rounds), func(t *testing.T) {
			r := visit(t, v.name, v.processes, v.rounds, v.order)
			require.Nil(t, r.Violation, r.Violation)
			require.True(t, r.Exhausted, r.Bound)
			require.Zero(t, r.Held, "no link is too small")
			assert.Equal(t, v.states, r.States)
		})
	}
}

// TestShortestWays lets messages overtake each other in Lamport's algorithm. With two
// processes two are in after four moves; the schedule is played in schedules_test.go.
func TestShortestWays(t *testing.T) {
	for _, v := range []struct {
		processes, moves int
		property, why    string
	}{
		{2, 4, "mutual-exclusion", "two are in"},
		{3, 6, "order", "one is in, and one that has asked before waits"},
	} {
		r := visit(t, "mutex/lamport", v.processes, 1, sim.Free)
		require.NotNil(t, r.Violation)
		assert.Equal(t, v.property, r.Violation.Property)
		assert.Equal(t, v.why, r.Violation.Why)
		assert.Len(t, r.Violation.Moves, v.moves, "%v", r.Violation)
	}
}

// A message that is lost, handled twice or forgotten breaks what the algorithms promise of
// messages that arrive once, by a shortest way in which it is told.
func TestFaultsBreakPromises(t *testing.T) {
	for _, v := range []struct {
		model    int
		faults   reach.Faults
		property string
		what     reach.What
	}{
		{0, reach.Faults{Losses: 1}, "liveness", reach.Lose},
		{1, reach.Faults{Duplicates: 1}, "mutual-exclusion", reach.Duplicate},
		{1, reach.Faults{Crashes: 1}, "liveness", reach.Crash},
	} {
		r, err := Models()[v.model].Visit(t.Context(), reach.Choice{Faults: v.faults, Properties: []string{v.property}}, reach.Limits{})
		require.NoError(t, err)
		require.NotNil(t, r.Violation, "%+v: %+v", v, r)
		assert.Equal(t, v.property, r.Violation.Property)
		assert.True(t, slices.ContainsFunc(r.Violation.Moves, func(m reach.Move) bool { return m.What == v.what }), "%v", r.Violation)
	}
}
