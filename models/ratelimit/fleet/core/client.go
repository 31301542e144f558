package core

import (
	"time"

	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model/values"
)

// Phase is a part of a client's traffic: Count times Burst requests, the first at At,
// and then Every apart.
type Phase struct {
	At    time.Duration `yaml:"at"`    // since the client started: 0s
	Count *int          `yaml:"count"` // 1; 0 is without end
	Every sim.Dist      `yaml:"every"` // 0s
	Burst *int          `yaml:"burst"` // 1
}

// Phases are the parts of a client's traffic, which do not change.
type Phases []Phase

// Immutable implements [sim.Immutable].
func (*Phases) Immutable() {}

// Immutable implements [sim.Immutable].
func (*Phase) Immutable() {}

// Route is how a client chooses a limiter.
type Route uint8

// Round robin counts the client's own requests; by key is what is called sticky; fixed
// is always the same.
const (
	RoundRobin Route = iota
	ByKey
	Fixed
)

// Client is open-loop traffic for one key: it asks when its phases say so, whatever the
// answers. Only a client that obeys asks once more when a retry-after is over.
type Client struct {
	Limiters sim.NodeID // the first; the others follow
	Count    int        // of limiters
	Route    Route
	To       int // of a fixed route: which limiter, 0 and up
	Key      uint64
	Keys     uint64 // as many keys in turn, from Key
	Cost     uint32
	Phases   *Phases
	Timeout  time.Duration // it travels with each request; 0: none. The client takes an answer that comes later
	Obey     bool          // ask again after the retry-after, until admitted

	sent   uint32
	rounds []int // by phase: how often it has asked
}

// Reset implements [sim.Resetter].
func (c *Client) Reset(initial *Client) {
	rounds := append(c.rounds[:0], initial.rounds...)
	*c = *initial
	c.rounds = rounds
}

// Recover implements [sim.Recoverer]: the name of a request is never used twice.
func (c *Client) Recover(before *Client) { c.sent = before.sent }

// Step implements [sim.Node].
func (c *Client) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	switch m.Kind {
	case message.Start:
		c.rounds = c.rounds[:0]
		for i, p := range *c.Phases {
			c.rounds = append(c.rounds, 0)
			out.After(p.At, message.NewArrive(i))
		}
	case message.Arrive:
		c.arrive(in, out, m.Phase())
	case message.Again:
		c.ask(out, m.ID)
	case message.Response:
		out.Note(message.NewAnswered(m, c.key(m.ID), c.Cost, c.Timeout))
		if c.Obey && !m.OK && m.Wait() > 0 {
			out.After(m.Wait(), message.Msg{Kind: message.Again, ID: m.ID})
		}
	default:
		panic("fleet: a client got " + m.String())
	}
}

func (c *Client) arrive(in sim.In[message.Msg], out *sim.Out[message.Msg], i int) {
	p := &(*c.Phases)[i]
	for range values.Or(p.Burst, 1) {
		c.sent++
		c.ask(out, message.RequestID(in.Self, c.sent))
	}
	c.rounds[i]++
	if count := values.Or(p.Count, 1); count == 0 || c.rounds[i] < count {
		out.AfterDraw(p.Every, message.NewArrive(i))
	}
}

func (c *Client) ask(out *sim.Out[message.Msg], id uint64) {
	to := c.limiter(id)
	out.Note(message.NewAsked(id, c.key(id), c.Cost, to))
	out.Send(to, message.NewRequest(id, c.key(id), c.Cost, c.Timeout))
}

// key is whose limit a request counts against.
func (c *Client) key(id uint64) uint64 { return c.Key + uint64(uint32(id)-1)%c.Keys }

// limiter is whom a request goes to.
func (c *Client) limiter(id uint64) sim.NodeID {
	i := c.To
	switch c.Route {
	case RoundRobin:
		i = (c.To + int(uint32(id)) - 1) % c.Count
	case ByKey:
		i = int(c.key(id)-1) % c.Count
	}
	return c.Limiters + sim.NodeID(i)
}
