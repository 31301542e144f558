package core

import (
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message between the coordinator of a request and the replicas, and of either to itself:
// a digest has their numbers.
const (
	ReplicaWrite sim.Kind = 5 // coordinator to replica
	WriteAck     sim.Kind = 6 // replica to coordinator
	ReplicaRead  sim.Kind = 7 // coordinator to replica
	ReadAnswer   sim.Kind = 8 // replica to coordinator

	RequestTimeout sim.Kind = 31 // node timer: a request is not done
	ReplicaTimeout sim.Kind = 32 // node timer: replicas have not answered a request
	Collect        sim.Kind = 33 // node timer: the tombstone at a key may have to go
	Delayed        sim.Kind = 34 // node timer: a message leaves, or waits for Remote
	Remote         sim.Kind = 35 // node timer: the same, after the time between data centers

	Stored    sim.Kind = 49 // note of a node: it stores an object; its write, if a client's has made it
	Suspected sim.Kind = 51 // note of a node: another one has not answered
	Collected sim.Kind = 52 // note of a node: it has deleted a tombstone
	Wiped     sim.Kind = 53 // note of a node: it has lost all that it stored
)

var replicaKinds = model.Kinds{
	ReplicaWrite:   model.MessageKind("replica-write"),
	WriteAck:       model.MessageKind("write-ack"),
	ReplicaRead:    model.MessageKind("replica-read"),
	ReadAnswer:     model.MessageKind("read-answer"),
	RequestTimeout: model.TimerKind("request-timeout"),
	ReplicaTimeout: model.TimerKind("replica-timeout"),
	Collect:        model.TimerKind("collect"),
	Delayed:        model.TimerKind("delayed"),
	Remote:         model.TimerKind("remote"),
	Stored:         model.NoteKind("stored"),
	Suspected:      model.NoteKind("suspected"),
	Collected:      model.NoteKind("collected"),
	Wiped:          model.NoteKind("wiped"),
}

// NewReplicaWrite sends a write to a replica, or to a node that keeps it for one that cannot be reached;
// 0: for none.
func NewReplicaWrite(key, req uint32, o *version.Object, hintFor uint16) Msg {
	return Msg{Kind: ReplicaWrite, key: key, req: req, Obj: o, node: hintFor}
}

// HintFor is the node that a write is kept for; 0: for none.
func (m *Msg) HintFor() uint16 { return m.node }

// NewWriteAck answers the write of a coordinator. Its status is [OK], [Unavailable] if there is no room
// for the hint, or [Refused] if the clock of the replica is too far behind.
func NewWriteAck(write *Msg, status Status) Msg {
	return Msg{Kind: WriteAck, key: write.key, req: write.req, code: uint8(status)}
}

// NewReplicaRead asks a replica.
func NewReplicaRead(key, req uint32) Msg { return Msg{Kind: ReplicaRead, key: key, req: req} }

// NewReadAnswer answers the read of a coordinator.
func NewReadAnswer(read *Msg, o *version.Object) Msg {
	return Msg{Kind: ReadAnswer, key: read.key, req: read.req, Obj: o}
}

// NewReplicaTimeout is the timer of the replicas that have not answered a request: the first, or one
// after others were asked.
func NewReplicaTimeout(req uint32, again bool) Msg {
	return Msg{Kind: ReplicaTimeout, req: req, number: uint32(One(again))}
}

// Again reports whether others were asked before.
func (m *Msg) Again() bool { return m.number != 0 }

// NewCollect is the timer of the tombstone at a key.
func NewCollect(key uint32) Msg { return Msg{Kind: Collect, key: key} }

// Delay is the timer of a message between a coordinator and a replica that leaves later.
func (m Msg) Delay(to sim.NodeID) Msg {
	m.Kind, m.word, m.number = Delayed, uint64(m.Kind), uint32(to)
	return m
}

// Sent is the message of a [Delayed] or [Remote] timer, and the node that it is for.
func (m Msg) Sent() (sent Msg, to sim.NodeID) {
	to = sim.NodeID(m.number)
	m.Kind, m.word, m.number = sim.Kind(m.word), 0, 0
	return m, to
}

// NewStored notes that a node stores an object, and the write that made it there; nil if another node
// has sent it.
func NewStored(key uint32, o *version.Object, w *version.Write) Msg {
	return Msg{Kind: Stored, key: key, Obj: o, Write: w}
}

// NewDeleted notes that a node has deleted an object: [Collected] or [Discarded].
func NewDeleted(kind sim.Kind, key uint32, o *version.Object) Msg {
	return Msg{Kind: kind, key: key, Obj: o}
}

// NewSuspected notes that a node has not answered.
func NewSuspected(node uint16) Msg { return Msg{Kind: Suspected, node: node} }

// Other is the node that a note or a timer of another one is about: whom it is sent to, has come from,
// or whom it says something of.
func (m *Msg) Other() sim.NodeID { return sim.NodeID(m.node) }
