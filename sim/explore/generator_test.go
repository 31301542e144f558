package explore

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// lavish are budgets of every kind of fault, with lengths given in every way.
func lavish(t testing.TB) []Budget {
	dist, err := sim.LogNormal(5*ms, 300*ms)
	require.NoError(t, err)
	all := Budget{Pauses: 3, Suspends: 1, Crashes: 2, ClockSteps: 2, Slews: 2, Cuts: 2, Late: 2, Lost: 3, Duplicated: 2}
	listed := all
	listed.PauseFor, listed.DownFor, listed.CutFor, listed.LateBy = of(10*ms, 40*ms), of(7*ms), of(50*ms), of(3*ms, 60*ms)
	listed.StepBy, listed.SlewTo = []time.Duration{ms, -time.Hour}, []sim.PPB{5, -7}
	drawn := all
	least := sim.Exponential(5 * ms) // which can be 0
	drawn.PauseFor, drawn.DownFor, drawn.CutFor, drawn.LateBy = Lengths{Dist: &dist}, Lengths{Dist: &least}, Lengths{Dist: &least}, Lengths{Dist: &dist}
	few := listed
	few.Nodes = []sim.NodeID{2}
	return []Budget{{}, {Pauses: 1}, {Cuts: 1}, {Lost: 64}, all, listed, drawn, few}
}

// kept says what in faults is not within a budget, "" if all is.
func kept(b *Budget, until sim.Time, nodes int, faults []sim.Fault) string {
	used := map[sim.Action]int{}
	for _, f := range faults {
		used[f.Do]++
		if used[f.Do] > b.count(f.Do) {
			return fmt.Sprintf("%d of %v, of %d", used[f.Do], f.Do, b.count(f.Do))
		}
		injected := f.Node
		lengths, forever := &b.PauseFor, false
		switch f.Do {
		case sim.Crash:
			lengths = &b.DownFor
		case sim.Cut:
			injected, lengths, forever = f.Sides[0][0], &b.CutFor, f.Forever
			if len(f.Sides) != 2 || len(f.Sides[0]) != 1 || len(f.Sides[1]) == 0 || len(f.Sides[1]) >= nodes {
				return fmt.Sprint("sides ", f.Sides)
			}
		case sim.Delay, sim.Lose, sim.Duplicate:
			injected, lengths, forever = f.Msg.From, &b.LateBy, f.Do == sim.Lose
			if f.Msg.Nth == 0 || f.Msg.Kind == 0 {
				return fmt.Sprintf("message %+v", f.Msg)
			}
		case sim.StepClock:
			if forever = true; f.By == 0 || len(b.StepBy) > 0 && !slices.Contains(b.StepBy, f.By) {
				return fmt.Sprint("a step by ", f.By)
			}
		case sim.SetRate:
			if forever = true; !slices.Contains(b.rates(), f.Rate) || !f.Forever {
				return fmt.Sprint("a rate of ", f.Rate)
			}
		}
		if !b.May(f.Do, injected) {
			return fmt.Sprint("node ", injected)
		}
		if length := f.For.Least(); !forever && !allowed(lengths, until, length) && !(lengths != &b.LateBy && shorter(lengths, length)) || f.For.Least() != f.For.Sample(math.MaxUint64) {
			return fmt.Sprintf("%v for %v", f.Do, f.For)
		}
		if f.When.At < 0 || f.When.At >= until {
			return fmt.Sprint("at ", f.When.At)
		}
	}
	return ""
}

// allowed reports whether a length is one of those that may be chosen.
func allowed(l *Lengths, until sim.Time, d time.Duration) bool {
	switch {
	case len(l.List) > 0:
		return slices.Contains(l.List, d)
	case l.Dist != nil:
		return d >= max(l.Dist.Least(), 1) && d <= l.Dist.Sample(math.MaxUint64)
	}
	return d >= 1 && d <= time.Duration(until)
}

// shorter reports whether a length is at most the only one that a budget gives: so long a fault lasts that is to meet another.
func shorter(l *Lengths, d time.Duration) bool { return len(l.List) == 1 && d >= 1 && d <= l.List[0] }

