package message

import (
	"fmt"
	"time"

	"fencepost/models/internal/kit"
	"fencepost/models/internal/redis"
	"fencepost/sim"
)

// The kinds of message between limiters and their store: a digest has their numbers.
const (
	Eval        sim.Kind = 11 // limiter to store: the script for Key, Cost; Y the name of the call, OK with the text
	Get         sim.Kind = 12 // limiter to store: the counter of Key
	Set         sim.Kind = 13 // limiter to store: the counter of Key becomes Y
	Incr        sim.Kind = 14 // limiter to store: the counter of Key grows by Cost
	Expire      sim.Kind = 15 // limiter to store: the counter of Key gets its expiry; OK if it has none
	ZCard       sim.Kind = 16 // limiter to store: the log of Key, less what is out of the window
	ZAdd        sim.Kind = 17 // limiter to store: the call Y enters the log of Key
	StoreReply  sim.Kind = 18 // store to limiter: N what it answers; X the value, Y how long until the key is gone, -1 forever; Cost its life
	StoreAnswer sim.Kind = 19 // store to limiter, to a script: OK, X and Y as Response; Cost the counter's life
	StoreError  sim.Kind = 20 // store to limiter: N what it answers; X the error
	Replicate   sim.Kind = 21 // store to its replica: the counter of Key and window ID is X; with N it expires, in millisecond Y; Cost its life; OK it exists
	Promoted    sim.Kind = 22 // replica to limiters: it is the store now
	TimedOut    sim.Kind = 23 // limiter timer: the store has not answered ID, attempt N
	Write       sim.Kind = 24 // store timer: somebody else writes a key
	Promote     sim.Kind = 25 // replica timer: it becomes the store
	StoreOp     sim.Kind = 26 // note of a store: it has done what is asked for ID; N the command, and of a counter Key: Cost its life, X how much it has counted, Y how long until it is gone, -1 forever; OK it exists
	Evicted     sim.Kind = 27 // note of a store: the counter of Key, life Cost, has made room for another key
	TakenOver   sim.Kind = 28 // note of a replica: it is the store now
	FellBack    sim.Kind = 29 // note of a limiter: request ID, Key is decided without the store; N why
	Opened      sim.Kind = 30 // note of a limiter: it does not ask the store any more; X for how long
	Closed      sim.Kind = 31 // note of a limiter: the store has answered again

	Grown sim.Kind = 74 // note of a store: the log of Key has X members, more than any has had
)

var centralKinds = kit.Kinds{
	Eval:        kit.Message("eval"),
	Get:         kit.Message("get"),
	Set:         kit.Message("set"),
	Incr:        kit.Message("incr"),
	Expire:      kit.Message("expire"),
	ZCard:       kit.Message("zcard"),
	ZAdd:        kit.Message("zadd"),
	StoreReply:  kit.Message("store-reply"),
	StoreAnswer: kit.Message("store-answer"),
	StoreError:  kit.Message("store-error"),
	Replicate:   kit.Message("replicate"),
	Promoted:    kit.Message("promoted"),
	TimedOut:    kit.Timer("timed-out"),
	Write:       kit.Timer("write"),
	Promote:     kit.Timer("promote"),
	StoreOp:     kit.Note("store-op"),
	Evicted:     kit.Note("evicted"),
	TakenOver:   kit.Note("taken-over"),
	FellBack:    kit.Note("fell-back"),
	Opened:      kit.Note("opened"),
	Closed:      kit.Note("closed"),
	Grown:       kit.Note("grown"),
}

// centralWords is such a message in words, but for its kind.
func centralWords(m Msg) string {
	key := fmt.Sprintf(" %s key %d", RequestName(m.ID), m.Key)
	switch m.Kind {
	case Eval, Get, Incr, ZCard, ZAdd:
		return key + costName(m.Cost)
	case Expire, FellBack:
		if m.Kind == FellBack {
			key += ": " + FallbackReasons[m.N]
		}
		return key
	case Set:
		return fmt.Sprintf("%s to %d", key, m.Y)
	case StoreReply:
		text := fmt.Sprintf(" %s: %s is %d", RequestName(m.ID), centralKinds.Name(sim.Kind(m.N)), m.X)
		if m.Cost > 0 {
			text += ", " + ttlName(m.Y)
		}
		return text
	case StoreAnswer:
		return fmt.Sprintf(" %s %s%s", RequestName(m.ID), Verdict(m.OK), retryName(m.X))
	case StoreError:
		return fmt.Sprintf(" %s: %v", RequestName(m.ID), redis.Error(m.X))
	case Replicate:
		return fmt.Sprintf(" key %d: %d", m.Key, m.X)
	case TimedOut:
		return " " + RequestName(m.ID)
	case StoreOp:
		if m.Cost == 0 {
			return fmt.Sprintf("%s: %s", key, centralKinds.Name(sim.Kind(m.N)))
		}
		return fmt.Sprintf("%s: %s, #%d at %d, %s", key, centralKinds.Name(sim.Kind(m.N)), m.Cost, m.X, ttlName(m.Y))
	case Evicted:
		return fmt.Sprintf(" key %d", m.Key)
	case Grown:
		return fmt.Sprintf(" key %d: %d", m.Key, m.X)
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

// Why a limiter decides without the store.
const (
	NoAnswer uint16 = iota
	StoreFailed
	BreakerOpen
)

var FallbackReasons = [...]string{NoAnswer: "it got no answer", StoreFailed: "it got an error", BreakerOpen: "its breaker is open"}
