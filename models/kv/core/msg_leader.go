package core

import (
	"fencepost/models/internal/raft"
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message of a store with a leader: a digest has their numbers.
const (
	Raft      sim.Kind = 27 // node to node
	RaftTick  sim.Kind = 44 // node timer: a heartbeat interval is over
	RaftElect sim.Kind = 45 // node timer: an election timeout is over
	Led       sim.Kind = 63 // note of a node: it leads from now on
	Deposed   sim.Kind = 64 // note of a node: it no longer leads
)

var leaderKinds = model.Kinds{
	Raft:      model.MessageKind("raft"),
	RaftTick:  model.TimerKind("raft-tick"),
	RaftElect: model.TimerKind("raft-elect"),
	Led:       model.NoteKind("led"),
	Deposed:   model.NoteKind("deposed"),
}

// NewRaft carries a packet of Raft.
func NewRaft(p *raft.Packet) Msg { return Msg{Kind: Raft, Packet: p} }

// NewElectionTimeout is the timer of an election timeout.
func NewElectionTimeout(election uint32) Msg { return Msg{Kind: RaftElect, number: election} }

// Election is which election timeout is over, from 1.
func (m *Msg) Election() uint32 { return m.number }

// NewLeadership notes that a node leads from now on, in a term, or no longer: [Led] or [Deposed].
func NewLeadership(kind sim.Kind, term uint64) Msg { return Msg{Kind: kind, word: term} }

// Term is the one in which a node leads, or has led.
func (m *Msg) Term() uint64 { return m.word }
