package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/internal/race"
)

// shrunk makes a failure small, and checks that it is the same failure.
func shrunk(t testing.TB, s Subject, f *Failure) *Shrunk {
	t.Helper()
	small, err := Shrink(context.Background(), s, f, nil)
	require.NoError(t, err)
	require.True(t, small.Whole)
	require.Equal(t, f.Property, small.Property)
	require.True(t, fails(t, small, small.Schedule))
	return small
}

// fails reports whether a schedule fails in the way of a failure.
func fails(t testing.TB, f *Shrunk, sch Schedule) bool {
	t.Helper()
	w, err := f.Subject.Program.NewWorld(f.Subject.Config)
	require.NoError(t, err)
	r, err := sch.Play(w)
	require.NoError(t, err)
	return f.Same(r)
}

// smaller are the schedules that are one small step smaller than a schedule.
func smaller(s *Schedule) map[string]Schedule {
	list := map[string]Schedule{}
	for i := range s.Faults {
		less := *s
		less.Faults = slices.Delete(slices.Clone(s.Faults), i, i+1)
		list[fmt.Sprint("without fault ", i)] = less
		change := func(what string, f func(*sim.Fault)) {
			less := *s
			less.Faults = slices.Clone(s.Faults)
			f(&less.Faults[i])
			list[fmt.Sprint(what, " of fault ", i)] = less
		}
		d := s.Faults[i].For.Least()
		for _, g := range []time.Duration{time.Millisecond, time.Microsecond, 1} {
			if d%g == 0 { // in these units it is given
				if d > g && !s.Faults[i].Forever {
					change("length", func(f *sim.Fault) { f.For = sim.Constant(d - g) })
				}
				break
			}
		}
		if by := s.Faults[i].By; by%ms == 0 && by > ms {
			change("step", func(f *sim.Fault) { f.By -= ms })
		}
	}
	for i := range s.Overrides {
		less := *s
		less.Overrides = slices.Delete(slices.Clone(s.Overrides), i, i+1)
		list[fmt.Sprint("without draw ", i)] = less
	}
	return list
}

func locallyMinimal(t testing.TB, f *Shrunk) {
	t.Helper()
	for what, s := range smaller(&f.Schedule) {
		require.False(t, fails(t, f, s), "%s it still fails: %+v", what, f.Schedule)
	}
}

// drafty is the leases in a network in which everything is drawn.
func drafty() Search {
	s := leases(Random)
	s.Program, s.Config = rents(3, sim.Uniform(5*ms, 12*ms), nil)
	s.Config.Network = sim.Network{Order: sim.Free, Default: sim.Link{Delay: sim.Uniform(2*ms, 9*ms), Loss: sim.Certain / 50, Duplicate: sim.Certain / 50}}
	s.Budget = Budget{Pauses: 3, Suspends: 1, Crashes: 1, ClockSteps: 1, Slews: 1, Cuts: 1, Late: 1, Lost: 1, Duplicated: 1}
	return s
}

// Failures full of noise become locally minimal ones, which are the same failures, and the
// same ones each time.
func TestShrinkRandomFailures(t *testing.T) {
	s := drafty()
	noise, faultFree := 0, 0
	for i := range uint64(25) {
		s.Seed = 1 + i*10_000
		s.Runs = 10_000
		f := found(t, s)
		subject := Subject{Program: s.Program, Config: s.Config}
		small := shrunk(t, subject, f)
		assert.Equal(t, f.Finding.Nodes, small.Finding.Nodes)
		assert.LessOrEqual(t, len(small.Faults), len(f.Faults))
		locallyMinimal(t, small)
		noise += len(f.Faults) - len(small.Faults)
		if small.Minimal && len(small.Overrides) == 0 {
			faultFree++
		}
		again := shrunk(t, subject, f)
		require.Equal(t, small.Schedule, again.Schedule)
		require.Equal(t, small.Tries, again.Tries)
	}
	assert.Greater(t, noise, 40, "nothing was taken away")
	assert.Greater(t, faultFree, 15, "a pause is enough")
}

