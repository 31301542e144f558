package explore

import (
	"math"
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
	swarm   bool // of a search: each run switches some kinds of fault off, or has faults that meet

	made []sim.Fault
	left []allowance
	// focus is, of effects and of messages, the group that this run's faults gather at,
	// from 1: what goes wrong together often goes wrong in one place.
	focus [2]uint64
	kept  [sim.MaxActions]keptPlaces // by kind, where kinds have nodes of their own

	meeting bool   // faults are to meet
	spans   []span // of those that are made and of the file, then
}

// keptPlaces are the places of a kind of fault, and of how many and how many groups they were taken.
type keptPlaces struct {
	is           *places
	from, groups int
}

// faults chooses the faults of one run. They hold until the next call.
func (g *generator) faults(c Chooser) []sim.Fault {
	slots := g.begin()
	meet := g.swarm && slots > 1 && c.Below(2) == 1
	if g.swarm && len(g.left) > 1 && !meet {
		g.switchOff(c)
	}
	g.focus = [2]uint64{c.Below(uint64(len(g.profile.effects.groups)) + 1), c.Below(uint64(len(g.profile.messages.groups)) + 1)}
	if meet {
		return g.together(slots, c)
	}
	for ; slots > 0 && len(g.left) > 0; slots-- {
		if c.Below(4) < 3 {
			g.add(g.kind(c), c)
		}
	}
	return g.made
}

// add makes a fault of a kind that is left.
func (g *generator) add(kind int, c Chooser) {
	a := &g.left[kind]
	g.made = append(g.made, g.fault(a.do, c))
	if a.count--; a.count == 0 {
		g.left = slices.Delete(g.left, kind, kind+1)
	}
}

// begin begins the faults of a run, and counts how many the budget allows.
func (g *generator) begin() (slots int) {
	g.made, g.left = g.made[:0], g.left[:0]
	for _, a := range g.budget.verbs() {
		if a.count > 0 && g.possible(a.do) {
			g.left = append(g.left, a)
			slots += a.count
		}
	}
	if most := g.budget.Most; most > 0 {
		return min(slots, most)
	}
	return slots
}

// kind chooses a kind of fault, one with more faults left more often.
func (g *generator) kind(c Chooser) int {
	total := 0
	for _, a := range g.left {
		total += a.count
	}
	n := int(c.Below(uint64(total)))
	for i, a := range g.left {
		if n -= a.count; n < 0 {
			return i
		}
	}
	return 0
}

// switchOff leaves out each kind of fault for this run with a chance of one in four.
//
// Source: Groce and others, "Swarm testing", ISSTA 2012.
func (g *generator) switchOff(c Chooser) {
	kept := g.left[:0]
	for _, a := range g.left {
		if c.Below(4) < 3 {
			kept = append(kept, a)
		}
	}
	g.left = kept
}

// possible reports whether there is anything that a fault of a kind could be injected at.
func (g *generator) possible(do sim.Action) bool {
	if do.Of() == sim.OneMessage {
		return len(g.places(do).all) > 0
	}
	if do == sim.Cut && g.nodes < 2 {
		return false
	}
	return len(g.profile.effects.all) > 0 || len(g.profile.instants) > 0
}

// fault chooses a fault of a kind.
func (g *generator) fault(do sim.Action, c Chooser) sim.Fault {
	d, row := sim.FaultChoice{Do: do}, do.Row()
	switch {
	case row.Subject == sim.OneMessage:
		m := g.places(do).choose(c, g.focus[1])
		if l := g.budget.Lengths(do); l != nil {
			d.For = g.length(l, m.At, c)
		}
		return m.Fault(d)
	case do == sim.SetRate:
		rates := g.budget.rates()
		return sim.Fault{Do: do, Node: g.node(do, c), Forever: true, Rate: rates[c.Below(uint64(len(rates)))]}
	case row.Subject == sim.TwoSides:
		return g.cut(c)
	}
	at := g.place(do, c)
	if l := g.budget.Lengths(do); l != nil {
		d.For = g.length(l, at.At, c)
	}
	f := at.Fault(d)
	if row.Amount.Key != "" {
		row.Amount.Set(&f, g.amount(do, at.At, c))
	}
	g.lasts(&f, at.At)
	return f
}

// amount chooses how large a fault is: as the budget says, or else like a length, either way if it may be negative.
func (g *generator) amount(do sim.Action, at sim.Time, c Chooser) int64 {
	if n := g.budget.Amounts(do); n > 0 {
		return g.budget.Amount(do, int(c.Below(uint64(n))))
	}
	by := int64(g.length(&Lengths{}, at, c))
	if do.Row().Amount.Form == "signed-duration" && c.Below(2) == 1 {
		return -by
	}
	return by
}

