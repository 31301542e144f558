package reach_test

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/reach"
)

// The lock of these tests is granted for a lease. Two clients may be suspended while
// they hold it. A client works only while its lease runs on its own clock, which stands
// still when it is suspended. In numbers it is a model that was also given to SPIN.
const (
	start   sim.Kind = iota
	try              // client to itself
	request          // client to server
	granted          // server to client: Token
	work             // client to itself
	write            // client to store: Token
	finish           // client to itself
	release          // client to server: Token
)

type msg struct {
	Kind  sim.Kind
	Token uint8
}

func (m msg) Label() sim.Kind              { return m.Kind }
func (m msg) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(m.Kind), uint64(m.Token)) }

func (m msg) String() string {
	s := [...]string{"start", "try", "request", "granted", "work", "write", "finish", "release"}[m.Kind]
	if m.Token > 0 {
		s = fmt.Sprintf("%s %d", s, m.Token)
	}
	return s
}

// server grants the lock to one client at a time, each time with a larger token.
type server struct {
	TTL    time.Duration
	Tokens uint8 // handed out in all

	holder  sim.NodeID
	expires sim.Mono
	token   uint8
}

// Ready implements reach.Guard: requests wait until the lock is free.
func (s *server) Ready(in sim.In[msg]) bool {
	return in.Msg.Kind != request || s.holder == sim.None && s.token < s.Tokens
}

func (s *server) Step(in sim.In[msg], out *sim.Out[msg]) {
	switch in.Msg.Kind {
	case request:
		s.token++
		s.holder, s.expires = in.From, in.Mono.Add(s.TTL)
		out.Send(in.From, msg{granted, s.token})
	case release:
		if s.holder == in.From && s.token == in.Msg.Token {
			s.holder, s.expires = sim.None, 0
		}
	}
}

// Age implements reach.Ager.
func (s *server) Age(tick time.Duration) {
	if s.expires = max(s.expires.Add(-tick), 0); s.expires == 0 {
		s.holder = sim.None
	}
}

// client takes the lock, writes and releases, over and over.
type client struct {
	Server, Store sim.NodeID
	TTL           time.Duration

	holds   bool
	token   uint8
	expires sim.Mono
	wrote   bool
}

func (c *client) Step(in sim.In[msg], out *sim.Out[msg]) {
	switch in.Msg.Kind {
	case start:
		out.After(0, msg{Kind: try})
	case try:
		out.Send(c.Server, msg{Kind: request})
	case granted:
		c.holds, c.token, c.expires = true, in.Msg.Token, in.Mono.Add(c.TTL)
		out.After(0, msg{Kind: work})
	case work:
		if in.Mono >= c.expires {
			c.idle(out)
			return
		}
		c.holds, c.wrote = false, true
		out.Send(c.Store, msg{write, c.token})
		out.After(0, msg{Kind: finish})
	case finish:
		out.Send(c.Server, msg{release, c.token})
		c.idle(out)
	default:
		panic("client got " + in.Msg.String())
	}
}

func (c *client) idle(out *sim.Out[msg]) {
	*c = client{Server: c.Server, Store: c.Store, TTL: c.TTL}
	out.After(0, msg{Kind: try})
}

// Age implements reach.Ager.
func (c *client) Age(tick time.Duration) { c.expires = max(c.expires.Add(-tick), 0) }

// store applies writes. With Fence it rejects those with a token that is not the
// largest so far.
type store struct {
	Fence bool

	last  uint8 // largest token applied
	stale bool  // a write was applied after one with a larger token
}

func (s *store) Step(in sim.In[msg], out *sim.Out[msg]) {
	if in.Msg.Kind == start || s.Fence && in.Msg.Token < s.last {
		return
	}
	s.stale = s.stale || in.Msg.Token < s.last
	s.last = max(s.last, in.Msg.Token)
}

// params are those of a lease space: the length of a lease and of a pause in ticks, and
// the tokens handed out in all.
type params struct{ ttl, pause, tokens int }

// The lease space with the parameters that were measured elsewhere.
var large = params{ttl: 4, pause: 6, tokens: 8}

const (
	wholeStates      = 8_694_980
	wholeTransitions = 26_605_780
)

// leaseSpace is two clients, a server and a store with or without fence.
func leaseSpace(p params, fence bool) reach.Space[msg] {
	const a, b, server_, store_ sim.NodeID = 1, 2, 3, 4
	ttl := time.Duration(p.ttl) * time.Second
	c := client{Server: server_, Store: store_, TTL: ttl}
	s := reach.Space[msg]{
		Nodes: []reach.Spec[msg]{
			reach.Place[msg]("client-1", c),
			reach.Place[msg]("client-2", c),
			reach.Place[msg]("server", server{TTL: ttl, Tokens: uint8(p.tokens)}),
			reach.Place[msg]("store", store{Fence: fence}),
		},
		Tick: time.Second,
		Invariant: func(v *reach.View[msg]) string {
			if v.Node(store_).(*store).stale {
				return "the store applied an older write after a newer one"
			}
			return ""
		},
	}
	for _, c := range []sim.NodeID{a, b} {
		s.Links = append(s.Links,
			reach.Link{From: c, To: c, Capacity: 1},
			reach.Link{From: c, To: server_, Capacity: 1, Kinds: []sim.Kind{request}},
			reach.Link{From: c, To: server_, Capacity: 0, Kinds: []sim.Kind{release}},
			reach.Link{From: server_, To: c, Capacity: 1},
			reach.Link{From: c, To: store_, Capacity: 1},
		)
		if p.pause > 0 {
			s.Pauses = append(s.Pauses, reach.Pause[msg]{Node: c, Ticks: p.pause,
				When: func(n sim.Node[msg]) bool { return n.(*client).holds }})
		}
	}
	return s
}