// A failure that needs one draw keeps that draw, and nothing else: not the seed, not the
// faults of the configuration.
func TestShrinkKeepsTheDraw(t *testing.T) {
	s := Search{Program: race.Program(false, false), Config: race.Config(), Runs: 1000}
	nodes := map[sim.NodeID]bool{}
	for seed := range uint64(20) {
		s.Seed = seed * 1000
		f := found(t, s)
		small := shrunk(t, Subject{Program: s.Program, Config: s.Config}, f)
		id := f.Finding.Nodes[0]
		require.True(t, small.Minimal)
		require.Empty(t, small.Faults)
		require.Len(t, small.Overrides, 1)
		require.Equal(t, sim.Draw{Purpose: sim.Timers, From: id}, small.Overrides[0].Draw)
		nodes[id] = true
		locallyMinimal(t, small)
		// The draw is the least of its 65 536 steps that is late.
		value := small.Overrides[0].Value
		late := sim.Exponential(10 * ms)
		require.Zero(t, value%(1<<48))
		require.Greater(t, late.Sample(value), 30*ms)
		require.LessOrEqual(t, late.Sample(value-1<<48), 30*ms)
	}
	assert.Len(t, nodes, 2)
}

// drawer is a runner that takes a time that is drawn.
type drawer struct{}

func (*drawer) Step(in sim.In[dash], out *sim.Out[dash]) {
	if in.Msg.Kind == 0 {
		out.AfterDraw(sim.Uniform(0, 10*time.Second), dash{2})
		out.Note(dash{1})
	} else {
		out.Note(dash{2})
	}
}

// Small draws matter like large ones: the time is one in a hundred of what it may be.
func TestShrinkKeepsASmallDraw(t *testing.T) {
	p := sim.NewProgram(func() sim.System[dash] {
		return sim.System[dash]{Kinds: []string{"start", "off", "done"}, Properties: []sim.Property[dash]{&gap{From: 100 * ms, To: 300 * ms}},
			Nodes: []sim.Spec[dash]{sim.Place[dash]("drawer", drawer{})}}
	})
	s := Search{Program: p, Config: sim.Config{Until: instant(10_000)}, Seed: 1, Runs: 1000}
	small := shrunk(t, Subject{Program: s.Program, Config: s.Config}, found(t, s))
	require.Len(t, small.Overrides, 1)
	require.True(t, small.Minimal)
	locallyMinimal(t, small)
	least := sim.Uniform(0, 10*time.Second)
	assert.GreaterOrEqual(t, least.Sample(small.Overrides[0].Value), 100*ms)
	assert.Less(t, least.Sample(small.Overrides[0].Value-1<<48), 100*ms)
}

// A run fails in the same way if the same property is violated between the same nodes, or
// the same node panics with the same words.
func TestSame(t *testing.T) {
	f := &Failure{Property: 1, Finding: sim.Finding{Nodes: [2]sim.NodeID{1, 2}}}
	result := func(v sim.Verdict, a, b sim.NodeID) *sim.Result {
		return &sim.Result{Properties: []sim.Finding{{Verdict: sim.Violated, Nodes: [2]sim.NodeID{1, 2}}, {Verdict: v, Nodes: [2]sim.NodeID{a, b}}}}
	}
	assert.True(t, f.Same(result(sim.Violated, 1, 2)))
	assert.False(t, f.Same(result(sim.Violated, 2, 1)))
	assert.False(t, f.Same(result(sim.Holds, 1, 2)))
	f = &Failure{Property: NoProperty, Panic: &sim.Panic{Node: 2, Value: "words"}}
	assert.True(t, f.Same(&sim.Result{Panic: &sim.Panic{Node: 2, Value: "words", At: 5}}))
	assert.False(t, f.Same(&sim.Result{Panic: &sim.Panic{Node: 1, Value: "words"}}))
	assert.False(t, f.Same(&sim.Result{Panic: &sim.Panic{Node: 2, Value: "others"}}))
	assert.False(t, f.Same(&sim.Result{}))
}

// gap is a property that is violated if a runner takes a time within some limits between
// its two notes.
type gap struct {
	sim.Check
	From, To time.Duration

	off sim.Time
}

