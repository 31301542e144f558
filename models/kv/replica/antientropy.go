package replica

import (
	"fencepost/models/kv/core"
	"fencepost/models/kv/merkle"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// trees are the hash trees of a node, one for each of its shares. A tree is made when it is
// first compared, and kept up to date from then on: what it holds follows from what the node
// stores.
type trees struct{ list []merkle.Tree }

func (t *trees) reset(to *trees) {
	for len(t.list) < len(to.list) {
		t.list = append(t.list, merkle.Tree{})
	}
	t.list = t.list[:len(to.list)]
	for i := range to.list {
		t.list[i].CopyFrom(&to.list[i])
	}
}

// set stores an object at a key.
func (n *Node) set(key uint32, o *version.Object, self sim.NodeID) {
	if len(n.trees.list) > 0 && int(key) < len(n.Ring.Shares.Of) {
		if local, mine := n.Ring.Shares.LocalOf(n.Ring.Shares.Of[key], self); mine && n.trees.list[local].Leaves() > 0 {
			n.trees.list[local].Update(uint64(n.Ring.Shares.At[key]), n.objects.Get(key).Digest(), o.Digest())
		}
	}
	n.objects.Set(key, o)
}

// tree is the hash tree of a share, nil if the node does not store it.
func (n *Node) tree(share uint32, self sim.NodeID) *merkle.Tree {
	local, ok := n.Ring.Shares.LocalOf(share, self)
	if !ok {
		return nil
	}
	return n.localTree(local, self)
}

// localTree is the hash tree of a share of this node, which it may have to make.
func (n *Node) localTree(local int, self sim.NodeID) *merkle.Tree {
	for len(n.trees.list) < len(n.Ring.Shares.ByNode[self]) {
		n.trees.list = append(n.trees.list, merkle.Tree{})
	}
	t := &n.trees.list[local]
	if t.Leaves() == 0 {
		s := &n.Ring.Shares.All[n.Ring.Shares.ByNode[self][local]]
		*t = *merkle.New(0, uint64(len(s.Keys)-1), s.Leaves(n.MerkleLeaves))
		for i, key := range s.Keys {
			t.Update(uint64(i), 0, n.objects.Get(key).Digest())
		}
	}
	return t
}

// antiEntropy starts a round: of each share, the node sends the root of its tree to every
// replica with a larger number. So each pair of replicas compares each share once in a round.
//
// Source: DeCandia et al., "Dynamo", 2007, section 4.7.
func (n *Node) antiEntropy(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	out.After(n.AntiEntropy, core.Msg{Kind: core.AntiEntropyRound})
	for local, share := range n.Ring.Shares.ByNode[in.Self] {
		root := n.localTree(local, in.Self).Root()
		for _, id := range n.Ring.Shares.All[share].Nodes {
			if id > in.Self {
				n.sendHash(out, id, share, root)
			}
		}
	}
}

func (n *Node) sendHash(out *sim.Out[core.Msg], to sim.NodeID, share uint32, h merkle.Node) {
	out.Send(to, core.NewMerkleHash(n.Ring.Number, share, h))
}

// compare compares a hash of another replica with that of this one. Of an inner node that
// differs it sends its own hashes of the two children, of a leaf what it stores of the keys.
func (n *Node) compare(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	if m.HashRing() != n.Ring.Number { // one of both has not heard of the other's ring yet
		return
	}
	t := n.tree(m.Share(), in.Self)
	if t == nil {
		return
	}
	out.Note(core.NewCompared(m, in.From))
	switch t.Compare(m.TreeHash()) {
	case merkle.Descend:
		left, right := t.Children(m.TreeNode())
		n.sendHash(out, in.From, m.Share(), left)
		n.sendHash(out, in.From, m.Share(), right)
	case merkle.Exchange:
		first, last, ok := t.Keys(m.TreeNode())
		for at := first; ok && at <= last; at++ {
			key := n.Ring.Shares.All[m.Share()].Keys[at]
			n.exchange(out, in.From, key, true)
		}
	}
}

// exchange sends what is stored of a key to another replica.
func (n *Node) exchange(out *sim.Out[core.Msg], to sim.NodeID, key uint32, wanted bool) {
	o := n.objects.Get(key)
	out.Note(core.NewExchanged(key, to, o))
	out.Send(to, core.NewExchange(key, o, wanted))
}

// exchanged merges what another replica stores of a key, and sends back what that one lacks.
func (n *Node) exchanged(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	n.merge(in, out, m.Key(), m.Obj)
	if m.AnswerWanted() && !n.Policy.Covers(m.Obj, n.objects.Get(m.Key())) {
		n.exchange(out, in.From, m.Key(), false)
	}
}
