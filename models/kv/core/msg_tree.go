package core

import (
	"fencepost/models/kv/merkle"
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message of anti-entropy with hash trees: a digest has their numbers.
const (
	MerkleHash sim.Kind = 13 // replica to replica: the hash of a node of the tree of a share
	Exchange   sim.Kind = 14 // replica to replica: what it stores of a key

	AntiEntropyRound sim.Kind = 37 // node timer: compare with other replicas

	Compared  sim.Kind = 59 // note of a node: it has compared a hash of another one with its own
	Exchanged sim.Kind = 60 // note of a node: it sends an object to another one, as their hashes differ
)

var treeKinds = model.Kinds{
	MerkleHash:       model.MessageKind("merkle-hash"),
	Exchange:         model.MessageKind("exchange"),
	AntiEntropyRound: model.TimerKind("anti-entropy-round"),
	Compared:         model.NoteKind("compared"),
	Exchanged:        model.NoteKind("exchanged"),
}

// NewMerkleHash sends a node of the hash tree of a share of a ring.
func NewMerkleHash(ring int, share uint32, h merkle.Node) Msg {
	return Msg{Kind: MerkleHash, req: uint32(ring), number: share, key: uint32(h.Index), word: h.Hash}
}

// HashRing is the ring whose share a hash is of, by number.
func (m *Msg) HashRing() int { return int(m.req) }

// Share is the share whose tree a hash is of.
func (m *Msg) Share() uint32 { return m.number }

// TreeNode is the node of the tree, by its index.
func (m *Msg) TreeNode() int { return int(m.key) }

// TreeHash is the node of the tree and its hash.
func (m *Msg) TreeHash() merkle.Node { return merkle.Node{Index: int(m.key), Hash: m.word} }

// NewCompared notes that the hash of another node was compared.
func NewCompared(hash *Msg, other sim.NodeID) Msg {
	return Msg{Kind: Compared, key: hash.key, number: hash.number, node: uint16(other)}
}

// NewExchange sends what is stored of a key, and wants what this one lacks, or not.
func NewExchange(key uint32, o *version.Object, wanted bool) Msg {
	return Msg{Kind: Exchange, key: key, Obj: o, code: uint8(One(wanted))}
}

// NewExchanged notes that an object is sent to another node.
func NewExchanged(key uint32, other sim.NodeID, o *version.Object) Msg {
	return Msg{Kind: Exchanged, key: key, node: uint16(other), Obj: o}
}