func (*gap) Name() string               { return "gap" }
func (*gap) Why(*sim.View[dash]) string { return "" }
func (*gap) End(*sim.View[dash])        {}
func (p *gap) Reset(*sim.View[dash])    { *p = gap{From: p.From, To: p.To}; p.Clear() }
func (p *gap) Observe(v *sim.View[dash], o *sim.Observation[dash]) {
	switch {
	case o.Event != sim.Noted:
	case o.Msg.Kind == 1:
		p.off = v.Now()
	default:
		if d := v.Now().Sub(p.off); d >= p.From && d <= p.To {
			p.Violate(v.Now(), o.Node)
		}
	}
}

// gapped is a runner and a gap.
func gapped(from, to time.Duration) Subject {
	p := sim.NewProgram(func() sim.System[dash] {
		return sim.System[dash]{Kinds: []string{"start", "off", "done"}, Properties: []sim.Property[dash]{&gap{From: from, To: to}},
			Nodes: []sim.Spec[dash]{sim.Place[dash]("runner", runner{})}}
	})
	return Subject{Program: p, Config: sim.Config{Until: instant(10_000)}}
}

// failed is the failure that a schedule is.
func failed(t testing.TB, s Subject, sch Schedule) *Failure {
	t.Helper()
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	r, err := sch.Play(w)
	require.NoError(t, err)
	f := &Failure{Schedule: sch, Property: 0}
	if r.Panic != nil {
		f.Property = NoProperty
	} else {
		require.Equal(t, sim.Violated, r.Properties[0].Verdict)
	}
	f.saw(r)
	return f
}

// Lengths come out as the least, in milliseconds, or where that is too coarse in
// microseconds or nanoseconds.
func TestShortestLength(t *testing.T) {
	const us = time.Microsecond
	for _, v := range []struct{ from, to, at, want time.Duration }{
		{10 * ms, time.Hour, 87_300 * us, 10 * ms},
		{10*ms + 1, time.Hour, 3 * time.Second, 11 * ms},
		{1, time.Hour, 3 * time.Second, ms},
		{1, ms - 1, 700 * us, us},
		{10_200 * us, 10_400 * us, 10_300*us + 7, 10_200 * us},
		{10_200*us + 1, 10_400 * us, 10_300*us + 7, 10_201 * us},
		{10_200*us + 3, 10_200*us + 9, 10_200*us + 7, 10_200*us + 3},
		{10 * ms, 10*ms + 300*us, 10*ms + 100*us, 10 * ms},
		{10*ms - 5*us, 10*ms + 300*us, 10*ms + 100*us, 10 * ms},
	} {
		s := gapped(v.from, v.to)
		pause := sim.Fault{Do: sim.Pause, Node: 1, When: sim.When{Before: 2, Nth: 1}, For: sim.Constant(v.at)}
		small := shrunk(t, s, failed(t, s, Schedule{Seed: 5, Faults: []sim.Fault{pause}}))
		require.Len(t, small.Faults, 1)
		assert.Equal(t, v.want, small.Faults[0].For.Least(), "%+v", v)
		locallyMinimal(t, small)
	}
}

// A length that is drawn becomes a fixed one; one without an end keeps none.
func TestShortestOfADistribution(t *testing.T) {
	s := gapped(10*ms, time.Hour)
	pause := sim.Fault{Name: "drawn", Do: sim.Pause, Node: 1, When: sim.When{Before: 2, Nth: 1}, For: sim.Uniform(20*ms, 90*ms)}
	small := shrunk(t, s, failed(t, s, Schedule{Seed: 5, Faults: []sim.Fault{pause}}))
	assert.Equal(t, sim.Constant(10*ms), small.Faults[0].For)
	assert.Empty(t, small.Overrides)
}

