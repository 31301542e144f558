package explore

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/batch"
)

const ms = time.Millisecond

// instant is an instant in milliseconds.
func instant(millis int64) sim.Time { return sim.Time(millis * int64(ms)) }

// of are lengths to choose from.
func of(list ...time.Duration) Lengths { return Lengths{List: list} }

// rent is a message of a lease: a server lends one thing to one client at a time, for a
// term, and a client that has it checks its clock and then writes.
type rent struct {
	Kind sim.Kind
	N    int64 // of granted: when the lease was asked for; of lent and wrote: the number of the lease
}

// The kinds of rent.
const (
	begin sim.Kind = iota
	ask
	granted
	release
	retry
	work
	lent  // note of the server
	wrote // note of a client
)

var rentKinds = []string{"begin", "ask", "granted", "release", "retry", "work", "lent", "wrote"}

func (m rent) Label() sim.Kind              { return m.Kind }
func (m rent) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(m.Kind), uint64(m.N)) }
func (m rent) String() string               { return fmt.Sprint(rentKinds[m.Kind], " ", m.N) }

const term = 40 * ms

type lender struct {
	holder sim.NodeID
	until  sim.Mono
	number int64
}

func (l *lender) Step(in sim.In[rent], out *sim.Out[rent]) {
	switch in.Msg.Kind {
	case ask:
		if l.holder != sim.None && in.Mono < l.until {
			return
		}
		l.number++
		l.holder, l.until = in.From, in.Mono.Add(term)
		out.Note(rent{lent, l.number})
		out.Send(in.From, rent{granted, l.number})
	case release:
		if in.Msg.N == l.number {
			l.holder = sim.None
		}
	}
}

type renter struct {
	Lender sim.NodeID
	Start  time.Duration
	Work   sim.Dist

	asked  sim.Mono
	number int64
	done   bool
}

func (r *renter) Step(in sim.In[rent], out *sim.Out[rent]) {
	switch in.Msg.Kind {
	case begin:
		out.After(r.Start, rent{Kind: retry})
	case retry:
		if r.number == 0 && !r.done {
			r.asked = in.Mono
			out.Send(r.Lender, rent{Kind: ask})
			out.After(30*ms, rent{Kind: retry})
		}
	case granted:
		if r.number == 0 && !r.done {
			r.number = in.Msg.N
			out.AfterDraw(r.Work, rent{work, in.Msg.N})
		}
	case work:
		if r.done = true; in.Mono.Sub(r.asked) < term {
			out.Note(rent{wrote, r.number})
		}
		out.Send(r.Lender, rent{release, r.number})
	}
}

// exclusive is violated by a write under a lease that is not the last one.
type exclusive struct {
	sim.Check
	Blind any // if not nil, a state with it has no fingerprint

	last   int64
	holder sim.NodeID
}

func (*exclusive) Name() string               { return "exclusive" }
func (*exclusive) Why(*sim.View[rent]) string { return "a write under an old lease" }
func (*exclusive) End(*sim.View[rent])        {}
func (e *exclusive) Reset(*sim.View[rent])    { *e = exclusive{Blind: e.Blind}; e.Clear() }
func (e *exclusive) Observe(v *sim.View[rent], o *sim.Observation[rent]) {
	switch {
	case o.Event != sim.Noted:
	case o.Msg.Kind == lent:
		e.Saw()
		e.last, e.holder = o.Msg.N, o.Node
	case o.Msg.Kind == wrote && o.Msg.N != e.last:
		e.Violate(v.Now(), o.Node, e.holder)
	}
}

// never is a property that holds, and that nothing violates.
type never struct{ sim.Check }

func (*never) Name() string                                      { return "never" }
func (*never) Why(*sim.View[rent]) string                        { return "" }
func (*never) End(*sim.View[rent])                               {}
func (n *never) Reset(*sim.View[rent])                           { n.Clear() }
func (n *never) Observe(*sim.View[rent], *sim.Observation[rent]) { n.Saw() }

// renting is some renters and a lender.
func renting(renters int, work sim.Dist, blind any) sim.System[rent] {
	s := sim.System[rent]{Kinds: rentKinds, Notes: []sim.Kind{lent, wrote}, Properties: []sim.Property[rent]{&exclusive{Blind: blind}, &never{}}}
	for i := range renters {
		s.Nodes = append(s.Nodes, sim.Place[rent](fmt.Sprint("renter-", i+1),
			renter{Lender: sim.NodeID(renters + 1), Start: time.Duration(i) * 7 * ms, Work: work}))
	}
	s.Nodes = append(s.Nodes, sim.Place[rent]("lender", lender{}))
	return s
}

