package core

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message between the clients of a lock and a Redis: a digest has their numbers.
const (
	Set         sim.Kind = 1  // client to Redis: a value and its TTL, 0 for none
	SetReply    sim.Kind = 2  // OK: the key was free
	Get         sim.Kind = 3  // client to Redis
	GetReply    sim.Kind = 4  // the value, 0 for none
	Del         sim.Kind = 5  // client to Redis, unconditional
	DelIf       sim.Kind = 6  // client to Redis: the script that compares the value
	DelReply    sim.Kind = 7  // OK: something was deleted
	Extend      sim.Kind = 8  // client to Redis: the script that moves the expiry: value, TTL and the number of the extension
	ExtendOrSet sim.Kind = 44 // client to Redis: the script that moves the expiry, or sets a key that is gone: as Extend
	ExtReply    sim.Kind = 9  // OK: the key held the value; the number of the extension
	Renew       sim.Kind = 23 // client timer: extend the lock
	Expire      sim.Kind = 24 // Redis alarm: the key's time is over
	Sync        sim.Kind = 25 // Redis timer: the whole second
	Rejoin      sim.Kind = 26 // Redis timer or alarm: a delayed restart is over
)

var redisKinds = model.Kinds{
	Set:         model.Message("set"),
	SetReply:    model.Message("set-reply"),
	Get:         model.Message("get"),
	GetReply:    model.Message("get-reply"),
	Del:         model.Message("del"),
	DelIf:       model.Message("del-if"),
	DelReply:    model.Message("del-reply"),
	Extend:      model.Message("extend"),
	ExtendOrSet: model.Message("extend-or-set"),
	ExtReply:    model.Message("extend-reply"),
	Renew:       model.Timer("renew"),
	Expire:      model.Timer("expire"),
	Sync:        model.Timer("sync"),
	Rejoin:      model.Timer("rejoin"),
}

// NewSet sets the key if it is free: to a value, for a TTL, 0 forever.
func NewSet(value uint64, ttl time.Duration) Msg {
	return Msg{head: head{Kind: Set}, value: value, tail: tail{x: int64(ttl)}}
}

// NewDelIf deletes the key if it has a value.
func NewDelIf(value uint64) Msg { return Msg{head: head{Kind: DelIf}, value: value} }

// NewExtend is the numbered extension of a lease by a TTL from now: [Extend] or [ExtendOrSet].
func NewExtend(script sim.Kind, number uint16, value uint64, ttl time.Duration) Msg {
	return Msg{head: head{Kind: script, n: number}, value: value, tail: tail{x: int64(ttl)}}
}

// LockValue is the value of the lock's key that a command carries, or a reply; 0: none.
func (m *Msg) LockValue() uint64 { return m.value }

// TTL is that which a command gives the key or the lease; 0: it never ends.
func (m *Msg) TTL() time.Duration { return time.Duration(m.x) }

// Number is that of the request, the timer or the extension that a message is about.
func (m *Msg) Number() uint16 { return m.n }

// NewRedisReply answers a command. What it answers, the caller adds.
func NewRedisReply(kind sim.Kind, command *Msg) Msg {
	return Msg{head: head{Kind: kind, n: command.n}, Try: command.Try}
}

// SetLockValue answers GET.
func (m *Msg) SetLockValue(value uint64) { m.value = value }

// Refusal is why a server refuses every command; 0: it does not.
type Refusal uint64

// The refusals.
const (
	ReadOnly   Refusal = 1 + iota // -READONLY: it is a replica
	NoReplicas                    // -NOREPLICAS
)

// SetRefusal refuses a command.
func (m *Msg) SetRefusal(why Refusal) { m.token = uint64(why) }

// Refusal is why a command is refused; 0: it is not.
func (m *Msg) Refusal() Refusal { return Refusal(m.token) }

// redisWords is such a message in words, but for its kind.
func redisWords(m *Msg) string {
	switch m.Kind {
	case Set, Extend:
		text := " " + valueName(m.value)
		if m.x > 0 {
			text += fmt.Sprintf(" px %v", m.TTL())
		}
		return text
	case DelIf:
		return " " + valueName(m.value)
	case GetReply:
		if m.value == 0 {
			return " nil"
		}
		return " " + valueName(m.value)
	case SetReply, DelReply, ExtReply:
		return okName(m.OK)
	}
	return ""
}