// Steps and rates of clocks come closer to none, and instants become rounder.
func TestPlainerFaults(t *testing.T) {
	p := sim.NewProgram(func() sim.System[dash] {
		return sim.System[dash]{Kinds: []string{"start", "off", "done"}, Properties: []sim.Property[dash]{&punctual{}},
			Nodes: []sim.Spec[dash]{sim.Place[dash]("clock", ticker{})}}
	})
	s := Subject{Program: p, Config: sim.Config{Until: instant(10_000)}}
	log := sim.Fault{Do: sim.FollowLog, Node: 1, When: sim.When{At: 3_456_789_012}, Changes: []sim.ClockChange{{At: 12_345, Step: 777 * ms}}}
	for _, v := range []struct {
		fault sim.Fault
		want  sim.Fault
	}{
		{sim.Fault{Do: sim.StepClock, Node: 1, By: 12_345_678 * time.Microsecond}, sim.Fault{Do: sim.StepClock, Node: 1, By: 101 * ms}},
		{sim.Fault{Do: sim.StepClock, Node: 1, By: -7 * time.Second}, sim.Fault{Do: sim.StepClock, Node: 1, By: -101 * ms}},
		{sim.Fault{Do: sim.StepClock, Node: 1, By: 150_500 * time.Microsecond}, sim.Fault{Do: sim.StepClock, Node: 1, By: 101 * ms}},
		{sim.Fault{Do: sim.SetRate, Node: 1, Forever: true, Rate: 90_000_123}, sim.Fault{Do: sim.SetRate, Node: 1, Forever: true, Rate: 10_102_000}},
		{sim.Fault{Do: sim.StepClock, Node: 1, By: time.Second, When: sim.When{At: 3_456_789_012}}, sim.Fault{Do: sim.StepClock, Node: 1, By: 101 * ms, When: sim.When{At: 3_000_000_000}}},
		{sim.Fault{Do: sim.StepClock, Node: 1, By: time.Second, When: sim.When{At: 8_950_000_012}}, sim.Fault{Do: sim.StepClock, Node: 1, By: 101 * ms, When: sim.When{At: 8_000_000_000}}},
		{sim.Fault{Do: sim.StepClock, Node: 1, By: time.Second, When: sim.When{At: 12_345}}, sim.Fault{Do: sim.StepClock, Node: 1, By: 101 * ms}},
		{log, log}, // what is written in a file stays
	} {
		small := shrunk(t, s, failed(t, s, Schedule{Seed: 5, Faults: []sim.Fault{{Do: sim.Pause, Node: 1, For: sim.Constant(ms), When: sim.When{At: 77}}, v.fault}}))
		assert.Equal(t, []sim.Fault{v.want}, small.Faults)
		locallyMinimal(t, small)
	}
}

// ticker is a node that notes each second of its clock.
type ticker struct{}

func (*ticker) Step(_ sim.In[dash], out *sim.Out[dash]) {
	out.Note(dash{1})
	out.After(time.Second, dash{2})
}

// punctual is violated when a wall clock is off by more than 100 ms at a note.
type punctual struct{ sim.Check }

func (*punctual) Name() string               { return "punctual" }
func (*punctual) Why(*sim.View[dash]) string { return "" }
func (*punctual) End(*sim.View[dash])        {}
func (p *punctual) Reset(*sim.View[dash])    { p.Clear() }
func (p *punctual) Observe(v *sim.View[dash], o *sim.Observation[dash]) {
	off := time.Duration(v.Read(1, sim.WallClock)) - time.Duration(v.Now())
	if o.Event == sim.Noted && (off > 100*ms || off < -100*ms) {
		p.Violate(v.Now(), o.Node)
	}
}

