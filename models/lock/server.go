package lock

import (
	"time"

	"fencepost/models/internal/redis"
	"fencepost/sim"
)

// Server is one Redis with the lock's key. It tells the observers who owns the key
// at the very instant this changes, expiry included.
type Server struct {
	Persistence redis.Persistence
	RejoinAfter time.Duration // it stays silent for so long after a restart: the longest TTL in use
	RejoinWall  bool          // and measures that on its wall clock
	Replication

	key       redis.Key
	disk      redis.Disk
	owner     uint64    // the grant that set the key: for the observers only
	saved     uint64    // and the one on disk
	listeners clientSet // that have subscribed to the lock's channel
	restarted bool
	silent    bool
}

// Step implements [sim.Node].
func (s *Server) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch in.Msg.Kind {
	case start:
		s.disk.Mode = s.Persistence
		if s.restarted {
			s.comeBack(in, out)
		}
		if s.Count > 0 {
			s.take(in, out)
		}
		return
	case expire:
		s.expire(in, out)
		return
	case sync:
		s.disk.Sync(s.key)
		s.saved = s.owner
		return
	case rejoin:
		s.silent = false
		return
	}
	if s.silent || s.Count > 0 && s.replicate(in, out) {
		return
	}
	out.Send(in.From, s.command(in, out))
}

// command carries out a command of a client, and returns the reply.
func (s *Server) command(in sim.In[Msg], out *sim.Out[Msg]) Msg {
	m := &in.Msg
	reply := Msg{Kind: replyTo(m.Kind), Try: m.Try, N: m.N}
	if s.Count > 0 {
		if reply.Token = s.refuses(in.Wall); reply.Token != 0 {
			return reply
		}
	}
	px := time.Duration(m.X)
	switch m.Kind {
	case Set:
		if reply.OK = s.key.SetNX(in.Wall, m.Value, px); reply.OK {
			s.ownedBy(in, out)
		}
	case Get:
		reply.Value, _ = s.key.Get(in.Wall)
	case Del:
		reply.OK = s.key.Del(in.Wall)
		s.freedBy(in, out, reply.OK)
	case DelIf:
		reply.OK = s.key.DelIf(in.Wall, m.Value)
		s.freedBy(in, out, reply.OK)
	case Extend:
		if reply.OK = s.key.PExpireIf(in.Wall, m.Value, px); reply.OK {
			s.changed(in, out, s.owned())
		}
	case ExtendOrSet:
		if reply.OK = s.key.ExtendOrSet(in.Wall, m.Value, px); reply.OK {
			s.ownedBy(in, out)
		}
	default:
		s.reentrant(in, out, &reply)
	}
	return reply
}

// replyTo is the kind of the reply to a command.
func replyTo(command sim.Kind) sim.Kind {
	switch command {
	case Set:
		return SetReply
	case Get:
		return GetReply
	case Del, DelIf:
		return DelReply
	case Extend, ExtendOrSet:
		return ExtReply
	case Enter:
		return EnterReply
	case Leave:
		return LeaveReply
	case Subscribe:
		return Subscribed
	}
	panic("lock: a server got " + kinds.Name(command))
}

// ownedBy notes that the key belongs to the sender's attempt.
func (s *Server) ownedBy(in sim.In[Msg], out *sim.Out[Msg]) {
	if s.owner = in.Msg.Value; s.owner == constantValue || uint32(s.owner) == 0 {
		s.owner = grantOf(in.From, in.Msg.Try)
	}
	s.changed(in, out, s.owned())
}

// changed writes the key to disk, as far as the mode goes, tells the observers and
// watches the key's expiry.
func (s *Server) changed(in sim.In[Msg], out *sim.Out[Msg], note Msg) {
	plan := s.write()
	s.tell(out, note)
	if plan {
		s.planSync(in, out)
	}
	if s.key.Expires {
		out.At(s.key.GoneAt(), Msg{Kind: expire})
	}
	if s.Count > 0 {
		s.stream(out)
	}
}

// write writes the key to disk, as far as the mode goes, and reports whether a sync must be
// planned.
func (s *Server) write() (plan bool) {
	if s.Persistence == redis.Always {
		s.saved = s.owner
	}
	return s.disk.Wrote(s.key)
}

func (s *Server) planSync(in sim.In[Msg], out *sim.Out[Msg]) {
	out.After(time.Second-time.Duration(in.Mono)%time.Second, Msg{Kind: sync})
}

// owned says whose the key is, and the reading of the server's wall clock at which
// it will be gone.
func (s *Server) owned() Msg {
	m := Msg{Kind: Owned, OK: s.key.Expires, Value: s.owner}
	if s.key.Expires {
		m.X = int64(s.key.GoneAt())
	}
	return m
}

func (s *Server) freedBy(in sim.In[Msg], out *sim.Out[Msg], deleted bool) {
	if deleted {
		s.owner = 0
		s.changed(in, out, Msg{Kind: Freed, OK: true, Value: grantOf(in.From, in.Msg.Try)})
	}
}

// expire is the alarm of a key that may be gone, extended or set anew by now.
// Nothing observable depends on it but the note: every command checks the expiry. A
// replica leaves it to its master.
func (s *Server) expire(in sim.In[Msg], out *sim.Out[Msg]) {
	if s.master == sim.None && s.key.Exists && !s.key.Live(in.Wall) {
		s.key, s.owner = redis.Key{}, 0
		s.changed(in, out, Msg{Kind: Freed})
	}
}

// comeBack is a restart: load what is on disk, say what there is, and stay silent
// for a while.
func (s *Server) comeBack(in sim.In[Msg], out *sim.Out[Msg]) {
	s.key, s.owner = s.disk.Load(), s.saved
	if s.master == sim.None {
		s.announce(in, out, 1)
	}
	if s.RejoinAfter > 0 {
		s.silent = true
		if s.RejoinWall {
			out.At(in.Wall.Add(s.RejoinAfter), Msg{Kind: rejoin})
		} else {
			out.After(s.RejoinAfter, Msg{Kind: rejoin})
		}
	}
}

// announce tells the observers what there is, after a restart or a promotion, and if there is
// no key, why.
func (s *Server) announce(in sim.In[Msg], out *sim.Out[Msg], why uint16) {
	note := Msg{Kind: Freed, N: why}
	if s.key.Live(in.Wall) {
		note = s.owned()
		if s.key.Expires {
			out.At(s.key.GoneAt(), Msg{Kind: expire})
		}
	}
	s.tell(out, note)
}

// Reset implements [sim.Resetter].
func (s *Server) Reset(initial *Server) {
	waits, listeners := append(s.waits[:0], initial.waits...), append(s.listeners[:0], initial.listeners...)
	*s = *initial
	s.waits, s.listeners = waits, listeners
}

// Recover implements [sim.Recoverer]: the disk survives, and the configuration.
func (s *Server) Recover(before *Server) {
	s.disk, s.saved, s.restarted = before.disk, before.saved, true
	s.Replication.recover(&before.Replication)
}
