package core

import (
	"time"

	"fencepost/models/internal/raft"
)

// EtcdFixedKey is the name of the key of the recipes that have one for all.
const EtcdFixedKey = 0

// keyName is a key in words. It has the name of the session's lease, which is that of the attempt that opened it.
func keyName[N ~int64 | ~uint64](key N) string {
	if key == EtcdFixedKey {
		return "the fixed key"
	}
	return valueName(uint64(key))
}

// NewRaft is a packet, by its header. Packets of different headers have different sums, but for one pair in 2^64.
func NewRaft(h raft.Header) Msg {
	const mostTerm = 1<<24 - 1
	return Msg{head: head{Kind: Raft, OK: h.Reject, n: h.Entries}, Try: h.Commit, value: h.Sum,
		tail: tail{token: h.Term, x: int64(h.Index)<<32 | int64(min(h.LogTerm, mostTerm))<<8 | int64(h.Type)}}
}

// RaftHeader is the header of the packet.
func (m *Msg) RaftHeader() raft.Header {
	return raft.Header{Sum: m.value, Term: m.token, Type: uint8(m.x), Reject: m.OK, Index: uint32(m.x >> 32),
		LogTerm: uint32(m.x) >> 8, Commit: m.Try, Entries: m.n}
}

// LeaseTTL is the TTL of a lease; 0: it is gone.
func (m *Msg) LeaseTTL() time.Duration { return time.Duration(m.x) * time.Second }

// Oldest is the revision at which the oldest key was made.
func (m *Msg) Oldest() uint64 { return uint64(m.x) }