// rents is renters who work for a while, in a fault-free network.
func rents(renters int, work sim.Dist, blind any) (sim.Program, sim.Config) {
	p := sim.NewProgram(func() sim.System[rent] { return renting(renters, work, blind) })
	return p, sim.Config{Until: instant(200), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(5 * ms)}}}
}

// leases is a search of two renters with a budget that allows the violation.
func leases(mode Mode) Search {
	p, c := rents(2, sim.Constant(8*ms), nil)
	return Search{Program: p, Config: c, Mode: mode, Seed: 1, Budget: Budget{Pauses: 1, PauseFor: of(10*ms, 100*ms), Crashes: 1, DownFor: of(20 * ms)}}
}

// find searches, and wants no error.
func find(t testing.TB, s Search) *Report {
	t.Helper()
	r, err := Find(context.Background(), s)
	require.NoError(t, err)
	return r
}

// "What it returns depends on nothing but s": not on how many worlds there are at the same
// time, and not on what was searched before.
func TestFindIsDeterministic(t *testing.T) {
	for _, mode := range []Mode{Random, PCT, Exhaustive} {
		for _, targets := range [][]int{nil, {1}} {
			s := leases(mode)
			s.Targets, s.Runs = targets, 3000
			if mode == Random {
				s.Budget.Loss = sim.Certain / 100
			}
			var want *Report
			for _, jobs := range []int{1, 2, 5, 2, 1} {
				s.Jobs = jobs
				got := find(t, s)
				if want == nil {
					want = got
				}
				require.Equal(t, want, got, "%v, %d jobs", mode, jobs)
			}
			require.Equal(t, targets == nil, want.Found != nil, mode)
			require.NotZero(t, want.Faulty, mode)
			if targets != nil && mode != Exhaustive {
				require.Equal(t, "runs", want.Bound)
				require.Equal(t, s.Runs, want.Runs)
				require.Equal(t, []int{s.Runs, s.Runs}, want.Exercised)
				require.NotZero(t, want.Violated[0])
			}
		}
	}
}

// What is found is the first run that fails, and its schedule is the run.
func TestFirstFailureIsTheLowest(t *testing.T) {
	for _, mode := range []Mode{Random, PCT} {
		s := leases(mode)
		s.Runs = 5000
		r := find(t, s)
		require.NotNil(t, r.Found)
		assert.Equal(t, "found", r.Bound)
		assert.Equal(t, r.Runs, r.Found.Run)
		assert.Equal(t, s.Seed+uint64(r.Found.Run)-1, r.Found.Seed)
		assert.Equal(t, []int{1, 0}, r.Violated)
		assert.Equal(t, 0, r.Found.Property)
		s.Runs = r.Found.Run - 1
		before := find(t, s)
		assert.Nil(t, before.Found, "%v: there is a lower one", mode)
		assert.Equal(t, []int{0, 0}, before.Violated)

		w, err := s.Program.NewWorld(s.Config)
		require.NoError(t, err)
		got, err := r.Found.Play(w)
		require.NoError(t, err)
		assert.Equal(t, r.Found.Digest, got.Digest)
		assert.Equal(t, r.Found.Steps, got.Steps)
		assert.Equal(t, r.Found.Finding, got.Properties[0])
	}
}

// A search that is told to look on from where another stopped finds what it would have.
func TestSeedsFollow(t *testing.T) {
	s := leases(Random)
	s.Runs = 300
	s.Targets = []int{1}
	whole := find(t, s)
	s.Runs = 120
	violated := find(t, s).Violated[0]
	for from := 120; from < 300; from += 60 {
		s.Seed, s.Runs = uint64(1+from), 60
		violated += find(t, s).Violated[0]
	}
	// The first run of a search is the one without a fault of the budget.
	assert.InDelta(t, whole.Violated[0], violated, 3)
	assert.NotZero(t, violated)
}

