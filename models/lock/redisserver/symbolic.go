package redisserver

import (
	"fencepost/models/internal/redis"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Symbolic implements [sim.Symbolic].
func (s *Server) Symbolic() string {
	switch {
	case s.Persistence == redis.EverySecond:
		return "the sync of every whole second looks at the remainder of a reading"
	case s.Count > 0:
		return "replicas are not covered"
	}
	return ""
}

// Forget implements [sim.Symbolic].
func (s *Server) Forget() {}

// Ignores implements [sim.Symbolic]: the alarm of a key that is gone, or has another expiry, finds
// nothing to do, since the key has its own. Nor does a script that deletes a value which is not there, and which
// its client never sets again: all that it hears of it is a reply, which it ignores.
func (s *Server) Ignores(e *sim.Arrival[core.Msg]) bool {
	if e.Msg.Kind == core.DelIf {
		return s.Once && e.Last && !(s.key.Exists && s.key.Value == e.Msg.LockValue())
	}
	return e.Msg.Kind == core.Expire && !(s.key.Exists && s.key.Expires && s.key.GoneAt() == e.Due)
}

// Rename implements [sim.Renamer].
func (s *Server) Rename(to sim.Renaming) {
	s.owner, s.saved = core.RenamedGrant(s.owner, to), core.RenamedGrant(s.saved, to)
	s.key.Value = core.RenamedGrant(s.key.Value, to)
	s.listeners.Rename(to.Node)
	s.disk.Rewrite(func(value uint64) uint64 { return core.RenamedGrant(value, to) })
}
