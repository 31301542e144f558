package core

import (
	"fmt"

	"fencepost/models/internal/raft"
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model"
)

// Msg is every message of the store: one type, as the engine has one type of message. The file of what
// nodes do has its kinds, and for each kind that carries something a constructor, which writes code,
// node, key, req, number and word, and the accessors that read them and say what they are. What is
// referred to is immutable.
type Msg struct {
	Kind   sim.Kind
	code   uint8
	node   uint16
	key    uint32
	req    uint32
	number uint32
	word   uint64
	Obj    *version.Object
	Write  *version.Write // of a client

	Packet *raft.Packet // of Raft; nil in all others
}

// Kinds names the kinds of message, and says what each is.
var Kinds, _ = model.Join(
	model.Vocabulary[*Msg]{Kinds: clientKinds},
	model.Vocabulary[*Msg]{Kinds: replicaKinds},
	model.Vocabulary[*Msg]{Kinds: repairKinds},
	model.Vocabulary[*Msg]{Kinds: treeKinds},
	model.Vocabulary[*Msg]{Kinds: ringKinds},
	model.Vocabulary[*Msg]{Kinds: streamKinds},
	model.Vocabulary[*Msg]{Kinds: loadKinds},
	model.Vocabulary[*Msg]{Kinds: leaderKinds},
)

// Key is the key that a message is about.
func (m *Msg) Key() uint32 { return m.key }

// Req is the request that a message is about: a client's by its number there, and between nodes that
// which its coordinator has for it.
func (m *Msg) Req() uint32 { return m.req }

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message, and what it refers to, into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	d = d.Fold(uint64(m.Kind)|uint64(m.code)<<8|uint64(m.node)<<16|uint64(m.key)<<32, uint64(m.req)|uint64(m.number)<<32)
	if w := m.Write; w != nil {
		d = d.Fold(uint64(w.ID)|uint64(w.Op)<<32, w.Data)
	}
	if m.Packet != nil {
		d = m.Packet.Fold(d)
	}
	return d.Fold(m.word, m.Obj.Digest())
}

// String is the message in words.
func (m Msg) String() string {
	if m.Packet != nil {
		return "raft: " + m.Packet.String()
	}
	switch m.Kind {
	case MerkleHash:
		return fmt.Sprintf("%s of node %d, share %d", Kinds.Name(m.Kind), m.TreeNode(), m.Share())
	case Gossip, Membership:
		return fmt.Sprintf("%s, ring %d", Kinds.Name(m.Kind), m.Ring())
	case Announce, AnnounceAck:
		return fmt.Sprintf("%s, phase %d of change %d", Kinds.Name(m.Kind), m.Phase(), m.Change())
	case Forget, Forgotten, Fetch, FetchDone, StreamAsk, StreamEnd, StreamLook, SendAgain:
		return fmt.Sprintf("%s, change %d", Kinds.Name(m.Kind), m.Change())
	case ChangeDue, SampleDue, StreamTick, LoadAsk, LoadAnswer:
		return Kinds.Name(m.Kind)
	case Start, Next, GiveUp, RequestTimeout, ReplicaTimeout, ForwardTimeout, HandoffScan, AntiEntropyRound, GossipRound, RaftTick, RaftElect:
		return Kinds.Name(m.Kind)
	}
	name := Kinds.Name(m.Kind)
	if m.Kind == Delayed || m.Kind == Remote {
		sent, _ := m.Sent()
		name += " " + Kinds.Name(sent.Kind)
	}
	s := fmt.Sprintf("%s key-%d", name, m.key)
	if m.Write != nil {
		s += " " + WriteName(m.Write.ID)
	}
	return s
}

// WriteName is a write by its client and its number there.
func WriteName(id uint32) string {
	return fmt.Sprintf("write %d of client %d", version.Nth(id), version.Client(id))
}
