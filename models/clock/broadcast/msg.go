package broadcast

import (
	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message.
const (
	start sim.Kind = iota // the zero message

	Cast // to every other process, broadcast Seq of Sender: Op; stamp of total-lamport, Vector of causal
	Ack  // of total-lamport, to every other process, of broadcast Seq of Sender: stamp

	speak // timer: time for a broadcast

	Sent      // note: the process broadcasts Seq: Op, messages
	Acked     // note: it acknowledges Seq of Sender: messages
	Buffered  // note: Seq of Sender has come, and must wait
	Delivered // note: it delivers Seq of Sender: Op, balance

	kindCount
)

var kinds = model.NewKinds(kindCount, model.Kinds{
	Cast:      model.MessageKind("cast").Text("{id}: {op}{stamped}"),
	Ack:       model.MessageKind("ack").Text("{id}, stamped {stamp}"),
	speak:     model.TimerKind("speak"),
	Sent:      model.NoteKind("sent").Text("{id}: {op}").Log("{node} broadcasts message {seq}: {op}"),
	Acked:     model.NoteKind("acked").Text("{id}").Detail("acknowledges message {seq} of {sender} to everybody"),
	Buffered:  model.NoteKind("buffered").Text("{id}").Log("{node} buffers message {seq} of {sender}").Detail("cannot deliver message {seq} of {sender} yet"),
	Delivered: model.NoteKind("delivered").Text("{id}: {op}").Log("{node} delivers message {seq} of {sender}: {op} makes {balance}"),
})

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

// ack acknowledges a message.
func ack(m *Msg, c uint64) Msg { return Msg{Kind: Ack, Sender: m.Sender, Seq: m.Seq, number: c} }

// posted is the note that a message or its acknowledgment is sent, with the number of processes that it is sent to.
func posted(kind sim.Kind, m *Msg, messages int) Msg {
	n := Msg{Kind: kind, Sender: m.Sender, Seq: m.Seq, number: uint64(messages)}
	if kind == Sent {
		n.Op = m.Op
	}
	return n
}

// delivered is the note that a message is delivered, and what the balance is then.
func delivered(m *Msg, a Account) Msg {
	return Msg{Kind: Delivered, Op: m.Op, Sender: m.Sender, Seq: m.Seq, number: uint64(a)}
}

// Stamp is the stamp of Lamport's clock that a message of total-lamport carries.
func (m *Msg) Stamp() uint64 { return m.number }

func (m *Msg) messages() int64  { return int64(m.number) }
func (m *Msg) balance() Account { return Account(m.number) }

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
