package core

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message of Redisson's lock, and of its watchdog: a digest has their numbers.
const (
	Enter       sim.Kind = 45 // client to Redis: Redisson's lock script: the owner, and the lease
	EnterReply  sim.Kind = 46 // OK: it is the owner; else what is left of the lease of another
	Leave       sim.Kind = 47 // client to Redis: Redisson's unlock script: the owner, and the lease
	LeaveReply  sim.Kind = 48 // OK: it was the owner; whether the lock is free now
	Subscribe   sim.Kind = 49 // client to Redis: OK, or no more
	Subscribed  sim.Kind = 50 // Redis to client
	Unlocked    sim.Kind = 51 // Redis to a client that has subscribed: the lock was released
	Watch       sim.Kind = 52 // client timer: renew the lease; the number of the watch
	Latch       sim.Kind = 53 // client timer: the lease of another is over
	WatchEnded  sim.Kind = 54 // note of a client: it renews the lease no more; whether it still believes to hold the lock
	WatchLeaked sim.Kind = 55 // note of a client: it renews the lease of a lock that it has released
)

var redissonKinds = model.Kinds{
	Enter:       model.Message("lock-script"),
	EnterReply:  model.Message("lock-script-reply"),
	Leave:       model.Message("unlock-script"),
	LeaveReply:  model.Message("unlock-script-reply"),
	Subscribe:   model.Message("subscribe"),
	Subscribed:  model.Message("subscribed"),
	Unlocked:    model.Message("unlocked"),
	Watch:       model.Timer("watch"),
	Latch:       model.Timer("latch"),
	WatchEnded:  model.Note("watch-ended"),
	WatchLeaked: model.Note("watch-leaked"),
}

// NewScript is Redisson's script of lock or unlock, [Enter] or [Leave], for an owner and a lease.
func NewScript(kind sim.Kind, owner uint64, lease time.Duration) Msg {
	return Msg{head: head{Kind: kind}, value: owner, tail: tail{x: int64(lease)}}
}

// Endless is what is left of a lease that has no end.
const Endless = -time.Millisecond

// SetLeft says what is left of the lease of another: 0 in its last millisecond, or [Endless].
func (m *Msg) SetLeft(left time.Duration) { m.x = int64(left) }

// Left is what is left of the lease of another: 0 in its last millisecond, or [Endless].
func (m *Msg) Left() time.Duration { return time.Duration(m.x) }

// SetUnlocked says that unlock has freed the lock.
func (m *Msg) SetUnlocked() { m.n = 1 }

// Unlocked reports whether unlock has freed the lock: not if its owner had entered twice.
func (m *Msg) Unlocked() bool { return m.n == 1 }

// NewWatch is the numbered timer of the watchdog. One that is late waits for the thread that is to
// run it.
func NewWatch(number uint16, late bool) Msg { return Msg{head: head{Kind: Watch, OK: late, n: number}} }

// Late reports whether a timer of the watchdog waits for its thread.
func (m *Msg) Late() bool { return m.OK }

// NewWatchEnded notes that the watchdog stops, while the client believes to hold the lock or not.
func NewWatchEnded(try uint32, believes bool) Msg {
	return Msg{head: head{Kind: WatchEnded, n: bit(believes)}, Try: try}
}

// Believes reports whether the client believes to hold the lock, of which the watchdog has stopped.
func (m *Msg) Believes() bool { return m.n > 0 }
