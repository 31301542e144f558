package fleet

import (
	"fmt"
	"time"

	"fencepost/models/internal/redis"
	"fencepost/sim"
)

// Why a limiter decides without the store.
const (
	noAnswer uint16 = iota
	storeFailed
	breakerOpen
)

var fallbackReasons = [...]string{noAnswer: "it got no answer", storeFailed: "it got an error", breakerOpen: "its breaker is open"}

// storeText is such a message in words, but for its kind.
func (m Msg) storeText() string {
	key := fmt.Sprintf(" %s key %d", requestName(m.ID), m.Key)
	switch m.Kind {
	case Eval, Get, Incr, ZCard, ZAdd:
		return key + costName(m.Cost)
	case Expire, FellBack:
		if m.Kind == FellBack {
			key += ": " + fallbackReasons[m.N]
		}
		return key
	case Set:
		return fmt.Sprintf("%s to %d", key, m.Y)
	case StoreReply:
		text := fmt.Sprintf(" %s: %s is %d", requestName(m.ID), kinds.Name(sim.Kind(m.N)), m.X)
		if m.Cost > 0 {
			text += ", " + ttlName(m.Y)
		}
		return text
	case StoreAnswer:
		return fmt.Sprintf(" %s %s%s", requestName(m.ID), verdict(m.OK), retryName(m.X))
	case StoreError:
		return fmt.Sprintf(" %s: %v", requestName(m.ID), redis.Error(m.X))
	case Replicate:
		return fmt.Sprintf(" key %d: %d", m.Key, m.X)
	case timedOut:
		return " " + requestName(m.ID)
	case StoreOp:
		if m.Cost == 0 {
			return fmt.Sprintf("%s: %s", key, kinds.Name(sim.Kind(m.N)))
		}
		return fmt.Sprintf("%s: %s, #%d at %d, %s", key, kinds.Name(sim.Kind(m.N)), m.Cost, m.X, ttlName(m.Y))
	case Evicted:
		return fmt.Sprintf(" key %d", m.Key)
	case Opened:
		return fmt.Sprintf(" for %v", time.Duration(m.X))
	}
	return ""
}

// ttlName says how long a key lives.
func ttlName(ttl int64) string {
	if ttl < 0 {
		return "without expiry"
	}
	return fmt.Sprintf("gone in %v", time.Duration(ttl))
}
