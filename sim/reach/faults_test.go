package reach_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/reach"
)

// plainState is a state of the lease space as it is, with its nodes and messages.
type plainState struct {
	Clients  [2]client
	Server   server
	Store    store
	Rest     [2]uint8
	Links    [10][2]msg // sorted, the zero message being none
	Used     [3]uint8   // crashes, duplicates, losses
	Overflow bool       // a link had no room: the state is none
}

// plainSpace is the lease space with nothing numbered, packed or left out.
type plainSpace struct {
	params
	links  []reach.Link
	faults reach.Faults
	trial  *sim.Trial[msg]
	first  plainState
}

func (p *plainSpace) node(s *plainState, id sim.NodeID) sim.Node[msg] {
	return []sim.Node[msg]{&s.Clients[0], &s.Clients[1], &s.Server, &s.Store}[id-1]
}

// step lets a node handle a message and puts what it sends on the links.
func (p *plainSpace) step(s *plainState, from, to sim.NodeID, m msg) {
	if g, ok := p.node(s, to).(reach.Guard[msg]); ok && !g.Ready(sim.In[msg]{Self: to, From: from, Msg: m}) {
		s.Overflow = true // it waits, which is as if there were no room
		return
	}
	for _, e := range slices.Clone(p.trial.Step(p.node(s, to), sim.In[msg]{Self: to, From: from, Msg: m})) {
		dest := to
		if e.Kind == sim.Sends {
			dest = e.To
		}
		i := slices.IndexFunc(p.links, func(l reach.Link) bool {
			return l.From == to && l.To == dest && (len(l.Kinds) == 0 || slices.Contains(l.Kinds, e.Msg.Kind))
		})
		if p.links[i].Capacity == 0 {
			p.step(s, to, dest, e.Msg)
			continue
		}
		p.put(s, i, e.Msg)
	}
}

func (p *plainSpace) put(s *plainState, link int, m msg) {
	n := 0
	for n < len(s.Links[link]) && s.Links[link][n] != (msg{}) {
		n++
	}
	if n == p.links[link].Capacity {
		s.Overflow = true
		return
	}
	s.Links[link][n] = m
	sortMsgs(s.Links[link][:n+1])
}

func sortMsgs(m []msg) {
	slices.SortFunc(m, func(a, b msg) int { return (int(a.Kind)-int(b.Kind))*1000 + int(a.Token) - int(b.Token) })
}

func (p *plainSpace) drop(s *plainState, link, at int) {
	m := append(slices.Delete(slices.Clone(s.Links[link][:]), at, at+1), msg{})
	s.Links[link] = [2]msg(m)
}

// moves are the states that a state leads to.
func (p *plainSpace) moves(s plainState) (next []plainState) {
	add := func(do func(n *plainState)) {
		n := s
		if do(&n); !n.Overflow {
			next = append(next, n)
		}
	}
	asleep := func(id sim.NodeID) bool { return id <= 2 && s.Rest[id-1] > 0 }
	for i, l := range p.links {
		for j, m := range s.Links[i] {
			if m == (msg{}) || j > 0 && m == s.Links[i][j-1] {
				continue
			}
			if !asleep(l.To) {
				add(func(n *plainState) { p.drop(n, i, j); p.step(n, l.From, l.To, m) })
			}
			if l.From == l.To {
				continue
			}
			if !asleep(l.To) && int(s.Used[1]) < p.faults.Duplicates {
				add(func(n *plainState) { n.Used[1]++; p.step(n, l.From, l.To, m) })
			}
			if int(s.Used[2]) < p.faults.Losses {
				add(func(n *plainState) { n.Used[2]++; p.drop(n, i, j) })
			}
		}
	}
	for i := range s.Clients {
		if s.Clients[i].holds && s.Rest[i] == 0 && p.pause > 0 {
			add(func(n *plainState) { n.Rest[i] = uint8(p.pause) })
		}
	}
	for _, id := range p.crashing() {
		if int(s.Used[0]) < p.faults.Crashes {
			add(func(n *plainState) { p.crash(n, id) })
		}
	}
	tick := s
	for id := sim.NodeID(1); id <= 4; id++ {
		if a, ages := p.node(&tick, id).(reach.Ager); asleep(id) {
			tick.Rest[id-1]--
		} else if ages {
			a.Age(time.Second)
		}
	}
	if tick != s {
		next = append(next, tick)
	}
	return next
}

