package core

import "fencepost/sim"

// NewCallTimeout is a timeout of a call that has a number.
func NewCallTimeout(about uint16, call int) Msg {
	return Msg{head: head{Kind: Timeout, n: about}, value: uint64(call)}
}

// NewAcquired notes that a client has the lock, and how many messages that took.
func NewAcquired(h *Hold, messages uint16) Msg {
	return Msg{head: head{Kind: Acquired, OK: h.Ends, n: messages}, Try: h.Try, value: h.Grant, tail: tail{x: h.Until}}
}

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

// NewLost notes that the key is gone, and how it was lost.
func NewLost(how Loss, revision uint64) Msg {
	return Msg{head: head{Kind: Freed, n: uint16(how)}, tail: tail{token: revision}}
}

// Deleted reports whether a client has deleted the key that is gone, and with which grant.
func (m *Msg) Deleted() (grant uint64, ok bool) { return m.value, m.OK }

// Loss is how a key was lost, if no client has deleted it.
type Loss uint16

// The losses.
const (
	ByExpiry Loss = iota
	ByCrash
	ByAdministrator
	ByFailover // the new master does not have it
)

// SetRegistered says that the store compares values, not tokens, and which was registered last.
func (m *Msg) SetRegistered(value uint64) { m.n, m.x = 1, int64(value) }

// Registered is the value that was registered last, if the store compares values.
func (m *Msg) Registered() (value uint64, compares bool) { return uint64(m.x), m.n > 0 }
