package model_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// every has a measure of each sort.
type every struct {
	Count  model.Measure `measure:"count"`
	Drift  model.Measure `measure:"drift,duration,signed"`
	Share  model.Measure `measure:"share,per=total,most=9"`
	Total  model.Measure `measure:"total,total"`
	Paid   model.Measure `measure:"all-paid,counts=paid"`
	Second model.Measure `measure:"second-paid,counts=paid,if=second"`
	Server model.Measure `measure:"server-paid,counts=paid,if=server"`
	None   model.Measure `measure:"client-paid,total,of=paid.payment,if=client"`
	Sum    model.Measure `measure:"sum,total,of=paid.payment"`
	Last   model.Measure `measure:"last,last=paid.payment"`
	First  model.Measure `measure:"last-of-first,last=paid.payment,if=first"`
	Peak   model.Measure `measure:"peak,peak=paid.payment"`
	Each   model.Measure `measure:"each,of=paid"`
	Least  model.Measure `measure:"least,least=paid.payment"`
	Others model.Measure `measure:"others-paid,counts=paid,if=!server"`
	Once   model.Measure `measure:"in-one-run,peak=paid.payment,if=once"`
	Never  model.Measure `measure:"never,least=paid.payment,if=client"`
	Client []model.Measure
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
		m := &every{Client: []model.Measure{model.Declare(&s, sim.Measure{Name: "server-notes", Total: true})}}
		model.AddMeter(&s, m, model.Facts[Msg]{
			"payment": model.Number((*Msg).Payment),
			"first":   model.Whether(func(m *Msg) bool { return m.Payment() == 2 }, "", ""),
			"second":  model.Whether(func(m *Msg) bool { return m.Payment() == 3 }, "", ""),
		}, model.Facts[Msg]{
			"once":   model.If(func(o *sim.Observation[Msg]) bool { return once }),
			"server": model.If(func(o *sim.Observation[Msg]) bool { return o.Node == 1 }),
			"client": model.If(func(o *sim.Observation[Msg]) bool { return o.Node > 1 }),
		})
		model.Count(&s, "third", Paid, func(o *sim.Observation[Msg]) bool { return o.Msg.Payment() == 3 })
		return s
	}
	r := modeltest.Play(t, build, simtest.Until(modeltest.At(21)))
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
	w, err := r.Program.NewWorld(sim.Config{Until: modeltest.At(21)})
	require.NoError(t, err)
	w.Run(1)
	once = false
	second := w.Run(1).Samples
	assert.Contains(t, second, sim.Sample{Measure: 3, Value: 6}, "the meter has forgotten the run before")
	number := slices.IndexFunc(r.Program.Measures, func(m sim.Measure) bool { return m.Name == "in-one-run" })
	assert.Contains(t, second, sim.Sample{Measure: number, Value: 0}, "and so has the rule")
}

func TestWrongMeasuresPanic(t *testing.T) {
	facts := model.Facts[Msg]{"payment": model.Number((*Msg).Payment)}
	add := func(r any) func() {
		return func() { model.AddMeter(&sim.System[Msg]{Kinds: kinds.Names(), Notes: kinds.Notes()}, r, facts) }
	}
	assert.PanicsWithValue(t, "model: measure paid: want total, duration, signed, most=N, per=NAME, counts=KIND, of=KIND.NUMBER, last=, peak=, least= or if=CONDITION, got \"sum\"", add(&struct {
		meter
		Paid model.Measure `measure:"paid,sum"`
	}{}))
	assert.PanicsWithValue(t, "model: Paid: want a tag measure with a name in kebab case, got \"\"", add(&struct {
		meter
		Paid model.Measure
	}{}))
	assert.PanicsWithValue(t, "model: measure sent: the system has no note \"pay\"", add(&struct {
		Sent model.Measure `measure:"sent,counts=pay"`
	}{}))
	assert.PanicsWithValue(t, "model: measure sent: no fact is the number \"amount\"", add(&struct {
		Sent model.Measure `measure:"sent,of=paid.amount"`
	}{}))
	assert.PanicsWithValue(t, "model: measure sent: if=paid of what is recorded: want counts=, of=, last=, peak= or least=", add(&struct {
		meter
		Sent model.Measure `measure:"sent,if=paid"`
	}{}))
	assert.PanicsWithValue(t, "model: measure sent: no fact is the condition \"payment\"", add(&struct {
		Sent model.Measure `measure:"sent,counts=paid,if=payment"`
	}{}))
	assert.PanicsWithValue(t, "model: struct { model_test.meter; paid model.Measure \"measure:\\\"paid\\\"\" }.paid: want an exported field, so that it can be reset", add(&struct {
		meter
		paid model.Measure `measure:"paid"`
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
