package explore

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

func TestWhenFaultsMeet(t *testing.T) {
	at := func(do sim.Action, ms int64, length time.Duration) struct {
		sim.Fault
		first sim.Time
	} {
		return struct {
			sim.Fault
			first sim.Time
		}{sim.Fault{Do: do, For: sim.Constant(length)}, sim.Time(ms) * sim.Time(time.Millisecond)}
	}
	never := at(sim.Crash, 0, time.Second)
	never.first = sim.Never
	forever := at(sim.Cut, 0, 0)
	forever.Forever = true
	type injected = []struct {
		sim.Fault
		first sim.Time
	}
	for name, c := range map[string]struct {
		faults        injected
		together, met bool
	}{
		"none":                                    {nil, false, false},
		"one":                                     {injected{at(sim.Pause, 10, time.Second)}, false, false},
		"one, and one that was not injected":      {injected{at(sim.Pause, 10, time.Second), never}, false, false},
		"one during another":                      {injected{at(sim.Pause, 10, time.Second), at(sim.Crash, 500, time.Second)}, true, true},
		"one soon after another":                  {injected{at(sim.Pause, 10, time.Second), at(sim.Crash, 1110, time.Second)}, true, true},
		"one just too late":                       {injected{at(sim.Pause, 10, time.Second), at(sim.Crash, 1111, time.Second)}, true, false},
		"the later one is listed first":           {injected{at(sim.Crash, 1110, time.Second), at(sim.Pause, 10, time.Second)}, true, true},
		"long after a step of a clock":            {injected{at(sim.StepClock, 10, time.Hour), at(sim.Crash, 500, time.Second)}, true, false},
		"during a partition without an end":       {injected{forever, at(sim.Crash, 50_000, time.Second)}, true, true},
		"after a lost message, whose For is none": {injected{at(sim.Lose, 10, time.Hour), at(sim.Crash, 500, time.Second)}, true, false},
		"a short one within a long one before":    {injected{at(sim.Pause, 0, time.Minute), at(sim.StepClock, 1000, 0), at(sim.Crash, 30_000, 0)}, true, true},
	} {
		m := meetings{window: 100 * time.Millisecond}
		faults, r := []sim.Fault{{Do: sim.Pause}}, &sim.Result{Faults: []sim.Injection{{Count: 1}}} // of the file
		for _, f := range c.faults {
			faults = append(faults, f.Fault)
			i := sim.Injection{First: f.first, Count: 1}
			if f.first == sim.Never {
				i.Count = 0
			}
			r.Faults = append(r.Faults, i)
		}
		together, met := m.of(faults, r, 1, nil, nil)
		assert.Equal(t, []bool{c.together, c.met}, []bool{together, met}, name)
	}
}

// Half of the runs of a budget of two faults have both, near each other; those of a budget of one draw nothing for it.
func TestFaultsOfABudgetMeet(t *testing.T) {
	met := func(b Budget) (together, met float64) {
		s := leases(Random)
		s.Budget, s.Runs, s.Targets = b, 2000, []int{0}
		r, err := Find(t.Context(), s)
		require.NoError(t, err)
		return float64(r.Together) / float64(r.Runs), float64(r.Met) / float64(r.Runs)
	}
	both, near := met(Budget{Pauses: 1, PauseFor: Lengths{List: []time.Duration{5 * time.Millisecond}}, Crashes: 1, DownFor: Lengths{List: []time.Duration{5 * time.Millisecond}}})
	assert.Greater(t, both, 0.3)
	assert.Greater(t, near, both/3)
	both, near = met(Budget{Pauses: 1})
	assert.Zero(t, both)
	assert.Zero(t, near)
}

// A later fault is placed during an earlier one or near it, eleven times of twelve, and never where none was made.
func TestALaterFaultIsPlacedNearAnEarlierOne(t *testing.T) {
	g, _ := maker(t, Budget{Pauses: 1, Crashes: 1})
	g.until = sim.Time(time.Hour)
	first := span{sim.Time(20 * time.Minute), sim.Time(21 * time.Minute)}
	placed, close := 0, 0
	const runs = 3000
	for seed := range uint64(runs) {
		c := NewSeeded(seed)
		g.meeting, g.spans = true, nil
		_, ok := g.near(sim.Crash, &c)
		require.False(t, ok)
		g.spans = []span{first}
		at, ok := g.near(sim.Crash, &c)
		if !ok {
			continue
		}
		require.Less(t, at.At, g.until)
		if placed++; at.At >= first.from.Add(-time.Minute) && at.At <= first.to.Add(time.Minute) { // 1/20 of the hour
			close++
		}
	}
	assert.InDelta(t, 11.0/12, float64(placed)/runs, 0.02)
	assert.Greater(t, float64(close)/runs, 0.6)
}

// Faults that a file scripts are met as well: when they last is known from the run without a fault of the budget.
func TestFaultsOfTheFileAreMet(t *testing.T) {
	s := leases(Random)
	s.Budget = Budget{Pauses: 1, Crashes: 1}
	s.Config.Until = instant(20_000)
	s.Config.Faults = []sim.Fault{
		{Name: "cut", Do: sim.Cut, Sides: [][]sim.NodeID{{2}, {3}}, When: sim.When{At: instant(12)}, For: sim.Constant(9 * ms)},
		{Name: "noted", Do: sim.Pause, Node: 1, When: sim.When{Note: lent, By: 3, Nth: 1}, For: sim.Constant(ms)},
		{Name: "then", Do: sim.Crash, Node: 2, When: sim.When{After: "noted", Ends: true, At: instant(9_000)}, For: sim.Constant(ms)},
		{Name: "never", Do: sim.Crash, Node: 1, When: sim.When{Note: lent, Nth: 1 << 30}, For: sim.Constant(ms)},
		{Name: "lost", Do: sim.Lose, Msg: sim.MsgChoice{Kind: ask, Nth: 1}},
	}
	p, _, err := s.begin(t.Context())
	require.NoError(t, err)
	require.Len(t, p.scripted, 3)
	assert.Equal(t, span{instant(12), instant(21)}, p.scripted[0])
	noted := p.scripted[1]
	assert.Equal(t, noted.from.Add(ms), noted.to)
	assert.Equal(t, noted.to.Add(9*time.Second), p.scripted[2].from)

	near := func(list []span) (n int) {
		q := *p
		q.scripted = list
		g := &generator{budget: &s.Budget, profile: &q, until: s.Config.Until, nodes: len(s.Program.Nodes), swarm: true}
		for seed := range uint64(2000) {
			c := NewSeeded(seed)
			for _, f := range g.faults(&c) {
				if gap := f.When.At.Sub(p.scripted[2].to); f.When.Before == 0 && gap >= 0 && gap <= time.Second {
					n++
					break
				}
			}
		}
		return n
	}
	assert.Greater(t, near(p.scripted[2:]), 2*near(nil))
}
