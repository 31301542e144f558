package broadcast

import (
	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/model"
)

//go:generate go run fencepost/cmd/messages

// fields are what messages carry. Digests hold the registers.
type fields struct {
	Op       Operation
	Sender   sim.NodeID
	Seq      uint32
	Stamp    uint64  `at:"number"` // stamp of Lamport's clock that a message of total-lamport carries
	messages int64   `at:"number"` // number of processes that a message is sent to
	balance  Account `at:"number"` // balance after the delivery
}

//messages:family
type messages struct {
	// to every other process, broadcast Seq of Sender: Op; stamp of total-lamport, Vector of causal
	Cast model.Message `has:"+Stamp" text:"{id}: {op}{stamped}"`
	// of total-lamport, to every other process, of broadcast Seq of Sender: stamp
	Ack   model.Message `has:"message(Sender Seq) Stamp" new:"ack" text:"{id}, stamped {stamp}"`
	speak model.Timer   // time for a broadcast
	// the process broadcasts Seq: Op, messages
	Sent model.Note `has:"+messages" text:"{id}: {op}" log:"{node} broadcasts message {seq}: {op}"`
	// it acknowledges Seq of Sender: messages
	Acked model.Note `has:"+messages" text:"{id}" detail:"acknowledges message {seq} of {sender} to everybody"`
	// Seq of Sender has come, and must wait
	Buffered model.Note `text:"{id}" log:"{node} buffers message {seq} of {sender}" detail:"cannot deliver message {seq} of {sender} yet"`
	// it delivers Seq of Sender: Op, balance
	Delivered model.Note `has:"message(Op Sender Seq) balance" new:"delivered" text:"{id}: {op}" log:"{node} delivers message {seq} of {sender}: {op} makes {balance}"`
}

// Msg is every message of the model. A kind uses the fields that its comment names, and has
// what the constructors below write.
type Msg struct {
	Kind   sim.Kind
	Op     Operation
	Sender sim.NodeID // whose broadcast it is
	Seq    uint32     // which of its broadcasts, from 1
	number uint64
	Vector clock.Vector // of the broadcast; never written
}

// stamped is a message with a stamp of Lamport's clock.
func stamped(m Msg, c uint64) Msg {
	m.number = c
	return m
}

// posted is the note that a message or its acknowledgment is sent, with the number of processes that it is sent to.
func posted(kind sim.Kind, m *Msg, messages int) Msg {
	n := Msg{Kind: kind, Sender: m.Sender, Seq: m.Seq, number: uint64(messages)}
	if kind == Sent {
		n.Op = m.Op
	}
	return n
}

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	d = d.Fold(uint64(m.Kind)|uint64(m.Op.Does)<<8|uint64(uint32(m.Op.Amount))<<32, uint64(m.Sender)<<32|uint64(m.Seq)).Fold(m.number, uint64(len(m.Vector)))
	for _, n := range m.Vector {
		d = d.Fold(n, 0)
	}
	return d
}

// String is the message in words.
func (m Msg) String() string { return description.String(m) }
