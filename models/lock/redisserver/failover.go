package redisserver

import (
	"fencepost/models/internal/redis"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// failover is one that a Sentinel tries.
type failover struct {
	state     failoverState
	attempted uint64     // its epoch
	tried     bool       // there was one, or a vote for that of another
	started   sim.Wall   // when
	changed   sim.Wall   // the state
	promoted  sim.NodeID // the replica
	sent      bool       // the others have been told to follow it
	told      sim.Wall   // when, last
}

type failoverState uint8

const (
	noFailover failoverState = iota
	awaitsVotes
	awaitsPromotion
	reconfigures
)

// startFailover begins a failover if the master is objectively down and none was tried
// lately.
func (s *Sentinel) startFailover(in sim.In[core.Msg], out *sim.Out[core.Msg]) (started bool) {
	if !s.agreed || s.state != noFailover || s.tried && !due(in.Wall, s.started, 2*s.Timeout) {
		return false
	}
	s.ballot.Epoch++
	s.failover = failover{state: awaitsVotes, attempted: s.ballot.Epoch, tried: true, started: in.Wall, changed: in.Wall}
	s.ballot.Cast(s.attempted, in.Self)
	out.Note(core.NewEpoch(core.Candidacy, s.attempted))
	return true
}

// advance takes the failover as far as it goes now.
func (s *Sentinel) advance(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	now := in.Wall
	switch s.state {
	case awaitsVotes:
		switch {
		case s.elected(in.Self):
			out.Note(core.NewEpoch(core.Elected, s.attempted))
			s.promote(in, out)
		case due(now, s.started, min(electionLimit, s.Timeout)):
			s.abort()
		}
	case awaitsPromotion:
		if due(now, s.changed, s.Timeout) {
			s.abort()
		}
	case reconfigures:
		s.reconfigure(in, out)
	}
}

// abort gives up a failover. It may be that its replica is promoted yet.
func (s *Sentinel) abort() { s.failover = failover{tried: s.tried, started: s.started} }

// elected reports whether this Sentinel leads in its epoch.
func (s *Sentinel) elected(self sim.NodeID) bool {
	var votes [maxSentinels]redis.Vote
	for i := range s.Count {
		votes[i] = s.peers[i].vote
	}
	votes[self-s.First] = s.ballot.Last
	return redis.Elected(self, s.attempted, votes[:s.Count], s.Count, s.Quorum)
}

// promote chooses a replica and tells it that it is the master.
func (s *Sentinel) promote(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	var list [maxServers]redis.Candidate
	for i := range s.Servers {
		w, id := &s.servers[i], s.Server+sim.NodeID(i)
		list[i] = redis.Candidate{
			Usable:   id != s.master && !w.down && w.master != sim.None && !due(in.Wall, w.ponged, infoValidity),
			Priority: w.priority, Offset: w.offset,
		}
	}
	i := redis.Select(list[:s.Servers])
	if i < 0 {
		s.abort()
		return
	}
	s.promoted = s.Server + sim.NodeID(i)
	s.state, s.changed = awaitsPromotion, in.Wall
	out.Send(s.promoted, core.NewMaster(core.ReplicaOf, s.promoted, s.attempted))
	out.After(s.Info, core.NewMaster(core.Inquire, s.promoted, 0))
}

// takenPlace is that the promoted replica has said that it is a master: from now on there is
// no way back.
func (s *Sentinel) takenPlace(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	s.state, s.changed = reconfigures, in.Wall
	s.greet(in, out)
	s.reconfigure(in, out)
}

// reconfigure makes the other replicas follow the new master. When all that answer do, or time
// is up, the failover is over.
func (s *Sentinel) reconfigure(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	again := !s.sent || due(in.Wall, s.told, reconfigureAgain)
	if again {
		s.sent, s.told = true, in.Wall
	}
	rest := 0
	for i := range s.Servers {
		w, id := &s.servers[i], s.Server+sim.NodeID(i)
		if id == s.promoted || id == s.master || w.down || w.master == s.promoted {
			continue
		}
		if rest++; again {
			out.Send(id, core.NewMaster(core.ReplicaOf, s.promoted, 0))
		}
	}
	if rest == 0 || due(in.Wall, s.changed, s.Timeout) {
		s.switchTo(s.promoted, s.attempted, out)
	}
}
