package core

import (
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message of read repair and of hints: a digest has their numbers.
const (
	Repair     sim.Kind = 9  // coordinator to replica: what it lacks
	RepairAck  sim.Kind = 10 // replica to coordinator
	Handoff    sim.Kind = 11 // keeper of a hint to the node it is for
	HandoffAck sim.Kind = 12 // that node to the keeper

	HandoffScan sim.Kind = 36 // node timer: look through the hints

	Hinted      sim.Kind = 50 // note of a node: it keeps an object for another one
	Repaired    sim.Kind = 55 // note of a node: a read sends another one what it lacks
	HintRefused sim.Kind = 56 // note of a node: it has no room to keep an object for another one
	HintsLost   sim.Kind = 57 // note of a node: a crash has lost hints
	HandedOver  sim.Kind = 58 // note of a node: another one has acknowledged an object, the hint is deleted
)

var repairKinds = model.Kinds{
	Repair:      model.MessageKind("repair"),
	RepairAck:   model.MessageKind("repair-ack"),
	Handoff:     model.MessageKind("handoff"),
	HandoffAck:  model.MessageKind("handoff-ack"),
	HandoffScan: model.TimerKind("handoff-scan"),
	Hinted:      model.NoteKind("hinted"),
	Repaired:    model.NoteKind("repaired"),
	HintRefused: model.NoteKind("hint-refused"),
	HintsLost:   model.NoteKind("hints-lost"),
	HandedOver:  model.NoteKind("handed-over"),
}

// NewRepair sends a replica what it lacks. A read that waits for it wants an acknowledgement.
func NewRepair(key, req uint32, o *version.Object, wanted bool) Msg {
	return Msg{Kind: Repair, key: key, req: req, Obj: o, code: uint8(One(wanted))}
}

// AnswerWanted reports whether the sender of a repair or an exchange wants an answer.
func (m *Msg) AnswerWanted() bool { return m.code != 0 }

// NewRepairAck acknowledges a repair.
func NewRepairAck(repair *Msg) Msg {
	return Msg{Kind: RepairAck, key: repair.key, req: repair.req, word: repair.Obj.Digest()}
}

// NewHandoff hands an object over to the node that it was kept for.
func NewHandoff(key uint32, o *version.Object) Msg { return Msg{Kind: Handoff, key: key, Obj: o} }

// NewHandoffAck acknowledges a handoff.
func NewHandoffAck(handoff *Msg) Msg {
	return Msg{Kind: HandoffAck, key: handoff.key, word: handoff.Obj.Digest()}
}

// Acknowledged is the digest of the object that a repair or a handoff had.
func (m *Msg) Acknowledged() uint64 { return m.word }

// NewHintNote notes of an object for another node that it is kept, refused or handed over.
func NewHintNote(kind sim.Kind, key uint32, other uint16, o *version.Object) Msg {
	return Msg{Kind: kind, key: key, node: other, Obj: o}
}

// NewRepaired notes that another node is sent what it lacks, as it has answered with less, or has not
// answered yet.
func NewRepaired(key uint32, other uint16, o *version.Object, answered bool) Msg {
	return Msg{Kind: Repaired, key: key, node: other, Obj: o, code: uint8(One(!answered))}
}

// HasAnswered reports whether a node that is repaired has answered.
func (m *Msg) HasAnswered() bool { return m.code == 0 }

// NewHintsLost notes how many hints a crash has lost.
func NewHintsLost(hints uint32) Msg { return Msg{Kind: HintsLost, number: hints} }

// Hints is how many were lost.
func (m *Msg) Hints() uint32 { return m.number }
