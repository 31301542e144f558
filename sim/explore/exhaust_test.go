package explore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/lock"
	"fencepost/sim"
)

// wrongs is what goes wrong in runs: each property with the first instant and the nodes,
// and each panic.
type wrongs struct {
	mu   sync.Mutex
	seen map[string]int
}

func newWrongs() *wrongs { return &wrongs{seen: map[string]int{}} }

func (w *wrongs) add(p *sim.Program, r *sim.Result) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.Panic != nil {
		w.seen[fmt.Sprint("panic of ", r.Panic.Name, " at ", r.Panic.At)]++
	}
	for i, f := range r.Properties {
		if f.Verdict == sim.Violated {
			w.seen[fmt.Sprint(p.Properties[i], " at ", f.First, " by ", f.Nodes)]++
		}
	}
}

func (w *wrongs) list() []string { return slices.Sorted(maps.Keys(w.seen)) }

// watcher is a world that tells what went wrong in the runs of an exhaustive search, but
// for those broken off.
type watcher struct {
	sim.Runner
	program *sim.Program
	wrongs  *wrongs
	visited bool
}

func (w *watcher) SetAdversary(a sim.Adversary) {
	_, w.visited = a.(*visit)
	w.Runner.SetAdversary(a)
}

func (w *watcher) Run(seed uint64) *sim.Result {
	r := w.Runner.Run(seed)
	if w.visited && !r.Stopped {
		w.wrongs.add(w.program, r)
	}
	return r
}

// watched is a program of which what goes wrong is taken down.
func watched(p sim.Program) (sim.Program, *wrongs) {
	all, build := newWrongs(), p.NewWorld
	q := p
	q.NewWorld = func(c sim.Config) (sim.Runner, error) {
		w, err := build(c)
		return &watcher{Runner: w, program: &p, wrongs: all}, err
	}
	return q, all
}

// force plays every list of faults of a budget, at every choice of a run and again at every
// later one, with nothing cleverer than an adversary that counts.
type force struct {
	search *Search
	world  sim.Runner
	faults [sim.Duplicate + 1][]sim.FaultChoice
	wrongs *wrongs
	runs   int

	script map[int]sim.FaultChoice
	count  int
	open   []sim.Choice // the choices of the run
}

// Choose implements [sim.Adversary].
func (f *force) Choose(c sim.Choice) (sim.FaultChoice, bool) {
	n := f.count
	f.count++
	f.open = append(f.open, c)
	d, ok := f.script[n]
	return d, ok
}

// play plays the script, and all scripts with one fault more at a later choice.
func (f *force) play(left map[sim.Action]int) {
	f.count, f.open = 0, nil
	f.runs++
	f.wrongs.add(&f.search.Program, f.world.Run(f.search.Seed))
	open, first := f.open, 0
	for n := range f.script {
		first = max(first, n+1)
	}
	for n := first; n < len(open); n++ {
		for do, count := range left {
			toMessage := do >= sim.Delay
			if count == 0 || toMessage != (open[n].Point == sim.Sending) || !f.search.Budget.MayAny(open[n].Node) {
				continue
			}
			left[do]--
			for _, d := range f.faults[do] {
				f.script[n] = d
				f.play(left)
				delete(f.script, n)
			}
			left[do]++
		}
	}
}

// brute is what a search comes to without any cleverness.
func brute(t *testing.T, s Search) *force {
	t.Helper()
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	require.NoError(t, w.Vary(sim.Variation{Faults: s.Config.Faults, Overrides: s.Config.Overrides, Minimal: true}))
	f := &force{search: &s, world: w, wrongs: newWrongs(), script: map[int]sim.FaultChoice{}}
	b := &s.Budget
	each := func(do sim.Action, lengths []time.Duration) {
		for _, l := range lengths {
			f.faults[do] = append(f.faults[do], sim.FaultChoice{Do: do, For: l})
		}
	}
	each(sim.Pause, b.PauseFor.List)
	each(sim.Suspend, b.PauseFor.List)
	each(sim.Crash, b.DownFor.List)
	each(sim.Delay, b.LateBy.List)
	each(sim.Duplicate, b.LateBy.List)
	each(sim.Lose, []time.Duration{0})
	for _, by := range b.StepBy {
		f.faults[sim.StepClock] = append(f.faults[sim.StepClock], sim.FaultChoice{Do: sim.StepClock, By: by})
	}
	w.SetAdversary(f)
	f.play(map[sim.Action]int{sim.Pause: b.Pauses, sim.Suspend: b.Suspends, sim.Crash: b.Crashes, sim.StepClock: b.ClockSteps,
		sim.Delay: b.Late, sim.Lose: b.Lost, sim.Duplicate: b.Duplicated})
	return f
}