// maker is a generator for a budget of the leases, and a world that plays what it makes.
func maker(t testing.TB, b Budget) (*generator, sim.Runner) {
	s := leases(Random)
	s.Budget = b
	require.NoError(t, s.Check())
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	p, err := survey(t.Context(), &s, w)
	require.NoError(t, err)
	return &generator{budget: &s.Budget, profile: p, until: s.Config.Until, nodes: len(s.Program.Nodes), swarm: true}, w
}

// Every schedule is within the budget, and one that the engine accepts; and over many
// each thing that is allowed is done.
func TestSchedulesKeepTheBudget(t *testing.T) {
	for i, b := range lavish(t) {
		g, w := maker(t, b)
		most, none := map[sim.Action]int{}, 0
		for seed := range uint64(3000) {
			c := NewSeeded(seed)
			faults := g.faults(&c)
			require.Empty(t, kept(&b, g.until, g.nodes, faults), "budget %d, seed %d", i, seed)
			require.NoError(t, w.Vary(sim.Variation{Faults: faults}))
			used := map[sim.Action]int{}
			for _, f := range faults {
				used[f.Do]++
				most[f.Do] = max(most[f.Do], used[f.Do])
			}
			if len(faults) == 0 {
				none++
			}
		}
		r := rand.New(rand.NewPCG(1, uint64(i)))
		for range 2000 {
			data := random(r, 200)
			for _, make := range []func(Chooser) []sim.Fault{g.faults, g.sparing} {
				faults := make(&Bytes{data})
				require.Empty(t, kept(&b, g.until, g.nodes, faults), "budget %d, bytes %v", i, data)
				require.NoError(t, w.Vary(sim.Variation{Faults: faults}))
			}
		}
		if b.Lost < 64 {
			for _, a := range b.verbs() {
				assert.Equal(t, a.count, most[a.do], "budget %d: %v", i, a.do)
			}
		}
		if b.Faults() < 2 {
			assert.NotZero(t, none, "budget %d: also no fault at all", i)
		}
	}
}

// A kind of fault without a field of its own in the budget is drawn with its lengths, its amounts and at its nodes.
func TestSchedulesHaveOtherKinds(t *testing.T) {
	b := Budget{Others: []Allowance{{Do: sim.Slow, Count: 2, For: Lengths{List: []time.Duration{ms, 5 * ms}}, Amounts: []int64{int64(2 * ms), int64(3 * ms)}, Nodes: []sim.NodeID{2}}}}
	g, w := maker(t, b)
	type spell struct {
		node     sim.NodeID
		to, long time.Duration
	}
	drawn := map[spell]int{}
	for seed := range uint64(3000) {
		c := NewSeeded(seed)
		faults := g.faults(&c)
		require.LessOrEqual(t, len(faults), 2)
		require.NoError(t, w.Vary(sim.Variation{Faults: faults}))
		for _, f := range faults {
			assert.Equal(t, sim.Slow, f.Do)
			drawn[spell{f.Node, f.By, f.For.Most()}]++
		}
	}
	for _, to := range []time.Duration{2 * ms, 3 * ms} {
		for s := range drawn {
			assert.Equal(t, sim.NodeID(2), s.node)
			assert.Contains(t, []time.Duration{2 * ms, 3 * ms}, s.to)
			assert.LessOrEqual(t, s.long, 5*ms)
		}
		assert.Greater(t, drawn[spell{2, to, 5 * ms}], 100, to)
	}
}

