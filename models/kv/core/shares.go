package core

import (
	"slices"

	"fencepost/sim"
)

// Share is the keys that the same nodes store, in the order of their numbers.
type Share struct {
	Nodes []sim.NodeID // in ascending order
	Keys  []uint32     // in ascending order
}

// Shares are all keys by the nodes that store them: what two nodes compare of each other. They
// do not change.
type Shares struct {
	All    []Share
	width  int          // nodes of a share
	nodes  []sim.NodeID // of all shares, one after the other
	local  []uint32     // of each of these nodes, which of its shares this is
	Of     []uint32     // of a key, its share
	At     []uint32     // of a key, its place in the share
	ByNode [][]uint32   // of a node, its shares
}

// Immutable implements [sim.Immutable].
func (*Shares) Immutable() {}

// NewShares divides the keys from 0 to keys-1 among the replicas that a ring has for them.
func NewShares(r *Ring, n, keys int) *Shares {
	s := &Shares{width: n, Of: make([]uint32, keys), At: make([]uint32, keys), ByNode: make([][]uint32, r.All+1)}
	number := map[string]uint32{}
	nodes, name := make([]sim.NodeID, n), make([]byte, 0, 4*n)
	for key := range keys {
		for i := range n {
			nodes[i] = r.At(uint32(key), i)
		}
		slices.Sort(nodes)
		name = name[:0]
		for _, id := range nodes {
			name = append(name, byte(id), byte(id>>8))
		}
		which, there := number[string(name)]
		if !there {
			which = uint32(len(s.All))
			number[string(name)] = which
			s.add(slices.Clone(nodes))
		}
		share := &s.All[which]
		s.Of[key], s.At[key] = which, uint32(len(share.Keys))
		share.Keys = append(share.Keys, uint32(key))
	}
	return s
}

// add is a share of some nodes, without keys.
func (s *Shares) add(nodes []sim.NodeID) {
	for _, id := range nodes {
		s.nodes = append(s.nodes, id)
		s.local = append(s.local, uint32(len(s.ByNode[id])))
		s.ByNode[id] = append(s.ByNode[id], uint32(len(s.All)))
	}
	s.All = append(s.All, Share{Nodes: nodes})
}

// LocalOf is which of a node's shares one is; ok is false if the node does not store it.
func (s *Shares) LocalOf(share uint32, id sim.NodeID) (local int, ok bool) {
	if int(share) >= len(s.All) {
		return 0, false
	}
	for i := int(share) * s.width; i < (int(share)+1)*s.width; i++ {
		if s.nodes[i] == id {
			return int(s.local[i]), true
		}
	}
	return 0, false
}

// Leaves is the number of leaves of the hash tree of a share: as many as the parameter says,
// or one for each key, up to 65,536.
func (s *Share) Leaves(parameter int) int {
	if parameter > 0 {
		return parameter
	}
	return min(len(s.Keys), 1<<16)
}
