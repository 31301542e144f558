package redisserver

import (
	"time"

	"fencepost/models/internal/redis"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Replication is what a Redis does that is not alone: as a master it streams its writes to its
// replicas, as a replica it takes them in and refuses those of clients. The stream is
// asynchronous: a write is answered before any replica has it.
//
// There is one key, so a master sends what it holds now instead of the commands that led there;
// an expiry is sent as the absolute time of the master's wall clock, which a replica compares
// with its own.
//
// Source: Redis documentation, "Replication"; Redis 7.0 replicates every expiry as PEXPIREAT.
type Replication struct {
	First       sim.NodeID // of the servers, which are the master and its replicas
	Count       int        // of them; 0: the server is alone
	Lag         sim.Dist   // how long a write waits at the master until it is sent
	MinReplicas int        // it writes only with at least this many good replicas
	MaxLag      time.Duration
	Priority    int // replica-priority

	master    sim.NodeID     // that it follows; None: it is one
	at        redis.Position // as a replica: what it has
	followers redis.Replicas // as a master: what they have
	histories uint32         // that it has begun: stands for the random replication ID
	turn      uint32         // how often its role has changed
	epoch     uint64         // of the failover that made it a master
	told      uint64         // notes so far
	sending   uint16         // bit by replica: a write waits to be sent
	asking    uint16         // bit by replica: GETACK follows it
	waits     []waiting
}

// Follows makes a replica of a server that has not started.
func (r *Replication) Follows(master sim.NodeID) { r.master = master }

// waiting is a client that waits for replicas to acknowledge.
type waiting struct {
	client sim.NodeID
	try    uint32
	n      int
	offset uint64
}

// heartbeat is how often a replica acknowledges without being asked.
const heartbeat = time.Second

// refuses is why the server does not carry out a command of a client, 0 if it does.
func (r *Replication) refuses(now sim.Wall) core.Refusal {
	switch {
	case r.master != sim.None:
		return core.ReadOnly
	case r.followers.Good(now, r.MaxLag) < r.MinReplicas:
		return core.NoReplicas
	}
	return 0
}

// replicate handles a message of replication or of a Sentinel, and reports whether it was one.
func (s *Server) replicate(in *sim.In[core.Msg], out *sim.Out[core.Msg]) bool {
	m := &in.Msg
	switch m.Kind {
	case core.Replicate:
		s.apply(in, out)
	case core.ReplAck:
		s.acknowledged(in, out)
	case core.GetAck:
		if in.From == s.master {
			out.Send(s.master, core.NewReplAck(s.at))
		}
	case core.Wait:
		s.wait(in, out)
	case core.Waited:
		s.answer(out, func(w *waiting) bool { return w.client == m.Waiter() && w.try == m.Try })
	case core.Flush:
		if m.History() == s.followers.At.History && s.master == sim.None {
			s.sending &^= 1 << m.Replica()
			s.push(out, m.Replica())
		}
	case core.Beat:
		if s.master != sim.None && m.Turn() == s.turn {
			s.follow(out)
		}
	case core.ReplicaOf:
		s.changeRole(in, out)
	case core.Probe:
		out.Send(in.From, s.info(in.Self))
	default:
		return false
	}
	return true
}

// take gives the server the role it begins with, or had before a crash.
func (s *Server) take(in *sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if s.master != sim.None {
		s.follow(out)
		return
	}
	s.begin(in.Self, 0)
}

// begin begins a history as a master, behind an offset.
func (s *Server) begin(self sim.NodeID, offset uint64) {
	s.histories++
	s.followers.Begin(redis.Position{History: uint32(self)<<16 | s.histories, Offset: offset})
	s.sending, s.asking = 0, 0
}

// follow tells the master what the replica has, now and every heartbeat: PSYNC, and REPLCONF
// ACK.
func (s *Server) follow(out *sim.Out[core.Msg]) {
	out.Send(s.master, core.NewReplAck(s.at))
	out.After(heartbeat, core.NewBeat(s.turn))
}

// stream is a write that goes to every replica that is linked.
func (s *Server) stream(out *sim.Out[core.Msg]) {
	s.followers.Wrote()
	for i := range s.Count {
		if s.followers.Linked(i) {
			s.delay(out, i)
		}
	}
}

// delay sends a replica what there is, once the lag is over. What is written meanwhile goes
// with it.
func (s *Server) delay(out *sim.Out[core.Msg], i int) {
	switch {
	case s.Lag.IsZero():
		s.push(out, i)
	case s.sending>>i&1 == 0:
		s.sending |= 1 << i
		out.AfterDraw(s.Lag, core.NewFlush(s.followers.At.History, i))
	}
}

// push sends replica i the key as it is now, and asks for an acknowledgement if a client waits.
func (s *Server) push(out *sim.Out[core.Msg], i int) {
	to := s.First + sim.NodeID(i)
	out.Send(to, core.NewReplicate(s.followers.At, &s.key, s.owner))
	if s.asking>>i&1 != 0 {
		s.asking &^= 1 << i
		out.Send(to, core.New(core.GetAck))
	}
}

// apply takes in what the master has sent. A replica of another history forgets its own.
func (s *Server) apply(in *sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	at := m.Position()
	same := at.History == s.at.History
	if in.From != s.master || same && at.Offset <= s.at.Offset {
		return
	}
	s.at = at
	s.key, s.owner = m.Replicated()
	if s.write() {
		s.planSync(in, out)
	}
	if !same {
		out.Send(s.master, core.NewReplAck(s.at))
	}
}

// acknowledged is what a replica has, or asks for. One that has missed something is sent it.
func (s *Server) acknowledged(in *sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if s.master != sim.None {
		return
	}
	i, at := int(in.From-s.First), in.Msg.Position()
	if s.followers.Ack(i, at, in.Wall) && at.Offset == s.followers.At.Offset {
		s.answer(out, func(w *waiting) bool { return s.followers.Acked(w.offset) >= w.n })
		return
	}
	if !s.followers.Linked(i) {
		s.push(out, i) // a full synchronization does not wait for the stream
		return
	}
	s.answer(out, func(w *waiting) bool { return s.followers.Acked(w.offset) >= w.n })
	s.delay(out, i)
}

// wait is WAIT: it is answered when enough replicas have acknowledged all writes so far.
func (s *Server) wait(in *sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	if s.master != sim.None {
		reply := core.NewWaitReply(m.Try, 0)
		reply.SetRefusal(core.ReadOnly)
		out.Send(in.From, reply)
		return
	}
	w := waiting{in.From, m.Try, m.Replicas(), s.followers.At.Offset}
	s.waits = append(s.waits, w)
	if n := s.followers.Acked(w.offset); n >= w.n {
		s.answer(out, func(v *waiting) bool { return *v == w })
		return
	}
	if m.WaitsFor() > 0 {
		out.After(m.WaitsFor(), core.NewWaited(m.Try, in.From))
	}
	for i := range s.Count {
		switch {
		case !s.followers.Linked(i):
		case s.sending>>i&1 != 0:
			s.asking |= 1 << i
		default:
			out.Send(s.First+sim.NodeID(i), core.New(core.GetAck))
		}
	}
}

// answer tells the clients that are ready how many replicas have acknowledged.
func (s *Server) answer(out *sim.Out[core.Msg], ready func(*waiting) bool) {
	rest := s.waits[:0]
	for i := range s.waits {
		if w := &s.waits[i]; ready(w) {
			out.Send(w.client, core.NewWaitReply(w.try, s.followers.Acked(w.offset)))
		} else {
			rest = append(rest, *w)
		}
	}
	s.waits = rest
}

// changeRole is REPLICAOF. A replica that becomes a master begins a history of its own with
// what it has; a master that becomes a replica loses what only it has.
func (s *Server) changeRole(in *sim.In[core.Msg], out *sim.Out[core.Msg]) {
	was, master := s.master, in.Msg.Master()
	switch {
	case master == in.Self && was != sim.None:
		s.promote(in, out)
	case master == in.Self, master == was:
	default:
		if was == sim.None {
			s.answer(out, func(*waiting) bool { return true })
			s.at = s.followers.At
		}
		s.master = master
		s.turn++
		out.Note(core.NewFollowing(master, was == sim.None))
		s.follow(out)
	}
}

// promote is REPLICAOF NO ONE. A key whose time is over by this server's own wall clock is gone.
func (s *Server) promote(in *sim.In[core.Msg], out *sim.Out[core.Msg]) {
	s.master, s.epoch, s.told = sim.None, in.Msg.Epoch(), 0
	s.turn++
	s.begin(in.Self, s.at.Offset)
	out.Note(core.NewEpoch(core.Promoted, s.epoch))
	how := core.ByExpiry
	if !s.key.Exists {
		how = core.ByFailover
	}
	s.announce(in, out, how)
}

// info is the answer to PING and INFO.
func (s *Server) info(self sim.NodeID) core.Msg {
	if s.master != sim.None {
		return core.NewInfo(false, s.master, s.Priority, s.at.Offset)
	}
	return core.NewInfo(true, self, s.Priority, s.followers.At.Offset)
}

// notify tells the observers about the key. Of several servers they believe the master that was
// promoted last.
func (s *Server) notify(out *sim.Out[core.Msg], note core.Msg) {
	switch {
	case s.Count == 0:
		out.Note(note)
	case s.master == sim.None:
		s.told++
		note.SetRevision(s.epoch<<32 | s.told)
		out.Note(note)
	}
}

// recover takes over what a crash leaves: the role, which Sentinel has written into the
// configuration of the server, and numbers that stand for random ones.
func (r *Replication) recover(before *Replication) {
	r.master, r.epoch, r.told, r.histories, r.turn = before.master, before.epoch, before.told, before.histories, before.turn
}
