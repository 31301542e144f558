package lease

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// The kinds of message.
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

// msg is every message.
type msg struct {
	Kind  sim.Kind
	Token uint8 // 1 and up
}

// Label implements [sim.Message].
func (m msg) Label() sim.Kind { return m.Kind }

// Fold implements [sim.Message].
func (m msg) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(m.Kind), uint64(m.Token)) }

// String implements [sim.Message].
func (m msg) String() string {
	s := [...]string{"start", "try", "request", "granted", "work", "write", "finish", "release"}[m.Kind]
	if m.Token > 0 {
		s = fmt.Sprintf("%s %d", s, m.Token)
	}
	return s
}

// server grants the lock to one client at a time, each time with a larger token. It keeps
// all it knows across a crash, but for how much of the lease has passed: that begins anew.
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

// Step implements [sim.Node].
func (s *server) Step(in sim.In[msg], out *sim.Out[msg]) {
	switch in.Msg.Kind {
	case start:
		if s.holder != sim.None {
			s.expires = in.Mono.Add(s.TTL)
		}
	case request:
		s.token++
		s.holder, s.expires = in.From, in.Mono.Add(s.TTL)
		out.Send(in.From, msg{granted, s.token})
	case release:
		if s.holder == in.From && s.token == in.Msg.Token {
			s.holder, s.expires = sim.None, 0
		}
	default:
		panic("lease: server got " + in.Msg.String())
	}
}

// Recover implements [sim.Recoverer].
func (s *server) Recover(before *server) { s.holder, s.token = before.holder, before.token }

// Age implements reach.Ager.
func (s *server) Age(tick time.Duration) {
	if s.expires = max(s.expires.Add(-tick), 0); s.expires == 0 {
		s.holder = sim.None
	}
}

// client takes the lock, writes and releases, over and over. It writes only while the
// lease runs on its own clock, which stands still while it is suspended.
type client struct {
	Server, Store sim.NodeID
	TTL           time.Duration

	holds   bool
	token   uint8
	expires sim.Mono
	wrote   bool
}

// Step implements [sim.Node]. What comes for a lock that it does not hold any more, or was
// granted before, it ignores.
func (c *client) Step(in sim.In[msg], out *sim.Out[msg]) {
	switch in.Msg.Kind {
	case start:
		out.After(0, msg{Kind: try})
	case try:
		out.Send(c.Server, msg{Kind: request})
	case granted:
		if in.Msg.Token <= c.token {
			return
		}
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
		panic("lease: client got " + in.Msg.String())
	}
}

func (c *client) idle(out *sim.Out[msg]) {
	*c = client{Server: c.Server, Store: c.Store, TTL: c.TTL}
	out.After(0, msg{Kind: try})
}

// Age implements reach.Ager.
func (c *client) Age(tick time.Duration) { c.expires = max(c.expires.Add(-tick), 0) }

// store applies writes. With Fence it rejects those with a token that is not the largest
// so far. It keeps everything across a crash.
type store struct {
	Fence bool

	last  uint8 // largest token applied
	stale bool  // a write was applied after one with a larger token
}

// Step implements [sim.Node].
func (s *store) Step(in sim.In[msg], _ *sim.Out[msg]) {
	if in.Msg.Kind == start || s.Fence && in.Msg.Token < s.last {
		return
	}
	s.stale = s.stale || in.Msg.Token < s.last
	s.last = max(s.last, in.Msg.Token)
}

// Recover implements [sim.Recoverer].
func (s *store) Recover(before *store) { *s = *before }
