package kv

import (
	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// monotonicReads holds if a read returns what covers all that its session has read before.
//
// Source: Terry et al., "Session Guarantees for Weakly Consistent Replicated Data", PDIS 1994,
// section 3.2.
type monotonicReads struct {
	Layout *Layout
	Read   floors
}

// Check implements [model.Checker].
func (p *monotonicReads) Check(r *model.Report[core.Msg]) {
	m := &r.Msg
	switch {
	case r.Event != sim.Noted:
		p.Read.end(r.Node)
		return
	case m.Write != nil:
		return
	}
	if before := p.Read.of(r.Node, m.Key()); before != nil {
		r.Saw()
		if !p.Layout.Policy.Covers(m.Obj, before) && r.Violated(r.Node) {
			r.Why("%s reads %s from %s, and has read %s before", r.Name(r.Node), p.Layout.siblings(m.Obj), p.Layout.key(m.Key()), p.Layout.siblings(before))
		}
	}
	p.Read.raise(p.Layout.Policy, r.Node, m.Key(), m.Obj)
}

// Print implements [sim.Printer].
func (p *monotonicReads) Print(to *sim.Print) { p.Read.Print(to) }

func (p *monotonicReads) property() sim.Property[core.Msg] {
	return model.NewProperty("monotonic-reads", p, core.Answered).Also(sim.Crashed).
		Needs("`claims` names it, or clients stay at one node or have a floor, and a client reads a key twice")
}
