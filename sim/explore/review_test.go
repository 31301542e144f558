package explore

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/internal/race"
)

// What a library user may get wrong is an error, not a panic, and not a search of less
// than was asked for.
func TestFindRefuses(t *testing.T) {
	for want, change := range map[string]func(*Search){
		"program: there is none":        func(s *Search) { s.Program = sim.Program{} },
		"there is no mode 7":            func(s *Search) { s.Mode = 7 },
		"until: must be positive":       func(s *Search) { s.Config.Until = -1 },
		"pause-for: the distribution":   func(s *Search) { d := sim.Constant(0); s.Budget.PauseFor = Lengths{Dist: &d} },
		"at most 32767 lengths in all":  func(s *Search) { s.Budget.PauseFor.List = make([]time.Duration, 40_000); fill(s.Budget.PauseFor.List) },
		"slew-to: want at most":         func(s *Search) { s.Budget.SlewTo = []sim.PPB{sim.MaxPPB + 1} },
		"depth and memory must not be":  func(s *Search) { s.Depth = -1 },
		"targets: want properties 0 to": func(s *Search) { s.Targets = []int{99} },
	} {
		s := leases(Exhaustive)
		change(&s)
		_, err := Find(context.Background(), s)
		assert.ErrorContains(t, err, want)
	}
}

func fill(list []time.Duration) {
	for i := range list {
		list[i] = time.Duration(i + 1)
	}
}

// Runs that have more to keep than there is memory end the search with that as the bound,
// whatever the number of goroutines; and with less than for many of them at a time, fewer
// are done at a time, and the search is whole all the same.
func TestExhaustiveMemoryOfAGrain(t *testing.T) {
	s := leases(Exhaustive)
	s.Targets = []int{1}
	s.Jobs = 2
	whole, err := Find(context.Background(), s)
	require.NoError(t, err)
	require.True(t, whole.Exhausted)
	tree := func(memory int64) *Report {
		s.Memory = memory
		r, err := Find(context.Background(), s)
		require.NoError(t, err)
		return r
	}
	for _, memory := range []int64{1, 1000, 100_000, 300_000, 1 << 20} {
		s.Jobs = 2
		r := tree(memory)
		require.Equal(t, r.Exhausted, r.Bound == "", memory)
		require.True(t, r.Exhausted || r.Bound == "memory", r.Bound)
		if r.Exhausted { // fewer at a time know more of each other
			require.LessOrEqual(t, r.Runs, whole.Runs)
		}
		s.Jobs = 1
		require.Equal(t, r, tree(memory))
	}
	require.True(t, tree(1<<20).Exhausted)
}

// An override of a schedule whose seed has to stay can be missed like any other.
func TestShrinkLeavesNoOverrideOfASeed(t *testing.T) {
	s := *restless(t)
	s.Config.Minimal = false
	f := found(t, Search{Program: s.Program, Config: s.Config, Budget: s.Budget, Seed: 1, Targets: s.Targets, Runs: 20_000})
	f.Overrides = append(f.Overrides, sim.Override{Draw: sim.Draw{Purpose: sim.Timers, From: 1, Index: 1 << 40}})
	small, err := Shrink(context.Background(), Subject{Program: s.Program, Config: s.Config}, f, nil)
	require.NoError(t, err)
	require.True(t, small.Whole)
	for _, o := range small.Overrides {
		assert.NotEqual(t, uint64(1<<40), o.Draw.Index)
	}
}

// A property that panics is an error wherever worlds are run, and not a crash of the caller.
func TestPanicsOfPropertiesAreErrors(t *testing.T) {
	_, err := NewDecoder(&Search{Program: race.Program(false, true), Config: race.Config(), Seed: 1, Budget: Budget{Pauses: 1}})
	require.ErrorContains(t, err, "a broken property")

	// The failure is of a run that does not panic; some smaller one does.
	sound := race.Program(false, false)
	r, err := Find(context.Background(), Search{Program: sound, Config: race.Config(), Seed: 1, Runs: 1000})
	require.NoError(t, err)
	require.NotNil(t, r.Found)
	broken := sim.NewProgram(func() sim.System[race.Ball] {
		return sim.System[race.Ball]{Nodes: []sim.Spec[race.Ball]{sim.Place[race.Ball]("a", race.Player{}), sim.Place[race.Ball]("b", race.Player{})},
			Kinds: []string{"start", "ready", "fell"}, Properties: []sim.Property[race.Ball]{&hasty{}}, Measures: sound.Measures}
	})
	_, err = Shrink(context.Background(), Subject{Program: broken, Config: race.Config()}, r.Found, nil)
	require.ErrorContains(t, err, "a hasty property")
}

// hasty is a property that panics at the end of every run.
type hasty struct{ race.Quick }

func (*hasty) End(*sim.View[race.Ball]) { panic("a hasty property") }

// The depth is that of a search that has one, and no more than its budget makes.
func TestDepthIsOfPCT(t *testing.T) {
	s := leases(Random)
	s.Runs = 10
	require.Zero(t, find(t, s).Depth)
	s.Mode, s.Depth = PCT, s.Budget.Faults()+2
	require.ErrorContains(t, s.Check(), "depth: want at most")
}
