package lock

import (
	"time"

	"fencepost/sim"
)

// connection is how a client finds the master: it asks the Sentinels, one after the other
// until one answers, follows what they publish, and asks again when the master does not answer
// or has become a replica.
//
// Source: Redis documentation, "Guidelines for Redis clients with support for Redis Sentinel";
// go-redis 9, sentinel.go, sentinelFailover.
type connection struct {
	Sentinel  sim.NodeID // the first
	Sentinels int        // 0: there is one server, and the client knows it
	Deaf      bool       // it does not listen to what Sentinels publish
	Patience  time.Duration

	master   sim.NodeID // None: it has to ask
	asked    int        // Sentinels so far
	query    uint32     // number of the question
	answered uint32     // number of the latest question with an answer
}

// find asks the next Sentinel who the master is. Its first is another for each client, the one
// that is nearest.
func (c *connection) find(in sim.In[Msg], out *sim.Out[Msg]) {
	c.query++
	i := (int(in.Self) - 1 + c.asked) % c.Sentinels
	c.asked++
	out.Send(c.Sentinel+sim.NodeID(i), Msg{Kind: GetMaster, Try: c.query})
	out.After(c.Patience, Msg{Kind: unfound, Try: c.query})
}

// forget is that the master has not answered, or is none.
func (c *connection) forget() {
	if c.Sentinels > 0 {
		c.master = sim.None
	}
}

// connect takes in what belongs to the connection, and reports whether there is a master now
// that was not before.
func (c *connection) connect(in sim.In[Msg], out *sim.Out[Msg]) (found bool) {
	m, before := &in.Msg, c.master
	switch m.Kind {
	case MasterIs:
		if m.Try == c.query && m.Try != c.answered && c.master == sim.None { // a second copy is no answer
			c.answered, c.master, c.asked = m.Try, sim.NodeID(m.X), c.asked-1
		}
	case Published:
		if !c.Deaf {
			c.master = sim.NodeID(m.X)
		}
	case unfound:
		if m.Try == c.query && c.master == sim.None {
			c.find(in, out)
		}
	}
	return c.master != before
}

// ofConnection reports whether a message belongs to the connection.
func (m *Msg) ofConnection() bool {
	return m.Kind == MasterIs || m.Kind == Published || m.Kind == unfound
}
