package redisserver

import (
	"time"

	"fencepost/models/internal/redis"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Server is one Redis with the lock's key. It tells the observers who owns the key
// at the very instant this changes, expiry included.
type Server struct {
	Persistence redis.Persistence
	RejoinAfter time.Duration // it stays silent for this long after a restart: the longest TTL in use
	RejoinWall  bool          // and measures that on its wall clock
	Once        bool          // no client sets a value again that it has sent to be deleted
	Replication

	key       redis.Key
	disk      redis.Disk
	owner     uint64         `state:"client.attempt"` // the grant that set the key: for the observers only
	saved     uint64         // and the one on disk
	listeners core.ClientSet // that have subscribed to the lock's channel
	restarted bool
	silent    bool
}

// NewServer is a Redis that the given number of clients may subscribe to.
func NewServer(clients int) Server { return Server{listeners: core.NewClientSet(clients)} }

// Step implements [sim.Node].
func (s *Server) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	switch in.Msg.Kind {
	case core.Start:
		s.disk.Mode = s.Persistence
		if s.restarted {
			s.comeBack(&in, out)
		}
		if s.Count > 0 {
			s.take(&in, out)
		}
		return
	case core.Expire:
		s.expire(&in, out)
		return
	case core.Sync:
		s.disk.Sync(s.key)
		s.saved = s.owner
		return
	case core.Rejoin:
		s.silent = false
		return
	}
	if s.silent || s.Count > 0 && s.replicate(&in, out) {
		return
	}
	out.Send(in.From, s.command(&in, out))
}

// command carries out a command of a client, and returns the reply.
func (s *Server) command(in *sim.In[core.Msg], out *sim.Out[core.Msg]) core.Msg {
	m := &in.Msg
	reply := core.NewRedisReply(replyTo(m.Kind), m)
	if s.Count > 0 {
		if why := s.refuses(in.Wall); why != 0 {
			reply.SetRefusal(why)
			return reply
		}
	}
	switch m.Kind {
	case core.Set:
		if reply.OK = s.key.SetNX(in.Wall, m.LockValue(), m.TTL()); reply.OK {
			s.ownedBy(in, out)
		}
	case core.Get:
		value, _ := s.key.Get(in.Wall)
		reply.SetLockValue(value)
	case core.Del:
		reply.OK = s.key.Del(in.Wall)
		s.freedBy(in, out, reply.OK)
	case core.DelIf:
		reply.OK = s.key.DelIf(in.Wall, m.LockValue())
		s.freedBy(in, out, reply.OK)
	case core.Extend:
		if reply.OK = s.key.PExpireIf(in.Wall, m.LockValue(), m.TTL()); reply.OK {
			s.changed(in, out, s.owned())
		}
	case core.ExtendOrSet:
		if reply.OK = s.key.ExtendOrSet(in.Wall, m.LockValue(), m.TTL()); reply.OK {
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
	case core.Set:
		return core.SetReply
	case core.Get:
		return core.GetReply
	case core.Del, core.DelIf:
		return core.DelReply
	case core.Extend, core.ExtendOrSet:
		return core.ExtReply
	case core.Enter:
		return core.EnterReply
	case core.Leave:
		return core.LeaveReply
	case core.Subscribe:
		return core.Subscribed
	}
	panic("lock: a server got " + core.Kinds.Name(command))
}

// ownedBy notes that the key belongs to the sender's attempt.
func (s *Server) ownedBy(in *sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if s.owner = in.Msg.LockValue(); s.owner == core.ConstantValue || uint32(s.owner) == 0 {
		s.owner = core.GrantOf(in.From, in.Msg.Try)
	}
	s.changed(in, out, s.owned())
}

// changed writes the key to disk, as far as the mode goes, tells the observers and
// watches the key's expiry.
func (s *Server) changed(in *sim.In[core.Msg], out *sim.Out[core.Msg], note core.Msg) {
	plan := s.write()
	s.notify(out, note)
	if plan {
		s.planSync(in, out)
	}
	if s.key.Expires {
		out.At(s.key.GoneAt(), core.New(core.Expire))
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

func (s *Server) planSync(in *sim.In[core.Msg], out *sim.Out[core.Msg]) {
	out.After(time.Second-time.Duration(in.Mono)%time.Second, core.New(core.Sync))
}

// owned says whose the key is, and the reading of the server's wall clock at which
// it will be gone.
func (s *Server) owned() core.Msg {
	if s.key.Expires {
		return core.NewOwnedUntil(s.owner, 0, s.key.GoneAt())
	}
	return core.NewOwned(s.owner, 0)
}

func (s *Server) freedBy(in *sim.In[core.Msg], out *sim.Out[core.Msg], deleted bool) {
	if deleted {
		s.owner = 0
		s.changed(in, out, core.NewFreed(core.GrantOf(in.From, in.Msg.Try), 0))
	}
}

// expire is the alarm of a key that may be gone, extended or set anew by now.
// Nothing observable depends on it but the note: every command checks the expiry. A
// replica leaves it to its master.
func (s *Server) expire(in *sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if s.master == sim.None && s.key.Exists && !s.key.Live(in.Wall) {
		s.key, s.owner = redis.Key{}, 0
		s.changed(in, out, core.NewFreed(0, 0))
	}
}

// comeBack is a restart: load what is on disk, say what there is, and stay silent
// for a while.
func (s *Server) comeBack(in *sim.In[core.Msg], out *sim.Out[core.Msg]) {
	s.key, s.owner = s.disk.Load(), s.saved
	if s.master == sim.None {
		s.announce(in, out, core.ByCrash)
	}
	if s.RejoinAfter > 0 {
		s.silent = true
		if s.RejoinWall {
			out.At(in.Wall.Add(s.RejoinAfter), core.New(core.Rejoin))
		} else {
			out.After(s.RejoinAfter, core.New(core.Rejoin))
		}
	}
}

// announce tells the observers what there is, after a restart or a promotion, and if there is
// no key, how it was lost.
func (s *Server) announce(in *sim.In[core.Msg], out *sim.Out[core.Msg], how core.Loss) {
	note := core.NewLost(how, 0)
	if s.key.Live(in.Wall) {
		note = s.owned()
		if s.key.Expires {
			out.At(s.key.GoneAt(), core.New(core.Expire))
		}
	}
	s.notify(out, note)
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
