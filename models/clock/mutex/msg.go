package mutex

import (
	"fmt"

	"fencepost/models/clock"
	"fencepost/sim"
)

// The kinds of message.
const (
	start sim.Kind = iota // the zero message

	Request // to every other process: C
	Reply   // to the process that asked: C. Lamport 1978 calls it an acknowledgment
	Release // of lamport, to every other process: C

	ask   // timer: it wants to enter
	leave // timer: it has worked

	Requested // note: it has asked, stamped C, in N messages
	Replied   // note: it has replied to P
	Deferred  // note: it will reply to P when it leaves
	Entered   // note: it is in the critical section, by the request stamped C
	Left      // note: it is no longer, by the request stamped C, and tells so in N messages
	Resumed   // note: it is up again and still waits, by the request stamped C
)

var kindNames = []string{"start", "request", "reply", "release", "ask", "leave",
	"requested", "replied", "deferred", "entered", "left", "resumed"}

// noted are the kinds that are notes.
var noted = []sim.Kind{Requested, Replied, Deferred, Entered, Left, Resumed}

// Msg is every message of the model. A kind uses the fields that its comment names.
type Msg struct {
	Kind sim.Kind
	P    sim.NodeID
	N    int32
	C    uint64 // a stamp of the sender's clock
}

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	return d.Fold(uint64(m.Kind)|uint64(m.P)<<32, uint64(m.N)).Fold(m.C, 0)
}

// String is the message in words.
func (m Msg) String() string {
	s := kindNames[m.Kind]
	switch m.Kind {
	case Request, Reply, Release, Requested, Entered, Left, Resumed:
		return fmt.Sprintf("%s, stamped %d", s, m.C)
	case Replied, Deferred:
		return fmt.Sprintf("%s process %d", s, m.P)
	}
	return s
}

// Stamp is an event in the total order: by counter, then by process.
type Stamp = clock.Stamp[sim.NodeID]
