package idempotency

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// noPhantom holds if an order that a client is told of is, or was, a committed row of the
// flow's first table of effects. It checks nothing of a flow without one.
type noPhantom struct {
	Layout *Layout
	Rows   table[bool] // by id
}

// Check implements [model.Checker].
func (p *noPhantom) Check(r *model.Report[Msg]) {
	m := &r.Msg
	if m.Kind == Effect {
		if of, _, id, _ := m.effect(); of == 0 {
			*p.Rows.at(id) = true
		}
		return
	}
	if len(p.Layout.Effects) == 0 || !success(m.Status) || m.body() == Null {
		return
	}
	r.Saw()
	if p.Rows.find(m.body()) == nil && r.Violated(r.Node) {
		r.Why("%s is told of order %d, and there is no such row", r.Name(r.Node), m.body())
	}
}

func (p *noPhantom) property() sim.Property[Msg] {
	return model.NewProperty("no-phantom", p, Effect, Answered).Needs("an answer names a row of the first `effect` table")
}