// "The answer is a prefix": a search that is cancelled returns what is complete.
func TestFindIsCancelled(t *testing.T) {
	for _, mode := range []Mode{Random, PCT, Exhaustive} {
		s := leases(mode)
		s.Targets = []int{1}
		if mode == Exhaustive {
			s.Budget.Pauses, s.Budget.Lost, s.Budget.Crashes = 2, 1, 1
		}
		ctx, stop := context.WithCancel(context.Background())
		s.Progress = func(r *Report) {
			if r.Runs > 600 {
				stop()
			}
		}
		got, err := Find(ctx, s)
		require.NoError(t, err)
		require.Equal(t, "time", got.Bound, mode)
		require.False(t, got.Exhausted)
		require.Greater(t, got.Runs, 600)

		s.Progress, s.Runs = nil, got.Runs
		want := find(t, s)
		want.Bound = "time"
		require.Equal(t, want, got, mode)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for _, mode := range []Mode{Random, PCT, Exhaustive} {
		r, err := Find(ctx, leases(mode))
		require.NoError(t, err)
		require.Equal(t, "time", r.Bound)
		require.Zero(t, r.Runs)
	}
}

// The first run has no fault of the budget; a run counts as faulty if one was injected; the
// configured faults are not of the budget.
func TestFaultyRuns(t *testing.T) {
	scripted := sim.Fault{Name: "scripted", Do: sim.Pause, Node: 1, When: sim.When{At: instant(3)}, For: sim.Constant(ms)}
	for _, mode := range []Mode{Random, PCT, Exhaustive} {
		s := leases(mode)
		s.Config.Faults, s.Targets, s.Runs = []sim.Fault{scripted}, []int{1}, 400
		s.Budget = Budget{}
		assert.Zero(t, find(t, s).Faulty, "%v: nothing is allowed", mode)
		s.Budget = Budget{Pauses: 1, Nodes: []sim.NodeID{2}}
		if mode == PCT {
			s.Depth = 1
			assert.Zero(t, find(t, s).Faulty, "depth 1 is without a fault")
			s.Depth = 0
		}
		r := find(t, s)
		assert.NotZero(t, r.Faulty, mode)
		assert.Less(t, r.Faulty, r.Runs, mode)
		s.Runs = 1
		assert.Zero(t, find(t, s).Faulty, "%v: the first run", mode)
	}
}

func TestVacuousSearch(t *testing.T) {
	s := leases(Random)
	s.Config.Until, s.Runs = instant(2), 50
	r := find(t, s)
	assert.True(t, r.Vacuous(0), "no lease is ever lent")
	s.Config.Until = instant(100)
	r = find(t, s)
	assert.False(t, r.Vacuous(0))
}

func TestSearchIsChecked(t *testing.T) {
	s := leases(PCT)
	s.Budget = Budget{Pauses: -1, Suspends: 65, Loss: sim.Certain + 1, PauseFor: of(0), DownFor: of(-ms), CutFor: of(0), LateBy: of(ms, 0),
		StepBy: []time.Duration{0}, Cuts: 1, Slews: 1, Late: 1, Lost: 1, Duplicated: 1, Nodes: []sim.NodeID{0, 4}}
	s.Targets, s.Runs, s.Depth, s.Memory = []int{-1, 2}, -1, -1, -1
	_, err := Find(context.Background(), s)
	for _, want := range []string{"budget: pause: want 0 to 64, got -1", "budget: suspend: want 0 to 64, got 65", "budget: want at most 64 faults in all, got 69",
		"budget: loss: want 0 to", "budget: pause-for", "budget: down-for", "budget: cut-for", "budget: late-by", "step-by", "targets: want properties 0 to 1, got [-1 2]",
		"must not be negative", "loss is a chance", "cuts are for random search", "slews are for random search", "pct injects faults into nodes", "there is no node 0", "there is no node 4"} {
		assert.ErrorContains(t, err, want)
	}
	s = leases(Exhaustive)
	s.Budget = Budget{Loss: 1, Cuts: 1, Slews: 1}
	_, err = Find(context.Background(), s)
	for _, want := range []string{"loss is a chance", "cuts are for random search", "slews are for random search"} {
		assert.ErrorContains(t, err, want)
	}
	s.Budget = Budget{Late: 1, Lost: 1, Duplicated: 1}
	find(t, s)
	s.Mode, s.Runs, s.Budget = Random, 10, Budget{Loss: 1, Cuts: 1, Slews: 1, Late: 1, Lost: 1, Duplicated: 1}
	find(t, s)
	s.Config.Until = 0
	_, err = Find(context.Background(), s)
	assert.ErrorContains(t, err, "until: must be positive")
}

// Of several targets a failure is that of the one violated first.
func TestFirstTarget(t *testing.T) {
	s := Search{Targets: []int{0, 2}}
	violated := func(at int64) sim.Finding { return sim.Finding{Verdict: sim.Violated, First: instant(at)} }
	holds := sim.Finding{Verdict: sim.Holds, First: sim.Never}
	for _, v := range []struct {
		properties []sim.Finding
		want       int
	}{
		{[]sim.Finding{violated(7), violated(1), violated(5)}, 2},
		{[]sim.Finding{violated(5), violated(1), violated(7)}, 0},
		{[]sim.Finding{violated(5), violated(1), violated(5)}, 0},
		{[]sim.Finding{holds, violated(1), violated(7)}, 2},
		{[]sim.Finding{holds, violated(1), holds}, NoProperty},
	} {
		assert.Equal(t, v.want, s.first(&sim.Result{Properties: v.properties}))
	}
}

// fragileProperty breaks, for a reason of its own, after a fault.
type fragileProperty struct{ never }

func (*fragileProperty) Observe(_ *sim.View[rent], o *sim.Observation[rent]) {
	if o.Event != sim.Noted {
		panic("a broken property")
	}
}

// A panic that is no finding becomes an error that says where, in every mode, and no
// goroutine is left.
func TestBrokenPropertyIsAnError(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, mode := range []Mode{Random, PCT, Exhaustive} {
		for _, jobs := range []int{1, 4} {
			s := leases(mode)
			s.Jobs, s.Runs = jobs, 10_000
			build := s.Program
			s.Program = sim.NewProgram(func() sim.System[rent] {
				return sim.System[rent]{Nodes: []sim.Spec[rent]{sim.Place[rent]("a", renter{Lender: 2, Work: sim.Constant(8 * ms)}), sim.Place[rent]("b", lender{})},
					Kinds: build.Kinds, Properties: []sim.Property[rent]{&fragileProperty{}}}
			})
			_, err := Find(context.Background(), s)
			require.ErrorContains(t, err, "panic outside of a step: a broken property")
			require.ErrorContains(t, err, "fragileProperty).Observe")
		}
	}
	settled(t, before)
}

// settled waits for goroutines to end.
func settled(t testing.TB, want int) {
	t.Helper()
	for range 1_000_000 {
		if runtime.NumGoroutine() <= want {
			return
		}
		runtime.Gosched()
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), want, "goroutines are left")
}

