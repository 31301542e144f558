package explore

import (
	"math/bits"
	"slices"
	"time"

	"fencepost/sim"
)

// generator makes schedules of a budget, one choice after another.
type generator struct {
	budget  *Budget
	profile *profile
	until   sim.Time
	nodes   int
	swarm   bool // each run switches some kinds of fault off

	made []sim.Fault
	left []allowance
	// focus is, of effects and of messages, the group that this run's faults gather at,
	// from 1: what goes wrong together often goes wrong in one place.
	focus [2]uint64
}

// faults chooses the faults of one run. They hold until the next call.
func (g *generator) faults(c Chooser) []sim.Fault {
	g.made, g.left = g.made[:0], g.left[:0]
	slots := 0
	for _, a := range g.budget.verbs() {
		if a.count > 0 && g.possible(a.do) {
			g.left = append(g.left, a)
			slots += a.count
		}
	}
	if g.swarm && len(g.left) > 1 {
		g.switchOff(c)
	}
	g.focus = [2]uint64{c.Below(uint64(len(g.profile.effects.groups)) + 1), c.Below(uint64(len(g.profile.messages.groups)) + 1)}
	for range slots {
		if len(g.left) == 0 {
			break
		}
		// 0 is no fault; the kinds follow.
		k := c.Below(uint64(len(g.left)) + 1)
		if k == 0 {
			continue
		}
		a := &g.left[k-1]
		g.made = append(g.made, g.fault(a.do, c))
		if a.count--; a.count == 0 {
			g.left = slices.Delete(g.left, int(k-1), int(k))
		}
	}
	return g.made
}

// switchOff leaves out each kind of fault for this run with an even chance.
//
// Source: Groce and others, "Swarm testing", ISSTA 2012.
func (g *generator) switchOff(c Chooser) {
	kept := g.left[:0]
	for _, a := range g.left {
		if c.Below(2) == 0 {
			kept = append(kept, a)
		}
	}
	g.left = kept
}

// possible reports whether there is anything that a fault of a kind could strike.
func (g *generator) possible(do sim.Action) bool {
	if do >= sim.Delay {
		return len(g.profile.messages.all) > 0
	}
	return len(g.profile.effects.all) > 0 || len(g.profile.instants) > 0
}

// fault chooses a fault of a kind.
func (g *generator) fault(do sim.Action, c Chooser) sim.Fault {
	if do >= sim.Delay {
		m := g.profile.messages.choose(c, g.focus[1])
		d := sim.Deed{Do: do}
		if do != sim.Lose {
			d.For = g.length(&g.budget.LateBy, m.At, c)
		}
		return m.Fault(d)
	}
	if do == sim.SetRate {
		rates := g.budget.rates()
		return sim.Fault{Do: do, Node: g.node(c), Forever: true, Rate: rates[c.Below(uint64(len(rates)))]}
	}
	at := g.place(c)
	d := sim.Deed{Do: do}
	switch do {
	case sim.Pause, sim.Suspend:
		d.For = g.length(&g.budget.PauseFor, at.At, c)
	case sim.Crash:
		d.For = g.length(&g.budget.DownFor, at.At, c)
	case sim.StepClock:
		if steps := g.budget.StepBy; len(steps) > 0 {
			d.By = steps[c.Below(uint64(len(steps)))]
		} else if d.By = g.length(&Lengths{}, at.At, c); c.Below(2) == 1 {
			d.By = -d.By
		}
	}
	return at.Fault(d)
}

// place chooses where a node is struck: before one of its effects, or at an instant.
func (g *generator) place(c Chooser) sim.Choice {
	p := g.profile
	if len(p.effects.all) > 0 && (c.Below(3) > 0 || len(p.instants) == 0) {
		return p.effects.choose(c, g.focus[0])
	}
	at := sim.Choice{Point: sim.Stepping, Node: g.node(c)}
	if n := uint64(len(p.instants)); n > 0 && c.Below(2) == 1 {
		at.At = p.instants[c.Below(n)]
	} else {
		at.At = sim.Time(c.Below(uint64(max(p.end, 1))))
	}
	return at
}

// node chooses whom to strike.
func (g *generator) node(c Chooser) sim.NodeID {
	if n := len(g.budget.Nodes); n > 0 {
		return g.budget.Nodes[c.Below(uint64(n))]
	}
	return sim.NodeID(c.Below(uint64(g.nodes))) + 1
}

// length chooses how long a fault lasts that begins at an instant: as the budget says,
// or else a round length, one that ends when something else happens, give or take a
// nanosecond, or any, in each order of magnitude as often.
func (g *generator) length(l *Lengths, from sim.Time, c Chooser) time.Duration {
	switch {
	case len(l.List) > 0:
		return l.List[c.Below(uint64(len(l.List)))]
	case l.Dist != nil:
		return max(l.Dist.Sample(c.Below(1<<32)<<32), 1)
	}
	longest := max(time.Duration(g.until), 1)
	switch style := c.Below(4); {
	case style == 0:
		return round(c.Below(uint64(3*18)), longest)
	case style == 1:
		if later := g.after(from); len(later) > 0 {
			to := later[c.Below(uint64(len(later)))]
			return max(to.Sub(from)+time.Duration(c.Below(3))-1, 1)
		}
	}
	least := bits.Len64(uint64(min(longest, time.Millisecond)))
	size := least + int(c.Below(uint64(bits.Len64(uint64(longest))-least+1)))
	return min(time.Duration(1<<(size-1)|c.Below(1<<(size-1))), longest)
}

// after is the instants later than the given one.
func (g *generator) after(from sim.Time) []sim.Time {
	i, _ := slices.BinarySearch(g.profile.instants, from+1)
	return g.profile.instants[i:]
}

// round is the n-th of 1ms, 2ms, 5ms, 10ms, ... at most the given length.
func round(n uint64, most time.Duration) time.Duration {
	d := time.Millisecond
	for range n / 3 {
		if d > most/10 {
			break
		}
		d *= 10
	}
	return min(d*[...]time.Duration{1, 2, 5}[n%3], most)
}
