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

	key       redis.Key
	disk      redis.Disk
	owner     uint64 // the grant that set the key: for the observers only
	saved     uint64 // and the one on disk
	restarted bool
	silent    bool
}

// Step implements [sim.Node].
func (s *Server) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	m := in.Msg
	switch m.Kind {
	case start:
		s.disk.Mode = s.Persistence
		if s.restarted {
			s.comeBack(in, out)
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
	if s.silent {
		return
	}
	reply := Msg{Try: m.Try, N: m.N}
	switch m.Kind {
	case Set:
		reply.Kind, reply.OK = SetReply, s.key.SetNX(in.Wall, m.Value, time.Duration(m.X))
		if reply.OK {
			if s.owner = m.Value; m.Value == constantValue {
				s.owner = grantOf(in.From, m.Try)
			}
			s.changed(in, out, s.owned())
		}
	case Get:
		value, _ := s.key.Get(in.Wall)
		reply.Kind, reply.Value = GetReply, value
	case Del:
		reply.Kind, reply.OK = DelReply, s.key.Del(in.Wall)
		s.freedBy(in, out, reply.OK)
	case DelIf:
		reply.Kind, reply.OK = DelReply, s.key.DelIf(in.Wall, m.Value)
		s.freedBy(in, out, reply.OK)
	case Extend:
		reply.Kind, reply.OK = ExtReply, s.key.PExpireIf(in.Wall, m.Value, time.Duration(m.X))
		if reply.OK {
			s.changed(in, out, s.owned())
		}
	default:
		panic("lock: a server got " + m.String())
	}
	out.Send(in.From, reply)
}

// changed writes the key to disk, as far as the mode goes, tells the observers and
// watches the key's expiry.
func (s *Server) changed(in sim.In[Msg], out *sim.Out[Msg], note Msg) {
	plan := s.disk.Wrote(s.key)
	if s.Persistence == redis.Always {
		s.saved = s.owner
	}
	out.Note(note)
	if plan {
		out.After(time.Second-time.Duration(in.Mono)%time.Second, Msg{Kind: sync})
	}
	if s.key.Expires {
		out.At(s.key.GoneAt(), Msg{Kind: expire})
	}
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
// Nothing observable depends on it but the note: every command checks the expiry.
func (s *Server) expire(in sim.In[Msg], out *sim.Out[Msg]) {
	if s.key.Exists && !s.key.Live(in.Wall) {
		s.key, s.owner = redis.Key{}, 0
		s.changed(in, out, Msg{Kind: Freed})
	}
}

// comeBack is a restart: load what is on disk, say what there is, and stay silent
// for a while.
func (s *Server) comeBack(in sim.In[Msg], out *sim.Out[Msg]) {
	s.key, s.owner = s.disk.Load(), s.saved
	note := Msg{Kind: Freed, N: 1}
	if s.key.Live(in.Wall) {
		note = s.owned()
		if s.key.Expires {
			out.At(s.key.GoneAt(), Msg{Kind: expire})
		}
	}
	out.Note(note)
	if s.RejoinAfter > 0 {
		s.silent = true
		if s.RejoinWall {
			out.At(in.Wall.Add(s.RejoinAfter), Msg{Kind: rejoin})
		} else {
			out.After(s.RejoinAfter, Msg{Kind: rejoin})
		}
	}
}

// Recover implements [sim.Recoverer]: the disk survives, and nothing else.
func (s *Server) Recover(before *Server) {
	s.disk, s.saved, s.restarted = before.disk, before.saved, true
}
