package process

import (
	"fmt"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/model"
)

//go:generate go run fencepost/cmd/messages

//messages:family
type messages struct {
	Message  model.Message `text:" {send} {stamp}"` // to another process: Send, Event which of a script's events receives it, Stamp
	Reply    model.Message `text:" {send} {stamp}"` // the same, to the sender of a Message; it is not answered
	next     model.Timer   // the process's next event of its own
	pick     model.Timer   // its duration, in nanoseconds, is whom to send to
	due      model.Timer   // timer of a script: the next event may happen
	persist  model.Timer   // a higher bound is to be made durable
	Local    model.Note    `text:" {stamp}"`                          // Event, Stamp, PT
	Sent     model.Note    `text:" {send} {stamp}"`                   // Send, Event, Stamp, PT
	Received model.Note    `text:" {send} of process {from} {stamp}"` // From and Send, Event, Stamp, PT
	// the clock gives the event no stamp: Why, From and Send if it is a receipt, Event, Stamp of the message, PT
	Refused model.Note `text:": {why}"`
	Bound   model.Note `text:" {bound}"` // no stamp will be above the bound, which is durable now
}

var description = model.Describe(kinds, model.Facts[Msg]{
	"send":  model.Number(func(m *Msg) sendID { return m.Send }),
	"from":  model.Number(func(m *Msg) uint16 { return m.From }),
	"stamp": model.Words(func(t *model.Told[Msg]) string { return t.Msg.words() }),
	"why":   model.Words(func(t *model.Told[Msg]) string { return refusals[t.Msg.Why] }),
	"bound": model.Number((*Msg).bound),
})

// noEvent is the Event of what is in no script.
const noEvent = -1

// Msg is every message of the model. A kind uses the fields that its comment names.
type Msg struct {
	Kind  sim.Kind
	Why   Refusal
	From  uint16 // process, from 1
	Send  sendID // of process From, or of the process that sends
	Event int32  // of a script, from 0
	Stamp
	PT clock.Reading // physical time: what the wall clock showed
}

// sendID is what a send is called: of a pattern which of the sends of its process it is, from 1; of a script
// the event, and 1.
type sendID uint32

func scriptedSend(event int32) sendID { return sendID(event + 1) }
func (s sendID) index() int           { return int(s) - 1 } // among the sends of its process, from 0
func (s sendID) event() int32         { return int32(s) - 1 }

// durable is the note that a bound is durable.
func durable(bound clock.Reading) Msg { return Msg{Kind: Bound, Event: noEvent, PT: bound} }

// bound is that of such a note.
func (m *Msg) bound() clock.Reading { return m.PT }

// Stamp is what a clock gives to an event, in one form for all clocks: make it with one of
// the functions below.
type Stamp struct {
	L      int64         // wall: the reading; lamport: the counter; hlc: l
	C      uint32        // hlc: c
	Vector *clock.Vector // vector: the counters; pruned: of each entry process, counter and reading. Never written
}

func readingStamp(pt clock.Reading) Stamp    { return Stamp{L: int64(pt)} }
func counterStamp(n uint64) Stamp            { return Stamp{L: int64(n)} }
func hybridStamp(t clock.Timestamp) Stamp    { return Stamp{L: int64(t.L), C: t.C} }
func vectorStamp(v *clock.Vector) Stamp      { return Stamp{Vector: v} }
func (s Stamp) counter() uint64              { return uint64(s.L) }
func (s Stamp) timestamp() clock.Timestamp   { return clock.Timestamp{L: clock.Reading(s.L), C: s.C} }
func (s Stamp) ahead(pt clock.Reading) int64 { return s.L - int64(pt) }

// Refusal is why a clock gives no stamp: 0 is that it does, else a [clock.Refusal] and 1.
type Refusal uint8

// refusals are what a process says of them.
var refusals = []string{"", "the message is too far ahead", "the wall clock has jumped", "no bound is durable", "the counter is full", "the stamp is out of range"}

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	d = d.Fold(uint64(m.Kind)|uint64(m.Why)<<8|uint64(m.From)<<16|uint64(m.Send)<<32, uint64(uint32(m.Event)))
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
func (m Msg) String() string { return description.String(m) }

// words are the stamp in its form.
func (s Stamp) words() string {
	switch {
	case s.Vector != nil:
		return s.Vector.String()
	case s.C > 0:
		return fmt.Sprintf("(%d,%d)", s.L, s.C)
	}
	return fmt.Sprintf("(%d)", s.L)
}
