// Package lock holds the distributed locks: the naive one, the lease on a single
// Redis and on a majority of them, and the store that they protect, with and
// without fencing.
//
// redlock.go is the algorithm: [Rules] and [Acquisition] need no engine. A lock on a
// single Redis is the same with one instance and a quorum of one, and the naive lock
// that without a TTL. fencing.go is what the store does with tokens. Around them are
// thin nodes: [Client] (client.go acquires, section.go is the critical section,
// extension.go extends), [Server], [Store] and [Counter]. What they note is judged by
// ten properties: of exclusion in exclusion.go, of effects on the store in effects.go,
// of the service in service.go. beliefs.go is what these have in common: who believes
// to hold the lock, who is entitled to it, whose key is where, and who waits.
package lock

import (
	"fmt"

	"fencepost/models/internal/values"
	"fencepost/sim"
)

// System is the system that the parameters describe: clients, instances, the store
// and, if there are tokens, the counter that issues them.
func (p *Params) System() sim.System[Msg] {
	if err := values.Refuse("lock", p.Problems()); err != nil {
		return sim.System[Msg]{Err: err}
	}
	s := p.resolve()
	layout := Layout{Clients: len(s.clients), FirstServer: sim.NodeID(len(s.clients) + 1),
		Servers: s.rules.Instances, Quorum: s.rules.Quorum, Clock: s.client.Clock}
	system := sim.System[Msg]{Kinds: kindNames, Notes: noted}
	c := s.client
	c.Servers = layout.FirstServer
	c.Store = layout.FirstServer + sim.NodeID(layout.Servers)
	if s.tokens {
		c.Counter = c.Store + 1
	}
	for i, t := range s.clients {
		c.Start, c.Work, c.Hold, c.Think, c.Rounds = t.start, t.work, t.hold, t.think, t.rounds
		system.Nodes = append(system.Nodes, sim.Place[Msg](fmt.Sprintf("client-%d", i+1), c))
	}
	for i := range s.rules.Instances {
		system.Nodes = append(system.Nodes, sim.Place[Msg](fmt.Sprintf("redis-%d", i+1), s.server))
	}
	system.Nodes = append(system.Nodes, sim.Place[Msg]("store", s.store))
	if s.tokens {
		system.Nodes = append(system.Nodes, sim.Place[Msg]("counter", Counter{last: s.firstToken - 1}))
	}
	system.Properties = properties(layout, s)
	meter := newMeter(layout)
	system.Measures, system.Meters = meter.measures(), []sim.Observer[Msg]{meter}
	system.Teller = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return newTeller(layout).tell }
	system.Detail = func() func(*sim.View[Msg], *sim.Observation[Msg]) string { return newDetailer(layout).detail }
	system.States, system.Marks = states(layout, s), marks
	return system
}

// marks are what a timeline shows of the store.
var marks = []sim.Mark[Msg]{
	{Name: "write applied", On: []sim.Kind{Applied}, By: func(m *Msg) sim.NodeID { return client(m.Value) }},
	{Name: "write rejected", On: []sim.Kind{Rejected}, By: func(m *Msg) sim.NodeID { return client(m.Value) }},
}

// states are what a timeline shows of clients: that a client believes to hold the lock,
// and whether its lease still says so, on its own clock.
func states(l Layout, s *setup) []sim.State[Msg] {
	leave := []sim.Kind{Released, Expired, Stale}
	list := []sim.State[Msg]{{Name: "believes it holds the lock", Enter: []sim.Kind{Acquired}, Leave: leave, Exclusive: true}}
	if s.rules.TTL == 0 {
		return list
	}
	return append(list, sim.State[Msg]{Name: "its lease is valid", Enter: []sim.Kind{Acquired, Extended}, Leave: leave,
		Until: func(m *Msg) (sim.ClockID, int64) { return l.Clock, m.X }})
}

// properties are what is judged of every lock.
func properties(l Layout, s *setup) []sim.Property[Msg] {
	return []sim.Property[Msg]{
		&MutualExclusion{Layout: l},
		&EntitledExclusion{Layout: l},
		&QuorumBehindHolder{Layout: l},
		&FencedOrder{},
		&IncreasingTokens{Layout: l},
		&NoLostUpdate{},
		&OwnerRelease{Layout: l},
		&DeadlockFree{Layout: l, Within: s.deadlock},
		&TakeoverBound{Layout: l, Within: s.takeover},
		&NoOrphan{Layout: l, TTL: s.orphan},
	}
}
