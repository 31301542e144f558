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
	bucket  int // at whose end it expires: in ticks after the present one; below 0 it is over
}

// Clamp is the timeout that a server grants for the one that a client asks for: at least
// two and at most twenty ticks.
//
// Source: ZooKeeper Administrator's Guide, minSessionTimeout and maxSessionTimeout.
func Clamp(requested, tick time.Duration) time.Duration {
	return min(max(requested, 2*tick), 20*tick)
}

// Begin sets the present bucket to that of now. Buckets end at the multiples of the tick.
//
// Source: ZooKeeper, ExpiryQueue.roundToNextInterval.
func (e *Ensemble) Begin(now sim.Mono) { e.end = now.Truncate(e.Tick).Add(e.Tick) }

// End is the end of the present bucket: when the server looks again.
func (e *Ensemble) End() sim.Mono { return e.end }

// bucket is the one of a session that is touched now: the server keeps sessions in buckets of one tick and
// expires a bucket as a whole at its end, which is in (timeout, timeout+tick] from now. It is counted in ticks from
// the present one, so that readings are compared and not divided.
func (e *Ensemble) bucket(now sim.Mono, timeout time.Duration) int {
	n := int(timeout / e.Tick) // at least: the present one ends within a tick
	for after := now.Add(timeout); !after.Before(e.end.Add(time.Duration(n) * e.Tick)); {
		n++
	}
	return n
}

// advance goes on to the bucket of now, and counts those of the sessions from there. The end of a bucket at which the server looks on
// time is that reading, which is the same instant: so a search with symbolic time comes back to a state that it has seen.
func (e *Ensemble) advance(now sim.Mono) {
	for !now.Before(e.end) {
		if !e.end.Before(now) {
			e.end = now
		}
		e.end = e.end.Add(e.Tick)
		for i := range e.sessions.list {
			e.sessions.list[i].bucket--
		}
	}
}

// sessions are the live ones, by their number.
type sessions struct {
	list []session
	last SessionID
}

func (t *sessions) open(timeout time.Duration, bucket int) session {
	t.last++
	s := session{t.last, timeout, bucket}
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
func (t *sessions) due() (id SessionID) {
	earliest := 0
	for _, s := range t.list {
		if s.bucket < earliest {
			id, earliest = s.id, s.bucket
		}
	}
	return id
}