// budgets are some of one or two faults.
func budgets() []Budget {
	return []Budget{
		{},
		{Pauses: 1, PauseFor: of(10*ms, 100*ms)},
		{Pauses: 2, PauseFor: of(60 * ms)},
		{Pauses: 1, Crashes: 1, PauseFor: of(50 * ms), DownFor: of(20 * ms)},
		{Suspends: 1, Lost: 1, PauseFor: of(50 * ms)},
		{Suspends: 1, Pauses: 1, PauseFor: of(45 * ms), Nodes: []sim.NodeID{1}},
		{Late: 1, Duplicated: 1, LateBy: of(7*ms, 60*ms)},
		{Crashes: 2, DownFor: of(15 * ms)},
		{ClockSteps: 1, Pauses: 1, StepBy: []time.Duration{30 * ms, -30 * ms}, PauseFor: of(50 * ms)},
		{Late: 1, Crashes: 1, LateBy: of(45 * ms), DownFor: of(10 * ms)},
		{Lost: 2, Nodes: []sim.NodeID{3}},
	}
}

// An exhaustive search without prints runs exactly the schedules that there are, and with
// prints it breaks off some, and sees the same go wrong: each property at the same first
// instants, between the same nodes.
func TestExhaustiveIsExhaustive(t *testing.T) {
	violated, pruned := 0, 0
	for i, b := range budgets() {
		if testing.Short() && b.Faults() == 2 && i%3 != 0 {
			continue
		}
		s := leases(Exhaustive)
		s.Budget, s.Targets, s.Config.Until, s.Jobs = b, []int{1}, instant(130), 2
		want := brute(t, s)

		s.Program, _ = rents(2, sim.Constant(8*ms), make(chan int))
		program, all := watched(s.Program)
		s.Program = program
		blind := find(t, s)
		require.True(t, blind.Exhausted)
		require.Equal(t, want.runs, blind.Runs, "budget %d: schedules", i)
		require.Zero(t, blind.States+blind.Pruned)
		require.Equal(t, want.wrongs.list(), all.list(), "budget %d, blind", i)
		require.Equal(t, count(want.wrongs, "exclusive"), blind.Violated[0], "budget %d", i)

		s.Program, _ = rents(2, sim.Constant(8*ms), nil)
		program, all = watched(s.Program)
		s.Program = program
		seeing := find(t, s)
		require.True(t, seeing.Exhausted)
		require.LessOrEqual(t, seeing.Runs, blind.Runs)
		require.Equal(t, want.wrongs.list(), all.list(), "budget %d, pruned", i)
		require.Equal(t, count(all, "exclusive"), seeing.Violated[0], "what is broken off is not checked")
		violated += len(want.wrongs.seen)
		pruned += seeing.Pruned
	}
	assert.Greater(t, violated, 10, "the test sees nothing go wrong")
	assert.Greater(t, pruned, 100, "the test sees nothing pruned")
}

// count is in how many runs a property was violated.
func count(w *wrongs, property string) int {
	n := 0
	for what, runs := range w.seen {
		if len(what) > len(property) && what[:len(property)] == property {
			n += runs
		}
	}
	return n
}

