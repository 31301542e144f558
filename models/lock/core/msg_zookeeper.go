package core

import (
	"fencepost/models/internal/zookeeper"
	"fencepost/sim"
)

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

// NewZKListed says what a client reads from the list that has its node: its place, 0 and up, and the
// node before it.
func NewZKListed(own, before zookeeper.Name, place int) Msg {
	return Msg{head: head{Kind: ZKListed, OK: true}, value: before.Label, tail: tail{token: uint64(place), x: int64(uint32(own.Sequence)) | int64(before.Sequence)<<32}}
}

// Predecessor is the node before the client's.
func (m *Msg) Predecessor() zookeeper.Name {
	return zookeeper.Name{Label: m.value, Sequence: int32(m.x >> 32), Sequential: true}
}
