package check

import (
	"fencepost/models/fact"
	"fencepost/sim"
)

// LeaderPerTerm holds if no two clients lead in one term.
//
// Source: Ongaro and Ousterhout, "In Search of an Understandable Consensus Algorithm", 2014, figure 3, Election Safety.
type LeaderPerTerm struct{ Leaders map[uint64]sim.NodeID }

// Hears implements [fact.Checker].
func (*LeaderPerTerm) Hears() []fact.Kind {
	return []fact.Kind{fact.Issued}
}

// Check implements [fact.Checker].
func (c *LeaderPerTerm) Check(r *fact.Report) {
	r.Saw()
	id, term := r.By.Node, r.Token
	first, taken := c.Leaders[term]
	if !taken {
		c.Leaders[term] = id
	} else if first != id && r.Violated(id, first) {
		r.Why("%s leads in term %d, in which %s has led", r.Name(id), term, r.Name(first))
	}
}
