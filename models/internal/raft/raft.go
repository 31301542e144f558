// Package raft is go.etcd.io/raft as a node of a simulation can use it: one server of a
// group that replicates a log of commands, without goroutines, wall clock or global
// randomness. Commands go in ([Server.Propose]), the same commands are returned in the same
// order at every server ([Output].Committed), and what servers tell one another are
// [Packet] values that a message can carry.
//
// # Determinism
//
// The library draws one thing at random, from crypto/rand: the election timeout of a server,
// whenever the server changes its state. Config has no hook for it, and to replace
// rand.Reader would change a variable that all runs of a process share. But the timeout is
// read in one place alone (raft.pastElectionTimeout), which is called in one place alone
// (raft.tickElection), and that is what RawNode.Tick does unless the server is the leader.
// So only a leader is ticked. Any other server counts its ticks with RawNode.TickQuiesced,
// which compares them with nothing; the caller draws the election timeout, arms a timer of
// the engine whenever Output.Fresh says so, and calls [Server.Campaign] when it fires. The
// drawn number exists, and nothing depends on it.
//
// All else is as etcd has it, because ticks are counted: a leader that hears from no quorum
// for one to two election timeouts steps down (CheckQuorum), a follower that has heard from
// a leader within the election timeout ignores requests for votes (thesis, section 4.2.3), a
// candidate asks first whether it could win (PreVote), and a transfer is given up after an
// election timeout. Wherever the library walks over a map it sorts, or counts.
//
// Limits: the election timeout is as long as the caller draws it, not a whole number of
// ticks, and is drawn again whenever a leader is heard, not once per change of state; both
// are allowed by the paper (section 5.2). The log is never compacted and no snapshot is
// sent: a server keeps every command of a run, about 200 bytes each. Members do not change.
// What is written to disk is durable at the end of the step that writes it.
//
// # Copies
//
// A [Server] is copied by assignment. Copies share the library's state, which cannot be
// copied: it is the state after the inputs so far, and a copy that is behind gets the recorded
// output of the input that it repeats. That is what the engine does when it runs each step
// twice; a copy that takes another input than the original panics. A fingerprint takes in
// the history of all inputs: two servers have the same one if they took the same inputs in
// the same order, so a search does not merge orders that end in the same state.
//
// Source: Ongaro and Ousterhout, "In search of an understandable consensus algorithm", 2014;
// Ongaro, "Consensus: bridging theory and practice", 2014; go.etcd.io/raft v3.7.0, raft.go and
// rawnode.go.
package raft

import (
	"bytes"
	"slices"

	"fencepost/sim"
)

// MaxServers is the largest group.
const MaxServers = 7

// Role is what a server is in its term.
type Role uint8

// The roles, as the library numbers them.
const (
	Follower Role = iota
	Candidate
	Leader
	PreCandidate
)

// String is the role as it is read.
func (r Role) String() string {
	return [...]string{"follower", "candidate", "leader", "pre-candidate"}[r]
}

// Status is what a server knows about itself and its group.
type Status struct {
	Role   Role
	Leader uint64 // of Term, as far as the server knows; 0: none
	Term   uint64
	Commit uint64 // index of the last entry that it knows to be committed
}

// Entry is a committed command. The entries of the group itself, one per term, are not among
// them, so that indexes may have gaps.
type Entry struct {
	Index, Term uint64
	Data        []byte // not to be changed
}

// Read says that a read that was asked for with [Server.ReadIndex] is linearizable at a server
// that has applied all commands up to Index.
type Read struct {
	Index uint64
	ID    uint64 // which it was asked for with
}

// Output is what an input leads to. It holds until the next input. Packets are to be sent in
// order; the entries that they rely on are on disk.
type Output struct {
	Status    Status
	Packets   []*Packet
	Committed []Entry
	Reads     []Read
	Fresh     bool // the election timer starts anew, with a new draw
	Dropped   bool // the proposal was refused: there is no leader, or a transfer is under way
}

