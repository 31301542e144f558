package core

import (
	"math"
	"time"

	"fencepost/sim"
)

// Algorithm is the client's side of a lock, as its paper or its client library has it. A
// [lock.Worker] calls Acquire, and Release once for each time that the lock was granted; in
// between it passes on what arrives.
type Algorithm interface {
	// Acquire starts an acquisition.
	Acquire(in sim.In[Msg], out *sim.Out[Msg]) Outcome
	// Receive takes in a message of the lock's protocol, or one of its timers. One that
	// belongs to an earlier attempt is ignored.
	Receive(in sim.In[Msg], out *sim.Out[Msg]) Outcome
	// Release gives the lock back: it is Done at once, or Receive is later.
	Release(in sim.In[Msg], out *sim.Out[Msg]) Outcome
	// Hold is what the client holds. It is asked for after Granted and Renewed.
	Hold() Hold

	// Shared is the number of the attempt and the count of its messages: every algorithm embeds an
	// Attempt, which has it.
	Shared() *Attempt
}

// Outcome is what has become of an acquisition, or of the lock.
type Outcome uint8

// The outcomes.
const (
	Pending Outcome = iota // nothing for the worker to do
	Granted                // the lock is held
	Renewed                // Hold().Until has moved
	Lost                   // the client has learned that it no longer holds the lock, and leaves the critical section
	GaveUp                 // the acquisition has ended without the lock
	Done                   // the release is over
)

// Hold is a lock that is held.
type Hold struct {
	Try   uint32 // the attempt that was granted; messages of the critical section carry it
	Grant uint64 `state:"client.attempt"` // grantOf(client, attempt): observers know the holder by it
	Value uint64 `state:"client.attempt"` // what tells this holder from others at the store, with [lock.CompareValue]
	Token uint64 // the lock's own fencing token; 0: it has none
	Until int64  `state:"reading"` // reading of the client's clock up to which the lock's own test lets it act
	Ends  bool   // false: the lease never ends
}

// Attempt numbers the attempts of a client, and counts the messages of the protocol. Each
// algorithm embeds it.
type Attempt struct {
	Try   uint32 // attempts ever: durable, so that a grant never comes again
	Grant uint64 `state:"client.attempt"` // the present attempt, for observers
	Sent  uint16 // messages since the last grant
}

// Shared implements [Algorithm].
func (a *Attempt) Shared() *Attempt { return a }

// Begin starts the nth attempt of an acquisition of a client.
func (a *Attempt) Begin(self sim.NodeID, out *sim.Out[Msg], nth int) {
	a.Try++
	a.Grant = GrantOf(self, a.Try)
	a.Note(out, nth)
}

// Note says that the nth attempt of an acquisition begins.
func (a *Attempt) Note(out *sim.Out[Msg], nth int) {
	out.Note(NewTrying(a.Try, a.Grant, nth))
}

// Ask sends a message of the protocol, about the present attempt.
func (a *Attempt) Ask(out *sim.Out[Msg], to sim.NodeID, m Msg) {
	m.Try = a.Try
	a.Count()
	out.Send(to, m)
}

// Heard counts a reply, and reports whether it is about the present attempt.
func (a *Attempt) Heard(in sim.In[Msg]) bool {
	a.Count()
	return in.Msg.Try == a.Try
}

// Later sets a timer of the present attempt.
func (a *Attempt) Later(out *sim.Out[Msg], d time.Duration, m Msg) {
	m.Try = a.Try
	out.After(d, m)
}

// Held is the present attempt that is granted, without what only the algorithm knows.
func (a *Attempt) Held() Hold {
	return Hold{Try: a.Try, Grant: a.Grant, Value: a.Grant}
}

// Count counts a message, as far as a note can tell.
func (a *Attempt) Count() {
	if a.Sent < math.MaxUint16 {
		a.Sent++
	}
}
