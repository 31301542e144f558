package core

import (
	"time"

	"fencepost/models/internal/redis"
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message of replication between Redis servers: a digest has their numbers.
const (
	Replicate sim.Kind = 56 // master to replica: the key as it is, whose it is, and the position in the stream
	ReplAck   sim.Kind = 57 // replica to master: the position that it has
	GetAck    sim.Kind = 58 // master to replica
	Wait      sim.Kind = 59 // client to master: how many replicas, and for how long
	WaitReply sim.Kind = 60 // how many replicas have acknowledged
	Flush     sim.Kind = 70 // master timer: the lag of a replica is over
	Beat      sim.Kind = 71 // replica timer: the next acknowledgement
	Waited    sim.Kind = 72 // master timer: a client has waited for long enough
	Promoted  sim.Kind = 76 // note of a Redis: it is a master from now on, in an epoch
	Following sim.Kind = 77 // note of a Redis: it is a replica from now on; if it was a master, what only it had is lost
)

var replicationKinds = model.Kinds{
	Replicate: model.Message("replicate"),
	ReplAck:   model.Message("replconf-ack"),
	GetAck:    model.Message("replconf-getack"),
	Wait:      model.Message("wait"),
	WaitReply: model.Message("wait-reply"),
	Flush:     model.Timer("flush"),
	Beat:      model.Timer("beat"),
	Waited:    model.Timer("waited"),
	Promoted:  model.Note("promoted"),
	Following: model.Note("following"),
}

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

// NewWait waits until replicas have acknowledged what was written, for at most a timeout, 0 forever.
func NewWait(replicas int, timeout time.Duration) Msg {
	return Msg{head: head{Kind: Wait, n: uint16(replicas)}, tail: tail{x: int64(timeout)}}
}

// NewWaitReply says how many replicas have acknowledged.
func NewWaitReply(try uint32, replicas int) Msg {
	return Msg{head: head{Kind: WaitReply, n: uint16(replicas)}, Try: try}
}

// Replicas is how many are waited for, or have acknowledged.
func (m *Msg) Replicas() int { return int(m.n) }

// WaitsFor is for how long a client waits for replicas, 0 forever.
func (m *Msg) WaitsFor() time.Duration { return time.Duration(m.x) }

// NewWaited is the timer after which a client has waited for long enough.
func NewWaited(try uint32, client sim.NodeID) Msg {
	return Msg{head: head{Kind: Waited}, Try: try, tail: tail{x: int64(client)}}
}

// Waiter is the client that has waited.
func (m *Msg) Waiter() sim.NodeID { return sim.NodeID(m.x) }

// NewFlush is the timer of a write in some history that waits until it is sent to a replica, 0 and up.
func NewFlush(history uint32, replica int) Msg {
	return Msg{head: head{Kind: Flush, n: uint16(replica)}, Try: history}
}

// History is that to which a timer of replication belongs.
func (m *Msg) History() uint32 { return m.Try }

// Replica is the number of the replica that a write is to be sent to, 0 and up.
func (m *Msg) Replica() int { return int(m.n) }

// NewBeat is the timer of a replica's next acknowledgement, in the numbered turn of its role.
func NewBeat(turn uint32) Msg { return Msg{head: head{Kind: Beat}, Try: turn} }

// Turn is that to which the timer of an acknowledgement belongs.
func (m *Msg) Turn() uint32 { return m.Try }

// NewFollowing notes that a server follows a master. If it was a master, what only it had is lost.
func NewFollowing(master sim.NodeID, wasMaster bool) Msg {
	return Msg{head: head{Kind: Following, n: bit(wasMaster)}, tail: tail{x: int64(master)}}
}

// WasMaster reports whether the server that becomes a replica was a master.
func (m *Msg) WasMaster() bool { return m.n > 0 }
