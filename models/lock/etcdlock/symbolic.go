package etcdlock

import (
	"fencepost/models/internal/etcd"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Unsupported implements [core.Symbolic].
func (e *Client) Unsupported() string {
	switch {
	case e.Servers > 1:
		return "a client of several servers is not covered: want etcd as one machine"
	case e.Session.Shared != etcd.NoLease:
		return "a session that clients share is not covered"
	}
	return ""
}

// Forget implements [core.Symbolic].
func (e *Client) Forget() {
	e.nth = 0 // only a note says it
	if !e.waits() {
		e.asked = core.Msg{}
	}
	if e.phase != watching {
		e.ahead = 0
	}
	e.Session.forget(e.phase < enqueuing || e.phase > verifying)
}

// forget clears what is set anew before it is read. The deadline of a session that has ended is read
// when the client takes the lock all the same.
func (s *Session) forget(deadline bool) {
	if !s.alive {
		s.first, s.unheard, s.next = false, false, 0
		if deadline {
			s.deadline = 0
		}
	}
	if s.first {
		s.next = 0
	}
	if !s.alive || s.first || !s.FromSend {
		s.sent = 0
	}
}

// Ignores implements [core.Symbolic]. The numbers of requests never come again, and a lease whose session
// has ended has no other.
func (e *Client) Ignores(a *sim.Arrival[core.Msg]) bool {
	switch m := &a.Msg; m.Kind {
	case core.EtcdPoll, core.EtcdDeadline:
		return false
	case core.EtcdKeptAlive:
		return !e.Session.alive || m.LeaseID() != e.Session.lease
	default:
		return !e.pending(m)
	}
}

// Symbolic implements [sim.Symbolic].
func (s *Server) Symbolic() string {
	if s.Checkpoints > 0 {
		return "a checkpoint says how many seconds are left of a lease: want no checkpoint-interval"
	}
	return ""
}

// Forget implements [sim.Symbolic].
func (s *Server) Forget() {}

// Ignores implements [sim.Symbolic].
func (s *Server) Ignores(*sim.Arrival[core.Msg]) bool { return false }
