package idempotency

import (
	"fencepost/models/idempotency/flow"
	"fencepost/sim"
	"fencepost/sim/model"
)

// What a search with symbolic time may leave out of the nodes, see [sim.Symbolic]. Numbers of calls,
// attempts and statements only grow, so that what carries one that is over never has an effect again.

// Symbolic implements [sim.Symbolic].
func (c *Client) Symbolic() string {
	switch {
	case c.Intents == 0:
		return "its intents have no end, and each has a number: want intents of 1 or more"
	case c.Attempts == 0:
		return "its attempts have no end, and each has a number: want attempts of 1 or more"
	case c.KeyPer == KeyOfContentAndTime:
		return "its keys are made of what a clock reads: want another key-per"
	}
	return ""
}

// Forget implements [sim.Symbolic].
func (c *Client) Forget() {}

// Ignores implements [sim.Symbolic].
func (c *Client) Ignores(e *sim.Arrival[Msg]) bool {
	switch m := &e.Msg; m.Kind {
	case again:
		o := c.find(m.Call)
		return o == nil || !o.waiting
	case timeout, Response:
		o := c.find(m.Call)
		return o == nil || o.waiting
	}
	return false
}

// Symbolic implements [sim.Symbolic].
func (s *Server) Symbolic() string {
	if s.Role != flow.Request {
		return "its handler runs without end: only `on request` can, want relays and consumers of 0"
	}
	return s.Program.Symbolic()
}

// Forget implements [sim.Symbolic]: only the note of the answer says how much there was of both.
func (s *Server) Forget() {
	for i := range s.slots {
		s.slots[i].statements, s.slots[i].trips = 0, 0
	}
}

// Ignores implements [sim.Symbolic].
func (s *Server) Ignores(e *sim.Arrival[Msg]) bool {
	switch m := e.Msg; m.Kind {
	case HungUp: // of all: after a crash without a call in between it may be about the same again
		return m.Slot != allSlots && s.unconfirmed(m) == 0
	case unclosed:
		return s.unconfirmed(m) == 0
	case unanswered, woken, Result, Row, CacheReply, Charged:
		return !s.waits(m)
	}
	return false
}

// Symbolic implements [sim.Symbolic].
func (d *Database) Symbolic() string { return "" }

// Forget implements [sim.Symbolic].
func (d *Database) Forget() { d.db.Forget() }

// Ignores implements [sim.Symbolic].
func (d *Database) Ignores(e *sim.Arrival[Msg]) bool { return d.over(&e.Msg) }

// Symbolic implements [sim.Symbolic].
func (c *Cache) Symbolic() string { return "" }

// Forget implements [sim.Symbolic].
func (c *Cache) Forget() {}

// Ignores implements [sim.Symbolic].
func (c *Cache) Ignores(*sim.Arrival[Msg]) bool { return false }

// Symbolic implements [sim.Symbolic].
func (p *Provider) Symbolic() string { return "" }

// Forget implements [sim.Symbolic]. Of the charges under a key the latest counts.
func (p *Provider) Forget() {
	for i := range p.charges {
		if c := &p.charges[i]; p.TTL == 0 || p.find(c.key) != i {
			c.until = 0
		}
	}
}

// Ignores implements [sim.Symbolic].
func (p *Provider) Ignores(*sim.Arrival[Msg]) bool { return false }

// Symbolic is the form for a search with symbolic time: see package model. The property looks at no instant.
func (p *sameAnswer) Symbolic() (model.Checker[Msg], []sim.Kind) {
	return &sameAnswer{}, []sim.Kind{Answered}
}

// Symbolic is the form for a search with symbolic time: see package model. The property looks at no instant.
func (p *noPhantom) Symbolic() (model.Checker[Msg], []sim.Kind) {
	return &noPhantom{Layout: p.Layout}, []sim.Kind{Effect, Answered}
}
