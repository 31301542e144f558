package model_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

func careless() sim.System[Msg] {
	return (&Params{Clients: 2, Retry: 10 * time.Millisecond}).System()
}

func careful() sim.System[Msg] {
	return (&Params{Clients: 2, Retry: 10 * time.Millisecond, Server: "dedup"}).System()
}

// with is the careless system with one property.
func with(p func() *model.Property[Msg]) func() sim.System[Msg] {
	return func() sim.System[Msg] {
		s := careless()
		s.Properties = []sim.Property[Msg]{p()}
		return s
	}
}

func TestStorms(t *testing.T) { modeltest.Storms(t, careless, 20, nil, []string{"only-once"}) }

// sights counts what a property is called for.
type sights struct {
	Kinds   []int
	Events  map[sim.Event]int
	Ended   bool
	Began   sim.Time
	Limit   int
	Grid    [2]struct{ Seen map[int]bool }
	Allowed []int
	Own     own
	Work    sim.Dist
}

type own struct{ n int }

func (o *own) Reset() { o.n = 0 }

func (s *sights) Check(r *model.Report[Msg]) {
	s.Events[r.Event]++
	*model.At(&s.Kinds, int(r.Msg.Kind))++
	s.Grid[1].Seen[len(s.Kinds)] = true
	s.Limit--
	s.Own.n++
	s.Work = sim.Dist{}
}

func (s *sights) Begin(r *model.Report[Msg]) {
	if r.View != nil {
		s.Began = r.Now() - 1
	}
}

func (s *sights) End(r *model.Report[Msg]) {
	s.Ended = r.Event == sim.Ended && r.Now() == modeltest.At(100)
}

func (s *sights) Bound() sim.Bound { return sim.Bound{Text: "a few"} }

// hopeful takes back what it has seen when the run ends, but no violation.
type hopeful struct{ Violates bool }

func (h *hopeful) Check(r *model.Report[Msg]) {
	r.Saw()
	if h.Violates {
		r.Violated(r.Node)
	}
}

func (h *hopeful) End(r *model.Report[Msg]) { r.Withdraw() }

func TestWhatWasSeenCanBeWithdrawn(t *testing.T) {
	for violates, want := range map[bool]sim.Verdict{false: sim.NotExercised, true: sim.Violated} {
		r := modeltest.Play(t, with(func() *model.Property[Msg] { return model.NewProperty("hopeful", &hopeful{violates}) }), simtest.Until(modeltest.At(100)))
		assert.Equal(t, want, r.Finding("hopeful").Verdict)
	}
}

func TestPropertyLooksAtItsKindsAndEventsOnly(t *testing.T) {
	crash := simtest.Inject("server", sim.Fault{Do: sim.Crash, When: sim.When{At: modeltest.At(50)}, For: sim.Constant(20 * time.Millisecond)})
	for _, c := range []struct {
		on     []sim.Kind
		events []sim.Event
		want   map[sim.Event]int
	}{
		{nil, nil, map[sim.Event]int{sim.Noted: 16}},
		{[]sim.Kind{Paid}, nil, map[sim.Event]int{sim.Noted: 16}},
		{[]sim.Kind{again}, nil, map[sim.Event]int{}},
		{[]sim.Kind{again}, []sim.Event{sim.Crashed}, map[sim.Event]int{sim.Crashed: 1}},
		{[]sim.Kind{Paid}, []sim.Event{sim.Crashed, sim.Restarted}, map[sim.Event]int{sim.Noted: 16, sim.Crashed: 1, sim.Restarted: 1}},
	} {
		var s *sights
		modeltest.Play(t, with(func() *model.Property[Msg] {
			s = &sights{Limit: 9, Allowed: []int{7}}
			return model.NewProperty("sights", s, c.on...).Also(c.events...)
		}), crash, simtest.Until(modeltest.At(100)))
		assert.Equal(t, c.want, s.Events)
		assert.True(t, s.Ended)
		assert.Equal(t, sim.Time(-1), s.Began)
	}
	all := model.NewProperty("sights", &sights{}).AlsoFaults()
	for e := sim.Noted; e < sim.Ended; e++ {
		assert.Equal(t, e < sim.NetworkChanged, all.Watches(e, Paid))
	}
	p := sim.NewProgram(with(func() *model.Property[Msg] { return model.NewProperty("sights", &sights{}) }))
	assert.Equal(t, []sim.Bound{{Text: "a few"}}, p.Bounds)
	p = sim.NewProgram(careless)
	assert.Equal(t, []sim.Bound{{}}, p.Bounds)
}

// What a property remembers is put back to what it was when it was made; parameters are kept.
func TestResetPutsTheStateBack(t *testing.T) {
	work, err := sim.Empirical([]time.Duration{1, 2})
	require.NoError(t, err)
	s := &sights{Limit: 9, Allowed: []int{7}, Work: work}
	p := model.NewProperty("sights", s)
	for range 2 {
		p.Observe(nil, &sim.Observation[Msg]{Msg: Msg{Kind: Paid}})
		require.Equal(t, 8, s.Limit)
		require.Equal(t, []int{0, 0, 0, 1}, s.Kinds)
		require.Len(t, s.Grid[1].Seen, 1)
		require.Equal(t, 1, s.Own.n)
		p.Reset(nil)
		assert.Equal(t, 9, s.Limit)
		assert.Empty(t, s.Kinds)
		assert.GreaterOrEqual(t, cap(s.Kinds), 4, "the memory is kept")
		assert.Empty(t, s.Events)
		assert.Empty(t, s.Grid[1].Seen)
		assert.Equal(t, []int{7}, s.Allowed)
		assert.Zero(t, s.Own.n)
		assert.Equal(t, work, s.Work)
	}
	type hidden struct {
		onlyOnce
		n int
	}
	assert.PanicsWithValue(t, "model: model_test.hidden.onlyOnce: want an exported field, so that it can be reset",
		func() { model.NewProperty("hidden", &hidden{n: 1}) })
}

