package broadcast

import (
	"fmt"

	"fencepost/models/clock"
	"fencepost/sim"
)

// The kinds of message.
const (
	start sim.Kind = iota // the zero message

	Cast // to every other process: Sender, Seq, Op; C of total-lamport, V of causal
	Ack  // of total-lamport, to every other process, of a Cast: Sender, Seq, C

	speak // timer: time for a broadcast

	Sent      // note: the process broadcasts Seq, Op, in C messages
	Acked     // note: it acknowledges Sender, Seq, in C messages
	Held      // note: Sender, Seq has come, and must wait
	Delivered // note: Sender, Seq, Op; the balance is C then, as an int64
)

var kindNames = []string{"start", "cast", "ack", "speak", "sent", "acked", "held", "delivered"}

// noted are the kinds that are notes.
var noted = []sim.Kind{Sent, Acked, Held, Delivered}

// Msg is every message of the model. A kind uses the fields that its comment names.
type Msg struct {
	Kind   sim.Kind
	Op     Operation
	Sender sim.NodeID   // whose broadcast it is
	Seq    uint32       // which of its broadcasts, from 1
	C      uint64       // a stamp of Lamport's clock
	V      clock.Vector // of the broadcast; never written
}

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	d = d.Fold(uint64(m.Kind)|uint64(m.Op.Does)<<8|uint64(uint32(m.Op.Amount))<<32, uint64(m.Sender)<<32|uint64(m.Seq)).Fold(m.C, uint64(len(m.V)))
	for _, n := range m.V {
		d = d.Fold(n, 0)
	}
	return d
}

// String is the message in words.
func (m Msg) String() string {
	s := kindNames[m.Kind]
	if m.Seq > 0 {
		s += fmt.Sprintf(" %d.%d", m.Sender, m.Seq)
	}
	switch {
	case m.Kind == Cast && m.V != nil:
		return fmt.Sprintf("%s: %v, stamped %v", s, m.Op, m.V)
	case m.Kind == Cast && m.C > 0:
		return fmt.Sprintf("%s: %v, stamped %d", s, m.Op, m.C)
	case m.Kind == Cast || m.Kind == Sent || m.Kind == Delivered:
		return fmt.Sprintf("%s: %v", s, m.Op)
	case m.Kind == Ack:
		return fmt.Sprintf("%s, stamped %d", s, m.C)
	}
	return s
}