// Batches come in order, none is missing, and what they return does not depend on jobs.
func TestInOrder(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, jobs := range []int{1, 2, 7} {
		for _, batches := range []int{1, 3, 100} {
			var merged []int
			var mu sync.Mutex
			workers := 0
			err := batch.InOrder(context.Background(), jobs, batches, func() (int, error) { workers++; return workers, nil },
				func(_ context.Context, w, batch int, r *[]int) {
					mu.Lock()
					defer mu.Unlock()
					*r = append((*r)[:0], batch, w)
				}, func(batch int, r *[]int) bool {
					require.Equal(t, batch, (*r)[0])
					merged = append(merged, batch)
					return true
				})
			require.NoError(t, err)
			require.Equal(t, jobs, workers)
			want := make([]int, batches)
			for i := range want {
				want[i] = i
			}
			require.Equal(t, want, merged)
		}
		var merged []int
		require.NoError(t, batch.InOrder(context.Background(), jobs, 0, func() (int, error) { return 0, nil }, func(context.Context, int, int, *int) {},
			func(batch int, _ *int) bool { merged = append(merged, batch); return batch < 9 }))
		require.Equal(t, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, merged, "an endless search that has found enough")
	}
	settled(t, before)
}

// An error or a panic of a batch is that of the first such batch, after those before it.
func TestInOrderFails(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, jobs := range []int{1, 2, 7} {
		var merged []int
		err := batch.InOrder(context.Background(), jobs, 100, func() (int, error) { return 0, nil }, func(_ context.Context, _, batch int, _ *int) {
			if batch%10 == 5 {
				panic(fmt.Sprint("batch ", batch))
			}
		}, func(batch int, _ *int) bool { merged = append(merged, batch); return true })
		require.ErrorContains(t, err, "panic outside of a step: batch 5\n")
		require.ErrorContains(t, err, "TestInOrderFails")
		require.Equal(t, []int{0, 1, 2, 3, 4}, merged)

		started := 0
		broken := errors.New("no worker")
		err = batch.InOrder(context.Background(), jobs, 0, func() (int, error) {
			if started++; started == jobs {
				return 0, broken
			}
			return 0, nil
		}, func(context.Context, int, int, *int) {}, func(int, *int) bool { return true })
		require.ErrorIs(t, err, broken)
	}
	settled(t, before)
}

// Targets end a search, and nothing else does but a step that panics.
func TestTargets(t *testing.T) {
	s := leases(Random)
	s.Runs, s.Targets = 2000, []int{1}
	r := find(t, s)
	assert.Nil(t, r.Found)
	assert.NotZero(t, r.Violated[0])
	s.Targets = []int{1, 0}
	r = find(t, s)
	require.NotNil(t, r.Found)
	assert.Equal(t, 0, r.Found.Property)

	s.Program = sim.NewProgram(func() sim.System[rent] {
		return sim.System[rent]{Nodes: []sim.Spec[rent]{sim.Place[rent]("a", renter{Lender: 3, Work: sim.Constant(8 * ms)}), sim.Place[rent]("b", lender{})},
			Kinds: rentKinds, Properties: []sim.Property[rent]{&never{}}}
	})
	s.Targets = []int{0}
	r = find(t, s)
	require.NotNil(t, r.Found)
	assert.Equal(t, NoProperty, r.Found.Property)
	assert.Equal(t, 1, r.Found.Run)
	assert.Equal(t, "sim: a message to node 3, of 2 nodes", r.Found.Panic.Value)
	assert.Empty(t, r.Found.Faults)
}