// The same of a lock with one Redis: what is found is a real model's.
func TestExhaustiveLock(t *testing.T) {
	p := lock.DefaultParams()
	p.Service, p.Release = "redis", "get-del"
	ttl := 60 * ms
	p.TTL, p.Work, p.Start = &ttl, []time.Duration{20 * ms}, []time.Duration{0, 11 * ms}
	retry := sim.Constant(25 * ms)
	p.Retry = &retry
	require.Empty(t, p.Problems())
	s := Search{Program: sim.NewProgram(p.System), Mode: Exhaustive, Seed: 1, Jobs: 2,
		Config: sim.Config{Until: instant(150), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(3 * ms)}}},
		Budget: Budget{Pauses: 1, PauseFor: of(70 * ms), Lost: 1}}
	s.Targets = []int{slices.Index(s.Program.Properties, "deadlock-free")}
	want := brute(t, s)
	program, all := watched(s.Program)
	s.Program = program
	r := find(t, s)
	require.True(t, r.Exhausted)
	assert.Equal(t, want.wrongs.list(), all.list())
	assert.Greater(t, len(all.seen), 5)
	assert.LessOrEqual(t, r.Runs, want.runs)
}

// Pinned: a change of these numbers is a change of what is searched.
func TestExhaustiveCounts(t *testing.T) {
	s := leases(Exhaustive)
	s.Targets = []int{1}
	r := find(t, s)
	assert.True(t, r.Exhausted)
	assert.Empty(t, r.Bound)
	assert.Equal(t, []int{1949, 7519, 1141}, []int{r.Runs, r.States, r.Pruned})
}

// The first violation found is one with the fewest faults, and it comes out again.
func TestFewestDeeds(t *testing.T) {
	for _, b := range budgets() {
		s := leases(Exhaustive)
		s.Budget, s.Config.Until = b, instant(90)
		r := find(t, s)
		if r.Found == nil {
			require.True(t, r.Exhausted)
			continue
		}
		require.Equal(t, "found", r.Bound)
		require.False(t, r.Exhausted)
		require.True(t, r.Found.Minimal)
		require.Equal(t, r.Runs, r.Found.Run)
		n := len(r.Found.Faults)
		require.LessOrEqual(t, n, b.Faults())
		fewer := b
		fewer.Pauses, fewer.Suspends, fewer.Crashes, fewer.Late = min(b.Pauses, n-1), min(b.Suspends, n-1), min(b.Crashes, n-1), min(b.Late, n-1)
		fewer.Lost, fewer.Duplicated, fewer.ClockSteps = min(b.Lost, n-1), min(b.Duplicated, n-1), min(b.ClockSteps, n-1)
		if fewer.Faults() < n {
			s.Budget = fewer
			require.Nil(t, find(t, s).Found, "%d faults are enough", n-1)
		}
	}
}

func TestExhaustiveBounds(t *testing.T) {
	s := leases(Exhaustive)
	s.Targets = []int{1}
	whole := find(t, s)
	for _, runs := range []int{1, 7, 512, 513, whole.Runs - 1} {
		s.Runs = runs
		r := find(t, s)
		require.Equal(t, "runs", r.Bound)
		require.Equal(t, runs, r.Runs)
		require.False(t, r.Exhausted)
	}
	s.Runs = whole.Runs
	require.True(t, find(t, s).Exhausted, "the bound is as large as the tree")

	s.Runs, s.Memory = 0, 20_000
	r := find(t, s)
	assert.Equal(t, "memory", r.Bound)
	assert.False(t, r.Exhausted)
	assert.Less(t, r.Runs, whole.Runs)
	assert.NotZero(t, r.States)
	for _, jobs := range []int{1, 3} {
		s.Jobs = jobs
		assert.Equal(t, r, find(t, s), "%d jobs", jobs)
	}
}

// A schedule in which nothing at all happens before the end is a run like any other.
func TestExhaustiveRunWithoutSteps(t *testing.T) {
	p := sim.NewProgram(func() sim.System[rent] {
		return sim.System[rent]{Nodes: []sim.Spec[rent]{sim.Place[rent]("lender", lender{})}, Kinds: rentKinds, Properties: []sim.Property[rent]{&never{}}}
	})
	s := Search{Program: p, Config: sim.Config{Until: instant(10)}, Mode: Exhaustive, Seed: 1, Budget: Budget{Pauses: 1, PauseFor: of(time.Second)}}
	r := find(t, s)
	assert.True(t, r.Exhausted, r.Bound)
	assert.Equal(t, 2, r.Runs)
}

