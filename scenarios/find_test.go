package scenarios_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/result"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// What the search must find by itself: the scenario is without its scripted faults,
// and there is nothing but a budget of faults and a property.

// search prepares a search of a scenario without its scripted faults.
func search(t *testing.T, name, property string, b explore.Budget, sets ...result.Setting) explore.Search {
	t.Helper()
	s, err := scenarios.Load(name, format.Options{NoFaults: true, Sets: sets})
	require.NoError(t, err)
	target := slices.Index(s.Program.Properties, property)
	require.GreaterOrEqual(t, target, 0, property)
	for i, id := range b.Nodes {
		require.Positive(t, int(id), "node %d of the budget", i)
	}
	return explore.Search{Program: s.Program, Config: s.Config, Budget: b, Targets: []int{target}}
}

func one(d time.Duration) explore.Lengths { return explore.Lengths{List: []time.Duration{d}} }

func TestRandomSearchFinds(t *testing.T) {
	for _, v := range []struct {
		name     string
		scenario string
		property string
		budget   explore.Budget
		within   int
	}{
		{"Redis lock, GET and DEL", "redis/unsafe-release", "owner-release", explore.Budget{Pauses: 1}, 10_000},
		{"Redlock, one pause", "redlock/gc-pause", "no-lost-update", explore.Budget{Pauses: 1}, 10_000},
		{"Redlock, one clock step, a partial first quorum", "redlock/clock-jump", "entitled-exclusion", explore.Budget{ClockSteps: 1, Cuts: 1}, 100_000},
		{"Redlock, one clock step, two messages lost", "redlock/clock-jump", "entitled-exclusion", explore.Budget{ClockSteps: 1, Lost: 2}, 100_000},
		// Of 18 seeds the mean is 40,000 runs: one in e^7 is missed.
		{"Redlock, one crash without durability, two messages lost", "redlock/crash-restart", "entitled-exclusion", explore.Budget{Crashes: 1, Lost: 2}, 300_000},
	} {
		t.Run(v.name, func(t *testing.T) {
			for _, seed := range []uint64{1, 1_000_001, 2_000_001}[:whole.Of(1, 3)] {
				s := search(t, v.scenario, v.property, v.budget)
				s.Seed, s.Runs = seed, v.within
				r, err := explore.Find(context.Background(), s)
				require.NoError(t, err)
				require.NotNil(t, r.Found, "seed %d: %d runs, %d with a fault", seed, r.Runs, r.Faulty)
				assert.Equal(t, s.Targets[0], r.Found.Property)
				t.Logf("seed %d: run %d", seed, r.Found.Run)
				isMinimal(t, &s, r.Found)
			}
		})
	}
}

// isMinimal shrinks a failure and checks that nothing of what is left can be missed.
func isMinimal(t *testing.T, s *explore.Search, f *explore.Failure) *explore.Shrunk {
	t.Helper()
	small, err := explore.Shrink(context.Background(), explore.Subject{Program: s.Program, Config: s.Config}, f, nil)
	require.NoError(t, err)
	require.True(t, small.Whole)
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	fails := func(sch explore.Schedule) bool {
		r, err := sch.Play(w)
		require.NoError(t, err)
		g := r.Properties[small.Property]
		return g.Verdict == sim.Violated && g.Nodes == small.Finding.Nodes
	}
	require.True(t, fails(small.Schedule))
	for i := range small.Faults {
		less := small.Schedule
		less.Faults = slices.Delete(slices.Clone(less.Faults), i, i+1)
		assert.False(t, fails(less), "fault %d of %d can be missed", i, len(small.Faults))
	}
	for i := range small.Overrides {
		less := small.Schedule
		less.Overrides = slices.Delete(slices.Clone(less.Overrides), i, i+1)
		assert.False(t, fails(less), "draw %d can be missed", i)
	}
	return small
}

