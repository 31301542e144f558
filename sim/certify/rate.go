package certify

import (
	"errors"
	"fmt"

	"fencepost/sim"
)

// rate is how much faster or slower than true time the oscillator of any node may be, at any moment.
// What a clock says of two instants is then a range of what lies between them. These ranges
// are wider than what runs do where a clock is read more than once: each time it may have been
// another. So what is proven holds, and what is not may be of no run.
type rate sim.PPB

// perBillion is what a rate is a part of.
const perBillion = 1_000_000_000

// least is a duration of true time that no advance of a clock by d falls short of, and most is one
// that none exceeds. Readings are whole nanoseconds, and so are the instants of the engine: what
// they round away is within two of these. Of d below 0 the clock goes back.
func (e rate) least(d int64) int64 {
	switch {
	case e == 0:
		return d
	case d < 0:
		return -e.most(-d)
	}
	return quotient(max(d-1, 0), perBillion+int64(e)) - 1
}

func (e rate) most(d int64) int64 {
	switch {
	case e == 0:
		return d
	case d < 0:
		return -e.least(-d)
	}
	return quotient(d+1, perBillion-int64(e)) + 2
}

// reads is the least that a clock advances by in a duration of true time, or the most: way is -1 or 1.
func (e rate) reads(d, way int64) int64 {
	by := max(d, -d)
	return d + way*(by/perBillion*int64(e)+by%perBillion*int64(e)/perBillion+2)
}

// quotient is d * perBillion / by, rounded down. It takes the whole parts of d apart, since the
// product takes more than 64 bits.
func quotient(d, by int64) int64 {
	q, r := d/by, d%by
	return q*perBillion + r*perBillion/by
}

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
		return nil, fmt.Errorf("%s: %w", r.names[d.at-1], errTold)
	}
	c := *h
	c.symbols = d.owned(h.symbols, 0, foreign(d.at))
	return &c, nil
}

// owned is readings of which those of one clock are of another.
func (d *draft) owned(symbols []variable, from, to clock) []variable {
	list := d.vars.clone(symbols, 0)
	for i, v := range list {
		if v.clock() == from {
			list[i] = to.of(v.index())
		}
	}
	return list
}

// errTold is of a node that is like others and tells of its clock: which of them it was is not known then.
var errTold = errors.New("a message has a reading of one of several clocks that are alike, which clocks with different rates do not allow")

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
