package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/model"
)

var sentences = model.Kinds{
	start: model.MessageKind("start").Log("{node} starts"),
	Pay:   model.MessageKind("pay").Text(" {payment}{again}"),
	again: model.TimerKind("again"),
	Paid:  model.NoteKind("paid").Text(" by {payer}").Log("{node} is paid by {payer}").Detail("is paid {payment} by {payer}, {count} notes"),
}

var facts = model.Facts[Msg]{
	"payment": model.Number((*Msg).Payment),
	"payer":   model.Number(func(m *Msg) sim.NodeID { return sim.NodeID(m.Payment()) }),
	"again":   model.Whether(func(m *Msg) bool { return m.Payment() > 2 }, " again", " once{of}"),
	"of":      model.Which(func(m *Msg) int { return int(m.Payment()) }, ", none", ", one of {payment}", ""),
	"count":   model.Words(func(t *model.Told[Msg]) string { return t.Who(sim.NodeID(t.Msg.Kind) - 2) }),
	"client":  model.If(func(o *sim.Observation[Msg]) bool { return o.Node > 1 }),
}

func TestSentencesSayFacts(t *testing.T) {
	d := model.Describe(model.NewKinds(4, sentences), facts)
	assert.Equal(t, "pay 2 once", d.String(NewPay(2)))
	assert.Equal(t, "pay 1 once, one of 1", d.String(NewPay(1)))
	assert.Equal(t, "pay 3 again", d.String(NewPay(3)))
	assert.Equal(t, "again", d.String(Say(again)))
	assert.Equal(t, "paid by 2", d.String(NewPaid(2)), "without a run a node has a number")

	var logs, details []string
	s := careless()
	s.Properties = []sim.Property[Msg]{model.NewProperty("reader", &told{func(r *model.Report[Msg]) {
		logs, details = append(logs, d.Log(r.View, r.Observation)), append(details, d.Detail(r.View, r.Observation))
	}}).AlsoFaults()}
	w, err := sim.NewWorld(s, sim.Config{Until: 1, Faults: []sim.Fault{{Do: sim.Crash, Node: 1}}})
	require.NoError(t, err)
	require.Nil(t, w.Run(1).Panic)
	assert.Contains(t, logs, "server is paid by client-1")
	assert.Contains(t, details, "is paid 2 by client-1, server notes")
	assert.NotContains(t, logs, "server starts", "a fault is no note")
}

// told calls a function for what a property is told of.
type told struct{ Func func(r *model.Report[Msg]) }

func (c *told) Check(r *model.Report[Msg]) { c.Func(r) }

// A sentence with a word that nothing stands for does not survive the start of the program.
func TestDescribePanicsWhereAWordStandsForNothing(t *testing.T) {
	for _, word := range []string{"amount", "client"} {
		assert.PanicsWithValue(t, "model: no fact has the word {"+word+"}", func() {
			model.Describe(model.Kinds{model.NoteKind("paid").Log("{node} has {" + word + "}")}, facts)
		})
	}
}
