package kv

import (
	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// writesFollowReads holds if a write makes a version after all that its session has read: no
// replica can then store the write without what its writer had seen.
//
// Source: Terry et al., "Session Guarantees for Weakly Consistent Replicated Data", PDIS 1994,
// section 3.3.
type writesFollowReads struct {
	Layout *Layout
	Read   floors
}

// Check implements [model.Checker].
func (p *writesFollowReads) Check(r *model.Report[core.Msg]) {
	m := &r.Msg
	switch {
	case r.Event != sim.Noted:
		p.Read.end(r.Node)
	case m.Write == nil:
		p.Read.raise(p.Layout.Policy, r.Node, m.Key(), m.Obj)
	default:
		read := p.Read.of(r.Node, m.Key())
		if read == nil {
			return
		}
		r.Saw()
		if !after(p.Layout.Policy, m.Obj, read, m.Write) && r.Violated(r.Node) {
			r.Why("%s writes %s to %s, and that is not after %s, which it has read", r.Name(r.Node), p.Layout.written(m.Write), p.Layout.key(m.Key()), p.Layout.siblings(read))
		}
	}
}

// Print implements [sim.Printer].
func (p *writesFollowReads) Print(to *sim.Print) { p.Read.Print(to) }

func (p *writesFollowReads) property() sim.Property[core.Msg] {
	return model.NewProperty("writes-follow-reads", p, core.Answered).Also(sim.Crashed).
		Needs("`claims` names it, or clients stay at one node or have a floor, and a client reads what was written after a read")
}
