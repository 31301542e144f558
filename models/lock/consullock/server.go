package consullock

import (
	"time"

	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Multiplier is by how much a session outlives its TTL: Consul promises not to end it
// before, and ends it after twice as long.
//
// Source: hashicorp/consul, agent/structs, SessionTTLMultiplier; agent/consul/session_ttl.go.
const Multiplier = 2

// Server is a cluster of Consul as one machine, with the key of one lock. If the session
// that holds it ends, no client may acquire it for the lock-delay; after a release it may at
// once.
//
// Source: Consul documentation, "Sessions and distributed locks", of the lock-delay; Burrows,
// "The Chubby lock service for loosely-coupled distributed systems", 2006, section 2.4.
type Server struct {
	LockDelay time.Duration

	holder  uint64 // the grant; its session is named by it
	node    sim.NodeID
	try     uint32
	index   uint64 // LockIndex
	ttl     time.Duration
	expires sim.Mono       // of the holder's session
	free    sim.Mono       // end of the lock-delay
	delayed bool           // there is one
	waiting core.ClientSet // clients with a blocking query
	tries   []uint32       // by client, from 0
}

// NewServer is a server of the given number of clients.
func NewServer(clients int, lockDelay time.Duration) Server {
	return Server{LockDelay: lockDelay, waiting: core.NewClientSet(clients), tries: make([]uint32, clients)}
}

// Step implements [sim.Node].
func (s *Server) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	switch m.Kind {
	case core.Start:
		if s.holder != 0 { // after a restart every session has its TTL anew
			s.extend(in, out, s.ttl)
		}
	case core.ConsulAcquire:
		s.acquire(in, out)
	case core.ConsulRenew:
		ok := s.holder == m.Grant()
		if ok {
			s.extend(in, out, m.TTL())
		}
		out.Send(in.From, core.NewConsulReply(m, ok, 0, false))
	case core.ConsulRelease:
		if s.holder == m.Grant() {
			out.Note(core.NewFreed(s.holder, s.index))
			s.holder = 0
			s.wake(out)
		}
		out.Send(in.From, core.NewConsulReply(m, true, 0, false))
	case core.ConsulExpire:
		s.expire(in, out)
	default:
		panic("lock: Consul got " + m.String())
	}
}

// acquire grants a lock that is free, unless a lock-delay is in effect. A request for a held
// lock stays as a blocking query.
func (s *Server) acquire(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	switch {
	case s.holder != 0 && s.holder != m.Grant():
		s.waiting.Put(in.From, true)
		s.tries[in.From-1] = m.Try
		out.Send(in.From, core.NewConsulReply(m, false, 0, false))
	case s.holder == 0 && s.delayed && in.Mono.Before(s.free):
		out.Send(in.From, core.NewConsulReply(m, false, 0, true))
	default:
		if s.holder == 0 {
			s.index++
		}
		s.holder, s.node, s.try, s.delayed = m.Grant(), in.From, m.Try, false
		s.extend(in, out, m.TTL())
		out.Send(in.From, core.NewConsulReply(m, true, s.index, false))
	}
}

// extend moves the end of the holder's session.
func (s *Server) extend(in sim.In[core.Msg], out *sim.Out[core.Msg], ttl time.Duration) {
	s.ttl, s.expires = ttl, in.Mono.Add(Multiplier*ttl)
	out.After(Multiplier*ttl, core.New(core.ConsulExpire))
	out.Note(core.NewOwnedUntil(s.holder, s.index, in.Wall.Add(Multiplier*ttl)))
}

// expire is the alarm of a session that may have been renewed since.
func (s *Server) expire(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if s.holder == 0 || in.Mono.Before(s.expires) {
		return
	}
	s.free, s.delayed = in.Mono.Add(s.LockDelay), s.LockDelay > 0
	out.Note(core.NewFreed(0, s.index))
	out.Send(s.node, core.NewConsulChanged(s.try, s.holder))
	s.holder = 0
	s.wake(out)
}

// wake ends the blocking queries.
func (s *Server) wake(out *sim.Out[core.Msg]) {
	s.waiting.Each(func(id sim.NodeID) { out.Send(id, core.NewConsulChanged(s.tries[id-1], 0)) })
	clear(s.waiting)
}

// Reset implements [sim.Resetter].
func (s *Server) Reset(initial *Server) {
	waiting, tries := append(s.waiting[:0], initial.waiting...), append(s.tries[:0], initial.tries...)
	*s = *initial
	s.waiting, s.tries = waiting, tries
}

// Recover implements [sim.Recoverer]: what Raft has stored survives. The lock-delay does not,
// it is kept in the memory of the leader.
func (s *Server) Recover(before *Server) {
	s.holder, s.node, s.try, s.index, s.ttl = before.holder, before.node, before.try, before.index, before.ttl
}
