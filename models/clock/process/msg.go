package process

import (
	"fmt"

	"fencepost/models/clock"
	"fencepost/sim"
)

// The kinds of message.
const (
	start sim.Kind = iota // the zero message

	Message // to another process: N, Event which of a script's events receives it, Stamp
	Reply   // the same, to whoever sent a Message; it is not answered

	next    // timer: the process's next event of its own
	pick    // timer: the length of it, in nanoseconds, is whom to send to
	due     // timer of a script: the next event may happen
	persist // timer: a higher bound is to be made durable

	Local    // note: Event, Stamp, PT
	Sent     // note: N of the sends of the process from 1, Event, Stamp, PT
	Received // note: From and N of the send, Event, Stamp, PT
	Refused  // note: the clock gives the event no stamp: Why, From and N if it is a receipt, Event, Stamp of the message, PT
	Bound    // note: no stamp will be above PT, which is durable now
)

var kindNames = []string{"start", "message", "reply", "next", "pick", "due", "persist",
	"local", "sent", "received", "refused", "bound"}

// noted are the kinds that are notes.
var noted = []sim.Kind{Local, Sent, Received, Refused, Bound}

// noEvent is the Event of what is in no script.
const noEvent = -1

// Msg is every message of the model. A kind uses the fields that its comment names.
type Msg struct {
	Kind  sim.Kind
	Why   Refusal
	From  uint16 // process, from 1
	N     uint32
	Event int32 // of a script, from 0
	Stamp
	PT clock.Reading // what the wall clock showed
}

// Stamp is what a clock gives to an event, in one form for all clocks.
type Stamp struct {
	L      int64         // wall: the reading; lamport: the counter; hlc: l
	C      uint32        // hlc: c
	Vector *clock.Vector // vector: the counters; pruned: of each entry process, counter and reading. Nobody writes to it
}

// Refusal is why a clock gives no stamp: 0 is that it does, else a [clock.Refusal] and 1.
type Refusal uint8

// refusals are what a process says of them.
var refusals = []string{"", "the message is too far ahead", "the wall clock has jumped", "no bound is durable", "the counter is full", "the stamp is out of range"}

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	d = d.Fold(uint64(m.Kind)|uint64(m.Why)<<8|uint64(m.From)<<16|uint64(m.N)<<32, uint64(uint32(m.Event)))
	d = d.Fold(uint64(m.L), uint64(m.C)).Fold(uint64(m.PT), 0)
	if m.Vector == nil {
		return d
	}
	d = d.Fold(uint64(len(*m.Vector)), 1)
	for _, n := range *m.Vector {
		d = d.Fold(n, 0)
	}
	return d
}

// String is the message in words.
func (m Msg) String() string {
	s := kindNames[m.Kind]
	switch m.Kind {
	case Message, Reply, Sent:
		s += fmt.Sprintf(" %d", m.N)
	case Received:
		s += fmt.Sprintf(" %d of process %d", m.N, m.From)
	case Refused:
		return s + ": " + refusals[m.Why]
	case Bound:
		return fmt.Sprintf("%s %d", s, m.PT)
	case Local:
	default:
		return s
	}
	switch {
	case m.Vector != nil:
		return s + " " + m.Vector.String()
	case m.C > 0:
		return fmt.Sprintf("%s (%d,%d)", s, m.L, m.C)
	}
	return fmt.Sprintf("%s (%d)", s, m.L)
}
