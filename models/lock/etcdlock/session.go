package etcdlock

import (
	"time"

	"fencepost/models/internal/etcd"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// The periods of etcd's client.
const (
	pollEvery  = 500 * time.Millisecond // the loop that sends keep-alives
	checkEvery = time.Second            // the loop that looks at the deadline
	firstWait  = 5 * time.Second        // for the first answer, whatever the TTL
)

// Session is a session of etcd's client: a lease that two loops keep alive. One sends a
// keep-alive at its first turn after a third of the TTL since the last answer, and at each
// turn until it is answered; the other ends the session at its first turn after the deadline,
// which the client puts a TTL after it got the latest answer.
//
// Source: etcd client 3.7, lease.go and concurrency/session.go.
type Session struct {
	TTL      time.Duration // whole seconds
	Shared   etcd.LeaseID  // the lease of a session that several clients use; 0: each session has its own
	FromSend bool          // the deadline counts from when the keep-alive was sent: not as the client has it
	Margin   time.Duration // and is earlier by this

	lease    etcd.LeaseID
	alive    bool
	loops    bool     // run: from the first session on, for as long as the client does
	first    bool     // no keep-alive has been sent
	unheard  bool     // one has been sent and none answered since
	sent     sim.Mono // when that was sent
	next     sim.Mono // the next is due after this
	deadline sim.Mono
}

// named gives the session a lease of its own, named after the attempt that opens it.
func (s *Session) named(grant uint64) {
	if s.lease = etcd.LeaseID(grant); s.Shared != etcd.NoLease {
		s.lease = s.Shared
	}
}

// name is the name of its key in the queue.
func (s *Session) name() uint64 { return uint64(s.lease) }

// open starts to keep the lease alive.
func (s *Session) open(in sim.In[core.Msg], out *sim.Out[core.Msg], server sim.NodeID) {
	s.alive, s.first, s.unheard = true, true, false
	s.deadline = in.Mono.Add(firstWait)
	if !s.loops {
		s.loops = true
		s.poll(in, out, server)
		out.After(checkEvery, core.New(core.EtcdDeadline))
	}
}

// poll is a turn of the loop that sends.
func (s *Session) poll(in sim.In[core.Msg], out *sim.Out[core.Msg], server sim.NodeID) {
	out.After(pollEvery, core.New(core.EtcdPoll))
	if !s.alive || !s.first && !s.next.Before(in.Mono) {
		return
	}
	if !s.unheard {
		s.sent = in.Mono
	}
	s.unheard = true
	if s.first {
		s.first, s.next = false, in.Mono
	}
	out.Send(server, core.NewEtcdRequest(core.EtcdKeepAlive, s.lease))
}

// keptAlive is the answer to a keep-alive. One without a TTL says that the lease is gone.
func (s *Session) keptAlive(in sim.In[core.Msg]) core.Outcome {
	m := &in.Msg
	switch {
	case !s.alive || m.LeaseID() != s.lease:
		return core.Pending // of an earlier session
	case m.Seconds() == 0:
		s.alive = false
		return core.Lost
	}
	ttl := m.LeaseTTL()
	from := in.Mono
	if s.FromSend {
		from = s.sent
	}
	s.unheard = false
	s.next, s.deadline = in.Mono.Add(ttl/3), from.Add(ttl-s.Margin)
	return core.Renewed
}

// check is a turn of the loop that looks at the deadline.
func (s *Session) check(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Outcome {
	out.After(checkEvery, core.New(core.EtcdDeadline))
	if s.alive && s.deadline.Before(in.Mono) {
		s.alive = false
		return core.Lost
	}
	return core.Pending
}
