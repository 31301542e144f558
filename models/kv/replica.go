package kv

import (
	"slices"

	"fencepost/models/kv/version"
	"fencepost/sim"
)

// write is a write of another node's coordinator: the replica merges it with what it
// stores, or keeps it for the node that cannot be reached.
func (n *Node) write(in sim.In[Msg], out *sim.Out[Msg]) {
	m := &in.Msg
	if m.Node != 0 {
		n.keepHint(m, out)
	} else {
		n.merge(in, out, m.Key, m.Obj)
	}
	out.Send(in.From, Msg{Kind: WriteAck, Key: m.Key, Req: m.Req})
}

// merge stores what is left of what is stored and what has arrived.
func (n *Node) merge(in sim.In[Msg], out *sim.Out[Msg], key uint32, o *version.Object) {
	if !n.Policy.Learn(&n.writer, in.Wall, o) {
		return
	}
	before := n.objects.get(key)
	if after := n.Policy.Merge(before, o); after != before {
		n.objects.set(key, after)
		out.Note(Msg{Kind: Stored, Key: key, Obj: after})
	}
}

// hint is an object that a node keeps for another one.
type hint struct {
	key    uint32
	target uint16
	object *version.Object
}

// hints are those that a node keeps, the oldest first.
type hints struct{ list []hint }

func (h *hints) reset(to *hints) {
	clear(h.list)
	h.list = append(h.list[:0], to.list...)
}

func (h *hints) print(p *sim.Print) {
	p.Fold(uint64(len(h.list)))
	for i := range h.list {
		p.Fold(uint64(h.list[i].key)|uint64(h.list[i].target)<<32, h.list[i].object.Digest())
	}
}

// keepHint keeps a write for a node that its coordinator could not reach: with what is kept
// for it of the key already.
func (n *Node) keepHint(m *Msg, out *sim.Out[Msg]) {
	out.Note(Msg{Kind: Hinted, Key: m.Key, Node: m.Node, Obj: m.Obj})
	i := slices.IndexFunc(n.hints.list, func(h hint) bool { return h.key == m.Key && h.target == m.Node })
	if i < 0 {
		n.hints.list = append(n.hints.list, hint{m.Key, m.Node, m.Obj})
		return
	}
	h := &n.hints.list[i]
	h.object = n.Policy.Merge(h.object, m.Obj)
}