// The same of whole searches: what their runs are made of, as the configuration's faults
// and those of the budget.
func TestSearchesKeepTheBudget(t *testing.T) {
	for i, b := range lavish(t) {
		for _, mode := range []Mode{Random, PCT} {
			s := leases(mode)
			s.Config.Faults = []sim.Fault{{Name: "scripted", Do: sim.Pause, Node: 1, When: sim.When{At: instant(3)}, For: sim.Constant(ms)}}
			if s.Budget = b; mode == PCT {
				s.Budget.Slews, s.Budget.Cuts, s.Budget.Late, s.Budget.Lost, s.Budget.Duplicated = 0, 0, 0, 0, 0
				s.Depth = min(1+i, 1+s.Budget.Faults())
			}
			require.NoError(t, s.Check())
			w, err := s.Program.NewWorld(s.Config)
			require.NoError(t, err)
			p, err := survey(t.Context(), &s, w)
			require.NoError(t, err)
			k, err := newSampler(&s, p)
			require.NoError(t, err)
			for run := range 300 {
				_, err := k.run(run)
				require.NoError(t, err)
				sch := k.schedule(run)
				require.Equal(t, s.Config.Faults, sch.Faults[:1])
				faults := sch.Faults[1:]
				if run == 0 {
					require.Empty(t, faults, "the first run has none")
				}
				if mode == PCT {
					require.Less(t, len(faults), s.Depth)
				}
				// A search knows of lengths that are not given, or drawn, a few for each.
				limits := s.Budget
				if mode == PCT {
					for _, l := range []*Lengths{&limits.PauseFor, &limits.DownFor} {
						l.List = l.finite(s.Config.Until)
					}
					limits.StepBy = limits.steps(s.Config.Until)
				}
				require.Empty(t, kept(&limits, s.Config.Until, 3, faults), "%v, budget %d, run %d", mode, i, run)
			}
		}
	}
}

// Loss is injected only at the messages of nodes that may have faults, about as often as it says,
// in half of the runs; and it is in the schedule, which is the run.
func TestLoss(t *testing.T) {
	s := leases(Random)
	s.Budget = Budget{Loss: sim.Certain / 4, Nodes: []sim.NodeID{3}, Pauses: 1}
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	p, err := survey(t.Context(), &s, w)
	require.NoError(t, err)
	k, err := newSampler(&s, p)
	require.NoError(t, err)
	spared, lost, sent := 0, 0, 0
	for i := range 2000 {
		r, err := k.run(i)
		require.NoError(t, err)
		steps, found := r.Steps, slices.Clone(r.Properties)
		sch := k.schedule(i)
		for _, f := range k.loss.done {
			require.Equal(t, sim.Fault{Do: sim.Lose, Msg: sim.MsgChoice{Kind: granted, From: 3, Nth: f.Msg.Nth}}, f)
		}
		if !k.loss.on {
			spared++
		} else {
			lost += len(k.loss.done)
			sent += 3 // or so: the leases, and those lost
		}
		again, err := sch.Play(w)
		require.NoError(t, err)
		require.Equal(t, steps, again.Steps, "run %d", i)
		require.Equal(t, found, again.Properties)
	}
	assert.InDelta(t, 1000, spared, 130)
	assert.InDelta(t, 0.25, float64(lost)/float64(sent), 0.1)
}

// "Each run switches some kinds of fault off": in a quarter of those in which faults are not to meet one kind is not there
// at all, which happens by chance as good as never. Of those in which they are it is missing where only a few are drawn.
func TestSwarm(t *testing.T) {
	missing := func(swarm bool) float64 {
		g, _ := maker(t, Budget{Pauses: 12, Crashes: 12, Lost: 12, Late: 12})
		g.swarm = swarm
		const runs = 2000
		n := 0
		for seed := range uint64(runs) {
			c := NewSeeded(seed)
			if !slices.ContainsFunc(g.faults(&c), func(f sim.Fault) bool { return f.Do == sim.Crash }) {
				n++
			}
		}
		return float64(n) / runs
	}
	few := 0.0
	for n := 2; n <= 48; n++ {
		few += math.Pow(0.75, float64(n)) / 47
	}
	assert.InDelta(t, (0.25+few)/2, missing(true), 0.03)
	assert.Less(t, missing(false), 0.002)
}

