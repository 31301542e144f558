package core

import (
	"fmt"

	"fencepost/models/internal/kit"
	"fencepost/models/internal/raft"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// The kinds of message. A request between nodes is named by Req, the slot of it at its
// coordinator.
const (
	Start sim.Kind = iota // the zero message

	Put      // client to node: Key, Req, Obj the context, Write; to another node: Node the client, whom it is forwarded for
	PutReply // node to client: Key, Req, Code a status; Obj what the coordinator stores, Number the nodes that it has sent that to; via a node: Node the client
	Get      // client to node: Key, Req, Word the nodes to read from, 0 the replicas; Node as of Put
	GetReply // node to client: Key, Req, Code a status; Obj what is read; Node as of PutReply

	ReplicaWrite // coordinator to replica: Key, Req, Obj; Node for whom it keeps a hint, 0 no one
	WriteAck     // replica to coordinator: Key, Req; Code Unavailable, there is no room for the hint, Refused, its clock is too far behind
	ReplicaRead  // coordinator to replica: Key, Req
	ReadAnswer   // replica to coordinator: Key, Req, Obj

	Repair     // coordinator to replica: Key, Req, Obj; Code wanted, for an acknowledgement
	RepairAck  // replica to coordinator: Key, Req, Word the digest of Obj
	Handoff    // keeper of a hint to the node it is for: Key, Obj
	HandoffAck // that node to the keeper: Key, Word the digest of Obj
	MerkleHash // replica to replica: Req the ring, Number the share, Key the node of its tree, Word the hash
	Exchange   // replica to replica: Key, Obj; Code wanted, for what this one lacks
	Gossip     // node to node: Number of its ring
	Membership // node to node: Number of the ring that it sends

	Announce      // controller to node or client: Code the phase, Number of the change, Word the old ring and, from bit 16 on, the new one
	AnnounceAck   // node to controller: Code and Number as announced
	Fetch         // controller to a node that gains keys: Number, Word as of Announce
	FetchDone     // that node to the controller: Number
	StreamAsk     // node that gains keys to one of the old ring: Code the round, Number and Word as of Announce
	StreamItem    // that one back: Key, Obj, Req its number in the stream; Code, Number as asked
	StreamEnd     // that one back: Req the number of objects; Code, Number as asked
	LoadAsk       // controller to node: Number the sample
	LoadAnswer    // node to controller: Number; Word the requests since it was asked last
	CompareAndSet // client to node with a leader: Key, Req, Word the value that it expects, 0 none, Write; answered as Put is
	Raft          // node to node, with a leader: Packet

	Next           // client timer: the next step
	GiveUp         // client timer: Req has taken too long
	Poll           // client timer: Req is asked again
	RequestTimeout // node timer: Req is not done
	ReplicaTimeout // node timer: replicas have not answered Req
	Collect        // node timer: the tombstone at Key may have to go
	Delayed        // node timer: the message of kind Word leaves for node Number, or waits for remote
	Remote         // node timer: the same, after the time between data centers

	HandoffScan      // node timer: look through the hints
	AntiEntropyRound // node timer: compare with other replicas
	GossipRound      // node timer: Word the clock reading from which on it says, by a nanosecond each, which peer is drawn

	StreamTick // node timer: the next part of the stream to Node
	StreamLook // node timer: whether streams of change Number make progress
	ChangeDue  // controller timer: change Number of the operator
	SendAgain  // controller timer: to those that have not answered of change Number
	SampleDue  // controller timer: ask for the load
	RaftTick   // node timer: a heartbeat interval is over
	RaftElect  // node timer: election timeout Number is over

	Asked     // note of a client: it sends Req for Key to Node; Write of a write; Obj its context
	Answered  // note of a client: Req for Key is answered; Obj what is read or stored; Write of a write; Node how many nodes it was sent to
	Failed    // note of a client: Req for Key is refused or not answered; Code a status; Write of a write
	Stored    // note of a node: it stores Obj at Key; Write if a client's write made it
	Hinted    // note of a node: it keeps Obj of Key for Node
	Suspected // note of a node: Node has not answered
	Collected // note of a node: it has deleted the tombstone Obj at Key
	Wiped     // note of a node: it has lost all that it stored
	Behind    // note of a client: Obj is the answer to Req for Key, and lacks something that it has seen

	Repaired    // note of a node: a read sends Node what it lacks, Obj of Key; Code unanswered, Node has not answered it
	HintRefused // note of a node: it has no room to keep Obj of Key for Node
	HintsLost   // note of a node: a crash has lost Number hints
	HandedOver  // note of a node: Node has acknowledged Obj of Key, the hint is deleted
	Compared    // note of a node: it has compared a hash of Node with its own; Key the node of the tree, Number the share
	Exchanged   // note of a node: it sends Obj of Key to Node, as their hashes differ
	Adopted     // note of a node: it has the ring Number now, which Node has sent

	Received // note of a node: it has Req of the client Node
	Led      // note of a node: it leads from now on, in term Word
	Deposed  // note of a node: it no longer leads, as it did in term Word

	ChangeStarted // note of the controller: Code, it joins or leaves; Node which; Number and Word as of Announce
	ChangeDone    // note of the controller: as of ChangeStarted
	ChangeRefused // note of the controller: Code, Node as of ChangeStarted; Key the node that joins or leaves at that time, Number its code; or Key 0, and Word 1 if Node is a member
	Entered       // note of a node: Code the phase of change Number
	Streamed      // note of a node: it has all that Node had to send, Number objects of Word bytes
	Sampled       // note of the controller: the load of Word members is Number thousandths

	ForwardTimeout // node timer: Req of the client Node, which was forwarded, is not answered
	Forget         // controller to a node that gains keys: Number, Word as of Announce
	Forgotten      // that node to the controller: Number
	Discarded      // note of a node: it has deleted Obj of Key, which it is about to gain

	kindCount
)

// Kinds names the kinds of message, and says what each is.
var Kinds = kit.NewKinds(kindCount, kit.Kinds{
	Put:              kit.Message("put"),
	PutReply:         kit.Message("put-reply"),
	Get:              kit.Message("get"),
	GetReply:         kit.Message("get-reply"),
	ReplicaWrite:     kit.Message("replica-write"),
	WriteAck:         kit.Message("write-ack"),
	ReplicaRead:      kit.Message("replica-read"),
	ReadAnswer:       kit.Message("read-answer"),
	Repair:           kit.Message("repair"),
	RepairAck:        kit.Message("repair-ack"),
	Handoff:          kit.Message("handoff"),
	HandoffAck:       kit.Message("handoff-ack"),
	MerkleHash:       kit.Message("merkle-hash"),
	Exchange:         kit.Message("exchange"),
	Gossip:           kit.Message("gossip"),
	Membership:       kit.Message("membership"),
	Announce:         kit.Message("announce"),
	AnnounceAck:      kit.Message("announce-ack"),
	Fetch:            kit.Message("fetch"),
	FetchDone:        kit.Message("fetch-done"),
	StreamAsk:        kit.Message("stream-ask"),
	StreamItem:       kit.Message("stream-item"),
	StreamEnd:        kit.Message("stream-end"),
	LoadAsk:          kit.Message("load-ask"),
	LoadAnswer:       kit.Message("load-answer"),
	CompareAndSet:    kit.Message("compare-and-set"),
	Raft:             kit.Message("raft"),
	Next:             kit.Timer("next"),
	GiveUp:           kit.Timer("give-up"),
	Poll:             kit.Timer("poll"),
	RequestTimeout:   kit.Timer("request-timeout"),
	ReplicaTimeout:   kit.Timer("replica-timeout"),
	ForwardTimeout:   kit.Timer("forward-timeout"),
	Forget:           kit.Message("forget"),
	Forgotten:        kit.Message("forgotten"),
	Discarded:        kit.Note("discarded"),
	Collect:          kit.Timer("collect"),
	Delayed:          kit.Timer("delayed"),
	Remote:           kit.Timer("remote"),
	HandoffScan:      kit.Timer("handoff-scan"),
	AntiEntropyRound: kit.Timer("anti-entropy-round"),
	GossipRound:      kit.Timer("gossip-round"),
	StreamTick:       kit.Timer("stream-tick"),
	StreamLook:       kit.Timer("stream-look"),
	ChangeDue:        kit.Timer("change-due"),
	SendAgain:        kit.Timer("send-again"),
	SampleDue:        kit.Timer("sample-due"),
	RaftTick:         kit.Timer("raft-tick"),
	RaftElect:        kit.Timer("raft-elect"),
	Asked:            kit.Note("asked"),
	Answered:         kit.Note("answered"),
	Failed:           kit.Note("failed"),
	Stored:           kit.Note("stored"),
	Hinted:           kit.Note("hinted"),
	Suspected:        kit.Note("suspected"),
	Collected:        kit.Note("collected"),
	Wiped:            kit.Note("wiped"),
	Behind:           kit.Note("behind"),
	Repaired:         kit.Note("repaired"),
	HintRefused:      kit.Note("hint-refused"),
	HintsLost:        kit.Note("hints-lost"),
	HandedOver:       kit.Note("handed-over"),
	Compared:         kit.Note("compared"),
	Exchanged:        kit.Note("exchanged"),
	Adopted:          kit.Note("adopted"),
	Received:         kit.Note("received"),
	ChangeStarted:    kit.Note("change-started"),
	ChangeDone:       kit.Note("change-done"),
	ChangeRefused:    kit.Note("change-refused"),
	Entered:          kit.Note("entered"),
	Streamed:         kit.Note("streamed"),
	Sampled:          kit.Note("sampled"),
	Led:              kit.Note("led"),
	Deposed:          kit.Note("deposed"),
})

// Statuses of an answer.
const (
	OK          uint8 = iota
	Unavailable       // too few replicas can be reached
	TimedOut          // too few replicas have answered in time: a write may be stored all the same
	Refused           // the coordinator's clock is too far from that of the context
	NoAnswer          // the client has waited long enough
	TooOld            // the same, and what it was answered lacks something that it has seen
	Mismatch          // a compare-and-set finds another value
)

// StatusNames are the statuses of an answer in words, by their code.
var StatusNames = [...]string{"ok", "unavailable", "timed out", "refused", "no answer", "older than what it has seen", "another value"}

// Unanswered is the code of the note that a replica is repaired that has not answered yet.
const Unanswered uint8 = 1

// Wanted is the code of a repair or an exchange that wants an answer.
const Wanted uint8 = 1

// Msg is every message of the model. A kind uses the fields that its comment names. What
// is referred to is immutable.
type Msg struct {
	Kind   sim.Kind
	Code   uint8
	Node   uint16
	Key    uint32
	Req    uint32
	Number uint32 // of a change, ring, share, sample or election; of some notes, how many
	Word   uint64
	Obj    *version.Object
	Write  *version.Write

	Packet *raft.Packet
}

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message, and what it refers to, into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	d = d.Fold(uint64(m.Kind)|uint64(m.Code)<<8|uint64(m.Node)<<16|uint64(m.Key)<<32, uint64(m.Req)|uint64(m.Number)<<32)
	if w := m.Write; w != nil {
		d = d.Fold(uint64(w.ID)|uint64(w.Op)<<32, w.Data)
	}
	if m.Packet != nil {
		d = m.Packet.Fold(d)
	}
	return d.Fold(m.Word, m.Obj.Digest())
}

