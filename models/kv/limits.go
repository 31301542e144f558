package kv

import (
	"fmt"
	"math"

	"fencepost/sim"
	"fencepost/sim/model/values"
)

// Bound implements [sim.Bounded].
func (p *noLostWrite) Bound() sim.Bound { return p.Writes.Layout.tracked() }

// Bound implements [sim.Bounded].
func (p *concurrentSiblings) Bound() sim.Bound { return p.Writes.Layout.tracked() }

// Bound implements [sim.Bounded].
func (p *noResurrection) Bound() sim.Bound { return p.Writes.Layout.tracked() }

// tracked says which writes are not checked, if clients may ask for as many.
func (l *Layout) tracked() sim.Bound {
	if l.Writes <= maxTracked {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("of each key the first %d writes; later ones are not checked", maxTracked)}
}

// Bound implements [sim.Bounded]: what is said of a history with compare-and-set.
func (p *linearizable) Bound() sim.Bound {
	if !p.Layout.Compares {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("a key with compare-and-set is not checked if that takes more than %d steps", searchLimits.Steps)}
}

// writes are how many writes clients ask for at most, and whether some of them compare.
func (p *Params) writes() (n int, compares bool) {
	for i := range p.Clients {
		c := &p.Clients[i]
		for j := range c.Steps {
			if _, writes := c.Steps[j].Verb.op(); writes {
				n += values.Or(c.Repeat, 1)
			}
			compares = compares || c.Steps[j].Verb == CASKey
		}
	}
	if w := p.Workload; w != nil {
		compares = compares || w.Writes == "update" && p.Leader != nil
		if w.Operations == 0 {
			return math.MaxInt, compares
		}
		n += w.Clients * w.Operations
	}
	return n, compares
}
