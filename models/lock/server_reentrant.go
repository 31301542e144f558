package lock

import (
	"time"

	"fencepost/sim"
)

// reentrant carries out what Redisson asks for: its scripts, and a subscription to the channel
// of the lock.
func (s *Server) reentrant(in sim.In[Msg], out *sim.Out[Msg], reply *Msg) {
	m := &in.Msg
	lease := time.Duration(m.X)
	switch m.Kind {
	case Enter:
		var ttl time.Duration
		reply.OK, ttl = s.key.Enter(in.Wall, m.Value, lease)
		if reply.X = int64(ttl); reply.OK {
			s.ownedBy(in, out)
		}
	case Leave:
		var freed bool
		if reply.OK, freed = s.key.Leave(in.Wall, m.Value, lease); freed {
			reply.N = 1
			s.freedBy(in, out, true)
			s.publish(out)
		} else if reply.OK {
			s.changed(in, out, s.owned())
		}
	case Subscribe:
		reply.OK = m.OK
		s.listeners.put(in.From, m.OK)
	}
}

// publish tells the clients that have subscribed that the lock was released.
func (s *Server) publish(out *sim.Out[Msg]) {
	s.listeners.each(func(id sim.NodeID) { out.Send(id, Msg{Kind: Unlocked}) })
}
