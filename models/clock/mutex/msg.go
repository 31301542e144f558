package mutex

import (
	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message. A stamp is the counter of the sender's clock.
const (
	start sim.Kind = iota // the zero message

	Request // to every other process: Stamp
	Reply   // to the process that asked: Stamp. Lamport 1978 calls it an acknowledgment
	Release // of lamport, to every other process: Stamp

	ask   // timer: it wants to enter
	leave // timer: it has worked

	Requested // note: it has asked, by Stamp; Messages is how many it sent for that
	Replied   // note: it has replied to Peer
	Deferred  // note: it will reply to Peer when it leaves
	Entered   // note: it is in the critical section, by the request with this Stamp
	Left      // note: it is no longer, by the request with this Stamp; Messages is how many it sent to say so
	Resumed   // note: it is up again and still waits, by the request with this Stamp

	kindCount
)

var kinds = model.NewKinds(kindCount, model.Kinds{
	Request:   model.MessageKind("request").Text(", stamped {stamp}"),
	Reply:     model.MessageKind("reply").Text(", stamped {stamp}"),
	Release:   model.MessageKind("release").Text(", stamped {stamp}"),
	ask:       model.TimerKind("ask"),
	leave:     model.TimerKind("leave"),
	Requested: model.NoteKind("requested").Text(", stamped {stamp}").Log("{node} asks to enter, stamped {stamp}"),
	Replied:   model.NoteKind("replied").Text(" process {peer}").Detail("replies to {peer}"),
	Deferred:  model.NoteKind("deferred").Text(" process {peer}").Detail("has asked before, and does not reply to {peer} yet"),
	Entered:   model.NoteKind("entered").Text(", stamped {stamp}").Log("{node} enters, stamped {stamp}{waited}{overlap}"),
	Left:      model.NoteKind("left").Text(", stamped {stamp}").Log("{node} leaves"),
	Resumed:   model.NoteKind("resumed").Text(", stamped {stamp}").Log("{node} still waits to enter"),
})

// Msg is every message of the model. A kind uses the fields that its comment names.
type Msg struct {
	Kind     sim.Kind
	Peer     sim.NodeID
	Messages int32
	Stamp    uint64
}

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	return d.Fold(uint64(m.Kind)|uint64(m.Peer)<<32, uint64(m.Messages)).Fold(m.Stamp, 0)
}

// String is the message in words.
func (m Msg) String() string { return description.String(m) }

// Stamp is an event in the total order: by counter, then by process.
type Stamp = clock.Stamp[sim.NodeID]
