package explore

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// dash is a message of a race whose outcome is a matter of order: each runner notes that
// it is off, and in the same step that it is done.
type dash struct{ Kind sim.Kind }

func (m dash) Label() sim.Kind              { return m.Kind }
func (m dash) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(m.Kind), 0) }
func (m dash) String() string               { return [...]string{"start", "off", "done"}[m.Kind] }

type runner struct{}

func (*runner) Step(in sim.In[dash], out *sim.Out[dash]) {
	out.Note(dash{1})
	out.Note(dash{2})
}

// disorder is a planted bug of some depth: 1 is there in every run, and each one more needs a
// runner that is stopped between its two notes.
type disorder struct {
	sim.Check
	depth int

	first sim.NodeID
	off   [8]sim.Time
	slow  [8]bool
}

func (p *disorder) Name() string               { return fmt.Sprint("disorder-", p.depth) }
func (p *disorder) Why(*sim.View[dash]) string { return "" }
func (p *disorder) End(*sim.View[dash])        {}
func (p *disorder) Reset(*sim.View[dash])      { *p = disorder{depth: p.depth}; p.Clear() }
func (p *disorder) Observe(v *sim.View[dash], o *sim.Observation[dash]) {
	if o.Event != sim.Noted {
		return
	}
	p.Saw()
	if p.first == sim.None {
		p.first = o.Node
	}
	if o.Msg.Kind == 1 {
		p.off[o.Node] = v.Now()
	} else if v.Now().Sub(p.off[o.Node]) >= 10*ms {
		p.slow[o.Node] = true
	}
	bad := p.first != sim.None
	for id := sim.NodeID(1); int(id) < p.depth; id++ {
		bad = bad && p.slow[id]
	}
	if bad {
		p.Violate(v.Now(), o.Node)
	}
}

// dashes is a race of some runners, with bugs of depth 1 to 3.
func dashes(runners int) Search {
	p := sim.NewProgram(func() sim.System[dash] {
		s := sim.System[dash]{Kinds: []string{"start", "off", "done"}, Notes: []sim.Kind{1, 2},
			Properties: []sim.Property[dash]{&disorder{depth: 1}, &disorder{depth: 2}, &disorder{depth: 3}}}
		for i := range runners {
			s.Nodes = append(s.Nodes, sim.Place[dash](fmt.Sprint("runner-", i+1), runner{}))
		}
		return s
	})
	return Search{Program: p, Config: sim.Config{Until: instant(1000)}, Mode: PCT, Seed: 1,
		Budget: Budget{Pauses: 3, PauseFor: of(10 * ms)}}
}

// Burckhardt and others, section 2: one run finds a bug of depth d with a probability of at
// least 1/(n k^(d-1)), for n orders of threads; here, with m faults and no such order, 1/(k m)^(d-1). Measured, over many seeds.
func TestGuarantee(t *testing.T) {
	for _, crashes := range []int{0, 1} {
		for depth := 1; depth <= 3; depth++ {
			s := dashes(3)
			s.Budget.Crashes, s.Budget.DownFor = crashes, of(5*ms)
			s.Depth, s.Runs = depth, 10_000
			s.Targets = []int{0}
			one := find(t, s)
			require.NotNil(t, one.Found)
			s.Program = unnamed(s.Program)
			s.Targets = []int{3}
			r := find(t, s)
			require.Equal(t, depth, r.Depth)
			require.Equal(t, s.Runs, r.Runs)
			// Three choices at Stepping and six at Leaving, of a run without a fault.
			require.GreaterOrEqual(t, r.Choices, 9)
			p := r.Guarantee(&s)
			m := float64(1 + crashes)
			require.InEpsilon(t, 1/math.Pow(float64(r.Choices)*m, float64(depth-1)), p, 1e-9)
			want := p * float64(r.Runs)
			assert.GreaterOrEqual(t, float64(r.Violated[depth-1]), want-4*math.Sqrt(want), "depth %d: %d of %d runs, guaranteed %v", depth, r.Violated[depth-1], r.Runs, p)
			if depth < 3 {
				assert.Zero(t, r.Violated[depth], "what is deeper needs a fault more")
			}
		}
	}
}

// unnamed is a program with one property more, that is never checked: a search for it goes
// on to the end.
func unnamed(p sim.Program) sim.Program {
	q := p
	q.Properties = append(slices.Clone(p.Properties), "nothing")
	q.NewWorld = func(c sim.Config) (sim.Runner, error) {
		w, err := p.NewWorld(c)
		return &padded{w}, err
	}
	return q
}

type padded struct{ sim.Runner }