// An override that is still to come makes two worlds differ that have drawn differently
// often, though all other draws are minimal.
func TestExhaustiveWithOverrides(t *testing.T) {
	s := leases(Exhaustive)
	s.Config.Network.Default.Delay = sim.Uniform(5*ms, 90*ms)
	s.Config.Network.Order = sim.Free
	s.Config.Overrides = []sim.Override{{Draw: sim.Draw{Purpose: sim.Delays, From: 3, Index: 2}, Value: 1 << 63}, {Draw: sim.Draw{Purpose: sim.Delays, From: 2, Index: 2}, Value: 1 << 63}}
	s.Budget, s.Targets = Budget{Duplicated: 1, Lost: 1, LateBy: of(5*ms, 20*ms)}, []int{1}
	want := brute(t, s)
	program, all := watched(s.Program)
	s.Program = program
	r := find(t, s)
	require.True(t, r.Exhausted)
	assert.Equal(t, want.wrongs.list(), all.list())
	assert.NotEmpty(t, want.wrongs.list())
}

// A search that is broken off in the midst of a grain has done what it says.
func TestExhaustiveIsAPrefix(t *testing.T) {
	s := leases(Exhaustive)
	s.Targets, s.Jobs = []int{1}, 3
	ctx, stop := context.WithCancel(context.Background())
	left, build := 700, s.Program.NewWorld
	var mu sync.Mutex
	s.Program.NewWorld = func(c sim.Config) (sim.Runner, error) {
		w, err := build(c)
		return &stopper{w, func() {
			mu.Lock()
			defer mu.Unlock()
			if left--; left == 0 {
				stop()
			}
		}}, err
	}
	got, err := Find(ctx, s)
	require.NoError(t, err)
	require.Equal(t, "time", got.Bound)
	require.Greater(t, got.Runs, 512)
	s.Program.NewWorld, s.Runs = build, got.Runs
	want := find(t, s)
	want.Bound = "time"
	assert.Equal(t, want, got)
}

// stopper is a world that calls a func before each run.
type stopper struct {
	sim.Runner
	before func()
}

func (s *stopper) Run(seed uint64) *sim.Result {
	s.before()
	return s.Runner.Run(seed)
}

// again is a world that plays each schedule of an exhaustive search once more, in another
// world, as faults.
type again struct {
	sim.Runner
	test    *testing.T
	search  *Search
	other   sim.Runner
	visited *visit
	played  *int
}

func (w *again) SetAdversary(a sim.Adversary) {
	w.visited, _ = a.(*visit)
	w.Runner.SetAdversary(a)
}

func (w *again) Run(seed uint64) *sim.Result {
	r := w.Runner.Run(seed)
	if w.visited == nil || r.Stopped {
		return r
	}
	*w.played++
	sch := Schedule{Seed: seed, Minimal: true, Faults: slices.Concat(w.search.Config.Faults, w.visited.faults)}
	q, err := sch.Play(w.other)
	require.NoError(w.test, err)
	require.Equal(w.test, r.Steps, q.Steps, "%+v", sch.Faults)
	require.Equal(w.test, r.Properties, q.Properties, "%+v", sch.Faults)
	return r
}

// What is searched are schedules: each run comes out again from its faults, without an
// adversary, also where messages take no time.
func TestExhaustiveSchedulesAreFaults(t *testing.T) {
	for i, b := range budgets() {
		for _, delay := range []time.Duration{0, 5 * ms} {
			s := leases(Exhaustive)
			s.Budget, s.Targets, s.Jobs = b, []int{1}, 1
			s.Config.Until, s.Config.Network.Default.Delay = instant(130), sim.Constant(delay)
			s.Config.Faults = []sim.Fault{{Name: "scripted", Do: sim.Pause, Node: 2, When: sim.When{Before: ask, Nth: 1}, For: sim.Constant(9 * ms)}}
			build, played := s.Program.NewWorld, 0
			s.Program.NewWorld = func(c sim.Config) (sim.Runner, error) {
				w, err := build(c)
				require.NoError(t, err)
				other, err := build(c)
				return &again{Runner: w, test: t, search: &s, other: other, played: &played}, err
			}
			r := find(t, s)
			require.Equal(t, r.Runs-r.Pruned, played, "budget %d", i)
		}
	}
}