// When the time is up, what has been found by then is returned, and it is a failure.
func TestShrinkIsBrokenOff(t *testing.T) {
	s := drafty()
	s.Runs = 10_000
	f := found(t, s)
	subject := Subject{Program: s.Program, Config: s.Config}
	whole := shrunk(t, subject, f)
	for _, after := range []int{1, 3} {
		ctx, stop := context.WithCancel(context.Background())
		calls := 0
		got, err := Shrink(ctx, subject, f, func(k *Shrunk) {
			if calls++; calls == after {
				stop()
			}
		})
		require.NoError(t, err)
		assert.False(t, got.Whole)
		assert.Equal(t, after, calls)
		assert.Less(t, got.Tries, whole.Tries)
		assert.True(t, fails(t, got, got.Schedule))
	}
	for _, runs := range []int{1, whole.Tries / 2, whole.Tries - 1} { // finding T10
		subject.Tries = runs
		got, err := Shrink(context.Background(), subject, f, nil)
		require.NoError(t, err)
		assert.False(t, got.Whole)
		assert.Equal(t, runs, got.Tries)
		assert.True(t, fails(t, got, got.Schedule))
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	got, err := Shrink(ctx, subject, f, nil)
	require.NoError(t, err)
	assert.False(t, got.Whole)
	assert.Zero(t, got.Tries)
	assert.Equal(t, f.Schedule.Faults, got.Faults)
	assert.Equal(t, f.Digest, got.Digest)
}

// Nodes are taken away with their faults and draws; a subject without a node of the
// violation is none.
func TestShrinkToFewerNodes(t *testing.T) {
	var subject func(renters int) Subject
	subject = func(renters int) Subject {
		_, c := rents(renters, sim.Uniform(8*ms, 9*ms), nil)
		p := sim.NewProgram(func() sim.System[rent] {
			s := renting(renters, sim.Uniform(8*ms, 9*ms), nil)
			if renters < 4 { // a property is known by its name
				slices.Reverse(s.Properties)
			}
			return s
		})
		return Subject{Program: p, Config: c, Label: fmt.Sprint("renters=", renters), Smaller: func() (list []Subject) {
			for n := 1; n < renters; n++ {
				list = append(list, subject(n))
			}
			return list
		}}
	}
	s := subject(4)
	// Renter 1 is paused as it writes; renter 4, and the network, add noise.
	f := failed(t, s, Schedule{Seed: 1, Faults: []sim.Fault{
		{Do: sim.Pause, Node: 4, When: sim.When{At: instant(3)}, For: sim.Constant(6 * ms)},
		{Do: sim.Pause, Node: 1, When: sim.When{Before: wrote, Nth: 1}, For: sim.Constant(100 * ms)},
		{Do: sim.Lose, Msg: sim.MsgChoice{Kind: release, From: 4, Nth: 7}},
	}, Overrides: []sim.Override{{Draw: sim.Draw{Purpose: sim.Timers, From: 4}, Value: 1 << 63}}})
	small, err := Shrink(context.Background(), s, f, nil)
	require.NoError(t, err)
	require.Equal(t, 1, small.Property)
	assert.Equal(t, "renters=2", small.Subject.Label)
	assert.Equal(t, [2]sim.NodeID{1, 3}, small.Finding.Nodes, "the lender is the third of three now")
	require.Len(t, small.Faults, 1)
	assert.Equal(t, sim.NodeID(1), small.Faults[0].Node)
	assert.Empty(t, small.Overrides)
	assert.True(t, small.Minimal)
	locallyMinimal(t, small)
}

func TestMoved(t *testing.T) {
	from := &sim.Program{Nodes: []string{"a", "b", "c", "d"}, Kinds: []string{"start", "x", "y", "z"}, Properties: []string{"p", "q"}}
	to := &sim.Program{Nodes: []string{"c", "a", "e"}, Kinds: []string{"start", "z", "y"}, Properties: []string{"q"}}
	length := sim.Constant(ms)
	f := &Failure{Property: 1, Finding: sim.Finding{Nodes: [2]sim.NodeID{3, 1}}, Schedule: Schedule{Seed: 7, Minimal: true,
		Faults: []sim.Fault{
			{Do: sim.Pause, Node: 2, For: length},
			{Do: sim.Pause, Node: 3, For: length, When: sim.When{Before: 3, Nth: 2}},
			{Do: sim.Pause, Node: 3, For: length, When: sim.When{Note: 2, By: 1}},
			{Do: sim.Pause, Node: 3, For: length, When: sim.When{Note: 2, By: 2}},
			{Do: sim.Pause, Node: 3, For: length, When: sim.When{Note: 1}},
			{Do: sim.Lose, Msg: sim.MsgChoice{Kind: 2, From: 1, To: 3, Nth: 4}},
			{Do: sim.Lose, Msg: sim.MsgChoice{Kind: 2, To: 4}},
			{Do: sim.Lose, Msg: sim.MsgChoice{Kind: 1}},
			{Do: sim.Lose, Msg: sim.MsgChoice{Kind: 3}},
			{Do: sim.Cut, Sides: [][]sim.NodeID{{1, 2}, {3}}, Forever: true},
			{Do: sim.Cut, Sides: [][]sim.NodeID{{1, 3}, {2, 4}}, Forever: true},
		},
		Overrides: []sim.Override{
			{Draw: sim.Draw{Purpose: sim.Delays, From: 3, To: 1, Index: 5}, Value: 9}, {Draw: sim.Draw{Purpose: sim.Delays, From: 3, To: 2}, Value: 9},
			{Draw: sim.Draw{Purpose: sim.Timers, From: 4}, Value: 9}, {Draw: sim.Draw{Purpose: sim.Faults, Name: 77, Index: 1}, Value: 8},
		}}}
	before := fmt.Sprintf("%+v", f)
	g, ok := f.moved(from, to)
	require.True(t, ok)
	assert.Equal(t, 0, g.Property)
	assert.Equal(t, [2]sim.NodeID{1, 2}, g.Finding.Nodes)
	assert.Equal(t, Schedule{Seed: 7, Minimal: true, Faults: []sim.Fault{
		{Do: sim.Pause, Node: 1, For: length, When: sim.When{Before: 1, Nth: 2}},
		{Do: sim.Pause, Node: 1, For: length, When: sim.When{Note: 2, By: 2}},
		{Do: sim.Lose, Msg: sim.MsgChoice{Kind: 2, From: 2, To: 1, Nth: 4}},
		{Do: sim.Lose, Msg: sim.MsgChoice{Kind: 1}},
		{Do: sim.Cut, Sides: [][]sim.NodeID{{2}, {1}}, Forever: true},
	}, Overrides: []sim.Override{{Draw: sim.Draw{Purpose: sim.Delays, From: 1, To: 2, Index: 5}, Value: 9}, {Draw: sim.Draw{Purpose: sim.Faults, Name: 77, Index: 1}, Value: 8}}}, g.Schedule)
	assert.Equal(t, before, fmt.Sprintf("%+v", f), "the failure itself stays")

	for _, change := range []func(*Failure){
		func(f *Failure) { f.Property = 0 },
		func(f *Failure) { f.Finding.Nodes[1] = 2 },
		func(f *Failure) { f.Property, f.Panic = NoProperty, &sim.Panic{Node: 4} },
	} {
		g := *f
		change(&g)
		_, ok := g.moved(from, to)
		assert.False(t, ok)
	}
	p := Failure{Property: NoProperty, Panic: &sim.Panic{Node: 3, Value: "v"}}
	g, ok = p.moved(from, to)
	require.True(t, ok)
	assert.Equal(t, sim.NodeID(1), g.Panic.Node)
	assert.Equal(t, sim.NodeID(3), p.Panic.Node)
}

// fewer leaves a list of which no element can be dropped alone; and exactly what is needed,
// if that is a fixed set.
func TestFewer(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		n := r.IntN(20)
		var list, needed []int
		for i := range n {
			list = append(list, i)
			if r.IntN(3) == 0 {
				needed = append(needed, i)
			}
		}
		tries := 0
		fewer(n, func(from, to int) bool {
			require.True(t, 0 <= from && from < to && to <= len(list))
			tries++
			less := slices.Concat(list[:from], list[to:])
			if slices.ContainsFunc(needed, func(x int) bool { return !slices.Contains(less, x) }) {
				return false
			}
			list = less
			return true
		})
		require.Equal(t, len(needed), len(list))
		require.LessOrEqual(t, tries, n*n+2*n+1)

		// Whatever the condition: here a hash of what is left.
		list = nil
		for i := range n {
			list = append(list, i)
		}
		salt := r.Uint64()
		ok := func(l []int) bool { return sim.Hash(fmt.Sprint(salt, l))%3 == 0 }
		fewer(n, func(from, to int) bool {
			less := slices.Concat(list[:from], list[to:])
			if ok(less) {
				list = less
				return true
			}
			return false
		})
		for i := range list {
			require.False(t, ok(slices.Concat(list[:i], list[i+1:])), "element %d can be dropped", i)
		}
	}
}