func (w *padded) Run(seed uint64) *sim.Result {
	r := w.Runner.Run(seed)
	r.Properties = append(r.Properties, sim.Finding{})
	return r
}

// The default depth is all of the budget; of a run no more is done than that.
func TestDepth(t *testing.T) {
	s := dashes(3)
	s.Budget = Budget{Pauses: 2, Crashes: 1, PauseFor: of(10 * ms), DownFor: of(10 * ms)}
	s.Runs = 100
	assert.Equal(t, 4, find(t, s).Depth)
	s.Depth = 2
	assert.Equal(t, 2, find(t, s).Depth)
}

// At each choice something is done some time, and no run has more faults of a kind than the budget, or a longer one.
func TestPCTDraws(t *testing.T) {
	s := dashes(3)
	s.Depth = 3
	s.Budget = Budget{Pauses: 1, Crashes: 1, PauseFor: of(10*ms, 20*ms), DownFor: of(5 * ms)}
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	p, err := survey(t.Context(), &s, w)
	require.NoError(t, err)
	k, err := newSampler(&s, p)
	require.NoError(t, err)
	const runs = 6000
	places := map[string]int{}
	for i := 1; i <= runs; i++ {
		_, err := k.run(i)
		require.NoError(t, err)
		for _, f := range k.pct.done {
			places[fmt.Sprint(f.Do, f.Node, f.When.Before, f.For)]++
		}
		kinds := map[sim.Action]int{}
		for _, f := range k.schedule(i).Faults {
			kinds[f.Do]++
			require.LessOrEqual(t, kinds[f.Do], s.Budget.count(f.Do))
			require.Contains(t, []time.Duration{5 * ms, 10 * ms, 20 * ms}, f.For.Least())
		}
	}
	// Three nodes; before their first step, the first and the second note; two pauses and a crash.
	assert.Len(t, places, 27)
}

// Nodes that the budget spares are neither delayed nor at fault.
func TestPCTSparesNodes(t *testing.T) {
	s := dashes(3)
	s.Depth, s.Budget.Nodes = 3, []sim.NodeID{2}
	w, err := s.Program.NewWorld(s.Config)
	require.NoError(t, err)
	p, err := survey(t.Context(), &s, w)
	require.NoError(t, err)
	k, err := newSampler(&s, p)
	require.NoError(t, err)
	injected := 0
	for i := 1; i <= 500; i++ {
		_, err := k.run(i)
		require.NoError(t, err)
		for _, f := range k.schedule(i).Faults {
			require.Equal(t, sim.NodeID(2), f.Node)
		}
		injected += len(k.pct.done)
	}
	assert.NotZero(t, injected)
}

// The change points are drawn among the first k choices, and what is to happen at one
// happens there, or if two fall together at the next.
func TestChangePoints(t *testing.T) {
	s := dashes(3)
	s.Depth, s.Budget.Pauses = 4, 3
	p := newPCT(&s, 40)
	hit := map[uint64]int{}
	for seed := range uint64(4000) {
		c := NewSeeded(seed)
		p.begin(&c, true)
		points := slices.Clone(p.points)
		require.Len(t, points, 3)
		for i := 1; i < len(points); i++ {
			points[i] = max(points[i], points[i-1]+1)
		}
		var fired []uint64
		for n := range uint64(60) {
			if _, ok := p.Choose(sim.Choice{Point: sim.Sending, Node: 1}); ok {
				t.Fatal("a message is injected")
			}
			if _, ok := p.Choose(sim.Choice{Point: sim.Leaving, Node: 1, Kind: 1, Nth: 1}); ok {
				fired = append(fired, n)
				hit[n]++
			}
		}
		require.Equal(t, points, fired)
	}
	for n := range uint64(40) {
		assert.InDelta(t, 300, hit[n], 110, "choice %d", n)
	}
}

// What is found by pct is within the budget, and stays so when it is made smaller.
func TestPCTFindsWithinTheBudget(t *testing.T) {
	for seed := range uint64(50) {
		s := dashes(3)
		s.Seed, s.Budget, s.Targets, s.Runs = 1000*seed, Budget{Pauses: 1, PauseFor: of(10*ms + 300*time.Microsecond)}, []int{1}, 1000
		r := find(t, s)
		require.NotNil(t, r.Found)
		k, err := Shrink(t.Context(), Subject{Program: s.Program, Config: s.Config}, r.Found, nil)
		require.NoError(t, err)
		for _, faults := range [][]sim.Fault{r.Found.Faults, k.Faults} {
			require.Len(t, faults, 1)
			require.LessOrEqual(t, faults[0].For.Most(), 10*ms+300*time.Microsecond)
		}
	}
}
