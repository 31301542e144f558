package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/modeltest"
)

// roll is who was called for the last note, in turn.
type roll struct {
	at    sim.Time
	names []string
}

func (r *roll) answer(at sim.Time, name string) {
	if name == "ledger" {
		r.at, r.names = at, nil
	}
	if at == r.at {
		r.names = append(r.names, name)
	}
}

// answering is a checker and an observer that answers for each note.
type answering struct {
	Name string
	Roll *roll
}

func (a *answering) Check(r *model.Report[Msg]) { a.Observe(r.View, r.Observation) }

func (a *answering) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event == sim.Noted {
		a.Roll.answer(v.Now(), a.Name)
	}
}

// End makes the end what its report has observed last.
func (*answering) End(*model.Report[Msg]) {}

// foreign is a property that is not of this package.
type foreign struct {
	sim.Check
	answering
}

func (*foreign) Reset(*sim.View[Msg])                 {}
func (*foreign) Name() string                         { return "foreign" }
func (*foreign) Why(*sim.View[Msg]) string            { return "" }
func (*foreign) Watches(e sim.Event, k sim.Kind) bool { return e == sim.Noted && k == Paid }

// Parts are called in their turn, also where others are between them, and in each run of a world.
func TestPartsAreCalledInTurn(t *testing.T) {
	r := &roll{}
	one := func(name string) *answering { return &answering{name, r} }
	p := sim.NewProgram(func() sim.System[Msg] {
		s := careless()
		s.Ledgers = []sim.Observer[Msg]{model.NewLedger(one("ledger"), one("ledger"), Paid)}
		s.Properties = []sim.Property[Msg]{
			model.NewProperty("first", one("first"), Paid), model.NewProperty("second", one("second"), Paid), &foreign{answering: *one("foreign")},
			model.NewProperty("third", one("third"), Paid), model.NewProperty("other", one("other"), Pay)}
		s.Meters = nil
		return s
	})
	w, err := p.NewWorld(sim.Config{Until: modeltest.At(100)})
	require.NoError(t, err)
	for range 2 {
		*r = roll{}
		require.Nil(t, w.Run(1).Panic)
		assert.Equal(t, []string{"ledger", "first", "second", "foreign", "third"}, r.names)
	}
}
