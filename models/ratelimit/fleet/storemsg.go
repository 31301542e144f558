package fleet

import (
	"fmt"
	"time"

	"fencepost/models/internal/redis"
	"fencepost/sim"
)

// The kinds of message between limiters and a store, and what a store and its limiters
// tell. Each command has its request ID, and in N the number of the call, by which its
// limiter knows the answer in Key; X is the limiter's wall clock when the request came.
const (
	Eval   sim.Kind = storeKinds + iota // limiter to store: the script for Key, Cost; Y the name of the call, OK with the text
	Get                                 // limiter to store: the counter of Key
	Set                                 // limiter to store: the counter of Key becomes Y
	Incr                                // limiter to store: the counter of Key grows by Cost
	Expire                              // limiter to store: the counter of Key gets its expiry; OK if it has none
	ZCard                               // limiter to store: the log of Key, less what is out of the window
	ZAdd                                // limiter to store: the call Y enters the log of Key

	StoreReply  // store to limiter: N what it answers; X the value, Y how long until the key is gone, -1 for ever; Cost its life
	StoreAnswer // store to limiter, to a script: OK, X and Y as Response; Cost the counter's life
	StoreError  // store to limiter: N what it answers; X the error

	Replicate // store to its replica: the counter of Key and window ID is X; with N it expires, in millisecond Y; Cost its life; OK it exists
	Promoted  // replica to limiters: it is the store now

	timedOut // limiter timer: the store has not answered ID, attempt N
	write    // store timer: somebody else writes a key
	promote  // replica timer: it becomes the store

	StoreOp   // note of a store: it has done what is asked for ID; N the command, and of a counter Key: Cost its life, X how much it has counted, Y how long until it is gone, -1 for ever; OK it exists
	Evicted   // note of a store: the counter of Key, life Cost, has made room for another key
	TakenOver // note of a replica: it is the store now
	FellBack  // note of a limiter: request ID, Key is decided without the store; N why
	Opened    // note of a limiter: it does not ask the store any more; X for how long
	Closed    // note of a limiter: the store has answered again

	peerKinds
)

var storeNames = []string{
	"eval", "get", "set", "incr", "expire", "zcard", "zadd",
	"store-reply", "store-answer", "store-error",
	"replicate", "promoted",
	"timed-out", "write", "promote",
	"store-op", "evicted", "taken-over", "fell-back", "opened", "closed",
}

// storeNoted are those that are notes.
var storeNoted = []sim.Kind{StoreOp, Evicted, TakenOver, FellBack, Opened, Closed}

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
		text := fmt.Sprintf(" %s: %s is %d", requestName(m.ID), kindNames[m.N], m.X)
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
			return fmt.Sprintf("%s: %s", key, kindNames[m.N])
		}
		return fmt.Sprintf("%s: %s, #%d at %d, %s", key, kindNames[m.N], m.Cost, m.X, ttlName(m.Y))
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
