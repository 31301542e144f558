package ntp

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// The kinds of message.
const (
	start sim.Kind = iota // the zero message

	Request   // client to server: N, Z when it left, by the client: the origin timestamp
	Reply     // server to client: N, Z of the request; X when that came, Y when the reply left, by the server
	Broadcast // server to client: N, Y when it left, by the server

	poll    // client timer: ask the servers
	answer  // server timer: the reply to Who is ready: N, X, Z
	tick    // server timer: the next broadcast
	slewEnd // client timer: slew N is over

	Polled    // note: the client asks its servers for the N-th time
	Missed    // Who has not answered poll N
	Sampled   // Who answered poll N: it is X ahead of the client's clock, the ways took Y; Z when, on the monotonic clock
	Chosen    // the client believes that its clock is X behind, give or take Y; Z when
	Undecided // the servers do not agree: the client believes nothing
	Stepped   // the correction was X and is Y; Z when
	Slewed    // the correction is X and moves to Y; Z since when
	SlewDone  // and there it is
	Exited    // the daemon gives up: its clock is X behind, it thinks
)

var kindNames = []string{
	"start", "request", "reply", "broadcast", "poll", "answer", "tick", "slew-end",
	"polled", "missed", "sampled", "chosen", "undecided", "stepped", "slewed", "slew-done", "exited",
}

// noted are the kinds that are notes.
var noted = []sim.Kind{Polled, Missed, Sampled, Chosen, Undecided, Stepped, Slewed, SlewDone, Exited}

// Msg is every message of the model. A kind uses the fields that its comment names.
type Msg struct {
	Kind    sim.Kind
	Who     sim.NodeID
	N       uint32
	X, Y, Z int64
}

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	return d.Fold(uint64(m.Kind)|uint64(m.Who)<<32, uint64(m.N)).Fold(uint64(m.X), uint64(m.Y)).Fold(uint64(m.Z), 0)
}

// String is the message in words.
func (m Msg) String() string {
	s, x, y := kindNames[m.Kind], time.Duration(m.X), time.Duration(m.Y)
	switch m.Kind {
	case Request, Polled, Missed, slewEnd:
		s += fmt.Sprintf(" %d", m.N)
	case Reply:
		s += fmt.Sprintf(" %d, came at %s, left at %s", m.N, sim.Seconds(m.X), sim.Seconds(m.Y))
	case Broadcast:
		s += fmt.Sprintf(" %d, left at %s", m.N, sim.Seconds(m.Y))
	case Sampled:
		s += fmt.Sprintf(" offset %v, delay %v", x, y)
	case Chosen:
		s += fmt.Sprintf(" %v, give or take %v", x, y)
	case Stepped, Slewed:
		s += fmt.Sprintf(" from %v to %v", x, y)
	case Exited:
		s += fmt.Sprintf(", %v off", x)
	}
	return s
}
