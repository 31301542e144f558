package redisserver

import (
	"time"

	"fencepost/models/internal/redis"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Sentinel watches a master and its replicas. When it has had no answer of the master for
// DownAfter it takes it to be down; when a quorum does, it tries to be elected, and then
// promotes a replica. It measures everything with its wall clock.
//
// Left out: PING and INFO are one message, configurations travel from Sentinel to Sentinel
// instead of by way of the servers, a replica counts as reconfigured when it says so and not
// when it has all data, how long a replica was without its master does not matter, and states
// that follow one another take one tick, not several.
//
// Source: Redis documentation, "High availability with Redis Sentinel"; Redis 7.0,
// src/sentinel.c.
type Sentinel struct {
	First     sim.NodeID // of the Sentinels
	Count     int        // of them
	Server    sim.NodeID // the first; it is the master at the start
	Servers   int
	Clients   int // nodes 1 and up, that listen to +switch-master
	Quorum    int // Sentinels that have to agree that the master is down
	DownAfter time.Duration
	Timeout   time.Duration // failover-timeout: a Sentinel does not try again before twice this
	Ping      time.Duration // between two PINGs
	Info      time.Duration // after a promotion, until it asks whether it has taken place
	Tick      sim.Dist      // between two looks at everything

	ballot redis.Ballot
	master sim.NodeID
	epoch  uint64 // of the failover that made it the master

	servers [maxServers]watched
	peers   [maxSentinels]peer
	greeted sim.Wall // when it last told the others its configuration
	looked  sim.Wall
	tilted  bool
	tilt    sim.Wall // since when

	agreed bool // the master is objectively down
	failover
}

const (
	maxServers   = redis.MaxReplicas + 1
	maxSentinels = 9
)

// Times of Sentinel that cannot be configured.
const (
	askPeriod     = time.Second
	infoValidity  = 5 * time.Second
	helloPeriod   = 2 * time.Second
	convertAfter  = 4 * helloPeriod
	electionLimit = 10 * time.Second

	reconfigureAgain = 10 * time.Second

	tiltTrigger = 2 * time.Second
	tiltPeriod  = 30 * time.Second
)

// watched is a server as a Sentinel sees it.
type watched struct {
	pinged  sim.Wall // last
	pending bool     // a PING has not been answered
	since   sim.Wall // the first of those
	ponged  sim.Wall // last
	down    bool     // subjectively
	up      sim.Wall // since when it is not

	master   sim.NodeID // that it follows; itself: it is a master
	changed  sim.Wall   // since when it says so
	priority int
	offset   uint64
}

// peer is another Sentinel.
type peer struct {
	called  bool     // it has been asked
	asked   sim.Wall // when, last
	replied sim.Wall
	down    bool // it has said that the master is
	vote    redis.Vote
}

// Step implements [sim.Node].
func (s *Sentinel) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	switch m.Kind {
	case core.Start:
		s.begin(in)
		out.AfterDraw(s.Tick, core.New(core.Tick))
	case core.Tick:
		out.AfterDraw(s.Tick, core.New(core.Tick))
		s.look(in, out)
	case core.Inquire:
		s.probe(m.Master(), in.Wall, out)
	case core.Info:
		s.heard(in, out)
	case core.AskDown:
		s.askedDown(in, out)
	case core.DownReply:
		p := &s.peers[in.From-s.First]
		p.replied, p.down, p.vote = in.Wall, m.OK, m.Vote()
		s.look(in, out)
	case core.Hello:
		s.hello(in, out)
	case core.GetMaster:
		out.Send(in.From, core.NewMasterIs(m.Try, s.current()))
	default:
		panic("lock: a Sentinel got " + m.String())
	}
}

// begin starts the clocks of everything that it waits for.
func (s *Sentinel) begin(in sim.In[core.Msg]) {
	if s.master == sim.None {
		s.master = s.Server
	}
	for i := range s.Servers {
		s.servers[i] = watched{pinged: in.Wall, ponged: in.Wall, up: in.Wall, changed: in.Wall}
	}
	s.greeted, s.looked = in.Wall, in.Wall
}

// look is what a Sentinel does again and again.
func (s *Sentinel) look(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	now := in.Wall
	for i := range s.Servers {
		if w := &s.servers[i]; due(now, w.ponged, s.Ping) && due(now, w.pinged, s.Ping/2) {
			s.probe(s.Server+sim.NodeID(i), now, out)
		}
	}
	if due(now, s.greeted, helloPeriod) {
		s.greet(in, out)
	}
	if s.inTilt(now, out) {
		return
	}
	for i := range s.Servers {
		s.checkDown(i, now, out)
	}
	s.checkAgreed(now, out)
	forced := s.startFailover(in, out)
	s.advance(in, out)
	s.ask(in, out, forced)
	s.convert(in, out)
}

// due reports whether a period has passed since a reading.
func due(now, since sim.Wall, period time.Duration) bool { return !now.Before(since.Add(period)) }

// inTilt reports whether the clock cannot be trusted: between two looks it has gone back, or
// too far. A Sentinel does nothing for a while then, but listen.
func (s *Sentinel) inTilt(now sim.Wall, out *sim.Out[core.Msg]) bool {
	if now.Before(s.looked) || due(now, s.looked, tiltTrigger) {
		s.tilted, s.tilt = true, now
		out.Note(core.New(core.Tilted))
	}
	s.looked = now
	if s.tilted && due(now, s.tilt, tiltPeriod) {
		s.tilted = false
	}
	return s.tilted
}

func (s *Sentinel) probe(to sim.NodeID, now sim.Wall, out *sim.Out[core.Msg]) {
	w := s.watch(to)
	if w.pinged = now; !w.pending {
		w.pending, w.since = true, now
	}
	out.Send(to, core.New(core.Probe))
}

