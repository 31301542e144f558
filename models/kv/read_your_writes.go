package kv

import (
	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// readYourWrites holds if a read returns what covers all earlier writes of its session that
// were acknowledged.
//
// Source: Terry et al., "Session Guarantees for Weakly Consistent Replicated Data", PDIS 1994,
// section 3.1.
type readYourWrites struct {
	Layout *Layout
	Own    floors
}

// Check implements [model.Checker].
func (p *readYourWrites) Check(r *model.Report[core.Msg]) {
	m := &r.Msg
	switch {
	case r.Event != sim.Noted:
		p.Own.end(r.Node)
	case m.Write != nil:
		p.Own.raise(p.Layout.Policy, r.Node, m.Key(), m.Obj)
	default:
		own := p.Own.of(r.Node, m.Key())
		if own == nil {
			return
		}
		r.Saw()
		if !p.Layout.Policy.Covers(m.Obj, own) && r.Violated(r.Node) {
			r.Why("%s reads %s from %s, which lacks its own write of %s", r.Name(r.Node), p.Layout.siblings(m.Obj), p.Layout.key(m.Key()), p.Layout.siblings(own))
		}
	}
}

// Print implements [sim.Printer].
func (p *readYourWrites) Print(to *sim.Print) { p.Own.Print(to) }

func (p *readYourWrites) property() sim.Property[core.Msg] {
	return model.NewProperty("read-your-writes", p, core.Answered).Also(sim.Crashed).
		Needs("`claims` names it, or clients stay at one node or have a floor, and a client reads a key that it has written")
}
