package core

import (
	"fencepost/models/internal/redis"
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message of Sentinels: a digest has their numbers.
const (
	ReplicaOf        sim.Kind = 61 // Sentinel to Redis: the master, itself for none, and the epoch
	Probe            sim.Kind = 62 // Sentinel to Redis: PING and INFO
	Info             sim.Kind = 63 // OK: it is a master; its master, its priority and its offset
	AskDown          sim.Kind = 64 // Sentinel to Sentinel: the master and the epoch; whether it asks for a vote
	DownReply        sim.Kind = 65 // OK: it is down; for whom it has voted, and in which epoch
	Hello            sim.Kind = 66 // Sentinel to Sentinel: the master, and the epoch of its promotion
	GetMaster        sim.Kind = 67 // client to Sentinel
	MasterIs         sim.Kind = 68 // Sentinel to client
	Published        sim.Kind = 69 // Sentinel to client: the master has changed
	Tick             sim.Kind = 73 // Sentinel timer: the next look
	Inquire          sim.Kind = 74 // Sentinel timer: asks a server whether it has been promoted
	Unfound          sim.Kind = 75 // client timer: no Sentinel has answered
	SubjectivelyDown sim.Kind = 78 // note of a Sentinel: the master has not answered for too long
	ObjectivelyDown  sim.Kind = 79 // note of a Sentinel: how many Sentinels say so of the master
	Candidacy        sim.Kind = 80 // note of a Sentinel: it wants to lead the failover of an epoch
	Elected          sim.Kind = 81 // note of a Sentinel: it does
	SwitchedMaster   sim.Kind = 82 // note of a Sentinel: its configuration has another master, since an epoch
	Tilted           sim.Kind = 83 // note of a Sentinel: its clock has jumped, and it does nothing for a while
)

var sentinelKinds = model.Kinds{
	ReplicaOf:        model.Message("replicaof"),
	Probe:            model.Message("info"),
	Info:             model.Message("info-reply"),
	AskDown:          model.Message("is-master-down"),
	DownReply:        model.Message("is-master-down-reply"),
	Hello:            model.Message("hello"),
	GetMaster:        model.Message("get-master"),
	MasterIs:         model.Message("master"),
	Published:        model.Message("switch-master"),
	Tick:             model.Timer("tick"),
	Inquire:          model.Timer("inquire"),
	Unfound:          model.Timer("unfound"),
	SubjectivelyDown: model.Note("subjectively-down"),
	ObjectivelyDown:  model.Note("objectively-down"),
	Candidacy:        model.Note("candidacy"),
	Elected:          model.Note("elected"),
	SwitchedMaster:   model.Note("switched-master"),
	Tilted:           model.Note("tilted"),
}

// NewMaster is a message about a master: [ReplicaOf], [Hello] and [SwitchedMaster] with the epoch of
// its promotion, [Published] and [Inquire] without.
func NewMaster(kind sim.Kind, master sim.NodeID, epoch uint64) Msg {
	return Msg{head: head{Kind: kind}, tail: tail{token: epoch, x: int64(master)}}
}

// NewMasterIs answers a client's numbered question.
func NewMasterIs(question uint32, master sim.NodeID) Msg {
	return Msg{head: head{Kind: MasterIs}, Try: question, tail: tail{x: int64(master)}}
}

// Master is the server that a message calls the master.
func (m *Msg) Master() sim.NodeID { return sim.NodeID(m.x) }

// NewEpoch notes what happens in an epoch: [Candidacy], [Elected] or [Promoted].
func NewEpoch(kind sim.Kind, epoch uint64) Msg {
	return Msg{head: head{Kind: kind}, tail: tail{token: epoch}}
}

// Epoch is that of a failover.
func (m *Msg) Epoch() uint64 { return m.token }

// NewInfo is what a server says of itself: its master, itself if it is one.
func NewInfo(isMaster bool, master sim.NodeID, priority int, offset uint64) Msg {
	return Msg{head: head{Kind: Info, OK: isMaster, n: uint16(priority)}, tail: tail{token: offset, x: int64(master)}}
}

// Priority is a server's replica-priority.
func (m *Msg) Priority() int { return int(m.n) }

// Offset is up to where a server has the stream.
func (m *Msg) Offset() uint64 { return m.token }

// NewAskDown asks a Sentinel whether the master is down, and for its vote or not.
func NewAskDown(master sim.NodeID, epoch uint64, forVote bool) Msg {
	return Msg{head: head{Kind: AskDown, OK: forVote}, tail: tail{token: epoch, x: int64(master)}}
}

// AsksForVote reports whether a Sentinel wants to lead the failover.
func (m *Msg) AsksForVote() bool { return m.OK }

// NewDownReply says whether the master is down, and for whom the Sentinel has voted if it was asked.
func NewDownReply(down bool, vote redis.Vote) Msg {
	return Msg{head: head{Kind: DownReply, OK: down}, tail: tail{token: vote.Epoch, x: int64(vote.Leader)}}
}

// Vote is that of the Sentinel which answers, the zero Vote if it was not asked for it.
func (m *Msg) Vote() redis.Vote { return redis.Vote{Leader: sim.NodeID(m.x), Epoch: m.token} }

// NewSubjectivelyDown notes that the master is down for one Sentinel.
func NewSubjectivelyDown(master sim.NodeID) Msg {
	return Msg{head: head{Kind: SubjectivelyDown}, tail: tail{x: int64(master)}}
}

// NewObjectivelyDown notes that the master is down for a quorum of that many Sentinels.
func NewObjectivelyDown(master sim.NodeID, sentinels int) Msg {
	return Msg{head: head{Kind: ObjectivelyDown, n: uint16(sentinels)}, tail: tail{x: int64(master)}}
}

// Sentinels is for how many the master is down.
func (m *Msg) Sentinels() int { return int(m.n) }