// String is the message in words.
func (m Msg) String() string {
	if m.Packet != nil {
		return "raft: " + m.Packet.String()
	}
	switch m.Kind {
	case MerkleHash:
		return fmt.Sprintf("%s of node %d, share %d", Kinds.Name(m.Kind), m.Key, m.Number)
	case Gossip, Membership:
		return fmt.Sprintf("%s, ring %d", Kinds.Name(m.Kind), m.Number)
	case Announce, AnnounceAck:
		return fmt.Sprintf("%s, phase %d of change %d", Kinds.Name(m.Kind), m.Code, m.Number)
	case Forget, Forgotten, Fetch, FetchDone, StreamAsk, StreamEnd, StreamLook, SendAgain:
		return fmt.Sprintf("%s, change %d", Kinds.Name(m.Kind), m.Number)
	case ChangeDue, SampleDue, StreamTick, LoadAsk, LoadAnswer:
		return Kinds.Name(m.Kind)
	case Start, Next, GiveUp, RequestTimeout, ReplicaTimeout, ForwardTimeout, HandoffScan, AntiEntropyRound, GossipRound, RaftTick, RaftElect:
		return Kinds.Name(m.Kind)
	}
	name := Kinds.Name(m.Kind)
	if m.Kind == Delayed || m.Kind == Remote {
		name += " " + Kinds.Name(sim.Kind(m.Word))
	}
	s := fmt.Sprintf("%s key-%d", name, m.Key)
	if m.Write != nil {
		s += " " + WriteName(m.Write.ID)
	}
	return s
}

// WriteName is a write by its client and its number there.
func WriteName(id uint32) string {
	return fmt.Sprintf("write %d of client %d", version.Nth(id), version.Client(id))
}

// NoteReceived notes a request of a client: from then on it is at a node.
func NoteReceived(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Node == 0 {
		out.Note(Msg{Kind: Received, Key: in.Msg.Key, Req: in.Msg.Req, Node: uint16(in.From)})
	}
}
