package kv

import (
	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// monotonicWrites holds if a write makes a version after those of all earlier writes of its
// session that were acknowledged: no replica can then store the later write without the
// earlier ones, or put an earlier one in its place.
//
// Source: Terry et al., "Session Guarantees for Weakly Consistent Replicated Data", PDIS 1994,
// section 3.4.
type monotonicWrites struct {
	Layout *Layout
	Own    floors
}

// Check implements [model.Checker].
func (p *monotonicWrites) Check(r *model.Report[core.Msg]) {
	m := &r.Msg
	switch {
	case r.Event != sim.Noted:
		p.Own.end(r.Node)
		return
	case m.Write == nil:
		return
	}
	if own := p.Own.of(r.Node, m.Key()); own != nil {
		r.Saw()
		if !after(p.Layout.Policy, m.Obj, own, m.Write) && r.Violated(r.Node) {
			r.Why("%s writes %s to %s, and that is not after its own earlier write of %s", r.Name(r.Node), p.Layout.written(m.Write), p.Layout.key(m.Key()), p.Layout.siblings(own))
		}
	}
	p.Own.raise(p.Layout.Policy, r.Node, m.Key(), m.Obj)
}

// Print implements [sim.Printer].
func (p *monotonicWrites) Print(to *sim.Print) { p.Own.Print(to) }

func (p *monotonicWrites) property() sim.Property[core.Msg] {
	return model.NewProperty("monotonic-writes", p, core.Answered).Also(sim.Crashed).
		Needs("`claims` names it, or clients stay at one node or have a floor, and a client writes a key twice that is read")
}