// leveled says how near each payment comes.
type leveled struct{ Paid int64 }

func (l *leveled) Level() sim.Level { return sim.Level{Text: "how much is paid", Unit: sim.Count} }

func (l *leveled) Check(r *model.Report[Msg]) {
	l.Paid++
	r.Near(5 - (l.Paid-3)*(l.Paid-3)) // 1, 4, 5, 4, 1
}

// The level of a checker is that of its property, and the nearest of all that a run says stands until the next run. One without is
// never near.
func TestNearIsTheNearestOfTheRun(t *testing.T) {
	p := model.NewProperty("leveled", &leveled{})
	assert.Equal(t, sim.Level{Text: "how much is paid", Unit: sim.Count}, p.Level())
	for range 2 {
		p.Reset(nil)
		assert.Equal(t, int64(sim.Unreached), p.Near())
		for _, want := range []int64{1, 4, 5, 5, 5} {
			p.Observe(nil, &sim.Observation[Msg]{Msg: Msg{Kind: Paid}})
			assert.Equal(t, want, p.Near())
		}
	}
	plain := model.NewProperty("sights", &sights{Allowed: []int{7}})
	assert.Equal(t, sim.Level{}, plain.Level())
	plain.Reset(nil)
	plain.Observe(nil, &sim.Observation[Msg]{Msg: Msg{Kind: Paid}})
	assert.Equal(t, int64(sim.Unreached), plain.Near())
	assert.Equal(t, []sim.Level{{Text: "how much is paid", Unit: sim.Count}}, sim.NewProgram(with(func() *model.Property[Msg] {
		return model.NewProperty("leveled", &leveled{})
	})).Levels)
}

// The fingerprint of a world sees what a property remembers, and not the world through it.
func TestFingerprintSeesWhatAPropertyRemembers(t *testing.T) {
	prints := map[sim.Print]bool{}
	for _, limit := range []int{0, 0, 1} {
		p := sim.NewProgram(with(func() *model.Property[Msg] { return model.NewProperty("sights", &sights{Limit: limit}) }))
		w, err := p.NewWorld(sim.Config{Until: modeltest.At(100)})
		require.NoError(t, err)
		o := &last{w: w}
		w.SetAdversary(o)
		w.Run(1)
		prints[o.print] = true
	}
	assert.Len(t, prints, 2)
}

type last struct {
	w     sim.Runner
	print sim.Print
}

func (l *last) Choose(sim.Choice) (sim.FaultChoice, bool) {
	l.print = l.w.Fingerprint()
	return sim.FaultChoice{}, false
}

// late reports violations in another order than that in which they happened.
type late struct{ At []sim.Time }

func (l *late) Check(r *model.Report[Msg]) {
	for _, at := range l.At {
		if r.ViolatedAt(at, 2, 1) {
			r.Why("at %v by %s", at, r.Name(2))
		}
	}
}

func TestTheFirstViolationIsTheEarliest(t *testing.T) {
	r := modeltest.Play(t, with(func() *model.Property[Msg] {
		return model.NewProperty("late", &late{At: []sim.Time{7, 3, 9, 3, 5}})
	}), simtest.Until(1), simtest.Delay(0))
	assert.Equal(t, sim.Finding{Verdict: sim.Violated, Violations: 10, First: 3, Nodes: [2]sim.NodeID{2, 1}}, r.Finding("late"))
	assert.Equal(t, []string{"at 0.000000003s by client-1"}, r.Why)
}

func TestAPropertyThatSawNothingIsNotExercised(t *testing.T) {
	r := modeltest.Play(t, careless, simtest.Until(modeltest.At(5)))
	assert.Equal(t, sim.NotExercised, r.Finding("only-once").Verdict)
	modeltest.Play(t, careful).Holds("only-once")
}

// A run allocates nothing once the state has grown: not for a property that holds, nor for
// violations after the first.
func TestARunAllocatesNothing(t *testing.T) {
	for name, build := range map[string]func() sim.System[Msg]{"holds": careful, "violated": careless} {
		w, err := sim.NewWorld(build(), sim.Config{Until: modeltest.At(1000)})
		require.NoError(t, err)
		w.Run(1)
		most := map[string]float64{"holds": 0, "violated": 4}[name] // the arguments of the words of one violation
		assert.LessOrEqual(t, testing.AllocsPerRun(10, func() { w.Run(1) }), most, name)
	}
}

func TestMutants(t *testing.T) {
	modeltest.Mutants(t, modeltest.Mutant[Msg]{
		Property: "only-once", Correct: careful,
		Mutant: modeltest.Replace(careful, "server", func(name string) sim.Spec[Msg] { return sim.Place[Msg](name, Server{}) }),
	})
}

// TestNeeds: a property that had nothing to check says what would exercise it, with a bound of its own or without.
func TestNeeds(t *testing.T) {
	p := model.NewProperty("only-once", &sights{}).Needs("a client must send a request")
	require.Equal(t, "a client must send a request", p.Bound().Needs)
	require.Equal(t, "a few", p.Bound().Text)
	require.Equal(t, sim.Data, p.Loses(sim.Data).Bound().Class)
}