func TestBisect(t *testing.T) {
	for _, v := range []struct{ low, high uint64 }{{0, 0}, {5, 5}, {7, 5}, {0, 1}, {1, 2}, {0, 1 << 60}, {3, 100}} {
		for _, least := range []uint64{v.low, v.low + 1, v.low + (v.high-min(v.low, v.high))/3, v.high} {
			if least > max(v.low, v.high) {
				continue
			}
			if v.low >= v.high {
				least = v.low
			}
			calls := 0
			got := bisect(v.low, v.high, func(n uint64) bool {
				calls++
				require.True(t, n >= v.low && n < v.high, "%d of %+v", n, v)
				return n >= least
			})
			require.Equal(t, least, got, "%+v", v)
			require.LessOrEqual(t, calls, 62)
		}
	}
	assert.Equal(t, uint64(7), bisect(7, 5, func(uint64) bool { panic("nothing to try") }))
}

// A step that panics is a failure that shrinks too, and stays the same panic.
func TestShrinkPanic(t *testing.T) {
	s := Search{Program: race.Program(true, false), Config: race.Config(), Seed: 1, Targets: []int{0}, Runs: 10_000, Budget: Budget{Pauses: 1, Lost: 1}}
	s.Program = unnamed(s.Program)
	s.Targets = []int{1}
	f := found(t, s)
	require.Equal(t, NoProperty, f.Property)
	small := shrunk(t, Subject{Program: s.Program, Config: s.Config}, f)
	assert.Equal(t, f.Panic.Value, small.Panic.Value)
	assert.Equal(t, f.Panic.Node, small.Panic.Node)
	locallyMinimal(t, small)
}

