package redisserver

import (
	"time"

	"fencepost/models/lock/core"
	"fencepost/sim"
)

// reentrant carries out what Redisson asks for: its scripts, and a subscription to the channel
// of the lock.
func (s *Server) reentrant(in *sim.In[core.Msg], out *sim.Out[core.Msg], reply *core.Msg) {
	m := &in.Msg
	switch m.Kind {
	case core.Enter:
		var ttl time.Duration
		reply.OK, ttl = s.key.Enter(in.Wall, m.LockValue(), m.TTL())
		if reply.SetLeft(ttl); reply.OK {
			s.ownedBy(in, out)
		}
	case core.Leave:
		var freed bool
		if reply.OK, freed = s.key.Leave(in.Wall, m.LockValue(), m.TTL()); freed {
			reply.SetUnlocked(true)
			s.freedBy(in, out, true)
			s.publish(out)
		} else if reply.OK {
			s.changed(in, out, s.owned())
		}
	case core.Subscribe:
		reply.OK = m.OK
		s.listeners.Put(in.From, m.OK)
	}
}

// publish tells the clients that have subscribed that the lock was released.
func (s *Server) publish(out *sim.Out[core.Msg]) {
	s.listeners.Each(func(id sim.NodeID) { out.Send(id, core.New(core.Unlocked)) })
}
