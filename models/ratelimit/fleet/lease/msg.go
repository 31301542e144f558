package lease

import (
	"time"

	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// What limiters and their coordinator say to each other: a constructor for each kind, and what
// its fields are. Key is whose limit it is; ID numbers what a limiter says, so that it can say
// it again.

func newLeaseAsk(number, key uint64, want int64) message.Msg {
	return message.Msg{Kind: message.LeaseAsk, ID: number, Key: key, X: want}
}

// newLeaseGrant answers an ask. Its length counts from when the limiter asked.
func newLeaseGrant(number, key uint64, g leaseGrant) message.Msg {
	return message.Msg{Kind: message.LeaseGrant, ID: number, Key: key, X: g.tokens, Y: int64(g.length), Cost: uint32(g.window)}
}

// newAbsoluteGrant is a grant that ends at an instant of the coordinator's wall clock.
func newAbsoluteGrant(number, key uint64, g leaseGrant, until sim.Wall) message.Msg {
	return message.Msg{Kind: message.LeaseGrant, OK: true, ID: number, Key: key, X: g.tokens, Y: int64(until), Cost: uint32(g.window)}
}

func newLeaseReturn(number, key uint64, tokens int64, window uint32) message.Msg {
	return message.Msg{Kind: message.LeaseReturn, ID: number, Key: key, X: tokens, Cost: window}
}

// newLeaseHalf is the timer for half of the lease of an ask, which is so long.
func newLeaseHalf(number, key uint64, half time.Duration) message.Msg {
	return message.Msg{Kind: message.LeaseHalf, ID: number, Key: key, X: int64(half)}
}

// newLeaseTimer is leaseEnd or leaseWait, of an ask.
func newLeaseTimer(kind sim.Kind, number, key uint64) message.Msg {
	return message.Msg{Kind: kind, ID: number, Key: key}
}

// newLeased notes a grant to a limiter, 0 and up, or that the same was granted again.
func newLeased(limiter int, key uint64, g leaseGrant, again bool) message.Msg {
	return message.Msg{Kind: message.Leased, OK: again, N: uint16(limiter + 1), Key: key, X: g.tokens, Y: int64(g.length)}
}

// newReturned notes tokens that a limiter has given back.
func newReturned(limiter int, key uint64, tokens int64) message.Msg {
	return message.Msg{Kind: message.Returned, N: uint16(limiter + 1), Key: key, X: tokens}
}

// newLapsed notes tokens of a lease that were not used.
func newLapsed(key uint64, tokens int64) message.Msg {
	return message.Msg{Kind: message.Lapsed, Key: key, X: tokens}
}

// Tokens are those that are wanted, granted, returned or lapsed.
func Tokens(m *message.Msg) int64 { return m.X }

// leaseWindow is the number of the window that granted or returned tokens are of.
func leaseWindow(m *message.Msg) uint32 { return m.Cost }

// leaseLength is how long a grant is valid, or without tokens, until there may be some.
func leaseLength(m *message.Msg) time.Duration { return time.Duration(m.Y) }

// leaseUntil is when an absolute grant ends.
func leaseUntil(m *message.Msg) sim.Wall { return sim.Wall(m.Y) }

// halfLength is how long half of a lease is.
func halfLength(m *message.Msg) time.Duration { return time.Duration(m.X) }

// GrantedBefore reports whether a note of a grant is of one that was made before.
func GrantedBefore(m *message.Msg) bool { return m.OK }

// holder is the limiter, 0 and up, that a note of a coordinator is about.
func holder(m *message.Msg) int { return int(m.N) - 1 }
