package kv

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
	all    []Share
	width  int          // nodes of a share
	nodes  []sim.NodeID // of all shares, one after the other
	local  []uint32     // of each of these nodes, which of its shares this is
	of     []uint32     // of a key, its share
	at     []uint32     // of a key, its place in the share
	byNode [][]uint32   // of a node, its shares
}

// Immutable implements [sim.Immutable].
func (*Shares) Immutable() {}

// newShares divides the keys from 0 to keys-1 among the replicas that a ring has for them.
func newShares(r *Ring, n, keys int) *Shares {
	s := &Shares{width: n, of: make([]uint32, keys), at: make([]uint32, keys), byNode: make([][]uint32, r.All+1)}
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
			which = uint32(len(s.all))
			number[string(name)] = which
			s.add(slices.Clone(nodes))
		}
		share := &s.all[which]
		s.of[key], s.at[key] = which, uint32(len(share.Keys))
		share.Keys = append(share.Keys, uint32(key))
	}
	return s
}

// add is a share of some nodes, without keys.
func (s *Shares) add(nodes []sim.NodeID) {
	for _, id := range nodes {
		s.nodes = append(s.nodes, id)
		s.local = append(s.local, uint32(len(s.byNode[id])))
		s.byNode[id] = append(s.byNode[id], uint32(len(s.all)))
	}
	s.all = append(s.all, Share{Nodes: nodes})
}

// localOf is which of a node's shares one is; ok is false if the node does not store it.
func (s *Shares) localOf(share uint32, id sim.NodeID) (local int, ok bool) {
	if int(share) >= len(s.all) {
		return 0, false
	}
	for i := int(share) * s.width; i < (int(share)+1)*s.width; i++ {
		if s.nodes[i] == id {
			return int(s.local[i]), true
		}
	}
	return 0, false
}

// leaves is the number of leaves of the hash tree of a share: as many as the parameter says,
// or one for each key, up to 65,536.
func (s *Share) leaves(parameter int) int {
	if parameter > 0 {
		return parameter
	}
	return min(len(s.Keys), 1<<16)
}