// Server is one server of a group.
//
// Invariant: core.done is inputs, or more in a copy that is behind.
type Server struct {
	ID            uint64 // 1 and up
	Servers       int    // of the group, up to [MaxServers]; their IDs are 1, 2, 3 ...
	ElectionTicks int    // ticks after which a leader without a quorum steps down, 2 and up; etcd: 10

	status  Status
	core    *core
	disk    *disk // what a crash left
	inputs  uint64
	history sim.Print
}

// Status is what the server knows.
func (s *Server) Status() Status { return s.status }

// Started reports whether the server runs: all but Start and Recover ask for that.
func (s *Server) Started() bool { return s.core != nil }

// Start starts a server, perhaps not for the first time. It is a follower without a leader.
// All commands that it knows to be committed are returned again: what was made of them is lost,
// unless the caller made that durable, too.
func (s *Server) Start() *Output {
	if s.disk == nil {
		s.disk = newDisk(s.Servers)
	}
	s.core, s.inputs = newCore(s), 0 //fencepost:allow the library is deterministic as it is used here: see the package
	out := &s.core.recent[0].out
	s.status = out.Status
	s.history.Fold(uint64(start))
	return out
}

// Recover keeps what a server wrote to its disk: term, vote, log and what is committed.
func (s *Server) Recover(before *Server) {
	s.history = before.history
	if s.disk = before.disk; before.core != nil {
		s.disk = before.core.disk
	}
}

// Tick counts one heartbeat interval on the server's own clock. A leader sends heartbeats.
func (s *Server) Tick() *Output { return s.do(input{op: tick}) }

// Campaign is for the end of the election timeout. A leader ignores it.
func (s *Server) Campaign() *Output { return s.do(input{op: campaign}) }

// Receive takes a packet of another server.
func (s *Server) Receive(p *Packet) *Output { return s.do(input{op: receive, packet: p}) }

// Propose asks for commands to be appended to the log, in order and at once; a follower hands
// them on to the leader. They may be lost with a leader, and then nothing says so. An empty
// command is none.
func (s *Server) Propose(data ...[]byte) *Output { return s.do(input{op: propose, data: data}) }

// ReadIndex asks the leader to confirm with a round of heartbeats that it still is one. The
// confirmation is an [Output].Reads with the ID, some time later or, if no leader is known or
// something is lost, never.
func (s *Server) ReadIndex(id uint64) *Output { return s.do(input{op: readIndex, number: id}) }

// Transfer makes another server the leader, if this one is. No command is accepted until then.
func (s *Server) Transfer(to uint64) *Output { return s.do(input{op: transfer, number: to}) }

// do takes an input, or repeats one.
func (s *Server) do(in input) *Output {
	c := s.core
	switch behind := c.done - s.inputs; {
	case behind == 0:
		c.take(in) //fencepost:allow the library is deterministic as it is used here: see the package
	case behind > uint64(len(c.recent)), !c.at(s.inputs + 1).in.same(&in):
		panic("raft: a copy of a server took another input than the server did")
	}
	s.inputs++
	out := &c.at(s.inputs).out
	s.status = out.Status
	in.fold(&s.history)
	return out
}

// op is what an input asks for.
type op uint8

const (
	start op = iota
	tick
	campaign
	receive
	propose
	readIndex
	transfer
)

// input is one input of a server.
type input struct {
	op     op
	packet *Packet
	data   [][]byte
	number uint64 // ID of a read, or of the server to transfer to
}

func (i *input) same(j *input) bool {
	return i.op == j.op && i.packet == j.packet && i.number == j.number && slices.EqualFunc(i.data, j.data, bytes.Equal)
}

func (i *input) fold(p *sim.Print) {
	d := sim.Digest(0).Fold(uint64(len(i.data)), i.number)
	if i.packet != nil {
		d = i.packet.Fold(d)
	}
	for _, b := range i.data {
		d = foldBytes(d, b)
	}
	p.Fold(uint64(i.op), uint64(d))
}
