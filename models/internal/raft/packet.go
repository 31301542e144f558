package raft

import (
	"encoding/binary"

	"go.etcd.io/raft/v3/raftpb"

	"fencepost/sim"
)

// Packet is what one server tells another. It does not change once it is sent, and neither
// does what it refers to: servers share entries.
type Packet struct {
	m   *raftpb.Message
	sum sim.Digest // of its content
}

func newPacket(m *raftpb.Message) *Packet {
	head := uint64(m.GetType()) | m.GetFrom()<<8 | m.GetTo()<<16
	if m.GetReject() {
		head |= 1 << 24
	}
	d := sim.Digest(0).Fold(head|uint64(len(m.Entries))<<32, m.GetTerm()).Fold(m.GetLogTerm(), m.GetIndex())
	d = d.Fold(m.GetCommit(), m.GetRejectHint())
	for _, e := range m.Entries {
		d = foldBytes(d.Fold(e.GetTerm(), e.GetIndex()), e.GetData())
	}
	return &Packet{m, foldBytes(d, m.GetContext())}
}

// Immutable implements [sim.Immutable].
func (*Packet) Immutable() {}

// To is the server that the packet is for, 1 and up.
func (p *Packet) To() uint64 { return p.m.GetTo() }

// From is the server that sent it.
func (p *Packet) From() uint64 { return p.m.GetFrom() }

// Term is the term of the packet; 0 in one that is forwarded for a client.
func (p *Packet) Term() uint64 { return p.m.GetTerm() }

// Entries is how many entries of the log the packet carries.
func (p *Packet) Entries() int { return len(p.m.Entries) }

// Fold takes the packet into a digest: type, servers, term, index, the term there, commit index,
// rejection with its hint, entries and context.
func (p *Packet) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(p.sum), p.Term()) }

// foldBytes takes a text and its length into a digest.
func foldBytes(d sim.Digest, b []byte) sim.Digest {
	n := uint64(len(b))
	for ; len(b) >= 8; b = b[8:] {
		d = d.Fold(n, binary.LittleEndian.Uint64(b))
	}
	var rest [8]byte
	copy(rest[:], b)
	return d.Fold(n, binary.LittleEndian.Uint64(rest[:]))
}

var kindNames = map[raftpb.MessageType]string{
	raftpb.MsgProp:           "propose",
	raftpb.MsgApp:            "append",
	raftpb.MsgAppResp:        "appended",
	raftpb.MsgVote:           "vote",
	raftpb.MsgVoteResp:       "voted",
	raftpb.MsgPreVote:        "pre-vote",
	raftpb.MsgPreVoteResp:    "pre-voted",
	raftpb.MsgSnap:           "snapshot",
	raftpb.MsgHeartbeat:      "heartbeat",
	raftpb.MsgHeartbeatResp:  "heartbeat-reply",
	raftpb.MsgTimeoutNow:     "timeout-now",
	raftpb.MsgReadIndex:      "read-index",
	raftpb.MsgReadIndexResp:  "read-index-reply",
	raftpb.MsgTransferLeader: "transfer",
}
