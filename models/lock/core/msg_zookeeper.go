package core

import (
	"math"
	"time"

	"fencepost/models/internal/zookeeper"
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message between the clients of a lock and a ZooKeeper: a digest has their numbers.
const (
	ZKConnect      sim.Kind = 88 // client to ZooKeeper: the session, 0 for a new one, its timeout, and the number of the connection
	ZKConnected    sim.Kind = 89 // the session, its timeout, the connection; not OK: the session has expired
	ZKClosed       sim.Kind = 90 // the server has closed the connection of a session
	ZKPing         sim.Kind = 91 // client to ZooKeeper: the session, as in every request
	ZKPong         sim.Kind = 92 // how many events were sent on this connection
	ZKCreate       sim.Kind = 93 // client to ZooKeeper: an ephemeral sequential node with a GUID; the number of the request, as in all that follow
	ZKCreated      sim.Kind = 94 // its name and its czxid; not OK: the code of the error
	ZKMake         sim.Kind = 95 // client to ZooKeeper: the lock's directory
	ZKMade         sim.Kind = 96
	ZKList         sim.Kind = 97  // client to ZooKeeper: the directory, with the client's node; whether it is to be watched
	ZKListed       sim.Kind = 98  // OK: the client's node is there; its sequence number, its place, and the node before it
	ZKGet          sim.Kind = 99  // client to ZooKeeper: a node; whether it is to be watched
	ZKGot          sim.Kind = 100 // OK: it exists; its czxid
	ZKDelete       sim.Kind = 101 // client to ZooKeeper: a node
	ZKDeleted      sim.Kind = 102 // OK: it was there
	ZKEvent        sim.Kind = 103 // ZooKeeper to client: a watch of a node has fired; the session
	ZKPingDue      sim.Kind = 104 // client timer of a connection: has nothing been sent for a third of the timeout?
	ZKQuiet        sim.Kind = 105 // client timer of a connection: has nothing been heard for two thirds of it?
	ZKRedial       sim.Kind = 106 // client timer of a connection: no server has answered
	ZKPatience     sim.Kind = 107 // client timer of a session: Curator's LOST
	ZKTick         sim.Kind = 108 // ZooKeeper timer: a bucket of sessions is over
	ZKSweep        sim.Kind = 109 // ZooKeeper timer: empty containers
	ZKSuspended    sim.Kind = 110 // note of a client: it does not know whether it has a session
	ZKResumed      sim.Kind = 111 // note of a client: it has reconnected within its session
	ZKLost         sim.Kind = 112 // note of a client: it takes its session to be over
	ZKExpired      sim.Kind = 113 // note of a client: a server says that its session is over
	ZKWoken        sim.Kind = 114 // note of a client that waits: a watch has fired
	ZKListing      sim.Kind = 115 // note of a ZooKeeper: how many nodes it lists, in how many bytes
	ZKSessionEnded sim.Kind = 116 // note of a ZooKeeper: a session has expired; of which client, and how long after its latest sign of life
	ZKClose        sim.Kind = 161 // client to ZooKeeper: it needs its session no longer
)

var zookeeperKinds = model.Kinds{
	ZKConnect:      model.Message("zk-connect"),
	ZKConnected:    model.Message("zk-connected"),
	ZKClosed:       model.Message("zk-closed"),
	ZKPing:         model.Message("zk-ping"),
	ZKPong:         model.Message("zk-pong"),
	ZKCreate:       model.Message("zk-create"),
	ZKCreated:      model.Message("zk-created"),
	ZKMake:         model.Message("zk-make-directory"),
	ZKMade:         model.Message("zk-made-directory"),
	ZKList:         model.Message("zk-list"),
	ZKListed:       model.Message("zk-listed"),
	ZKGet:          model.Message("zk-get"),
	ZKGot:          model.Message("zk-got"),
	ZKDelete:       model.Message("zk-delete"),
	ZKDeleted:      model.Message("zk-deleted"),
	ZKEvent:        model.Message("zk-event"),
	ZKPingDue:      model.Timer("zk-ping-due"),
	ZKQuiet:        model.Timer("zk-read-timeout"),
	ZKRedial:       model.Timer("zk-connect-timeout"),
	ZKPatience:     model.Timer("zk-lost-due"),
	ZKTick:         model.Timer("zk-tick"),
	ZKSweep:        model.Timer("zk-container-check"),
	ZKSuspended:    model.Note("zk-suspended"),
	ZKResumed:      model.Note("zk-resumed"),
	ZKLost:         model.Note("zk-lost"),
	ZKExpired:      model.Note("zk-expired"),
	ZKWoken:        model.Note("zk-woken"),
	ZKListing:      model.Note("zk-listing"),
	ZKSessionEnded: model.Note("zk-session-ended"),
	ZKClose:        model.Message("zk-close"),
}

// NewZKConnect asks for a session, 0 for a new one, with a timeout, on a numbered connection.
func NewZKConnect(session uint64, timeout time.Duration, connection uint16) Msg {
	return Msg{head: head{Kind: ZKConnect, n: connection}, tail: tail{token: session, x: int64(timeout)}}
}

// NewZKConnected answers with the session; not OK: it has expired.
func NewZKConnected(ok bool, session uint64, timeout time.Duration, connection uint16) Msg {
	return Msg{head: head{Kind: ZKConnected, OK: ok, n: connection}, tail: tail{token: session, x: int64(timeout)}}
}

// NewZKSession is a message about a session as a whole: [ZKClosed], [ZKPing], [ZKPatience] or [ZKClose].
func NewZKSession(kind sim.Kind, session uint64) Msg {
	return Msg{head: head{Kind: kind}, tail: tail{token: session}}
}

// Session is that of a message to or from a ZooKeeper; 0: none.
func (m *Msg) Session() uint64 { return m.token }

// SessionTimeout is that which a client asks for, or a server grants.
func (m *Msg) SessionTimeout() time.Duration { return time.Duration(m.x) }

// NewZKTimer is a timer of a connection: [ZKPingDue], [ZKQuiet] or [ZKRedial].
func NewZKTimer(kind sim.Kind, connection uint16) Msg {
	return Msg{head: head{Kind: kind, n: connection}}
}

// Connection is the number of that to which a timer, or the answer to a connect, belongs.
func (m *Msg) Connection() uint16 { return m.n }

// NewZKPong answers a ping, and says how many events of watches were sent.
func NewZKPong(session uint64, events uint16) Msg {
	return Msg{head: head{Kind: ZKPong, n: events}, tail: tail{token: session}}
}

// Events is how many events of watches were sent on a connection.
func (m *Msg) Events() uint16 { return m.n }

// SetZKRequest numbers a request within its session.
func (m *Msg) SetZKRequest(session uint64, number uint16) { m.token, m.n = session, number }

// SetZKReply makes a message the answer to a request.
func (m *Msg) SetZKReply(request *Msg) { m.Try, m.n = request.Try, request.n }

// NewZKNode is a message about a node of the lock's directory.
func NewZKNode(kind sim.Kind, n zookeeper.Name) Msg {
	return Msg{head: head{Kind: kind}, value: n.Label, tail: tail{x: int64(uint32(n.Sequence))}}
}

// NewZKRead is [ZKList] or [ZKGet], with a watch or without.
func NewZKRead(kind sim.Kind, n zookeeper.Name, watch bool) Msg {
	m := NewZKNode(kind, n)
	m.OK = watch
	return m
}

// NewZKEvent tells a session that a watch of a node has fired.
func NewZKEvent(session uint64, n zookeeper.Name) Msg {
	m := NewZKNode(ZKEvent, n)
	m.token = session
	return m
}

// ZKNode is the node that a message is about.
func (m *Msg) ZKNode() zookeeper.Name {
	return zookeeper.Name{Label: m.value, Sequence: m.Sequence(), Sequential: true}
}

// Sequence is the number in the name of the client's node.
func (m *Msg) Sequence() int32 { return int32(uint32(m.x)) }

// Watches reports whether a client wants to be told of the next change.
func (m *Msg) Watches() bool { return m.OK }

// NewZKCreated answers a create: with the node, or with the code of the error.
func NewZKCreated(z *zookeeper.Znode, code zookeeper.Code) Msg {
	m := NewZKNode(ZKCreated, z.Path.Base())
	m.OK, m.token = code == zookeeper.OK, uint64(z.Stat().Czxid)
	if !m.OK {
		m.x = int64(code)
	}
	return m
}

// NewZKGot answers a get: not OK if there is no such node.
func NewZKGot(z *zookeeper.Znode, ok bool) Msg {
	return Msg{head: head{Kind: ZKGot, OK: ok}, tail: tail{token: uint64(z.Stat().Czxid)}}
}

// Czxid is the number of the change that made a node.
func (m *Msg) Czxid() uint64 { return m.token }

// Code is the error of a create.
func (m *Msg) Code() zookeeper.Code { return zookeeper.Code(m.x) }

// NewZKListed says what a client reads from the list that has its node: its place, 0 and up, and the
// node before it.
func NewZKListed(own, before zookeeper.Name, place int) Msg {
	return Msg{head: head{Kind: ZKListed, OK: true}, value: before.Label, tail: tail{token: uint64(place), x: int64(uint32(own.Sequence)) | int64(before.Sequence)<<32}}
}

// Place is that of the client's node in the list, 0 and up.
func (m *Msg) Place() int { return int(m.token) }

// Predecessor is the node before the client's.
func (m *Msg) Predecessor() zookeeper.Name {
	return zookeeper.Name{Label: m.value, Sequence: int32(m.x >> 32), Sequential: true}
}

// NewZKListing notes that nodes are listed in a reply of that many bytes.
func NewZKListing(try uint32, nodes int, bytes int64) Msg {
	return Msg{head: head{Kind: ZKListing, n: uint16(min(nodes, math.MaxUint16))}, Try: try, tail: tail{x: bytes}}
}

// Bytes is the length of the reply that lists nodes.
func (m *Msg) Bytes() int64 { return m.x }

// NewZKSessionEnded notes that the session of a client expires, and how long after its latest sign of life.
func NewZKSessionEnded(session uint64, client sim.NodeID, silence time.Duration) Msg {
	return Msg{head: head{Kind: ZKSessionEnded}, value: uint64(client), tail: tail{token: session, x: int64(silence)}}
}

// SessionClient is whose session has expired.
func (m *Msg) SessionClient() sim.NodeID { return sim.NodeID(m.value) }

// Silence is how long a session has lasted after its latest sign of life.
func (m *Msg) Silence() time.Duration { return time.Duration(m.x) }