// A fault that comes after another is first put at its instant, so that the other one can go.
func TestShrinkPutsAFaultAtItsInstant(t *testing.T) {
	p := sim.NewProgram(func() sim.System[dash] {
		return sim.System[dash]{Kinds: []string{"start", "off", "done"}, Properties: []sim.Property[dash]{&gap{From: 100 * ms, To: 300 * ms}},
			Nodes: []sim.Spec[dash]{sim.Place[dash]("drawer", drawer{})}}
	})
	config := sim.Config{Until: instant(10_000), Faults: []sim.Fault{
		{Name: "step", Do: sim.StepClock, Node: 1, By: ms, When: sim.When{Note: 1}},
		{Name: "gc", Do: sim.Pause, Node: 1, When: sim.When{After: "step", At: instant(10)}, For: sim.Constant(250 * ms)},
	}, Overrides: []sim.Override{{Draw: sim.Draw{Purpose: sim.Timers, From: 1}, Value: 1 << 56}}} // a 256th of 10 s
	small := shrunk(t, Subject{Program: p, Config: config}, found(t, Search{Program: p, Config: config, Runs: 1}))
	require.Len(t, small.Faults, 1)
	assert.Equal(t, "gc", small.Faults[0].Name)
	assert.Empty(t, small.Faults[0].When.After)
	locallyMinimal(t, small)
}

// odd is a property that an odd number of pauses violates.
type odd struct {
	sim.Check
	pauses int
}

func (*odd) Name() string               { return "odd" }
func (*odd) Why(*sim.View[dash]) string { return "" }
func (p *odd) Reset(*sim.View[dash])    { *p = odd{}; p.Clear() }
func (p *odd) Observe(_ *sim.View[dash], o *sim.Observation[dash]) {
	if o.Event == sim.Paused {
		p.pauses++
	}
}
func (p *odd) End(v *sim.View[dash]) {
	if p.pauses%2 == 1 {
		p.Violate(v.Now())
	}
}

// Of three faults none can be missed alone, but two together.
func TestTwoFaultsAreTakenAwayTogether(t *testing.T) {
	p := sim.NewProgram(func() sim.System[dash] {
		return sim.System[dash]{Kinds: []string{"start", "off", "done"}, Properties: []sim.Property[dash]{&odd{}},
			Nodes: []sim.Spec[dash]{sim.Place[dash]("runner", runner{})}}
	})
	s := Subject{Program: p, Config: sim.Config{Until: instant(10_000)}}
	var faults []sim.Fault
	for i := range 3 {
		faults = append(faults, sim.Fault{Do: sim.Pause, Node: 1, When: sim.When{At: instant(int64(100 * (i + 1)))}, For: sim.Constant(ms)})
	}
	require.Len(t, shrunk(t, s, failed(t, s, Schedule{Seed: 1, Faults: faults})).Faults, 1)
}

// Budget.Most bounds the faults of a run in all.
func TestMostFaultsOfARun(t *testing.T) {
	s := restless(t)
	s.Config.Faults, s.Runs, s.Targets = nil, 300, nil
	for _, mode := range []Mode{Random, PCT} {
		s.Mode = mode
		s.Budget = Budget{Pauses: 2, Crashes: 2, Most: 1}
		r, err := Find(t.Context(), *s)
		require.NoError(t, err)
		require.Zero(t, r.Together, mode)
		require.NotZero(t, r.Faulty, mode)
	}
}
