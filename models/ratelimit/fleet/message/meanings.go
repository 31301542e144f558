package message

// By hand: messages with several meanings or with a struct of another package.

import (
	"time"

	"fencepost/models/internal/redis"
	"fencepost/sim"
)

// Why a limiter decides without the store.
const (
	NoAnswer uint16 = iota
	StoreFailed
	BreakerOpen
)

// FallbackReasons says in words why a limiter decided without the store, by its code.
var FallbackReasons = [...]string{NoAnswer: "it got no answer", StoreFailed: "it got an error", BreakerOpen: "its breaker is open"}

// NewAdmission answers a request that was admitted, and says what remains.
func NewAdmission(id uint64, remaining int64) Msg {
	return Msg{Kind: Response, OK: true, ID: id, y: remaining}
}

// NewRejection answers a request that was rejected: it may come again after a time, 0 is not known.
func NewRejection(id uint64, wait time.Duration) Msg {
	return Msg{Kind: Response, ID: id, x: int64(wait)}
}

// NewHeaders is what an answer to the request of m says in its headers: for how long, and what remains.
func NewHeaders(m Msg, admitted bool, wait time.Duration, remaining int64) Msg {
	return Msg{Kind: Response, OK: admitted, ID: m.ID, Key: m.Key, Cost: m.Cost, x: int64(wait), y: remaining}
}

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

// NewAdmittedBy notes that a request is admitted by a counter with that life.
func NewAdmittedBy(m Msg, life uint32) Msg {
	a := Of(Admitted, m)
	a.y = int64(life)
	return a
}

// NewSettle is the timer after which the sync of a limiter, 0 and up, is answered.
func NewSettle(sync Msg, limiter int) Msg {
	sync.Kind, sync.n = Settle, uint16(limiter)
	return sync
}

// NewCounted notes what a limiter, 0 and up, has added to the total of a window, or that it was
// counted before.
func NewCounted(sync Msg, limiter int, total int64, before bool) Msg {
	return Msg{Kind: Counted, OK: before, n: uint16(limiter + 1), Cost: uint32(sync.x), Key: sync.Key, x: total, y: sync.y}
}

// Synced is the limiter, 0 and up, whose sync was counted.
func (m Msg) Synced() int { return int(m.n) - 1 }

// NewLeaseGrant answers an ask with tokens of a window. They are valid for a time that counts from
// when the limiter asked; without tokens, there may be some after it.
func NewLeaseGrant(number, key uint64, tokens int64, length time.Duration, window int64) Msg {
	return Msg{Kind: LeaseGrant, ID: number, Key: key, x: tokens, y: int64(length), Cost: uint32(window)}
}

// NewAbsoluteGrant is a grant that ends at an instant of the coordinator's wall clock.
func NewAbsoluteGrant(number, key uint64, tokens int64, until sim.Wall, window int64) Msg {
	return Msg{Kind: LeaseGrant, OK: true, ID: number, Key: key, x: tokens, y: int64(until), Cost: uint32(window)}
}

// NewLeased notes a grant to a limiter, 0 and up, or that the same was granted again.
func NewLeased(limiter int, key uint64, tokens int64, length time.Duration, again bool) Msg {
	return Msg{Kind: Leased, OK: again, n: uint16(limiter + 1), Key: key, x: tokens, y: int64(length)}
}

// NewReturned notes tokens that a limiter has given back.
func NewReturned(limiter int, key uint64, tokens int64) Msg {
	return Msg{Kind: Returned, n: uint16(limiter + 1), Key: key, x: tokens}
}

// Holder is the limiter, 0 and up, that a note of a coordinator is about; -1 for none.
func (m Msg) Holder() int { return int(m.n) - 1 }

// NewHeard notes that a region has heard of the count of another, 0 and up.
func NewHeard(m Msg, region int) Msg {
	return Msg{Kind: Heard, n: uint16(region + 1), Key: m.Key, x: m.x, y: m.y}
}

// Region is the one, 0 and up, of which another has heard.
func (m Msg) Region() int { return int(m.n) - 1 }

// NewMoved notes that some of all keys have another limiter.
func NewMoved(moved, keys int) Msg { return Msg{Kind: Moved, x: int64(moved), y: int64(keys)} }

// Moved is how many keys of how many have another limiter.
func (m Msg) Moved() (moved, keys int64) { return m.x, m.y }

// InDimension is a message of a kind about a request in one dimension, 0 and up.
func InDimension(kind sim.Kind, m Msg, dimension int) Msg {
	d := Of(kind, m)
	d.n = uint16(dimension)
	return d
}

// NewTaken answers that the request fits, and is charged in a window.
func NewTaken(m Msg, dimension int, window int64) Msg {
	t := InDimension(Taken, m, dimension)
	t.OK, t.y = true, window
	return t
}

// NewNotTaken answers that a dimension has no room for that long.
func NewNotTaken(m Msg, dimension int, left time.Duration) Msg {
	t := InDimension(Taken, m, dimension)
	t.x = int64(left)
	return t
}
