package zklock

import (
	"cmp"
	"slices"
	"time"

	"fencepost/models/internal/zookeeper"
	"fencepost/models/lock/core"
	"fencepost/sim"
)

// Server is a ZooKeeper ensemble as one linearizable machine: the leader and what
// its servers have agreed on. A crash and restart of the node is the election of another
// leader, which takes as long as the node is down.
//
// The reply to a list carries what the recipe reads from the list: the client's place in it
// and the node before.
type Server struct {
	Containers time.Duration // between two searches for empty containers
	ByName     bool          // clients sort whole names, not suffixes: a bug
	Creates    int32         // 0: the lock's directory does not exist; else it does, and has had that many children

	ensemble    zookeeper.Ensemble
	connections []connection     // by session
	first       zookeeper.Name   // the first of the directory, as observers know it
	names       []zookeeper.Name // scratch, empty between steps
	restarted   bool
}

// NewServer is an ensemble with a tickTime. One that is stuck has numbers that end with
// the largest.
func NewServer(tick time.Duration, stuck bool) (s Server) {
	if s.ensemble.Tick = tick; stuck {
		s.ensemble.Stick()
	}
	return s
}

// connection is that of a session.
type connection struct {
	session zookeeper.SessionID
	client  sim.NodeID
	open    bool     // a new leader closes them all
	events  uint16   // of watches, sent
	xid     uint16   // of the latest request: a second copy of it is none
	touched sim.Mono // when something has come of it
}

// Step implements [sim.Node].
func (s *Server) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	deleter := uint64(0)
	before := s.ensemble.Zxid()
	switch in.Msg.Kind {
	case core.Start:
		s.begin(in, out)
	case core.ZKTick:
		s.expire(in, out)
		s.tick(in, out)
	case core.ZKSweep:
		s.ensemble.CheckContainers()
		out.After(s.Containers, core.New(core.ZKSweep))
	case core.ZKConnect:
		s.connect(in, out)
	default:
		deleter = s.serve(in, out)
	}
	s.deliver(out)
	if s.ensemble.Zxid() != before {
		s.observe(out, deleter)
	}
	s.names = s.names[:0]
}

// begin starts the ensemble, or elects another leader.
func (s *Server) begin(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	switch {
	case s.restarted:
		s.ensemble.Elect(in.Mono)
		for i := range s.connections {
			s.connections[i].touched, s.connections[i].open = in.Mono, false
		}
	default:
		s.ensemble.Begin(in.Mono)
		if s.Creates > 0 {
			s.make()
			s.ensemble.Age(lockDirectory, s.Creates)
		}
	}
	s.tick(in, out)
	out.After(s.Containers, core.New(core.ZKSweep))
}

// make creates the lock's directory, as creatingParentContainersIfNeeded does.
func (s *Server) make() bool {
	_, code := s.ensemble.Create(0, zookeeper.Root, lockDirectory.Dir.Label, zookeeper.Container, 0)
	return code == zookeeper.OK
}

// tick looks at the sessions again at the end of the bucket.
func (s *Server) tick(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	out.After(s.ensemble.End().Sub(in.Mono), core.New(core.ZKTick))
}

// expire ends the sessions whose time is over, and closes their connections.
func (s *Server) expire(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	for id := s.ensemble.Expire(in.Mono); id != 0; id = s.ensemble.Expire(in.Mono) {
		i := s.connection(id)
		c := s.connections[i]
		s.connections = slices.Delete(s.connections, i, i+1)
		out.Note(core.NewZKSessionEnded(uint64(id), c.client, in.Mono.Sub(c.touched)))
		out.Send(c.client, core.NewZKSession(core.ZKClosed, uint64(id)))
	}
}

func (s *Server) connection(id zookeeper.SessionID) int {
	i, ok := slices.BinarySearchFunc(s.connections, id, func(c connection, id zookeeper.SessionID) int { return cmp.Compare(c.session, id) })
	if !ok {
		return -1
	}
	return i
}

// connect opens a session, or takes one over from an earlier connection.
func (s *Server) connect(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	id, timeout, ok := zookeeper.SessionID(m.Session()), m.SessionTimeout(), true
	switch {
	case id == 0:
		id, timeout = s.ensemble.Open(timeout, in.Mono)
		s.connections = append(s.connections, connection{session: id, client: in.From, open: true, touched: in.Mono})
	case s.ensemble.Touch(id, in.Mono):
		c := &s.connections[s.connection(id)]
		c.touched, c.open, c.events = in.Mono, true, 0
		s.ensemble.Detach(id)
		timeout = s.ensemble.Timeout(id)
	default:
		ok = false
	}
	out.Send(in.From, core.NewZKConnected(ok, uint64(id), timeout, m.Connection()))
}

