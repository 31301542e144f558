package redislock

import (
	"time"

	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Connection is how a client finds the master: it asks the Sentinels, one after the other
// until one answers, follows what they publish, and asks again when the master does not answer
// or has become a replica.
//
// Source: Redis documentation, "Guidelines for Redis clients with support for Redis Sentinel";
// go-redis 9, sentinel.go, sentinelFailover.
type Connection struct {
	Sentinel  sim.NodeID // the first
	Sentinels int        // 0: there is one server, and the client knows it
	Deaf      bool       // it does not listen to what Sentinels publish
	Patience  time.Duration

	master   sim.NodeID // None: it has to ask
	asked    int        // Sentinels so far
	query    uint32     // number of the question
	answered uint32     // number of the latest question with an answer
}

// ConnectedTo is the connection to a server that has no Sentinels.
func ConnectedTo(server sim.NodeID) Connection { return Connection{master: server} }

// find asks the next Sentinel who the master is. Its first is another for each client, the one
// that is nearest.
func (c *Connection) find(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	c.query++
	i := (int(in.Self) - 1 + c.asked) % c.Sentinels
	c.asked++
	out.Send(c.Sentinel+sim.NodeID(i), core.New(core.GetMaster).Of(c.query))
	out.After(c.Patience, core.New(core.Unfound).Of(c.query))
}

// forget is that the master has not answered, or is none.
func (c *Connection) forget() {
	if c.Sentinels > 0 {
		c.master = sim.None
	}
}

// connect takes in what belongs to the connection, and reports whether there is a master now
// that was not before.
func (c *Connection) connect(in sim.In[core.Msg], out *sim.Out[core.Msg]) (found bool) {
	m, before := &in.Msg, c.master
	switch m.Kind {
	case core.MasterIs:
		if m.Try == c.query && m.Try != c.answered && c.master == sim.None { // a second copy is no answer
			c.answered, c.master, c.asked = m.Try, m.Master(), c.asked-1
		}
	case core.Published:
		if !c.Deaf {
			c.master = m.Master()
		}
	case core.Unfound:
		if m.Try == c.query && c.master == sim.None {
			c.find(in, out)
		}
	}
	return c.master != before
}

// ofConnection reports whether a message belongs to the connection.
func ofConnection(m *core.Msg) bool {
	return m.Kind == core.MasterIs || m.Kind == core.Published || m.Kind == core.Unfound
}
