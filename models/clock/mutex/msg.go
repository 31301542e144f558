package mutex

import (
	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/model"
)

//go:generate go run fencepost/cmd/messages

// A stamp is the counter of the sender's clock.
//
//messages:family
type messages struct {
	Request model.Message `text:", stamped {stamp}"` // to every other process: Stamp
	Reply   model.Message `text:", stamped {stamp}"` // to the process that asked: Stamp. Lamport 1978 calls it an acknowledgment
	Release model.Message `text:", stamped {stamp}"` // of lamport, to every other process: Stamp
	ask     model.Timer   // it wants to enter
	leave   model.Timer   // it has worked
	// it has asked, by Stamp; Messages is how many it sent for that
	Requested model.Note `text:", stamped {stamp}" log:"{node} asks to enter, stamped {stamp}"`
	Replied   model.Note `text:" process {peer}" detail:"replies to {peer}"` // it has replied to Peer
	// it will reply to Peer when it leaves
	Deferred model.Note `text:" process {peer}" detail:"has asked before, and does not reply to {peer} yet"`
	// it is in the critical section, by the request with this Stamp
	Entered model.Note `text:", stamped {stamp}" log:"{node} enters, stamped {stamp}{waited}{overlap}"`
	// it is no longer, by the request with this Stamp; Messages is how many it sent to say so
	Left model.Note `text:", stamped {stamp}" log:"{node} leaves"`
	// it is up again and still waits, by the request with this Stamp
	Resumed model.Note `text:", stamped {stamp}" log:"{node} still waits to enter"`
}

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
