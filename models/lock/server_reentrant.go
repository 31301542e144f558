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
		word, bit := &s.listeners[(in.From-1)/64], uint64(1)<<((in.From-1)%64)
		if reply.OK = m.OK; m.OK {
			*word |= bit
		} else {
			*word &^= bit
		}
	}
}

// publish tells the clients that have subscribed that the lock was released.
func (s *Server) publish(out *sim.Out[Msg]) {
	for i := range maxClients {
		if s.listeners[i/64]>>(i%64)&1 != 0 {
			out.Send(sim.NodeID(i+1), Msg{Kind: Unlocked})
		}
	}
}
