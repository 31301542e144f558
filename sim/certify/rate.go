package certify

import (
	"fmt"

	"fencepost/sim"
)

// A reading that a message carries to another node says whose clock it is of, since that node may compare
// it with others of that clock, and with none of its own.

// foreign is the clock of a node as others know it, where clocks have rates and none is stepped.
func foreign(of sim.NodeID) clock { return clock(2*of - 1) }

// carried is a message that a node sends, with readings of its own clock as others know it.
func (r *reaction) carried(d *draft, h *heldEffect) (*heldEffect, error) {
	if r.rate == 0 || len(h.symbols) == 0 {
		return h, nil
	}
	if len(r.like.group) > 0 && r.like.group[d.at] != 0 {
		return nil, fmt.Errorf("%s: a message has a reading of one of several clocks that are alike, which clocks with different rates do not allow", r.names[d.at-1])
	}
	c := *h
	c.symbols = d.owned(h.symbols, 0, foreign(d.at))
	return &c, nil
}

// owned is readings of which those of one clock are of another.
func (d *draft) owned(symbols []variable, from, to clock) []variable {
	list := d.vars.Clone(symbols, 0)
	for i, v := range list {
		if v.clock() == from {
			list[i] = to.of(v.index())
		}
	}
	return list
}

// trueTime reports whether a property compares and remembers instants of true time alone: what a note says
// is a reading of a clock.
func (k *known) trueTime(at *tree) bool {
	of := func(symbol int) bool { return symbol < len(k.state) || symbol == k.now }
	switch {
	case at.kind == fork:
		return of(at.a.symbol) && of(at.b.symbol)
	case at.kind == rounding:
		return false
	}
	for _, s := range at.leaf.symbols {
		if !of(s) {
			return false
		}
	}
	return true
}
