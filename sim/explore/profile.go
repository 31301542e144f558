package explore

import (
	"context"
	"math/bits"
	"slices"
	"time"

	"fencepost/sim"
)

// profile is what runs of a world offer: the boundaries at which faults can be injected,
// the messages they can be injected at, and the instants at which something happens.
type profile struct {
	effects   places        // at Leaving
	messages  places        // at Sending
	instants  []sim.Time    // of steps, ascending, each once
	faultFree []sim.Time    // those of the fault-free run
	end       sim.Time      // of the last step, plus 1
	choices   int           // at Stepping and Leaving, of the run that has most
	scripted  []span        // of the faults of the file, in the fault-free run
	timer     time.Duration // the longest one that a node of the fault-free run armed
}

// places are choices in the order in which runs came upon them, those of the fault-free run
// first, and the same by node and kind.
type places struct {
	all       []sim.Choice
	faultFree int // of all: those of the fault-free run
	groups    [][]sim.Choice
}

// sort groups the places, and forgets those that the budget does not allow.
func (p *places) sort(b *Budget) {
	p.all = slices.DeleteFunc(p.all, func(c sim.Choice) bool { return !b.MayAny(c.Node) })
	if p.faultFree == 0 {
		p.faultFree = len(p.all)
	}
	p.groups = p.groups[:0]
	type group struct {
		node sim.NodeID
		kind sim.Kind
	}
	index := map[group]int{}
	for _, c := range p.all {
		k := group{c.Node, c.Kind}
		i, ok := index[k]
		if !ok {
			i = len(p.groups)
			index[k] = i
			p.groups = append(p.groups, nil)
		}
		p.groups[i] = append(p.groups[i], c)
	}
}

// only are the places at some nodes, nil for all; a group at others is empty.
func (p *places) only(nodes []sim.NodeID) *places {
	if len(nodes) == 0 {
		return p
	}
	q := &places{groups: make([][]sim.Choice, len(p.groups))}
	for i, c := range p.all {
		if !slices.Contains(nodes, c.Node) {
			continue
		}
		if q.all = append(q.all, c); i < p.faultFree {
			q.faultFree++
		}
	}
	for i, g := range p.groups {
		if slices.Contains(nodes, g[0].Node) {
			q.groups[i] = g
		}
	}
	return q
}

// choose chooses a place: half of the time one of the focus, a group from 1 on, the
// earlier the likelier; otherwise half of the time one of the fault-free run. A fault may
// make a run much longer, and most places then lie where nothing new happens.
func (p *places) choose(c Chooser, focus uint64) sim.Choice {
	if focus > 0 && len(p.groups[focus-1]) > 0 && c.Below(2) == 0 {
		list := p.groups[focus-1]
		n := uint64(len(list))
		return list[c.Below(min(1<<c.Below(uint64(bits.Len64(n))+1), n))]
	}
	if p.faultFree > 0 && c.Below(2) == 0 {
		return p.all[c.Below(uint64(p.faultFree))]
	}
	return p.all[c.Below(uint64(len(p.all)))]
}

// scout is the adversary that does nothing and takes down what there is.
type scout struct {
	limit
	profile
	seen    map[sim.Choice]bool
	count   int
	longest time.Duration // of timers that say how soon one fault is to follow another: one for most of the run says nothing
}

// maxProfile bounds the choices that are kept.
const maxProfile = 1 << 16

// Choose implements [sim.Adversary].
func (s *scout) Choose(c sim.Choice) (sim.FaultChoice, bool) {
	if s.ends(c) {
		return sim.FaultChoice{}, false
	}
	if c.Point != sim.Sending {
		s.count++
	}
	s.end = max(s.end, c.At+1)
	if c.Timer > s.timer && c.Timer <= s.longest && s.faultFree == nil {
		s.timer = c.Timer
	}
	c.Timer = 0
	key := c
	key.At, key.To = 0, sim.None
	list := &s.effects
	switch c.Point {
	case sim.Sending:
		list = &s.messages
	case sim.Stepping:
		if n := len(s.instants); n < maxProfile && (n == 0 || s.instants[n-1] != c.At) {
			s.instants = append(s.instants, c.At)
		}
		return sim.FaultChoice{}, false
	}
	if !s.seen[key] && len(list.all) < maxProfile {
		s.seen[key] = true
		list.all = append(list.all, c)
	}
	return sim.FaultChoice{}, false
}

// scouting is how many runs a profile is made of: the first is fault-free, the others show
// what there is only when something has gone wrong.
const scouting = 32

// survey makes the profile of a search: of a fault-free run, and of runs with faults drawn
// from what is known so far. When ctx is done it is of the runs up to then.
func survey(ctx context.Context, s *Search, w sim.Runner) (*profile, error) {
	if s.Budget.IsZero() {
		return &profile{}, nil
	}
	sc := &scout{limit: limit{ctx: ctx, world: w}, seen: map[sim.Choice]bool{}, longest: time.Duration(s.Config.Until) / 4}
	g := generator{budget: &s.Budget, until: s.Config.Until, nodes: len(s.Program.Nodes), profile: &sc.profile}
	w.SetAdversary(sc)
	defer w.SetAdversary(nil)
	for i := range uint64(scouting) {
		v := sim.Variation{Faults: s.Config.Faults, Overrides: s.Config.Overrides, Minimal: i == 0}
		if i > 0 {
			c := NewSeeded(^(s.Seed + i))
			v.Faults = slices.Concat(s.Config.Faults, g.faults(&c))
		}
		if err := w.Vary(v); err != nil {
			return nil, err
		}
		sc.count = 0
		if r := w.Run(s.Seed + i); i == 0 {
			sc.scripted = scripted(s.Config.Faults, r)
		}
		sc.choices = max(sc.choices, sc.count)
		sc.order()
		if sc.over || i&(i+1) == 0 { // the last is one of these
			sc.effects.sort(&s.Budget)
			sc.messages.sort(&s.Budget)
		}
		if sc.over {
			break
		}
	}
	return &sc.profile, nil
}

// order puts the instants in order, each once.
func (p *profile) order() {
	slices.Sort(p.instants)
	p.instants = slices.Compact(p.instants)
	if p.faultFree == nil {
		p.faultFree = slices.Clone(p.instants)
	}
}
