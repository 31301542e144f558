package lock

import (
	"math"
	"time"

	"fencepost/sim"
)

// Algorithm is the client's side of a lock, as its paper or its client library has it. A
// [Worker] calls Acquire, and Release once for each time that the lock was granted; in
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

	shared() *attempt
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
	Grant uint64 // grantOf(client, attempt): observers know the holder by it
	Value uint64 // what tells this holder from others at the store, with [CompareValue]
	Token uint64 // the lock's own fencing token; 0: it has none
	Until int64  // reading of the client's clock up to which the lock's own test lets it act
	Ends  bool   // false: the lease never ends
}

// attempt numbers the attempts of a client, and counts the messages of the protocol. Each
// algorithm embeds it.
type attempt struct {
	try   uint32 // attempts ever: durable, so that a grant never comes again
	grant uint64 // the present attempt, for observers
	sent  uint16 // messages since the last grant
}

func (a *attempt) shared() *attempt { return a }

// begin starts the nth attempt of an acquisition.
func (a *attempt) begin(in sim.In[Msg], out *sim.Out[Msg], nth int) {
	a.try++
	a.grant = grantOf(in.Self, a.try)
	a.note(out, nth)
}

// note says that the nth attempt of an acquisition begins.
func (a *attempt) note(out *sim.Out[Msg], nth int) {
	out.Note(Msg{Kind: Trying, Try: a.try, Value: a.grant, N: uint16(min(nth, math.MaxUint16))})
}

// ask sends a message of the protocol, about the present attempt.
func (a *attempt) ask(out *sim.Out[Msg], to sim.NodeID, m Msg) {
	m.Try = a.try
	a.count()
	out.Send(to, m)
}

// heard counts a reply, and reports whether it is about the present attempt.
func (a *attempt) heard(in sim.In[Msg]) bool {
	a.count()
	return in.Msg.Try == a.try
}

// later sets a timer of the present attempt.
func (a *attempt) later(out *sim.Out[Msg], d time.Duration, m Msg) {
	m.Try = a.try
	out.After(d, m)
}

// held is the present attempt that is granted, without what only the algorithm knows.
func (a *attempt) held() Hold {
	return Hold{Try: a.try, Grant: a.grant, Value: a.grant}
}

// count counts a message, as far as a note can tell.
func (a *attempt) count() {
	if a.sent < math.MaxUint16 {
		a.sent++
	}
}