func (p *plainSpace) crashing() []sim.NodeID {
	if len(p.faults.Nodes) > 0 {
		return p.faults.Nodes
	}
	return []sim.NodeID{1, 2, 3, 4}
}

func (p *plainSpace) crash(n *plainState, id sim.NodeID) {
	n.Used[0]++
	switch id {
	case 1, 2:
		n.Clients[id-1], n.Rest[id-1] = p.first.Clients[id-1], 0
	case 3:
		n.Server = p.first.Server
	case 4:
		n.Store = p.first.Store
	}
	for i, l := range p.links {
		if l.From == id && l.To == id {
			n.Links[i] = [2]msg{}
		}
	}
	p.step(n, id, id, msg{})
}

// count visits every state with a map and a list.
func (p *plainSpace) count(t *testing.T, space reach.Space[msg]) (r reach.Result) {
	p.links, p.faults, p.trial = space.Links, space.Faults, sim.NewTrial[msg](4)
	ttl := time.Duration(p.ttl) * time.Second
	c := client{Server: 3, Store: 4, TTL: ttl}
	p.first = plainState{Clients: [2]client{c, c}, Server: server{TTL: ttl, Tokens: uint8(p.tokens)}, Store: store{Fence: true}}
	s := p.first
	for id := sim.NodeID(1); id <= 4; id++ {
		p.step(&s, id, id, msg{})
	}
	require.False(t, s.Overflow)
	seen := map[plainState]bool{s: true}
	for level := []plainState{s}; len(level) > 0; {
		var below []plainState
		for _, s := range level {
			next := p.moves(s)
			r.Transitions += int64(len(next))
			for _, n := range next {
				if !seen[n] {
					seen[n] = true
					below = append(below, n)
				}
			}
		}
		if level = below; len(below) > 0 {
			r.Depth++
		}
	}
	r.States = int64(len(seen))
	return r
}

// withFaults is a lease space whose links hold two messages that overtake each other.
func withFaults(p params, f reach.Faults) reach.Space[msg] {
	space := leaseSpace(p, true)
	for i := range space.Links {
		if l := &space.Links[i]; l.Capacity > 0 && l.From != l.To {
			l.Capacity, l.Order = 2, sim.Free
		}
	}
	space.Faults, space.Invariant = f, nil
	return space
}

// With crashes, duplicates and losses the states, the moves and the depth are those of a
// search in which nothing is numbered, packed or left out; with two workers as with one.
func TestFaultsAgreeWithNaive(t *testing.T) {
	for _, f := range []reach.Faults{
		{}, {Crashes: 1}, {Crashes: 2, Nodes: []sim.NodeID{1, 3}}, {Duplicates: 1}, {Duplicates: 3}, {Losses: 2},
		{Crashes: 1, Duplicates: 1}, {Crashes: 1, Duplicates: 1, Losses: 1, Nodes: []sim.NodeID{2, 4}},
	} {
		for _, p := range []params{{1, 1, 1}, {2, 3, 1}, {1, 2, 2}} {
			if p.tokens > 1 && (!whole.Tests() && f.Crashes > 0 || f.Crashes > 1 || len(f.Nodes) > 0) {
				continue // hundreds of thousands of states in a map
			}
			space := withFaults(p, f)
			want := (&plainSpace{params: p}).count(t, space)
			for workers := 1; workers <= 2; workers++ {
				r, err := reach.Visit(t.Context(), space, reach.Limits{Workers: workers})
				require.NoError(t, err)
				require.True(t, r.Exhausted)
				assert.Equal(t, want, reach.Result{States: r.States, Transitions: r.Transitions, Depth: r.Depth}, "%+v, %+v", p, f)
			}
		}
	}
}
