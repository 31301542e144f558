package core

import (
	"fmt"

	"fencepost/sim"
	"fencepost/sim/model"
)

// Msg is every message of the lock protocols: one type for all locks, as the engine has one type of
// message. What a kind carries is declared in messages.go.
//
// The compiler keeps a struct in registers that has at most four fields, as each of its fields, and 32 bytes. One that
// it keeps in memory makes a step of a lock a third slower.
type Msg struct {
	head
	Try   uint32 // the client's attempt, 1 and up; of a query, a request or a timer of none, its own number
	value uint64
	tail
}

type head struct {
	Kind sim.Kind
	OK   bool // what was asked for is done, or what the kind says
	n    uint16
}

type tail struct {
	token uint64
	x     int64
}

// New is a message that carries nothing but its kind.
func New(kind sim.Kind) Msg { return Msg{head: head{Kind: kind}} }

// NewReply is an answer that says whether what was asked for is done, and nothing else.
func NewReply(kind sim.Kind, ok bool) Msg { return Msg{head: head{Kind: kind, OK: ok}} }

// Of is the message about an attempt of a client.
func (m Msg) Of(try uint32) Msg {
	m.Try = try
	return m
}

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	if m.Kind == Raft { // the sum of a packet stands for all that it has
		return d.Fold(uint64(Raft), 0).Fold(0, 0).Fold(m.value, m.token)
	}
	d = d.Fold(uint64(m.Kind)|uint64(model.Bit(m.OK))<<8|uint64(m.n)<<16|uint64(m.Try)<<32, m.value)
	return d.Fold(m.token, uint64(m.x))
}

// String is the message in words.
//
//go:noinline // every Step panics with it: inlined, it makes them a tenth longer
func (m Msg) String() string { return kinds.Name(m.Kind) + m.words() }

// Kinds are the kinds of all services.
var Kinds = kinds

// GrantOf names one attempt of one client. It is also the lock's value, where
// values are unique: it stands for the random string of the algorithm.
func GrantOf(client sim.NodeID, try uint32) uint64 { return uint64(client)<<32 | uint64(try) }

// Client is whose grant it is.
func Client(grant uint64) sim.NodeID { return sim.NodeID(grant >> 32) }

// ConstantValue is the lock's value where every client uses the same.
const ConstantValue = 1

func valueName(v uint64) string {
	if v == ConstantValue {
		return "'1'"
	}
	return fmt.Sprintf("%d.%d", v>>32, uint32(v))
}
