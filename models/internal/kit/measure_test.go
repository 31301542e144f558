package kit_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/internal/kit"
	"fencepost/models/internal/kit/kittest"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// every has a measure of each sort.
type every struct {
	Count  kit.Measure `measure:"count"`
	Drift  kit.Measure `measure:"drift,duration,signed"`
	Share  kit.Measure `measure:"share,per=total,most=9"`
	Total  kit.Measure `measure:"total,total"`
	Paid   kit.Measure `measure:"all-paid,counts=paid"`
	Second kit.Measure `measure:"second-paid,counts=paid,if=second"`
	Server kit.Measure `measure:"server-paid,counts=paid,if=server"`
	None   kit.Measure `measure:"client-paid,total,of=paid.payment,if=client"`
	Sum    kit.Measure `measure:"sum,total,of=paid.payment"`
	Last   kit.Measure `measure:"last,last=paid.payment"`
	First  kit.Measure `measure:"last-of-first,last=paid.payment,if=first"`
	Peak   kit.Measure `measure:"peak,peak=paid.payment"`
	Each   kit.Measure `measure:"each,of=paid"`
	Least  kit.Measure `measure:"least,least=paid.payment"`
	Others kit.Measure `measure:"others-paid,counts=paid,if=!server"`
	Once   kit.Measure `measure:"in-one-run,peak=paid.payment,if=once"`
	Never  kit.Measure `measure:"never,least=paid.payment,if=client"`
	Client []kit.Measure
	Notes  int64
	Began  bool
}

func (e *every) Begin(*sim.View[Msg]) { e.Began = true }

func (e *every) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	e.Notes++
	e.Client[o.Node-1].Record(v, 2)
}

func (e *every) End(v *sim.View[Msg]) {
	e.Drift.RecordDuration(v, -time.Second)
	if e.Began {
		e.Count.Record(v, e.Notes)
	}
}

func TestMeasuresAreRecordedByHandle(t *testing.T) {
	once := true
	build := func() sim.System[Msg] {
		s := careless()
		m := &every{Client: []kit.Measure{kit.Declare(&s, sim.Measure{Name: "server-notes", Total: true})}}
		kit.AddMeter(&s, m, kit.Facts[Msg]{
			"payment": kit.Number((*Msg).payment),
			"first":   kit.Whether(func(m *Msg) bool { return m.N == 2 }, "", ""),
			"second":  kit.Whether(func(m *Msg) bool { return m.N == 3 }, "", ""),
		}, kit.Facts[Msg]{
			"once":   kit.If(func(o *sim.Observation[Msg]) bool { return once }),
			"server": kit.If(func(o *sim.Observation[Msg]) bool { return o.Node == 1 }),
			"client": kit.If(func(o *sim.Observation[Msg]) bool { return o.Node > 1 }),
		})
		kit.Count(&s, "third", Paid, func(o *sim.Observation[Msg]) bool { return o.Msg.N == 3 })
		return s
	}
	r := kittest.Play(t, build, simtest.Until(kittest.At(21)))
	assert.Equal(t, []sim.Measure{{Name: "paid", Total: true}, {Name: "gap", Unit: sim.Duration}, {Name: "server-notes", Total: true}, {Name: "count"}, {Name: "drift", Unit: sim.Duration, Signed: true},
		{Name: "share", Per: "total", Most: 9}, {Name: "total", Total: true}, {Name: "all-paid", Total: true},
		{Name: "second-paid", Total: true}, {Name: "server-paid", Total: true}, {Name: "client-paid", Total: true}, {Name: "sum", Total: true},
		{Name: "last"}, {Name: "last-of-first"}, {Name: "peak"}, {Name: "each"}, {Name: "least"}, {Name: "others-paid", Total: true}, {Name: "in-one-run"}, {Name: "never"}, {Name: "third", Total: true}}, r.Program.Measures)
	assert.EqualValues(t, 4, r.Measure("count"))
	assert.EqualValues(t, 8, r.Measure("server-notes"))
	for name, want := range map[string]int{"all-paid": 4, "second-paid": 2, "server-paid": 4, "client-paid": 0, "sum": 10, "last": 3, "last-of-first": 2, "peak": 3, "least": 2, "others-paid": 0, "in-one-run": 3, "never": 0, "third": 2} {
		assert.EqualValues(t, want, r.Measure(name), name)
	}
	assert.EqualValues(t, -time.Second, r.Measure("drift"))
	w, err := r.Program.NewWorld(sim.Config{Until: kittest.At(21)})
	require.NoError(t, err)
	w.Run(1)
	once = false
	second := w.Run(1).Samples
	assert.Contains(t, second, sim.Sample{Measure: 3, Value: 6}, "the meter has forgotten the run before")
	number := slices.IndexFunc(r.Program.Measures, func(m sim.Measure) bool { return m.Name == "in-one-run" })
	assert.Contains(t, second, sim.Sample{Measure: number, Value: 0}, "and so has the rule")
}

func TestWrongMeasuresPanic(t *testing.T) {
	facts := kit.Facts[Msg]{"payment": kit.Number((*Msg).payment)}
	add := func(r any) func() {
		return func() { kit.AddMeter(&sim.System[Msg]{Kinds: kinds.Names(), Notes: kinds.Notes()}, r, facts) }
	}
	assert.PanicsWithValue(t, "kit: measure paid: want total, duration, signed, most=N, per=NAME, counts=KIND, of=KIND.NUMBER, last=, peak=, least= or if=CONDITION, got \"sum\"", add(&struct {
		meter
		Paid kit.Measure `measure:"paid,sum"`
	}{}))
	assert.PanicsWithValue(t, "kit: Paid: want a tag measure with a name in kebab case, got \"\"", add(&struct {
		meter
		Paid kit.Measure
	}{}))
	assert.PanicsWithValue(t, "kit: measure sent: the system has no note \"pay\"", add(&struct {
		Sent kit.Measure `measure:"sent,counts=pay"`
	}{}))
	assert.PanicsWithValue(t, "kit: measure sent: no fact is the number \"amount\"", add(&struct {
		Sent kit.Measure `measure:"sent,of=paid.amount"`
	}{}))
	assert.PanicsWithValue(t, "kit: measure sent: if=paid of what is recorded: want counts=, of=, last=, peak= or least=", add(&struct {
		meter
		Sent kit.Measure `measure:"sent,if=paid"`
	}{}))
	assert.PanicsWithValue(t, "kit: measure sent: no fact is the condition \"payment\"", add(&struct {
		Sent kit.Measure `measure:"sent,counts=paid,if=payment"`
	}{}))
	assert.PanicsWithValue(t, "kit: struct { kit_test.meter; paid kit.Measure \"measure:\\\"paid\\\"\" }.paid: want an exported field, so that it can be reset", add(&struct {
		meter
		paid kit.Measure `measure:"paid"`
	}{}))
	w, err := sim.NewWorld(func() sim.System[Msg] {
		s := careless()
		s.Meters = []sim.Observer[Msg]{&undeclared{}}
		return s
	}(), sim.Config{Until: 1})
	require.NoError(t, err)
	assert.Panics(t, func() { w.Run(1) }, "a measure that is not declared is none of those that are")
}

// undeclared records a measure that no system has.
type undeclared struct{ meter }

func (u *undeclared) Reset(*sim.View[Msg]) {}
func (u *undeclared) End(v *sim.View[Msg]) { u.Paid.Record(v, 1) }