// A node alone cannot be cut off, and a world in which nothing happens has no places.
func TestNothingToStrike(t *testing.T) {
	g, _ := maker(t, Budget{Cuts: 1, Pauses: 1})
	g.nodes = 1
	for seed := range uint64(200) {
		c := NewSeeded(seed)
		require.False(t, slices.ContainsFunc(g.faults(&c), func(f sim.Fault) bool { return f.Do == sim.Cut }))
	}
	empty := generator{budget: &Budget{Pauses: 1, Lost: 1, Cuts: 1, Slews: 1}, profile: &profile{}, until: instant(10), nodes: 2}
	for seed := range uint64(200) {
		c := NewSeeded(seed)
		require.Empty(t, empty.faults(&c))
	}
	alone := sim.NewProgram(func() sim.System[rent] {
		return sim.System[rent]{Nodes: []sim.Spec[rent]{sim.Place[rent]("a", renter{Lender: 1, Work: sim.Constant(ms)})}, Kinds: rentKinds, Properties: []sim.Property[rent]{&never{}}}
	})
	r := find(t, Search{Program: alone, Config: sim.Config{Until: instant(100)}, Runs: 200, Budget: Budget{Cuts: 1, Pauses: 1}})
	assert.NotZero(t, r.Faulty)
}

// The lengths that nobody gives: round ones, such as end when something happens, and any.
func TestLengths(t *testing.T) {
	g, _ := maker(t, Budget{Pauses: 1})
	r := rand.New(rand.NewPCG(1, 2))
	round, met, other := 0, 0, 0
	for seed := range uint64(4000) {
		c := NewSeeded(seed)
		from := g.profile.instants[r.IntN(len(g.profile.instants))]
		d := g.length(&Lengths{}, from, &c)
		require.True(t, allowed(&Lengths{}, g.until, d), d)
		to := from.Add(d)
		i, found := slices.BinarySearch(g.profile.instants, to)
		near := found || i < len(g.profile.instants) && g.profile.instants[i] == to+1 || i > 0 && g.profile.instants[i-1] == to-1
		switch {
		case slices.Contains([]time.Duration{ms, 2 * ms, 5 * ms, 10 * ms, 20 * ms, 50 * ms, 100 * ms, 200 * ms}, d):
			round++
		case near:
			met++
		default:
			other++
		}
	}
	assert.Greater(t, min(round, met, other), 600)
	var zero Bytes
	assert.Equal(t, ms, g.length(&Lengths{}, 0, &zero), "the first choice is the faultFree one: the shortest and roundest")
	assert.Equal(t, []time.Duration{ms, 2 * ms, 5 * ms, 10 * ms, 20 * ms, 50 * ms, 60 * ms}, func() (list []time.Duration) {
		for n := range uint64(7) {
			list = append(list, roundOf(n, 60*ms))
		}
		return list
	}())
	assert.Equal(t, 6, rounds(60*ms))
	assert.Equal(t, 1, rounds(1))
	assert.Equal(t, 36, rounds(math.MaxInt64))
}

// roundOf is round, whose name a test has for something else.
func roundOf(n uint64, most time.Duration) time.Duration { return round(n, most) }

// "Choices in the order in which runs came upon them, those of the fault-free run first": what a
// survey knows is what there is, once each, and only what the budget may inject faults at.
func TestSurvey(t *testing.T) {
	b := Budget{Pauses: 2, Lost: 2, Crashes: 1, Nodes: []sim.NodeID{1, 3}}
	g, w := maker(t, b)
	p := g.profile
	alone := &scout{seen: map[sim.Choice]bool{}}
	require.NoError(t, w.Vary(sim.Variation{Minimal: true}))
	w.SetAdversary(alone)
	w.Run(1)
	w.SetAdversary(nil)
	alone.order()
	alone.effects.sort(&b)
	alone.messages.sort(&b)
	for _, v := range []struct{ all, faultFree *places }{{&p.effects, &alone.effects}, {&p.messages, &alone.messages}} {
		require.NotEmpty(t, v.faultFree.all)
		assert.Equal(t, v.faultFree.all, v.all.all[:v.all.faultFree], "those of the fault-free run")
		assert.Greater(t, len(v.all.all), v.all.faultFree, "and others, where something has gone wrong")
		grouped := 0
		for _, group := range v.all.groups {
			grouped += len(group)
			for _, c := range group {
				require.Equal(t, []any{group[0].Node, group[0].Kind}, []any{c.Node, c.Kind})
			}
		}
		assert.Equal(t, len(v.all.all), grouped)
		seen := map[sim.Choice]bool{}
		for _, c := range v.all.all {
			require.NotEqual(t, sim.NodeID(2), c.Node)
			c.At, c.To = 0, 0
			require.False(t, seen[c])
			seen[c] = true
		}
	}
	assert.Equal(t, alone.instants, p.faultFree)
	assert.True(t, slices.IsSorted(p.instants))
	assert.Equal(t, len(p.instants), len(slices.Compact(slices.Clone(p.instants))))
	for _, at := range p.faultFree {
		assert.Contains(t, p.instants, at)
	}
	assert.GreaterOrEqual(t, p.choices, alone.count)
}

