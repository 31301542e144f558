package check

import (
	"fencepost/models/fact"
	"fencepost/sim"
)

// AtMostOnce holds if no intent has two effects of a kind at a time: two rows in a table of
// effects, or two charges.
//
// Source: Helland, "Idempotence Is Not a Medical Condition", ACM Queue 2012.
type AtMostOnce struct {
	Names   interface{ EffectName(sort int) string } // in the plural
	Effects Effects
}

// Hears implements [fact.Checker].
func (*AtMostOnce) Hears() []fact.Kind { return []fact.Kind{fact.Effect, fact.Undone} }

// Check implements [fact.Checker].
func (c *AtMostOnce) Check(r *fact.Report) {
	r.Saw()
	n, fresh := c.Effects.Take(r.Fact)
	if n > 1 && fresh && r.Kind == fact.Effect && r.Violated(r.Node) && c.Names != nil {
		r.Why("%s has %d %s for intent %d", r.Name(r.Node), n, c.Names.EffectName(int(r.N)), int64(r.ID))
	}
}

// Print implements [sim.Printer].
func (c *AtMostOnce) Print(to *sim.Print) { c.Effects.Print(to) }

// Symbolic is the form for a search with symbolic time: it needs no words. The property looks at no instant.
func (*AtMostOnce) Symbolic() fact.Checker { return &AtMostOnce{} }
