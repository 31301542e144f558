package core

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message that say which ring there is, and how it changes: a digest has their numbers.
const (
	Gossip      sim.Kind = 15 // node to node: the number of its ring
	Membership  sim.Kind = 16 // node to node: a ring
	GossipRound sim.Kind = 38 // node timer: the next round
	Adopted     sim.Kind = 61 // note of a node: it has a ring that another one has sent

	Announce    sim.Kind = 17 // controller to node or client: a phase of a change
	AnnounceAck sim.Kind = 18 // node to controller
	Forget      sim.Kind = 72 // controller to a node that gains keys: it deletes what it has of them
	Forgotten   sim.Kind = 73 // that node to the controller
	ChangeDue   sim.Kind = 41 // controller timer: a change of the operator
	SendAgain   sim.Kind = 42 // controller timer: to those that have not answered

	ChangeStarted sim.Kind = 65 // note of the controller
	ChangeDone    sim.Kind = 66 // note of the controller
	ChangeRefused sim.Kind = 67 // note of the controller
	Entered       sim.Kind = 68 // note of a node: it enters a phase
	Discarded     sim.Kind = 74 // note of a node: it has deleted an object of a key that it is about to gain
)

var ringKinds = model.Kinds{
	Gossip:        model.MessageKind("gossip"),
	Membership:    model.MessageKind("membership"),
	GossipRound:   model.TimerKind("gossip-round"),
	Adopted:       model.NoteKind("adopted"),
	Announce:      model.MessageKind("announce"),
	AnnounceAck:   model.MessageKind("announce-ack"),
	Forget:        model.MessageKind("forget"),
	Forgotten:     model.MessageKind("forgotten"),
	ChangeDue:     model.TimerKind("change-due"),
	SendAgain:     model.TimerKind("send-again"),
	ChangeStarted: model.NoteKind("change-started"),
	ChangeDone:    model.NoteKind("change-done"),
	ChangeRefused: model.NoteKind("change-refused"),
	Entered:       model.NoteKind("entered"),
	Discarded:     model.NoteKind("discarded"),
}

// NewRingMessage is a message about the ring of a number: [Gossip] or [Membership].
func NewRingMessage(kind sim.Kind, ring uint32) Msg { return Msg{Kind: kind, number: ring} }

// NewAdopted notes that a ring is adopted that another node has sent.
func NewAdopted(ring uint32, from sim.NodeID) Msg {
	return Msg{Kind: Adopted, node: uint16(from), number: ring}
}

// Ring is the ring that gossip and its notes are about, by number.
func (m *Msg) Ring() uint32 { return m.number }

// NewGossipRound is the timer of a round. It is late by as many nanoseconds as say which peer is drawn.
func NewGossipRound(due sim.Mono) Msg { return Msg{Kind: GossipRound, word: uint64(due)} }

// RoundDue is the reading at which a round of gossip is due.
func (m *Msg) RoundDue() sim.Mono { return sim.Mono(m.word) }

// NewAnnounce announces a phase of a change.
func NewAnnounce(p Phase, change uint32, rings Transition) Msg {
	return Msg{Kind: Announce, code: uint8(p), number: change, word: uint64(rings)}
}

// NewPhase says of a phase of a change that a node is in it: [AnnounceAck] or [Entered].
func NewPhase(kind sim.Kind, p Phase, change uint32) Msg {
	return Msg{Kind: kind, code: uint8(p), number: change}
}

// Phase is the phase that is announced, acknowledged or entered.
func (m *Msg) Phase() Phase { return Phase(m.code) }

// NewGains asks a node for what a change demands of those that gain keys: [Forget] or [Fetch].
func NewGains(kind sim.Kind, change uint32, rings Transition) Msg {
	return Msg{Kind: kind, number: change, word: uint64(rings)}
}

// NewOfChange is a message or a timer of a kind about a change.
func NewOfChange(kind sim.Kind, change uint32) Msg { return Msg{Kind: kind, number: change} }

// Change is the change of the ring that a message is about, from 1.
func (m *Msg) Change() uint32 { return m.number }

// Rings are the old and the new ring of a change.
func (m *Msg) Rings() Transition { return Transition(m.word) }

// NewChangeDue is the timer of a change that the operator asks for, from 0.
func NewChangeDue(nth int) Msg { return Msg{Kind: ChangeDue, number: uint32(nth)} }

// NthDue is which change of the operator is due, from 0.
func (m *Msg) NthDue() int { return int(m.number) }

// NewChangeNote notes that the join or the leave of a node has started, or is done.
func NewChangeNote(kind sim.Kind, d Direction, node sim.NodeID, change uint32, rings Transition) Msg {
	return Msg{Kind: kind, code: uint8(d), node: uint16(node), number: change, word: uint64(rings)}
}

// Direction is whether the node of a change joins or leaves.
func (m *Msg) Direction() Direction { return Direction(m.code) }

// NewChangeRefused notes that the join or the leave of a node is refused, and whether it is a member.
func NewChangeRefused(d Direction, node sim.NodeID, member bool) Msg {
	return Msg{Kind: ChangeRefused, code: uint8(d), node: uint16(node), word: One(member)}
}

// IsMember reports whether the node of a refused change is a member.
func (m *Msg) IsMember() bool { return m.word != 0 }

// SetOngoing notes which node joins or leaves at that time, which is why a change is refused.
func (m *Msg) SetOngoing(d Direction, node sim.NodeID) { m.key, m.number = uint32(node), uint32(d) }

// Ongoing is the node that joins or leaves at the time of a refused change; None: no node does.
func (m *Msg) Ongoing() (Direction, sim.NodeID) { return Direction(m.number), sim.NodeID(m.key) }