// serve is a request within a session. It returns the grant whose client has deleted a node, 0 if none has.
func (s *Server) serve(in sim.In[core.Msg], out *sim.Out[core.Msg]) (deleter uint64) {
	m := &in.Msg
	id := zookeeper.SessionID(m.Session())
	i := s.connection(id)
	if i < 0 || !s.connections[i].open {
		out.Send(in.From, core.NewZKSession(core.ZKClosed, m.Session()))
		return 0
	}
	if m.Kind == core.ZKClose {
		s.ensemble.Close(id)
		s.connections = slices.Delete(s.connections, i, i+1)
		return 0
	}
	c := &s.connections[i]
	s.ensemble.Touch(id, in.Mono)
	c.touched = in.Mono
	if m.Kind == core.ZKPing {
		out.Send(in.From, core.NewZKPong(m.Session(), c.events))
		return 0
	}
	if m.Number() == c.xid {
		return 0 // TCP delivers once
	}
	c.xid = m.Number()
	var reply core.Msg
	switch m.Kind {
	case core.ZKCreate:
		z, code := s.ensemble.Create(id, lockDirectory, m.ZKNode().Label, zookeeper.EphemeralSequential, core.GrantOf(in.From, m.Try))
		reply = core.NewZKCreated(&z, code)
	case core.ZKMake:
		reply = core.NewReply(core.ZKMade, s.make())
	case core.ZKList:
		reply = s.list(in, out)
	case core.ZKGet:
		var watcher zookeeper.SessionID
		if m.Watches() {
			watcher = id
		}
		z, code := s.ensemble.Get(lockDirectory.Join(m.ZKNode()), watcher)
		reply = core.NewZKGot(&z, code == zookeeper.OK)
	case core.ZKDelete:
		code := s.ensemble.Delete(lockDirectory.Join(m.ZKNode()), zookeeper.AnyVersion)
		if reply = (core.NewReply(core.ZKDeleted, code == zookeeper.OK)); reply.OK {
			deleter = core.GrantOf(in.From, m.Try)
		}
	default:
		panic("lock: a ZooKeeper server got " + m.String())
	}
	reply.SetZKReply(m)
	out.Send(in.From, reply)
	return deleter
}

// list is the lock's directory, as a client sorts it.
func (s *Server) list(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Msg {
	var watcher zookeeper.SessionID
	if in.Msg.Watches() {
		watcher = zookeeper.SessionID(in.Msg.Session())
	}
	s.names, _ = s.ensemble.Children(lockDirectory, watcher, s.names[:0])
	out.Note(core.NewZKListing(in.Msg.Try, len(s.names), listBytes(s.names)))
	own := in.Msg.ZKNode()
	mine := slices.IndexFunc(s.names, func(n zookeeper.Name) bool {
		return n == own || own.Label != 0 && n.Label == own.Label
	})
	if mine < 0 {
		return core.New(core.ZKListed)
	}
	own = s.names[mine]
	place, before, compare := 0, zookeeper.Name{}, s.order()
	for i, n := range s.names {
		if c := compare(n, own); c < 0 || c == 0 && i < mine { // a stable sort
			if place++; before == (zookeeper.Name{}) || compare(before, n) <= 0 {
				before = n
			}
		}
	}
	return core.NewZKListed(own, before, place)
}

// order is how clients sort.
func (s *Server) order() func(a, b zookeeper.Name) int {
	if s.ByName {
		return zookeeper.CompareName
	}
	return zookeeper.CompareSuffix
}

// listBytes is the length of the reply to getChildren: a header, and each name with its
// length. A GUID has 36 characters.
//
// Source: zookeeper.jute, ReplyHeader and GetChildrenResponse.
func listBytes(names []zookeeper.Name) int64 {
	const frame, header, count, length = 4, 16, 4, 4
	bytes := int64(frame + header + count)
	for _, n := range names {
		bytes += length + int64(len("lock-0000000000"))
		if n.Label != 0 {
			bytes += int64(len("_c_") + 36 + len("-"))
		}
	}
	return bytes
}

// deliver sends the events of watches that have fired.
func (s *Server) deliver(out *sim.Out[core.Msg]) {
	s.ensemble.Drain(func(e zookeeper.Event) {
		if i := s.connection(e.Session); i >= 0 {
			s.connections[i].events++
			out.Send(s.connections[i].client, core.NewZKEvent(uint64(e.Session), e.Path.Base()))
		}
	})
}

// observe tells the observers who is first in the lock's directory, if that has changed.
func (s *Server) observe(out *sim.Out[core.Msg], deleter uint64) {
	s.names, _ = s.ensemble.Children(lockDirectory, 0, s.names[:0])
	var first zookeeper.Name
	if len(s.names) > 0 {
		first = slices.MinFunc(s.names, s.order())
	}
	if first == s.first {
		return
	}
	zxid := uint64(s.ensemble.Zxid())
	if s.first != (zookeeper.Name{}) {
		out.Note(core.NewFreed(deleter, zxid))
	}
	if s.first = first; first != (zookeeper.Name{}) {
		z, _ := s.ensemble.Get(lockDirectory.Join(first), 0)
		out.Note(core.NewOwned(z.Data, zxid))
	}
}

// Reset implements [sim.Resetter].
func (s *Server) Reset(initial *Server) {
	ensemble, connections, names := s.ensemble, s.connections[:0], s.names[:0]
	*s = *initial
	s.ensemble = ensemble
	s.ensemble.Reset(&initial.ensemble)
	s.connections, s.names = append(connections, initial.connections...), names
}

// Recover implements [sim.Recoverer]: what the servers have agreed on is durable. Sessions
// are part of that; what the leader knew of their last signs of life is not.
func (s *Server) Recover(before *Server) {
	s.ensemble, s.connections, s.first, s.restarted = before.ensemble, before.connections, before.first, true
}
