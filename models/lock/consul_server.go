package lock

import (
	"time"

	"fencepost/sim"
)

// consulMultiplier is by how much a session outlives its TTL: Consul promises not to end it
// before, and ends it after twice as long.
//
// Source: hashicorp/consul, agent/structs, SessionTTLMultiplier; agent/consul/session_ttl.go.
const consulMultiplier = 2

// ConsulServer is a cluster of Consul as one machine, with the key of one lock. If the session
// that holds it ends, no client may acquire it for the lock-delay; after a release it may at
// once.
//
// Source: Consul documentation, "Sessions and distributed locks", of the lock-delay; Burrows,
// "The Chubby lock service for loosely-coupled distributed systems", 2006, section 2.4.
type ConsulServer struct {
	LockDelay time.Duration

	holder  uint64 // the grant; its session is named by it
	node    sim.NodeID
	try     uint32
	index   uint64 // LockIndex
	ttl     time.Duration
	expires sim.Mono  // of the holder's session
	free    sim.Mono  // end of the lock-delay
	delayed bool      // there is one
	waiting clientSet // clients with a blocking query
	tries   []uint32  // by client, from 0
}

// Step implements [sim.Node].
func (s *ConsulServer) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	m := in.Msg
	switch m.Kind {
	case start:
		if s.holder != 0 { // after a restart every session has its TTL anew
			s.extend(in, out, s.ttl)
		}
	case ConsulAcquire:
		s.acquire(in, out)
	case ConsulRenew:
		ok := s.holder == m.Value
		if ok {
			s.extend(in, out, time.Duration(m.X))
		}
		out.Send(in.From, Msg{Kind: ConsulReply, Try: m.Try, OK: ok})
	case ConsulRelease:
		if s.holder == m.Value {
			out.Note(Msg{Kind: Freed, OK: true, Value: s.holder, Token: s.index})
			s.holder = 0
			s.wake(out)
		}
		out.Send(in.From, Msg{Kind: ConsulReply, Try: m.Try, N: m.N, OK: true})
	case consulExpire:
		s.expire(in, out)
	default:
		panic("lock: Consul got " + m.String())
	}
}

// acquire grants a lock that is free, unless a lock-delay is in effect. A request for a held
// lock stays as a blocking query.
func (s *ConsulServer) acquire(in sim.In[Msg], out *sim.Out[Msg]) {
	m := &in.Msg
	reply := Msg{Kind: ConsulReply, Try: m.Try, N: m.N}
	switch {
	case s.holder != 0 && s.holder != m.Value:
		s.waiting.put(in.From, true)
		s.tries[in.From-1] = m.Try
	case s.holder == 0 && s.delayed && in.Mono.Before(s.free):
		reply.X = 1
	default:
		if s.holder == 0 {
			s.index++
		}
		s.holder, s.node, s.try, s.delayed = m.Value, in.From, m.Try, false
		s.extend(in, out, time.Duration(m.X))
		reply.OK, reply.Token = true, s.index
	}
	out.Send(in.From, reply)
}

// extend moves the end of the holder's session.
func (s *ConsulServer) extend(in sim.In[Msg], out *sim.Out[Msg], ttl time.Duration) {
	s.ttl, s.expires = ttl, in.Mono.Add(consulMultiplier*ttl)
	out.After(consulMultiplier*ttl, Msg{Kind: consulExpire})
	out.Note(Msg{Kind: Owned, OK: true, Value: s.holder, Token: s.index, X: int64(in.Wall.Add(consulMultiplier * ttl))})
}

// expire is the alarm of a session that may have been renewed since.
func (s *ConsulServer) expire(in sim.In[Msg], out *sim.Out[Msg]) {
	if s.holder == 0 || in.Mono.Before(s.expires) {
		return
	}
	s.free, s.delayed = in.Mono.Add(s.LockDelay), s.LockDelay > 0
	out.Note(Msg{Kind: Freed, Token: s.index})
	out.Send(s.node, Msg{Kind: ConsulChanged, Try: s.try, Value: s.holder})
	s.holder = 0
	s.wake(out)
}

// wake ends the blocking queries.
func (s *ConsulServer) wake(out *sim.Out[Msg]) {
	s.waiting.each(func(id sim.NodeID) { out.Send(id, Msg{Kind: ConsulChanged, Try: s.tries[id-1]}) })
	clear(s.waiting)
}

// Reset implements [sim.Resetter].
func (s *ConsulServer) Reset(initial *ConsulServer) {
	waiting, tries := append(s.waiting[:0], initial.waiting...), append(s.tries[:0], initial.tries...)
	*s = *initial
	s.waiting, s.tries = waiting, tries
}

// Recover implements [sim.Recoverer]: what Raft has stored survives. The lock-delay does not,
// it is kept in the memory of the leader.
func (s *ConsulServer) Recover(before *ConsulServer) {
	s.holder, s.node, s.try, s.index, s.ttl = before.holder, before.node, before.try, before.index, before.ttl
}
