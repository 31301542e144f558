package core

import (
	"fmt"
	"math"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message of a client to itself, and the notes of clients and servers that observers of
// every lock look at: a digest has their numbers.
const (
	Start    sim.Kind = 0   // the zero message
	Begin    sim.Kind = 18  // client timer: the next acquisition
	Retry    sim.Kind = 19  // client timer: the next attempt
	Timeout  sim.Kind = 20  // client timer: no answer in time, and about what
	Worked   sim.Kind = 21  // client timer: the critical section's work is done
	Unneeded sim.Kind = 22  // client timer: the lock is no longer needed
	Pulse    sim.Kind = 151 // client timer: a leader writes again
	Trying   sim.Kind = 27  // note of a client: an attempt begins
	Acquired sim.Kind = 28  // note of a client: up to which reading it may act, if its lease ends; the messages it took
	Refused  sim.Kind = 29  // note of a client: an attempt failed; how many instances granted it, and the validity that was left
	Hung     sim.Kind = 42  // note of a client: some instances granted its attempt, and neither side has a quorum: it never ends
	Failed   sim.Kind = 30  // note of a client: it gives up acquiring, no tries are left
	Extended sim.Kind = 31  // note of a client: the new reading
	Checked  sim.Kind = 32  // note of a client: the lock is still valid, and for how long; what follows is what the lock protects
	Expired  sim.Kind = 33  // note of a client: its lease is not valid, it gives up its critical section
	Released sim.Kind = 34  // note of a client: it has done what the lock protects; or its write was not answered in time
	LockLost sim.Kind = 43  // note of a client: it has learned that it no longer holds the lock, and leaves the critical section
	Owned    sim.Kind = 36  // note of a server: the key belongs to a grant; up to which reading of its wall clock, if it ends
	Freed    sim.Kind = 37  // note of a server: the key is gone; which client deleted it, or how it was lost
)

var clientKinds = model.Kinds{
	Start:    model.Message("start"),
	Begin:    model.Timer("begin"),
	Retry:    model.Timer("retry"),
	Timeout:  model.Timer("timeout"),
	Worked:   model.Timer("worked"),
	Unneeded: model.Timer("done"),
	Pulse:    model.Timer("pulse"),
	Trying:   model.Note("trying"),
	Acquired: model.Note("acquired"),
	Refused:  model.Note("refused"),
	Hung:     model.Note("hung"),
	Failed:   model.Note("failed"),
	Extended: model.Note("extended"),
	Checked:  model.Note("checked"),
	Expired:  model.Note("expired"),
	Released: model.Note("released"),
	LockLost: model.Note("lock-lost"),
	Owned:    model.Note("owned"),
	Freed:    model.Note("freed"),
}

// NewTimeout is the timer of an answer that has not come, and about what.
func NewTimeout(about uint16) Msg { return Msg{head: head{Kind: Timeout, n: about}} }

// NewCallTimeout is a timeout of a call that has a number.
func NewCallTimeout(about uint16, call int) Msg {
	return Msg{head: head{Kind: Timeout, n: about}, value: uint64(call)}
}

// About is what a timeout is about.
func (m *Msg) About() uint16 { return m.n }

// Call is the number of the call that has timed out.
func (m *Msg) Call() int { return int(m.value) }

// NewTrying notes that the nth attempt of an acquisition begins.
func NewTrying(try uint32, grant uint64, nth int) Msg {
	return Msg{head: head{Kind: Trying, n: uint16(min(nth, math.MaxUint16))}, Try: try, value: grant}
}

// Nth is which attempt of its acquisition begins, or which write of its grant this is, 1 and up.
func (m *Msg) Nth() uint16 { return m.n }

// NewAcquired notes that a client has the lock, and how many messages that took.
func NewAcquired(h *Hold, messages uint16) Msg {
	return Msg{head: head{Kind: Acquired, OK: h.Ends, n: messages}, Try: h.Try, value: h.Grant, tail: tail{x: h.Until}}
}

// Grant is the grant that a note is about, see [GrantOf].
func (m *Msg) Grant() uint64 { return m.value }

// Messages is how many messages an acquisition took.
func (m *Msg) Messages() uint16 { return m.n }

// Ends reports whether a lease has an end.
func (m *Msg) Ends() bool { return m.OK }

// Until is the clock reading at which a lease ends, if it does.
func (m *Msg) Until() int64 { return m.x }

// NewExtended notes that a lease ends at another reading.
func NewExtended(try uint32, until int64) Msg {
	return Msg{head: head{Kind: Extended}, Try: try, tail: tail{x: until}}
}

// NewChecked notes that a lease is valid for another while.
func NewChecked(try uint32, validity time.Duration) Msg {
	return Msg{head: head{Kind: Checked}, Try: try, tail: tail{x: int64(validity)}}
}

// NewRefused notes that an attempt failed that some instances granted, and what was left of its lease.
func NewRefused(try uint32, granted int, validity time.Duration) Msg {
	return Msg{head: head{Kind: Refused, n: uint16(granted)}, Try: try, tail: tail{x: int64(validity)}}
}

// NewHung notes that an attempt never ends, which that many instances granted.
func NewHung(try uint32, granted int) Msg {
	return Msg{head: head{Kind: Hung, n: uint16(granted)}, Try: try}
}

// GrantedBy is how many instances granted an attempt.
func (m *Msg) GrantedBy() int { return int(m.n) }

// Validity is what is left of a lease; below 0: it ended that long ago.
func (m *Msg) Validity() time.Duration { return time.Duration(m.x) }

// NewUnanswered notes that a client releases the lock because its write was not answered in time.
func NewUnanswered() Msg { return Msg{head: head{Kind: Released, n: 1}} }

// Unanswered reports whether a client releases the lock for that reason.
func (m *Msg) Unanswered() bool { return m.n > 0 }

// NewOwned notes that the key belongs to a grant. The revision orders the notes of a service whose
// servers are replicas; 0: there are none.
func NewOwned(grant, revision uint64) Msg {
	return Msg{head: head{Kind: Owned}, value: grant, tail: tail{token: revision}}
}

// NewOwnedUntil notes that the key belongs to a grant up to a reading of the server's clock.
func NewOwnedUntil(grant, revision uint64, until sim.Wall) Msg {
	return Msg{head: head{Kind: Owned, OK: true}, value: grant, tail: tail{token: revision, x: int64(until)}}
}

// NewFreed notes that the key is gone. The deleter is the grant whose client has deleted it, 0 if it
// has expired.
func NewFreed(deleter, revision uint64) Msg {
	return Msg{head: head{Kind: Freed, OK: deleter != 0}, value: deleter, tail: tail{token: revision}}
}

// Loss is how a key was lost that no client deleted.
type Loss uint16

// The losses.
const (
	ByExpiry Loss = iota
	ByCrash
	ByAdministrator
	ByFailover // the new master does not have it
)

// NewLost notes that the key is gone, and how it was lost.
func NewLost(how Loss, revision uint64) Msg {
	return Msg{head: head{Kind: Freed, n: uint16(how)}, tail: tail{token: revision}}
}

// Deleted reports whether a client has deleted the key that is gone, and with which grant.
func (m *Msg) Deleted() (grant uint64, ok bool) { return m.value, m.OK }

// Loss is how a key was lost, if no client has deleted it.
func (m *Msg) Loss() Loss { return Loss(m.n) }

// Revision orders the notes of replicas.
func (m *Msg) Revision() uint64 { return m.token }

// SetRevision gives a note of a replica its place in the order.
func (m *Msg) SetRevision(revision uint64) { m.token = revision }

// clientWords is such a message in words, but for its kind.
func clientWords(m *Msg) string {
	switch m.Kind {
	case Owned:
		return " " + valueName(m.value)
	case Refused:
		return fmt.Sprintf(" with %d granted, validity %v", m.GrantedBy(), m.Validity())
	}
	return ""
}