// cut parts a node from some of the others.
func (g *generator) cut(c Chooser) sim.Fault {
	at, near := g.near(sim.Cut, c)
	if !near {
		at = g.instant(sim.Cut, c)
		if c.Below(2) == 0 {
			at.At = 0
		}
	}
	f := sim.Fault{Do: sim.Cut, Sides: [][]sim.NodeID{{at.Node}, nil}, When: sim.When{At: at.At}}
	first := sim.NodeID(c.Below(uint64(g.nodes))) + 1 // at least this one, if it is another
	for id := sim.NodeID(1); int(id) <= g.nodes; id++ {
		if id != at.Node && (id == first || c.Below(2) == 1) {
			f.Sides[1] = append(f.Sides[1], id)
		}
	}
	if len(f.Sides[1]) == 0 { // it was the node itself, and no other
		f.Sides[1] = append(f.Sides[1], at.Node%sim.NodeID(g.nodes)+1)
	}
	if g.endless(c) {
		f.Forever = true
	} else {
		f.For = sim.Constant(g.length(&g.budget.CutFor, at.At, c))
	}
	g.lasts(&f, at.At)
	return f
}

// endless chooses whether a partition has no end.
func (g *generator) endless(c Chooser) bool {
	b := g.budget
	if given := len(b.CutFor.List) > 0 || b.CutFor.Dist != nil; given != b.CutForever {
		return b.CutForever
	}
	return c.Below(2) == 0
}

// places are those at which a kind of fault may be injected.
func (g *generator) places(do sim.Action) *places {
	p := &g.profile.effects
	if do.Of() == sim.OneMessage {
		p = &g.profile.messages
	}
	if !g.budget.differ() {
		return p
	}
	k := &g.kept[do]
	if k.from != len(p.all) || k.groups != len(p.groups) || k.is == nil { // a survey finds more
		k.is, k.from, k.groups = p.only(g.budget.Of(do)), len(p.all), len(p.groups)
	}
	return k.is
}

// place chooses where a fault of a node is injected: before one of its effects, or at an instant.
func (g *generator) place(do sim.Action, c Chooser) sim.Choice {
	if at, ok := g.near(do, c); ok {
		return at
	}
	if at, ok := g.evenly(do, c); ok {
		return at
	}
	if p := g.places(do); len(p.all) > 0 && (c.Below(3) > 0 || len(g.profile.instants) == 0) {
		return p.choose(c, g.focus[0])
	}
	return g.instant(do, c)
}

// instant chooses a node and an instant: the beginning; one at which something happens;
// any between two of these, each pair as likely; or any, each as likely. Half of the
// time they are those of the fault-free run.
func (g *generator) instant(do sim.Action, c Chooser) sim.Choice {
	at := sim.Choice{Point: sim.Stepping, Node: g.node(do, c)}
	list := g.profile.instants
	if c.Below(2) == 0 {
		list = g.profile.faultFree
	}
	if c.Below(8) == 0 || len(list) == 0 {
		return at
	}
	style, end := c.Below(3), list[len(list)-1]+1
	if style == 2 {
		at.At = sim.Time(c.Below(uint64(end)))
		return at
	}
	i := int(c.Below(uint64(len(list))))
	if at.At = list[i]; style == 1 {
		if i+1 < len(list) {
			end = list[i+1]
		}
		at.At += sim.Time(c.Below(uint64(end - at.At)))
	}
	return at
}

// node chooses the node of a fault.
func (g *generator) node(do sim.Action, c Chooser) sim.NodeID {
	if list := g.budget.Of(do); len(list) > 0 {
		return list[c.Below(uint64(len(list)))]
	}
	return sim.NodeID(c.Below(uint64(g.nodes))) + 1
}

// length chooses how long a fault lasts that begins at an instant: as the budget says,
// or else a round length, one that ends when something else happens, give or take a
// nanosecond, or any, in each order of magnitude as often.
func (g *generator) length(l *Lengths, from sim.Time, c Chooser) time.Duration {
	switch {
	case g.meeting && len(l.List) == 1 && l != &g.budget.LateBy:
		return upTo(l.List[0], c)
	case len(l.List) > 0:
		return l.List[c.Below(uint64(len(l.List)))]
	case l.Dist != nil:
		return max(l.Dist.Sample(c.Below(1<<32)<<32), 1)
	}
	longest := max(time.Duration(g.until), 1)
	switch style := c.Below(4); {
	case style == 0:
		return round(c.Below(uint64(rounds(longest))), longest)
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
		d *= 10
	}
	return min(d*[...]time.Duration{1, 2, 5}[n%3], most)
}

// rounds is how many round lengths there are up to the given one, at least 1.
func rounds(most time.Duration) int {
	n := 1
	for n < 3*12 && round(uint64(n), math.MaxInt64) <= most {
		n++
	}
	return n
}
