package core

import (
	"time"

	"fencepost/models/internal/redis"
	"fencepost/sim"
)

// Refusal is why a server refuses every command; 0: it does not.
type Refusal uint64

// The refusals.
const (
	ReadOnly   Refusal = 1 + iota // -READONLY: it is a replica
	NoReplicas                    // -NOREPLICAS
)

// Endless is the remaining time of a lease that has no end.
const Endless = -time.Millisecond

// NewReplicate is the key as the master has it at a position of its stream. The owner is the grant
// that set the key.
func NewReplicate(at redis.Position, k *redis.Key, owner uint64) Msg {
	m := Msg{head: head{Kind: Replicate}, tail: tail{token: packed(at)}}
	if k.Exists {
		m.value, m.OK, m.x = k.Value, k.Expires, int64(k.ExpireAt)/1e6
		m.n, m.Try = uint16(Client(owner))|uint16(k.Count)<<8, uint32(owner)
	}
	return m
}

// Replicated is the key of the master, and its owner.
func (m *Msg) Replicated() (k redis.Key, owner uint64) {
	if m.value == 0 {
		return redis.Key{}, 0
	}
	k = redis.Key{Value: m.value, Exists: true, Expires: m.OK, Count: uint32(m.n >> 8), ExpireAt: sim.Wall(m.x * 1e6)}
	return k, GrantOf(sim.NodeID(m.n&0xff), m.Try)
}

// NewReplAck says what a replica has of the stream.
func NewReplAck(at redis.Position) Msg {
	return Msg{head: head{Kind: ReplAck}, tail: tail{token: packed(at)}}
}

// Position is that in the stream which a master sends, or a replica has.
func (m *Msg) Position() redis.Position {
	return redis.Position{History: uint32(m.token >> 32), Offset: m.token & (1<<32 - 1)}
}

func packed(p redis.Position) uint64 { return uint64(p.History)<<32 | p.Offset }

// NewDownReply says whether the master is down, and for whom the Sentinel has voted if it was asked.
func NewDownReply(down bool, vote redis.Vote) Msg {
	return Msg{head: head{Kind: DownReply, OK: down}, tail: tail{token: vote.Epoch, x: int64(vote.Leader)}}
}

// Vote is that of the Sentinel which answers, the zero Vote if it was not asked for it.
func (m *Msg) Vote() redis.Vote { return redis.Vote{Leader: sim.NodeID(m.x), Epoch: m.token} }
