package permits

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/explore"
)

// What a search finds by itself, with nothing but a budget of faults and a property; and
// that with the fixed algorithm it finds nothing.

// apart is three clients that never meet: each needs 200 ms, and they come 300 ms after
// one another.
func apart(p *Params) {
	p.Clients, p.Timeout = 3, ptr(150*ms)
	p.Start, p.Work = list(0, 300, 600), works(200)
}

// search prepares a search for violations of properties.
func search(t *testing.T, p Params, mode explore.Mode, runs int, b explore.Budget, properties ...string) explore.Search {
	t.Helper()
	require.Empty(t, p.Problems())
	s := explore.Search{Program: sim.NewProgram(p.System), Budget: b, Mode: mode, Seed: 1, Runs: runs,
		Config: sim.Config{Until: at(2000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(ms)}}}}
	for _, property := range properties {
		s.Targets = append(s.Targets, slices.Index(s.Program.Properties, property))
	}
	return s
}

// find searches for a violation of one property.
func find(t *testing.T, p Params, property string, mode explore.Mode, runs int, b explore.Budget) *explore.Report {
	t.Helper()
	r, err := explore.Find(context.Background(), search(t, p, mode, runs, b, property))
	require.NoError(t, err)
	return r
}

func lengths(ms ...int) explore.Lengths { return explore.Lengths{List: list(ms...)} }

func TestSearchFinds(t *testing.T) {
	slowLog := func(p *Params) {
		apart(p)
		p.Clients, p.Timeout, p.DispatcherLog = 4, ptr(time.Second), sim.Constant(250*ms)
		p.Start = list(0, 300, 600, 900)
	}
	for _, v := range []struct {
		name     string
		property string
		set      func(*Params)
		budget   explore.Budget
	}{
		{"a leak, one pause", "permits-conserved", apart, explore.Budget{Pauses: 1}},
		{"a leak, one late message", "permits-conserved", apart, explore.Budget{Late: 1}},
		{"a leak, no fault: the coin", "permits-conserved", both, explore.Budget{}},
		{"a start after the shutdown, no fault: the coin", "no-start-after-drain", func(p *Params) {
			p.DispatcherStart, p.Shutdown = 50*ms, list(20)
			p.Start, p.Work = list(0, 10), works(30, 10)
		}, explore.Budget{}},
		{"a send on the closed channel, one pause", "no-panic", func(p *Params) { apart(p); p.Shutdown = list(1000) }, explore.Budget{Pauses: 2}},
		{"a newcomer that overtakes, two pauses", "fifo", slowLog, explore.Budget{Pauses: 2}},
	} {
		t.Run(v.name, func(t *testing.T) {
			p := coded(v.set)
			r := find(t, p, v.property, explore.Random, 50_000, v.budget)
			require.NotNil(t, r.Found, "in %d runs", r.Runs)
			t.Logf("run %d", r.Found.Run)
			mended := find(t, fixed(v.set), v.property, explore.Random, max(2*r.Found.Run, 1000), v.budget)
			require.Nil(t, mended.Found)
		})
	}
}

// TestEverySchedule runs every schedule of two pauses and one late message, among them
// those that strike in the midst of a step. None makes the fixed algorithm break a
// promise.
func TestEverySchedule(t *testing.T) {
	budget := explore.Budget{Pauses: 2, PauseFor: lengths(150, 290), Late: 1, LateBy: lengths(290)}
	if testing.Short() {
		budget.Pauses = 1
	}
	all := func(p *Params) {
		apart(p)
		p.Queue, p.Patience, p.Shutdown, p.Drain = ptr(1), list(0, 0, 100), list(700, 1000), ptr(50*ms)
	}
	r := find(t, coded(all), "permits-conserved", explore.Exhaustive, 0, budget)
	require.NotNil(t, r.Found, "%d schedules, exhausted %v", r.Runs, r.Exhausted)

	p := fixed(all)
	properties := sim.NewProgram(p.System).Properties
	s := search(t, p, explore.Exhaustive, 0, budget, properties...)
	r, err := explore.Find(context.Background(), s)
	require.NoError(t, err)
	require.Nil(t, r.Found, "%+v", r.Found)
	require.True(t, r.Exhausted)
	for _, i := range s.Targets {
		assert.NotZero(t, r.Exercised[i], "%s: %d schedules", properties[i], r.Runs)
	}
	want := 41_670
	if testing.Short() {
		want = 1_085
	}
	assert.Equal(t, want, r.Runs, "schedules")
}
