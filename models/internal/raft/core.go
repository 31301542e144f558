package raft

import (
	"encoding/binary"

	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// Limits of a group, as etcd sets them.
//
// Source: etcd server 3.7, etcdserver/raft.go, newRaftNode and the constants above it.
const (
	maxSizePerMsg   = 1 << 20 // bytes of entries
	maxInflightMsgs = 4096 / 8
)

// recorded is how many inputs a copy may be behind: more than a step of a node takes.
const recorded = 8

// core is the library's server with what its latest inputs led to.
type core struct {
	node   *raft.RawNode
	disk   *disk
	status Status
	id     uint64
	done   uint64 // inputs so far
	recent [recorded]step
}

// step is an input and what it led to.
type step struct {
	in  input
	out Output
}

// Immutable implements [sim.Immutable]: at each number of inputs a core is one and the same,
// and a server knows that number.
func (*core) Immutable() {}

// newCore makes the library's server from what is on disk. What is known to be committed is
// the output of an input before the first.
func newCore(s *Server) *core {
	c := &core{disk: s.disk, id: s.ID}
	node, err := raft.NewRawNode(&raft.Config{
		ID:              s.ID,
		ElectionTick:    s.ElectionTicks,
		HeartbeatTick:   1,
		Storage:         c.disk,
		MaxSizePerMsg:   maxSizePerMsg,
		MaxInflightMsgs: maxInflightMsgs,
		CheckQuorum:     true,
		PreVote:         true,
		Logger:          silent{},
	})
	if err != nil {
		panic(err) // the library has none to return
	}
	c.node = node
	hard := c.disk.hard
	c.status = Status{Term: hard.GetTerm(), Commit: hard.GetCommit()}
	c.drain(&c.recent[0].out)
	c.recent[0].out.Fresh = true
	return c
}

// at is the record of an input, 1 and up.
func (c *core) at(n uint64) *step { return &c.recent[n%recorded] }

// take takes an input and keeps what it leads to.
func (c *core) take(in input) {
	before := c.status
	c.done++
	r := c.at(c.done)
	r.in = in
	r.out = Output{Packets: r.out.Packets[:0], Committed: r.out.Committed[:0], Reads: r.out.Reads[:0]}
	if in.op == tick && before.Role != Leader {
		c.node.TickQuiesced() // see the package: it leads to nothing
		r.out.Status = c.status
		return
	}
	r.out.Dropped = c.feed(&in)
	c.drain(&r.out)
	if c.status.Role != Leader {
		r.out.Fresh = r.out.Fresh || in.op == campaign || before.Role != c.status.Role || before.Term != c.status.Term ||
			in.packet != nil && c.fromLeader(in.packet)
	}
}

// feed hands an input to the library, and reports whether it was dropped.
func (c *core) feed(in *input) (dropped bool) {
	var err error
	switch in.op {
	case tick:
		c.node.Tick()
	case campaign:
		err = c.node.Campaign()
	case receive:
		err = c.node.Step(c.own(in.packet))
	case propose:
		m := &raftpb.Message{Type: raftpb.MsgProp.Enum(), From: new(c.id)}
		for _, b := range in.data {
			m.Entries = append(m.Entries, &raftpb.Entry{Data: b})
		}
		err = c.node.Step(m)
	case readIndex:
		c.node.ReadIndex(binary.LittleEndian.AppendUint64(nil, in.number))
	case transfer:
		c.node.TransferLeader(in.number)
	}
	return err == raft.ErrProposalDropped
}

// own is a packet that the library may change: a server that is no leader changes the
// recipient of what it hands on.
func (c *core) own(p *Packet) *raftpb.Message {
	m := p.m
	switch m.GetType() {
	case raftpb.MsgProp, raftpb.MsgReadIndex, raftpb.MsgTransferLeader:
		if c.status.Role != Leader {
			return proto.Clone(m).(*raftpb.Message)
		}
	}
	return m
}

// fromLeader reports whether a packet, now taken, was from the leader of the present term.
func (c *core) fromLeader(p *Packet) bool {
	switch p.m.GetType() {
	case raftpb.MsgApp, raftpb.MsgHeartbeat, raftpb.MsgSnap:
		return p.Term() == c.status.Term
	}
	return false
}

// drain takes all that the library has ready: first to disk, then out.
func (c *core) drain(o *Output) {
	for c.node.HasReady() {
		rd := c.node.Ready()
		if rd.SoftState != nil {
			c.status.Role, c.status.Leader = Role(rd.RaftState), rd.Lead
		}
		if !raft.IsEmptyHardState(rd.HardState) {
			c.disk.hard = rd.HardState
			c.status.Term, c.status.Commit = rd.GetTerm(), rd.GetCommit()
		}
		c.disk.write(rd.Entries)
		for _, m := range rd.Messages {
			o.Fresh = o.Fresh || m.GetType() == raftpb.MsgVoteResp && !m.GetReject()
			o.Packets = append(o.Packets, newPacket(m))
		}
		for _, e := range rd.CommittedEntries {
			if len(e.GetData()) > 0 {
				o.Committed = append(o.Committed, Entry{Index: e.GetIndex(), Term: e.GetTerm(), Data: e.GetData()})
			}
		}
		for _, r := range rd.ReadStates {
			o.Reads = append(o.Reads, Read{Index: r.Index, ID: binary.LittleEndian.Uint64(r.RequestCtx)})
		}
		c.node.Advance(rd)
	}
	o.Status = c.status
}
