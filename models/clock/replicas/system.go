package replicas

import (
	"math"
	"slices"
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/model"
)

// System is the system that the parameters describe: replicas, and then clients.
func (p *Params) System() sim.System[Msg] {
	s := description.System("replicas", p.Problems())
	if s.Err != nil {
		return s
	}
	clients := p.clients()
	layout := p.layout(clients)
	ledger := newLedger(layout)
	s.Nodes, s.Properties = p.nodes(clients, layout), properties(ledger)
	d := model.Describe(kinds, ledger.facts())
	s.Describe = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return d.Log }
	s.Detail = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return d.Detail }
	model.AddMeter(&s, &meter{Ledger: ledger})
	return s
}

// properties are what is checked. The first keeps the ledger, and the others read it.
func properties(l *Ledger) []sim.Property[Msg] {
	return []sim.Property[Msg]{
		model.NewProperty("no-false-siblings", &noFalseSiblings{l}).AlsoFaults().Needs("a replica stores or reads a value"),
		model.NewProperty("no-lost-value", &noLostValue{l}, Opened, Stored, Synced).Loses(sim.Data).Needs("a replica stores a value"),
		model.NewProperty("no-equal-versions", &noEqualVersions{l}, Stored).Needs("a replica stores a value"),
		model.NewProperty("no-resurrection", &noResurrection{l}, Read).Loses(sim.Data).Needs("a client reads a cart after it took something out"),
		model.NewProperty("converges", &converges{l}, start).Loses(sim.Liveness).Needs("two replicas are up for the bound after the last write or fault"), // which is no note: it looks at the end only
		model.NewProperty("as-written", &asWritten{l}, start).Loses(sim.Written).Needs("the parameters say which versions there are at the end"),
	}
}

func (p *Params) nodes(clients []ClientParams, l *Layout) (nodes []sim.Spec[Msg]) {
	rules := p.rules()
	for _, name := range p.Replicas {
		nodes = append(nodes, sim.Place[Msg](name, Replica{Replicas: len(p.Replicas),
			AtOnce: p.Replicate == "at-once", Interval: p.Sync, Disk: l.Disk, kept: rules.empty()}))
	}
	added := 0 // additions to carts
	for _, c := range clients {
		node := Client{Start: c.Start, Repeat: c.repeat(), Think: c.Think, Patience: p.Patience, Tombstones: p.Cart == "tombstones"}
		for _, s := range c.Steps {
			node.Script = append(node.Script, p.action(&s, l, &added))
		}
		nodes = append(nodes, sim.Place[Msg](c.Name, node))
	}
	return nodes
}

func (p *Params) rules() *Rules {
	r := &Rules{Versioning: p.Versioning, OwnCounter: p.Counter == "own", Uncounted: p.Merges == "uncounted", Hybrid: p.Stamps == "hybrid"}
	if q := p.Prune; q != nil {
		old := q.Old
		if old == 0 {
			old = maxLength
		}
		r.Prune = &clock.PruneLimits{Small: q.Small, Big: q.Big, Young: clock.Reading(q.Young), Old: clock.Reading(old)}
		if q.Young == 0 { // a clock may have gone back
			r.Prune.Young = math.MinInt64
		}
	}
	return r
}

// layout is what observers know, with the names of all values and the items of all
// additions to carts.
func (p *Params) layout(clients []ClientParams) *Layout {
	l := &Layout{Names: append([]string{""}, p.Replicas...), Labels: []string{""}, Replicas: len(p.Replicas),
		Settle: p.Settle, Final: p.Final, Clocks: p.Clocks}
	switch {
	case p.Disk == "lost" && p.Actor == "epoch":
		l.Disk = LostNewID
	case p.Disk == "lost":
		l.Disk = Lost
	}
	if l.Settle == 0 {
		l.Settle = 2 * time.Duration(len(p.Replicas)) * p.Sync
	}
	for _, c := range clients {
		l.Names = append(l.Names, c.Name)
		for _, s := range c.Steps {
			switch s.Verb {
			case AddItems:
				l.Items = append(l.Items, s.Words...)
			case WriteKey, BlindWrite:
				l.Labels = append(l.Labels, s.Words...)
			}
		}
	}
	l.Carts = len(l.Items) > 0
	return l
}

// action is a step with numbers for names. added counts the additions of the steps before.
func (p *Params) action(s *Step, l *Layout, added *int) action {
	replica := func(name string) sim.NodeID { return sim.NodeID(slices.Index(p.Replicas, name) + 1) }
	a := action{verb: s.Verb, to: replica(s.Replica), length: s.Length}
	switch s.Verb {
	case SyncKey:
		a.other = replica(s.Words[0])
	case WriteKey, BlindWrite:
		if len(s.Words) > 0 {
			a.label = uint16(slices.Index(l.Labels, s.Words[0]))
		}
	case AddItems:
		for range s.Words {
			a.adds |= 1 << *added
			*added++
		}
	case RemoveItem:
		for i, item := range l.Items {
			if slices.Contains(s.Words, item) {
				a.item |= 1 << i
			}
		}
	}
	return a
}
