package message

import (
	"fmt"
	"time"

	"fencepost/models/internal/redis"
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message between limiters and their store: a digest has their numbers.
const (
	Eval        sim.Kind = 11 // limiter to store: the script for Key, Cost; y the name of the call, OK with the text
	Get         sim.Kind = 12 // limiter to store: the counter of Key
	Set         sim.Kind = 13 // limiter to store: the counter of Key becomes y
	Incr        sim.Kind = 14 // limiter to store: the counter of Key grows by Cost
	Expire      sim.Kind = 15 // limiter to store: the counter of Key gets its expiry; OK if it has none
	ZCard       sim.Kind = 16 // limiter to store: the log of Key, less what is out of the window
	ZAdd        sim.Kind = 17 // limiter to store: the call y enters the log of Key
	StoreReply  sim.Kind = 18 // store to limiter: n what it answers; x the value, y how long until the key is gone, -1 forever; Cost its life
	StoreAnswer sim.Kind = 19 // store to limiter, to a script: OK, x and y as Response; Cost the counter's life
	StoreError  sim.Kind = 20 // store to limiter: n what it answers; x the error
	Replicate   sim.Kind = 21 // store to its replica: the counter of Key and window ID is x; with n it expires, in millisecond y; Cost its life; OK it exists
	Promoted    sim.Kind = 22 // replica to limiters: it is the store now
	TimedOut    sim.Kind = 23 // limiter timer: the store has not answered ID, attempt n
	Write       sim.Kind = 24 // store timer: another user of the store writes a key
	Promote     sim.Kind = 25 // replica timer: it becomes the store
	StoreOp     sim.Kind = 26 // note of a store: it has done what is asked for ID; n the command, and of a counter Key: Cost its life, x how much it has counted, y how long until it is gone, -1 forever; OK it exists
	Evicted     sim.Kind = 27 // note of a store: the counter of Key, life Cost, has made room for another key
	TakenOver   sim.Kind = 28 // note of a replica: it is the store now
	FellBack    sim.Kind = 29 // note of a limiter: request ID, Key is decided without the store; n why
	Opened      sim.Kind = 30 // note of a limiter: it does not ask the store any more; x for how long
	Closed      sim.Kind = 31 // note of a limiter: the store has answered again

	Grown sim.Kind = 74 // note of a store: the log of Key has x members, more than any has had

	Flush   sim.Kind = 77 // limiter timer: the first command of its flush y has been held long enough
	Read    sim.Kind = 78 // store timer: it has done what it has read, and reads on
	Flushed sim.Kind = 79 // note of a store: it has read n commands of one limiter; x how long they keep it busy
)

var centralKinds = model.Kinds{
	Eval:        model.MessageKind("eval"),
	Get:         model.MessageKind("get"),
	Set:         model.MessageKind("set"),
	Incr:        model.MessageKind("incr"),
	Expire:      model.MessageKind("expire"),
	ZCard:       model.MessageKind("zcard"),
	ZAdd:        model.MessageKind("zadd"),
	StoreReply:  model.MessageKind("store-reply"),
	StoreAnswer: model.MessageKind("store-answer"),
	StoreError:  model.MessageKind("store-error"),
	Replicate:   model.MessageKind("replicate"),
	Promoted:    model.MessageKind("promoted"),
	TimedOut:    model.TimerKind("timed-out"),
	Write:       model.TimerKind("write"),
	Promote:     model.TimerKind("promote"),
	StoreOp:     model.NoteKind("store-op"),
	Evicted:     model.NoteKind("evicted"),
	TakenOver:   model.NoteKind("taken-over"),
	FellBack:    model.NoteKind("fell-back"),
	Opened:      model.NoteKind("opened"),
	Closed:      model.NoteKind("closed"),
	Grown:       model.NoteKind("grown"),
	Flush:       model.TimerKind("flush"),
	Read:        model.TimerKind("read"),
	Flushed:     model.NoteKind("flushed"),
}

// centralWords is such a message in words, but for its kind.
func centralWords(m Msg) string {
	key := fmt.Sprintf(" %s key %d", RequestName(m.ID), m.Key)
	switch m.Kind {
	case Eval, Get, Incr, ZCard, ZAdd:
		return key + costName(m.Cost)
	case Expire, FellBack:
		if m.Kind == FellBack {
			key += ": " + FallbackReasons[m.n]
		}
		return key
	case Set:
		return fmt.Sprintf("%s to %d", key, m.y)
	case StoreReply:
		text := fmt.Sprintf(" %s: %s is %d", RequestName(m.ID), centralKinds.Name(sim.Kind(m.n)), m.x)
		if m.Cost > 0 {
			text += ", " + ttlName(m.y)
		}
		return text
	case StoreAnswer:
		return fmt.Sprintf(" %s %s%s", RequestName(m.ID), Verdict(m.OK), retryName(m.x))
	case StoreError:
		return fmt.Sprintf(" %s: %v", RequestName(m.ID), redis.Error(m.x))
	case Replicate:
		return fmt.Sprintf(" key %d: %d", m.Key, m.x)
	case TimedOut:
		return " " + RequestName(m.ID)
	case StoreOp:
		if m.Cost == 0 {
			return fmt.Sprintf("%s: %s", key, centralKinds.Name(sim.Kind(m.n)))
		}
		return fmt.Sprintf("%s: %s, #%d at %d, %s", key, centralKinds.Name(sim.Kind(m.n)), m.Cost, m.x, ttlName(m.y))
	case Evicted:
		return fmt.Sprintf(" key %d", m.Key)
	case Grown:
		return fmt.Sprintf(" key %d: %d", m.Key, m.x)
	case Flushed:
		return fmt.Sprintf(" %d at once, busy for %v", m.n, time.Duration(m.x))
	case Opened:
		return fmt.Sprintf(" for %v", time.Duration(m.x))
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

// FallbackReasons says in words why a limiter decided without the store, by its code.
var FallbackReasons = [...]string{NoAnswer: "it got no answer", StoreFailed: "it got an error", BreakerOpen: "its breaker is open"}

// NewCommand asks the store for a command of a limiter's call, about a request, at a reading of the
// limiter's clock. OK says what its kind says.
func NewCommand(kind sim.Kind, m Msg, call uint64, reading int64) Msg {
	c := Of(kind, m)
	c.n, c.x = uint16(call), reading
	if kind == Eval || kind == ZAdd {
		c.y = int64(call)
	}
	return c
}

// NewSet is the command that sets a counter.
func NewSet(m Msg, call uint64, reading, value int64) Msg {
	c := NewCommand(Set, m, call, reading)
	c.y = value
	return c
}

// Call is the name of the call that a script, a member of a log or a timer is of.
func (m Msg) Call() uint64 { return uint64(m.y) }

// Reading is that of the limiter's clock when it sent a command.
func (m Msg) Reading() int64 { return m.x }

// SetTo is what a counter is set to.
func (m Msg) SetTo() int64 { return m.y }

// NewTimedOut is the timer of an attempt at a call.
func NewTimedOut(id, call uint64, attempt uint16) Msg {
	return Msg{Kind: TimedOut, n: attempt, ID: id, y: int64(call)}
}

// Attempt is which attempt at a call has timed out.
func (m Msg) Attempt() uint16 { return m.n }

// NewStoreReply answers a command with a value, and says when the key is gone, -1 forever.
func NewStoreReply(command Msg, life uint32, value, ttl int64) Msg {
	return Msg{Kind: StoreReply, n: uint16(command.Kind), Cost: life, ID: command.ID, Key: uint64(command.n), x: value, y: ttl}
}

// NewStoreAnswer answers a script with what it has decided.
func NewStoreAnswer(command Msg, life uint32, admitted bool, wait time.Duration, remaining int64) Msg {
	return Msg{Kind: StoreAnswer, OK: admitted, Cost: life, ID: command.ID, Key: uint64(command.n), x: int64(wait), y: remaining}
}

// NewStoreError answers a command with an error.
func NewStoreError(command Msg, err redis.Error) Msg {
	return Msg{Kind: StoreError, n: uint16(command.Kind), ID: command.ID, Key: uint64(command.n), x: int64(err)}
}

// Answers reports whether the store answers a call.
func (m Msg) Answers(call uint64) bool { return uint64(uint16(call)) == m.Key }

// Command is what the store answers, or has done.
func (m Msg) Command() sim.Kind { return sim.Kind(m.n) }

// Life is the number of a counter's life: how often there was none before it.
func (m Msg) Life() uint32 { return m.Cost }

// Value is what the store answers, or what a counter has counted.
func (m Msg) Value() int64 { return m.x }

// TTL is how long until a key is gone, -1 forever.
func (m Msg) TTL() int64 { return m.y }

// Err is the error of the store.
func (m Msg) Err() redis.Error { return redis.Error(m.x) }

// NewStoreOp notes what a command has made of a counter.
func NewStoreOp(command Msg, exists bool, e redis.Entry, ttl int64) Msg {
	return Msg{Kind: StoreOp, OK: exists, n: uint16(command.Kind), Cost: e.Life, ID: command.ID, Key: command.Key, x: e.Value, y: ttl}
}

// NewReplicate tells the replica what there is of a key and window, or that there is nothing.
func NewReplicate(key uint64, window int64, exists bool, e redis.Entry) Msg {
	m := Msg{Kind: Replicate, OK: exists, Cost: e.Life, ID: uint64(window), Key: key, x: e.Value, y: int64(e.ExpireAt) / 1e6}
	if e.Expires {
		m.n = 1
	}
	return m
}

// Entry is what the store has told its replica.
func (m Msg) Entry() redis.Entry {
	return redis.Entry{Life: m.Cost, Value: m.x, Expires: m.n > 0, ExpireAt: sim.Wall(m.y * 1e6)}
}

// NewGrown notes a log that has more members than any has had.
func NewGrown(key uint64, members int) Msg { return Msg{Kind: Grown, Key: key, x: int64(members)} }

// NewFlush is the timer of a flush of a limiter.
func NewFlush(number uint64) Msg { return Msg{Kind: Flush, y: int64(number)} }

// Flush is the number of the flush that a timer is of.
func (m Msg) Flush() uint64 { return uint64(m.y) }

// NewFlushed notes how many commands a store has read at once, and how long they keep it busy.
func NewFlushed(commands int, takes time.Duration) Msg {
	return Msg{Kind: Flushed, n: uint16(commands), x: int64(takes)}
}

// Commands is how many commands a store has read at once.
func (m Msg) Commands() int64 { return int64(m.n) }

// NewEvicted notes that a life of a counter has made room for another key.
func NewEvicted(key uint64, life uint32) Msg { return Msg{Kind: Evicted, Cost: life, Key: key} }

// NewFellBack notes that a request is decided without the store, and why.
func NewFellBack(m Msg, why uint16) Msg {
	f := Of(FellBack, m)
	f.n = why
	return f
}

// Why is why a limiter decides without the store.
func (m Msg) Why() uint16 { return m.n }

// NewOpened notes that the store is not asked any more, for a time.
func NewOpened(rest time.Duration) Msg { return Msg{Kind: Opened, x: int64(rest)} }

// NewAdmittedBy notes that a request is admitted by a counter with that life.
func NewAdmittedBy(m Msg, life uint32) Msg {
	a := Of(Admitted, m)
	a.y = int64(life)
	return a
}

// CounterLife is the life of the counter that has admitted a request, 0 for none.
func (m Msg) CounterLife() int64 { return m.y }
