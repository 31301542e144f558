package fleet

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// The kinds of message between limiters and whoever keeps their counts together: synchronised counts, leases, regions.
const (
	Sync    = peerKinds + iota // limiter to store: Key, X more of the window that began at Y; ID numbers what is more
	SyncAck                    // store to limiter: Key, X all of the window that began at Y; ID

	LeaseAsk    // limiter to coordinator: Key, X wanted; ID
	LeaseGrant  // coordinator to limiter: Key, X tokens, Y for how long, with OK until when by the wall clock; Cost is the window's number; ID
	LeaseReturn // limiter to coordinator: Key, X tokens of window Cost; ID

	Gossip // region to region: Key, X counted there in the window that began at Y

	syncBegin // limiter timer: its timer starts
	syncTick  // limiter timer
	settle    // store timer: answer Sync ID of limiter N
	leaseHalf // limiter timer: half of the lease of ask ID is over
	leaseEnd  // limiter timer: the lease of ask ID is over
	leaseWait // limiter timer: ask ID should have been answered
	gossip    // region timer

	Counted  // note of a store: Key, X all of a window, Cost more of limiter N; OK it was counted before
	Leased   // note of a coordinator: Key, X tokens for limiter N, Y for how long; OK it was granted before
	Returned // note of a coordinator: Key, X tokens of limiter N
	Lapsed   // note of a limiter: Key, X tokens of a lease were not used
	Heard    // note of a region: Key, X counted by region N

	frontKinds // the first of those in frontmsg.go
)

var peerNames = []string{
	"sync", "sync-ack", "lease-ask", "lease-grant", "lease-return", "gossip",
	"sync-begin", "sync-tick", "settle", "lease-half", "lease-end", "lease-wait", "gossip-tick",
	"counted", "leased", "returned", "lapsed", "heard",
}

// peerNoted are those that are notes.
var peerNoted = []sim.Kind{Counted, Leased, Returned, Lapsed, Heard}

// peerText is such a message in words, but for its kind.
func (m Msg) peerText() string {
	switch m.Kind {
	case Sync, SyncAck:
		return fmt.Sprintf(" key %d window %v: %d, number %d", m.Key, time.Duration(m.Y), m.X, m.ID)
	case LeaseAsk:
		return fmt.Sprintf(" key %d: %d, number %d", m.Key, m.X, m.ID)
	case LeaseGrant:
		if m.OK {
			return fmt.Sprintf(" key %d: %d until %v, number %d", m.Key, m.X, time.Duration(m.Y), m.ID)
		}
		return fmt.Sprintf(" key %d: %d for %v, number %d", m.Key, m.X, time.Duration(m.Y), m.ID)
	case Gossip:
		return fmt.Sprintf(" key %d window %v: %d", m.Key, time.Duration(m.Y), m.X)
	case syncBegin, syncTick, gossip:
		return ""
	case settle:
		return fmt.Sprintf(" limiter %d key %d, number %d", m.N, m.Key, m.ID)
	case leaseHalf, leaseEnd, leaseWait:
		return fmt.Sprintf(" key %d, number %d", m.Key, m.ID)
	case Counted:
		return fmt.Sprintf(" key %d: %d, %d of limiter %d", m.Key, m.X, m.Cost, m.N)
	case Leased:
		return fmt.Sprintf(" key %d: %d to limiter %d for %v", m.Key, m.X, m.N, time.Duration(m.Y))
	case Returned, Heard:
		return fmt.Sprintf(" key %d: %d of %d", m.Key, m.X, m.N)
	}
	return fmt.Sprintf(" key %d: %d", m.Key, m.X)
}
