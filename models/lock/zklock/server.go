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
	var deleted core.Msg
	before := s.ensemble.Zxid()
	switch in.Msg.Kind {
	case core.Start:
		s.begin(in, out)
	case core.ZKTick:
		s.expire(in, out)
		s.tick(in, out)
	case core.ZKSweep:
		s.ensemble.CheckContainers()
		out.After(s.Containers, core.Msg{Kind: core.ZKSweep})
	case core.ZKConnect:
		s.connect(in, out)
	default:
		deleted = s.serve(in, out)
	}
	s.deliver(out)
	if s.ensemble.Zxid() != before {
		s.observe(out, deleted)
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
	case s.Creates > 0:
		s.make()
		s.ensemble.Age(lockDirectory, s.Creates)
	}
	s.tick(in, out)
	out.After(s.Containers, core.Msg{Kind: core.ZKSweep})
}

// make creates the lock's directory, as creatingParentContainersIfNeeded does.
func (s *Server) make() bool {
	_, code := s.ensemble.Create(0, zookeeper.Root, lockDirectory.Dir.Label, zookeeper.Container, 0)
	return code == zookeeper.OK
}

// tick looks at the sessions again at the end of the bucket.
func (s *Server) tick(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	out.After(zookeeper.NextTick(in.Mono, s.ensemble.Tick).Sub(in.Mono), core.Msg{Kind: core.ZKTick})
}

// expire ends the sessions whose time is over, and closes their connections.
func (s *Server) expire(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	for id := s.ensemble.Expire(in.Mono); id != 0; id = s.ensemble.Expire(in.Mono) {
		i := s.connection(id)
		c := s.connections[i]
		s.connections = slices.Delete(s.connections, i, i+1)
		out.Note(core.Msg{Kind: core.ZKSessionEnded, Token: uint64(id), Value: uint64(c.client), X: int64(in.Mono.Sub(c.touched))})
		out.Send(c.client, core.Msg{Kind: core.ZKClosed, Token: uint64(id)})
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
	m := in.Msg
	reply := core.Msg{Kind: core.ZKConnected, N: m.N, Token: m.Token, X: m.X}
	switch id := zookeeper.SessionID(m.Token); {
	case id == 0:
		id, timeout := s.ensemble.Open(time.Duration(m.X), in.Mono)
		s.connections = append(s.connections, connection{session: id, client: in.From, open: true, touched: in.Mono})
		reply.OK, reply.Token, reply.X = true, uint64(id), int64(timeout)
	case s.ensemble.Touch(id, in.Mono):
		c := &s.connections[s.connection(id)]
		c.touched, c.open, c.events = in.Mono, true, 0
		s.ensemble.Detach(id)
		reply.OK, reply.X = true, int64(s.ensemble.Timeout(id))
	}
	out.Send(in.From, reply)
}

// serve is a request within a session. It returns the note of a deletion by a client.
func (s *Server) serve(in sim.In[core.Msg], out *sim.Out[core.Msg]) (deleted core.Msg) {
	m := in.Msg
	id := zookeeper.SessionID(m.Token)
	i := s.connection(id)
	if i < 0 || !s.connections[i].open {
		out.Send(in.From, core.Msg{Kind: core.ZKClosed, Token: m.Token})
		return
	}
	c := &s.connections[i]
	s.ensemble.Touch(id, in.Mono)
	c.touched = in.Mono
	if m.Kind == core.ZKPing {
		out.Send(in.From, core.Msg{Kind: core.ZKPong, N: c.events, Token: m.Token})
		return
	}
	if m.N == c.xid {
		return // TCP delivers once
	}
	c.xid = m.N
	reply := core.Msg{Try: m.Try, N: m.N}
	switch m.Kind {
	case core.ZKCreate:
		z, code := s.ensemble.Create(id, lockDirectory, m.Value, zookeeper.EphemeralSequential, core.GrantOf(in.From, m.Try))
		reply = named(core.ZKCreated, z.Path.Base())
		reply.OK, reply.Token = code == zookeeper.OK, uint64(z.Stat().Czxid)
		if !reply.OK {
			reply.X = int64(code)
		}
	case core.ZKMake:
		reply.Kind, reply.OK = core.ZKMade, s.make()
	case core.ZKList:
		reply = s.list(in, out)
	case core.ZKGet:
		var watcher zookeeper.SessionID
		if m.OK {
			watcher = id
		}
		z, code := s.ensemble.Get(lockDirectory.Join(nameIn(&m)), watcher)
		reply.Kind, reply.OK, reply.Token = core.ZKGot, code == zookeeper.OK, uint64(z.Stat().Czxid)
	case core.ZKDelete:
		code := s.ensemble.Delete(lockDirectory.Join(nameIn(&m)), zookeeper.AnyVersion)
		reply.Kind, reply.OK = core.ZKDeleted, code == zookeeper.OK
		deleted = core.Msg{OK: reply.OK, Value: core.GrantOf(in.From, m.Try)}
	default:
		panic("lock: a ZooKeeper server got " + m.String())
	}
	reply.Try, reply.N = m.Try, m.N
	out.Send(in.From, reply)
	return deleted
}

// list is the lock's directory, as a client sorts it.
func (s *Server) list(in sim.In[core.Msg], out *sim.Out[core.Msg]) core.Msg {
	var watcher zookeeper.SessionID
	if in.Msg.OK {
		watcher = zookeeper.SessionID(in.Msg.Token)
	}
	s.names, _ = s.ensemble.Children(lockDirectory, watcher, s.names[:0])
	out.Note(core.Msg{Kind: core.ZKListing, Try: in.Msg.Try, N: uint16(min(len(s.names), 1<<16-1)), X: listBytes(s.names)})
	own := nameIn(&in.Msg)
	mine := slices.IndexFunc(s.names, func(n zookeeper.Name) bool {
		return n == own || own.Label != 0 && n.Label == own.Label
	})
	if mine < 0 {
		return core.Msg{Kind: core.ZKListed}
	}
	own = s.names[mine]
	reply := named(core.ZKListed, own)
	reply.OK = true
	before, compare := zookeeper.Name{}, s.order()
	for i, n := range s.names {
		if c := compare(n, own); c < 0 || c == 0 && i < mine { // a stable sort
			if reply.Token++; before == (zookeeper.Name{}) || compare(before, n) <= 0 {
				before = n
			}
		}
	}
	reply.Value, reply.X = before.Label, reply.X|int64(before.Sequence)<<32
	return reply
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
			m := named(core.ZKEvent, e.Path.Base())
			m.Token = uint64(e.Session)
			s.connections[i].events++
			out.Send(s.connections[i].client, m)
		}
	})
}

// observe tells the observers who is first in the lock's directory, if that has changed.
func (s *Server) observe(out *sim.Out[core.Msg], deleted core.Msg) {
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
		deleted.Kind, deleted.Token = core.Freed, zxid
		out.Note(deleted)
	}
	if s.first = first; first != (zookeeper.Name{}) {
		z, _ := s.ensemble.Get(lockDirectory.Join(first), 0)
		out.Note(core.Msg{Kind: core.Owned, Value: z.Data, Token: zxid})
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
