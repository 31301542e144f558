package replicas

import (
	"math"
	"slices"
	"time"

	"fencepost/models/clock"
	"fencepost/models/internal/values"
	"fencepost/sim"
)

// System is the system that the parameters describe: replicas, and then clients.
func (p *Params) System() sim.System[Msg] {
	if err := values.Refuse("replicas", p.Problems()); err != nil {
		return sim.System[Msg]{Err: err}
	}
	clients := p.clients()
	layout := p.layout(clients)
	rules := p.rules()
	system := sim.System[Msg]{Kinds: kindNames, Notes: noted}
	for _, name := range p.Replicas {
		system.Nodes = append(system.Nodes, sim.Place[Msg](name, Replica{Replicas: len(p.Replicas),
			AtOnce: p.Replicate == "at-once", Interval: p.Sync, Disk: layout.Disk, kept: rules.empty()}))
	}
	added := 0 // additions to carts
	for _, c := range clients {
		node := Client{Start: c.Start, Repeat: c.repeat(), Think: c.Think, Patience: p.Patience, Tombstones: p.Cart == "tombstones"}
		for _, s := range c.Steps {
			node.Script = append(node.Script, p.action(&s, layout, &added))
		}
		system.Nodes = append(system.Nodes, sim.Place[Msg](c.Name, node))
	}
	ledger := newLedger(layout)
	share := func() watcher { return watcher{Ledger: ledger} }
	system.Properties = []sim.Property[Msg]{
		&NoFalseSiblings{watcher: share()},
		&NoLostValue{watcher: share()},
		&NoEqualVersions{watcher: share()},
		&NoResurrection{watcher: share()},
		&Converges{watcher: share()},
		&AsWritten{watcher: share()},
	}
	m := &meter{watcher: share()}
	system.Measures, system.Meters = m.measures(), []sim.Observer[Msg]{m}
	system.Teller = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return ledger.tell }
	system.Detail = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return ledger.detail }
	return system
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
