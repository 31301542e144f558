package zookeeper

import (
	"slices"
	"time"

	"fencepost/sim"
)

// SessionID names a session, 1 and up.
type SessionID int64

// session is one that has neither been closed nor expired.
type session struct {
	id      SessionID
	timeout time.Duration
	expires sim.Mono // the end of its bucket, on the leader's clock
}

// Clamp is the timeout that a server grants for the one that a client asks for: at least
// two and at most twenty ticks.
//
// Source: ZooKeeper Administrator's Guide, minSessionTimeout and maxSessionTimeout.
func Clamp(requested, tick time.Duration) time.Duration {
	return min(max(requested, 2*tick), 20*tick)
}

// Bucket is when a session expires that is touched now: the server keeps sessions in buckets
// of one tick and expires a bucket as a whole at its end, which is in (timeout, timeout+tick]
// from now. To number the buckets divides a reading of the clock by the tick.
//
// Source: ZooKeeper, ExpiryQueue.roundToNextInterval.
func Bucket(now sim.Mono, timeout, tick time.Duration) sim.Mono {
	number := int64(now.Add(timeout))/int64(tick) + 1
	return sim.Mono(number * int64(tick))
}

// NextTick is the end of the bucket that the reading is in: when the server looks again.
func NextTick(now sim.Mono, tick time.Duration) sim.Mono { return Bucket(now, 0, tick) }

// sessions are the live ones, by their number.
type sessions struct {
	list []session
	last SessionID
}

func (t *sessions) open(timeout time.Duration, expires sim.Mono) session {
	t.last++
	s := session{t.last, timeout, expires}
	t.list = append(t.list, s)
	return s
}

func (t *sessions) find(id SessionID) *session {
	i, ok := slices.BinarySearchFunc(t.list, id, func(s session, id SessionID) int { return int(s.id - id) })
	if !ok {
		return nil
	}
	return &t.list[i]
}

func (t *sessions) remove(id SessionID) bool {
	before := len(t.list)
	t.list = slices.DeleteFunc(t.list, func(s session) bool { return s.id == id })
	return len(t.list) < before
}

// due is the session of the earliest bucket that is over, 0 if there is none.
func (t *sessions) due(now sim.Mono) (id SessionID) {
	var earliest sim.Mono
	for _, s := range t.list {
		if !now.Before(s.expires) && (id == 0 || s.expires.Before(earliest)) {
			id, earliest = s.id, s.expires
		}
	}
	return id
}