// FuzzGenerator makes a schedule of any bytes: each is within the budget, and the engine
// accepts it.
func FuzzGenerator(f *testing.F) {
	budgets := lavish(f)
	var makers []*generator
	var worlds []sim.Runner
	for _, b := range budgets {
		g, w := maker(f, b)
		makers, worlds = append(makers, g), append(worlds, w)
	}
	f.Add(uint8(0), []byte{})
	for i := range budgets {
		f.Add(uint8(i), []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
		f.Add(uint8(i), slices.Repeat([]byte{255}, 200))
		f.Add(uint8(i), slices.Repeat([]byte{0, 1, 2, 200, 3}, 60))
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		i := int(which) % len(budgets)
		g, w := makers[i], worlds[i]
		for _, make := range []func(Chooser) []sim.Fault{g.faults, g.sparing} {
			faults := make(&Bytes{Data: data})
			if what := kept(&budgets[i], g.until, g.nodes, faults); what != "" {
				t.Fatalf("not within the budget: %s", what)
			}
			sch := Schedule{Seed: 1, Minimal: which%2 == 0, Faults: faults}
			if _, err := sch.Play(w); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Each kind of fault keeps to its own nodes, and those without any to those of the budget.
func TestKindsHaveNodesOfTheirOwn(t *testing.T) {
	b := Budget{Pauses: 1, Crashes: 1, ClockSteps: 1, Slews: 1, Cuts: 1, Lost: 1,
		Nodes: []sim.NodeID{2, 3}, PauseNodes: []sim.NodeID{1}, StepNodes: []sim.NodeID{3}, SlewNodes: []sim.NodeID{1, 2}, CutNodes: []sim.NodeID{2}, MessageNodes: []sim.NodeID{1}}
	g, _ := maker(t, b)
	seen := map[sim.Action]map[sim.NodeID]bool{}
	for seed := range uint64(3000) {
		c := NewSeeded(seed)
		for _, f := range g.faults(&c) {
			at := f.Node
			switch {
			case f.Do == sim.Cut:
				at = f.Sides[0][0]
			case f.Do >= sim.Delay:
				at = f.Msg.From
			}
			require.True(t, b.May(f.Do, at), "%v at %d", f.Do, at)
			if seen[f.Do] == nil {
				seen[f.Do] = map[sim.NodeID]bool{}
			}
			seen[f.Do][at] = true
		}
	}
	for do, n := range map[sim.Action]int{sim.Pause: 1, sim.Crash: 2, sim.StepClock: 1, sim.SetRate: 2, sim.Cut: 1, sim.Lose: 1} {
		assert.Len(t, seen[do], n, do)
	}
}

// A partition whose length is given ends; it has no end where that is asked for, or no length is given.
func TestPartitionsWithoutAnEndAreAskedFor(t *testing.T) {
	for _, c := range []struct {
		b                Budget
		ends, goesOnOnly bool
	}{
		{Budget{Cuts: 1, CutFor: of(10 * ms)}, true, false},
		{Budget{Cuts: 1, CutForever: true}, false, true},
		{Budget{Cuts: 1, CutFor: of(10 * ms), CutForever: true}, false, false},
		{Budget{Cuts: 1}, false, false},
	} {
		g, _ := maker(t, c.b)
		var forever, all int
		for seed := range uint64(1000) {
			d := NewSeeded(seed)
			for _, f := range g.faults(&d) {
				if all++; f.Forever {
					forever++
				}
			}
		}
		require.NotZero(t, all)
		assert.Equal(t, c.ends, forever == 0, "%+v", c.b)
		assert.Equal(t, c.goesOnOnly, forever == all, "%+v", c.b)
	}
}
