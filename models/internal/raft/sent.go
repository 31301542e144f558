package raft

import (
	"fmt"
	"math"

	"go.etcd.io/raft/v3/raftpb"

	"fencepost/sim"
)

// Sent is the packets that the servers of a group have sent in a run, by their content. A message that has no room for
// a packet carries its [Header], and the server that receives it finds the packet here. Which server has
// added it makes no difference, and no packet changes: a step still depends on its message and its receiver.
//
// Two packets of different content have the same sum with a probability of 2^-64.
type Sent struct {
	Packets map[uint64]*Packet
	Last    int // how many were left by the last Sweep
}

// few is how many packets may stay that no message names.
const few = 1024

// Add adds a packet, unless one of this content is there.
func (s *Sent) Add(p *Packet) Header {
	h := p.Header()
	if s.Packets[h.Sum] == nil {
		s.Packets[h.Sum] = p
	}
	return h
}

// Packet is the packet of a header.
func (s *Sent) Packet(h Header) *Packet { return s.Packets[h.Sum] }

// Sweep forgets the packets that named does not name, if there are many.
func (s *Sent) Sweep(named func(keep func(Header))) {
	if len(s.Packets) < 2*s.Last+few {
		return
	}
	kept := map[uint64]*Packet{}
	named(func(h Header) { kept[h.Sum] = s.Packets[h.Sum] })
	s.Packets, s.Last = kept, len(kept)
}

// Print implements [sim.Printer]: nothing, since a message on its way has the sum of its packet, and no other
// packet is read.
func (*Sent) Print(*sim.Print) {}

// Header is what identifies a packet, and what is said of it in words. A number that has no room is the largest
// that has.
type Header struct {
	Sum, Term uint64 // Sum is of the whole content
	Type      uint8
	Reject    bool
	Index     uint32 // of a log entry
	LogTerm   uint32 // and the term of that
	Commit    uint32
	Entries   uint16
}

// Header is the header of the packet.
func (p *Packet) Header() Header {
	m := p.m
	short := func(x uint64) uint32 { return uint32(min(x, math.MaxUint32)) }
	return Header{Sum: uint64(p.sum), Term: m.GetTerm(), Type: uint8(m.GetType()), Reject: m.GetReject(), Index: short(m.GetIndex()),
		LogTerm: short(m.GetLogTerm()), Commit: short(m.GetCommit()), Entries: uint16(min(len(m.Entries), math.MaxUint16))}
}

// String is the packet in words.
func (p *Packet) String() string { return p.Header().String() }

// String is the packet of the header in words.
func (h Header) String() string {
	kind := raftpb.MessageType(h.Type)
	s := fmt.Sprintf("%s term %d", kindNames[kind], h.Term)
	switch kind {
	case raftpb.MsgApp:
		s += fmt.Sprintf(" after %d/%d commit %d", h.Index, h.LogTerm, h.Commit)
	case raftpb.MsgAppResp, raftpb.MsgReadIndexResp:
		s += fmt.Sprintf(" index %d", h.Index)
	case raftpb.MsgVote, raftpb.MsgPreVote:
		s += fmt.Sprintf(" log %d/%d", h.Index, h.LogTerm)
	case raftpb.MsgHeartbeat:
		s += fmt.Sprintf(" commit %d", h.Commit)
	}
	if h.Entries > 0 {
		s += fmt.Sprintf(" with %d entries", h.Entries)
	}
	if h.Reject {
		s += " rejected"
	}
	return s
}
