package redis

import (
	"time"

	"fencepost/sim"
)

// MaxReplicas is how many replicas a master has at most.
const MaxReplicas = 8

// Position is a place in the stream of writes: a number of writes of one history. A server that
// becomes a master begins a history of its own.
//
// Source: Redis documentation, "Replication", "How Redis replication works": replication ID
// and offset.
type Position struct {
	History uint32
	Offset  uint64
}

// Replicas is what a master knows of its replicas: what they have acknowledged, and when. The
// zero Replicas knows none.
type Replicas struct {
	At Position // of the last write

	list [MaxReplicas + 1]replica // by server: after a failover any of them may be a replica
}

// replica is one of them.
type replica struct {
	linked bool
	acked  uint64   // offset
	at     sim.Wall // of its last acknowledgement
}

// Begin starts a history, from an offset on. No replica is linked.
func (r *Replicas) Begin(at Position) { *r = Replicas{At: at} }

// Wrote counts a write.
func (r *Replicas) Wrote() { r.At.Offset++ }

// Linked reports whether replica i, from 0, has said that it follows this history.
func (r *Replicas) Linked(i int) bool { return r.list[i].linked }

// Ack is REPLCONF ACK of replica i. One that follows another history, or has more of this
// one than there is, is to be sent everything: it is not linked until then.
func (r *Replicas) Ack(i int, p Position, now sim.Wall) (linked bool) {
	if p.History != r.At.History || p.Offset > r.At.Offset {
		r.list[i] = replica{}
		return false
	}
	r.list[i] = replica{linked: true, acked: max(p.Offset, r.list[i].acked), at: now}
	return true
}

// Acked is how many replicas have acknowledged an offset: the answer of WAIT.
//
// Source: Redis documentation, "WAIT"; Redis 7.0, src/replication.c,
// replicationCountAcksByOffset.
func (r *Replicas) Acked(offset uint64) int {
	n := 0
	for i := range r.list {
		if r.list[i].linked && r.list[i].acked >= offset {
			n++
		}
	}
	return n
}

// Good is how many replicas have been heard of within lag: what min-replicas-to-write is
// compared with. The clock is the wall clock in whole seconds.
//
// Source: redis.conf, min-replicas-to-write and min-replicas-max-lag; Redis 7.0,
// src/replication.c, refreshGoodSlavesCount. That runs once a second, this at every write.
func (r *Replicas) Good(now sim.Wall, lag time.Duration) int {
	n := 0
	for i := range r.list {
		if f := &r.list[i]; f.linked && !second(f.at).Add(lag).Before(second(now)) {
			n++
		}
	}
	return n
}

// second is a reading in whole seconds, rounded down.
func second(w sim.Wall) sim.Wall {
	s := w / 1e9
	if w%1e9 < 0 {
		s--
	}
	return s * 1e9
}
