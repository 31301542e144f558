package message

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message between limiters and their coordinator: a digest has their numbers.
const (
	LeaseAsk    sim.Kind = 34 // limiter to coordinator: Key, x wanted; ID
	LeaseGrant  sim.Kind = 35 // coordinator to limiter: Key, x tokens, y for how long, with OK until when by the wall clock; Cost is the window's number; ID
	LeaseReturn sim.Kind = 36 // limiter to coordinator: Key, x tokens of window Cost; ID

	LeaseHalf sim.Kind = 41 // limiter timer: half of the lease of ask ID is over
	LeaseEnd  sim.Kind = 42 // limiter timer: the lease of ask ID is over
	LeaseWait sim.Kind = 43 // limiter timer: ask ID should have been answered

	Leased   sim.Kind = 46 // note of a coordinator: Key, x tokens for limiter n, y for how long; OK it was granted before
	Returned sim.Kind = 47 // note of a coordinator: Key, x tokens of limiter n
	Lapsed   sim.Kind = 48 // note of a limiter: Key, x tokens of a lease were not used
)

var leaseKinds = model.Kinds{
	LeaseAsk:    model.MessageKind("lease-ask"),
	LeaseGrant:  model.MessageKind("lease-grant"),
	LeaseReturn: model.MessageKind("lease-return"),
	LeaseHalf:   model.TimerKind("lease-half"),
	LeaseEnd:    model.TimerKind("lease-end"),
	LeaseWait:   model.TimerKind("lease-wait"),
	Leased:      model.NoteKind("leased"),
	Returned:    model.NoteKind("returned"),
	Lapsed:      model.NoteKind("lapsed"),
}

// leaseWords is such a message in words, but for its kind.
func leaseWords(m Msg) string {
	switch m.Kind {
	case LeaseAsk:
		return fmt.Sprintf(" key %d: %d, number %d", m.Key, m.x, m.ID)
	case LeaseGrant:
		if m.OK {
			return fmt.Sprintf(" key %d: %d until %v, number %d", m.Key, m.x, time.Duration(m.y), m.ID)
		}
		return fmt.Sprintf(" key %d: %d for %v, number %d", m.Key, m.x, time.Duration(m.y), m.ID)
	case LeaseHalf, LeaseEnd, LeaseWait:
		return fmt.Sprintf(" key %d, number %d", m.Key, m.ID)
	case Leased:
		return fmt.Sprintf(" key %d: %d to limiter %d for %v", m.Key, m.x, m.n, time.Duration(m.y))
	case Returned:
		return fmt.Sprintf(" key %d: %d of %d", m.Key, m.x, m.n)
	}
	return fmt.Sprintf(" key %d: %d", m.Key, m.x)
}

// NewLeaseAsk asks for tokens of a key. Its number is the same when it is asked again.
func NewLeaseAsk(number, key uint64, want int64) Msg {
	return Msg{Kind: LeaseAsk, ID: number, Key: key, x: want}
}

// NewLeaseGrant answers an ask with tokens of a window. They are valid for a time that counts from
// when the limiter asked; without tokens, there may be some after it.
func NewLeaseGrant(number, key uint64, tokens int64, length time.Duration, window int64) Msg {
	return Msg{Kind: LeaseGrant, ID: number, Key: key, x: tokens, y: int64(length), Cost: uint32(window)}
}

// NewAbsoluteGrant is a grant that ends at an instant of the coordinator's wall clock.
func NewAbsoluteGrant(number, key uint64, tokens int64, until sim.Wall, window int64) Msg {
	return Msg{Kind: LeaseGrant, OK: true, ID: number, Key: key, x: tokens, y: int64(until), Cost: uint32(window)}
}

// NewLeaseReturn gives tokens of a window back.
func NewLeaseReturn(number, key uint64, tokens int64, window uint32) Msg {
	return Msg{Kind: LeaseReturn, ID: number, Key: key, x: tokens, Cost: window}
}

// NewLeaseHalf is the timer for half of the lease of an ask, which is this long.
func NewLeaseHalf(number, key uint64, half time.Duration) Msg {
	return Msg{Kind: LeaseHalf, ID: number, Key: key, x: int64(half)}
}

// NewLeaseTimer is [LeaseEnd] or [LeaseWait], of an ask.
func NewLeaseTimer(kind sim.Kind, number, key uint64) Msg {
	return Msg{Kind: kind, ID: number, Key: key}
}

// NewLeased notes a grant to a limiter, 0 and up, or that the same was granted again.
func NewLeased(limiter int, key uint64, tokens int64, length time.Duration, again bool) Msg {
	return Msg{Kind: Leased, OK: again, n: uint16(limiter + 1), Key: key, x: tokens, y: int64(length)}
}

// NewReturned notes tokens that a limiter has given back.
func NewReturned(limiter int, key uint64, tokens int64) Msg {
	return Msg{Kind: Returned, n: uint16(limiter + 1), Key: key, x: tokens}
}

// NewLapsed notes tokens of a lease that were not used.
func NewLapsed(key uint64, tokens int64) Msg {
	return Msg{Kind: Lapsed, Key: key, x: tokens}
}

// Tokens are those that are wanted, granted, returned or lapsed.
func (m Msg) Tokens() int64 { return m.x }

// LeaseWindow is the number of the window that granted or returned tokens are of.
func (m Msg) LeaseWindow() uint32 { return m.Cost }

// LeaseLength is how long a grant is valid, or without tokens, until there may be some.
func (m Msg) LeaseLength() time.Duration { return time.Duration(m.y) }

// LeaseUntil is when an absolute grant ends.
func (m Msg) LeaseUntil() sim.Wall { return sim.Wall(m.y) }

// HalfLength is how long half of a lease is.
func (m Msg) HalfLength() time.Duration { return time.Duration(m.x) }

// GrantedBefore reports whether a note of a grant is of one that was made before.
func (m Msg) GrantedBefore() bool { return m.OK }

// Holder is the limiter, 0 and up, that a note of a coordinator is about; -1 for none.
func (m Msg) Holder() int { return int(m.n) - 1 }
