package fleet

import (
	"fmt"
	"time"
)

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