func TestExhaustiveSearchFinds(t *testing.T) {
	fenced := []result.Setting{{Path: "params.fence-op", Value: "false"}, {Path: "params.retry", Value: "1s"}}
	for _, v := range []struct {
		name     string
		scenario string
		property string
		budget   explore.Budget
		sets     []result.Setting
		runs     int // until it is found; 0, they are not counted
	}{
		{"Redis lock, GET and DEL", "redis/unsafe-release", "owner-release", explore.Budget{Pauses: 1, PauseFor: one(time.Second)}, nil, 0},
		{"fenced resource, unfenced read, F-06", "redlock/gc-pause-fenced", "no-lost-update", explore.Budget{Pauses: 1, PauseFor: explore.Lengths{List: []time.Duration{11 * time.Second, 15 * time.Second}}}, fenced, 0},
		{"sloppy quorum, one crash", "kv/find-sloppy-quorum", "quorum-read", explore.Budget{Crashes: 1, DownFor: one(30 * time.Millisecond)}, nil, 2},
		{"last write wins, one clock step", "kv/find-last-write-wins", "no-lost-write", explore.Budget{ClockSteps: 1, StepBy: []time.Duration{-60 * time.Millisecond}}, nil, 3},
	} {
		t.Run(v.name, func(t *testing.T) {
			s := search(t, v.scenario, v.property, v.budget, v.sets...)
			s.Mode = explore.Exhaustive
			r, err := explore.Find(context.Background(), s)
			require.NoError(t, err)
			require.NotNil(t, r.Found, "%d schedules, exhausted %v", r.Runs, r.Exhausted)
			assert.Equal(t, 1, len(r.Found.Faults))
			if v.runs > 0 {
				assert.Equal(t, v.runs, r.Runs, "schedules")
			}
			isMinimal(t, &s, r.Found)
		})
	}
}

// TestMustNotFind is where nothing may be found: what the algorithms promise.
func TestMustNotFind(t *testing.T) {
	t.Run("Lua release without a fault", func(t *testing.T) {
		s := search(t, "redis/lua-release", "owner-release", explore.Budget{})
		s.Runs = 2000
		r, err := explore.Find(context.Background(), s)
		require.NoError(t, err)
		require.Nil(t, r.Found)
		require.Equal(t, s.Runs, r.Exercised[s.Targets[0]])
	})
	t.Run("strict quorum, repair that blocks: 1 crash, 1 lost message", func(t *testing.T) {
		s := search(t, "kv/find-quorum-blocking-repair", "quorum-read", explore.Budget{Crashes: 1, DownFor: one(30 * time.Millisecond), Lost: 1})
		s.Mode = explore.Exhaustive
		r, err := explore.Find(context.Background(), s)
		require.NoError(t, err)
		require.Nil(t, r.Found)
		require.True(t, r.Exhausted)
		assert.False(t, r.Vacuous(s.Targets[0]))
		assert.Equal(t, []int{2436, 14_523}, []int{r.Runs, r.States}, "schedules and states")
	})
	t.Run("lex fencing, durable tokens, fenced reads: 1 pause, 1 crash", func(t *testing.T) {
		budget := fencingBudget()
		budget.Pauses = 1
		r, targets := fencing(t, budget)
		require.Nil(t, r.Found)
		require.True(t, r.Exhausted)
		for _, p := range targets {
			assert.False(t, r.Vacuous(p))
		}
		assert.Equal(t, []int{7_316, 61_057}, []int{r.Runs, r.States}, "schedules and states")
	})
	t.Run("but with a token that the store forgets in a crash, or unfenced reads, it is found", func(t *testing.T) {
		for _, set := range []result.Setting{{Path: "params.volatile-fence", Value: "true"}, {Path: "params.fence-op", Value: "false"}} {
			r, _ := fencing(t, fencingBudget(), set)
			assert.NotNil(t, r.Found, "%v", set)
		}
	})
}

func fencingBudget() explore.Budget {
	return explore.Budget{Pauses: 2, PauseFor: one(3 * time.Second), Crashes: 1, DownFor: one(time.Second)}
}

// fencing searches all schedules of a small lock with lex fencing.
func fencing(t *testing.T, b explore.Budget, sets ...result.Setting) (*explore.Report, []int) {
	s := search(t, "redlock/gc-pause-fenced", "no-lost-update", b, append(sets, small...)...)
	s.Targets = append(s.Targets, slices.Index(s.Program.Properties, "fenced-order"))
	s.Mode = explore.Exhaustive
	r, err := explore.Find(context.Background(), s)
	require.NoError(t, err)
	return r, s.Targets
}

// small is a lock of two clients on one Redis, whose every schedule can be run: who does not get the lock tries again when
// it has expired. CI runs the schedules of four tries, a second apart, with two pauses and a crash.
var small = []result.Setting{
	{Path: "params.service", Value: "redis"}, {Path: "params.ttl", Value: "2s"}, {Path: "params.retry", Value: "2100ms"},
	{Path: "params.start", Value: "0s"}, {Path: "params.work", Value: "500ms"}, {Path: "params.hold", Value: "0s"}, {Path: "until", Value: "12s"},
	{Path: "params.tries", Value: "2"},
}