func (s *Sentinel) watch(server sim.NodeID) *watched { return &s.servers[server-s.Server] }

// heard is what a server says of itself.
func (s *Sentinel) heard(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m, w := &in.Msg, s.watch(in.From)
	w.pending, w.ponged = false, in.Wall
	w.offset, w.priority = m.Offset(), m.Priority()
	if master := m.Master(); master != w.master {
		w.master, w.changed = master, in.Wall
	}
	if w.down {
		w.down, w.up = false, in.Wall
	}
	if s.state == awaitsPromotion && in.From == s.promoted && m.OK {
		s.takenPlace(in, out)
	}
}

// checkDown is whether a server is subjectively down: a PING is unanswered for too long.
func (s *Sentinel) checkDown(i int, now sim.Wall, out *sim.Out[core.Msg]) {
	w := &s.servers[i]
	if w.down || !w.pending || !due(now, w.since, s.DownAfter) {
		return
	}
	w.down = true
	if id := s.Server + sim.NodeID(i); id == s.master {
		out.Note(core.NewSubjectivelyDown(id))
	}
}

// checkAgreed is whether the master is objectively down: a quorum says that it is.
func (s *Sentinel) checkAgreed(now sim.Wall, out *sim.Out[core.Msg]) {
	n := 0
	if s.watch(s.master).down {
		n = 1
		for i := range s.Count {
			p := &s.peers[i]
			if p.down && due(now, p.replied, infoValidity) {
				p.down = false
			}
			if p.down {
				n++
			}
		}
	}
	was := s.agreed
	if s.agreed = n >= s.Quorum; s.agreed && !was {
		out.Note(core.NewObjectivelyDown(s.master, n))
	}
}

// ask asks the other Sentinels whether the master is down for them too, and for their vote in
// a failover.
func (s *Sentinel) ask(in sim.In[core.Msg], out *sim.Out[core.Msg], forced bool) {
	if !s.watch(s.master).down {
		return
	}
	for i := range s.Count {
		p, id := &s.peers[i], s.First+sim.NodeID(i)
		if id == in.Self || !forced && p.called && !due(in.Wall, p.asked, askPeriod) {
			continue
		}
		p.asked, p.called = in.Wall, true
		out.Send(id, core.NewAskDown(s.master, s.ballot.Epoch, s.state != noFailover))
	}
}

// askedDown answers another Sentinel: whether the master is down, and, if it asks for a vote,
// for whom this one has voted.
func (s *Sentinel) askedDown(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	master := m.Master()
	down, vote := !s.tilted && master == s.master && s.watch(master).down, redis.Vote{}
	if m.AsksForVote() && master == s.master {
		var now bool
		if vote, now = s.ballot.Cast(m.Epoch(), in.From); now {
			s.tried, s.started = true, in.Wall // it lets the other try first
		}
	}
	out.Send(in.From, core.NewDownReply(down, vote))
}

// greet tells the other Sentinels the configuration.
func (s *Sentinel) greet(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	s.greeted = in.Wall
	m := core.NewMaster(core.Hello, s.master, s.epoch)
	if s.state == reconfigures {
		m = core.NewMaster(core.Hello, s.promoted, s.attempted)
	}
	for i := range s.Count {
		if id := s.First + sim.NodeID(i); id != in.Self {
			out.Send(id, m)
		}
	}
}

// hello takes over a newer configuration.
func (s *Sentinel) hello(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	epoch := in.Msg.Epoch()
	s.ballot.Epoch = max(s.ballot.Epoch, epoch)
	if epoch > s.epoch && !(s.state == reconfigures && epoch <= s.attempted) {
		s.switchTo(in.Msg.Master(), epoch, out)
	}
}

// switchTo makes a server the master of the configuration, and publishes that.
func (s *Sentinel) switchTo(master sim.NodeID, epoch uint64, out *sim.Out[core.Msg]) {
	before := s.master
	s.master, s.epoch, s.agreed = master, epoch, false
	s.failover = failover{tried: s.tried, started: s.started}
	for i := range s.Count {
		s.peers[i] = peer{}
	}
	if master == before {
		return
	}
	out.Note(core.NewMaster(core.SwitchedMaster, master, epoch))
	for id := sim.NodeID(1); int(id) <= s.Clients; id++ {
		out.Send(id, core.NewMaster(core.Published, master, 0))
	}
}

// convert makes replicas of servers that are not what the configuration says: a master that
// has come back, after a while in which another Sentinel would have said that it is one; and a
// replica of another master.
func (s *Sentinel) convert(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	master := s.watch(s.master)
	if s.state != noFailover || master.down || master.master != s.master {
		return
	}
	for i := range s.Servers {
		w, id := &s.servers[i], s.Server+sim.NodeID(i)
		after := s.Timeout
		if w.master == id {
			after = convertAfter
		}
		if id == s.master || w.down || w.master == sim.None || w.master == s.master ||
			!due(in.Wall, w.changed, after) || !due(in.Wall, w.up, after) {
			continue
		}
		w.changed = in.Wall
		out.Send(id, core.NewMaster(core.ReplicaOf, s.master, 0))
	}
}

// current is the master that clients are told.
func (s *Sentinel) current() sim.NodeID {
	if s.state == reconfigures {
		return s.promoted
	}
	return s.master
}

// Recover implements [sim.Recoverer]: Sentinel writes its configuration to disk.
func (s *Sentinel) Recover(before *Sentinel) {
	s.ballot, s.master, s.epoch = before.ballot, before.master, before.epoch
}
