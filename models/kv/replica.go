package kv

import (
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// write is a write of another node's coordinator: the replica merges it with what it
// stores, or keeps it for the node that cannot be reached.
func (n *Node) write(in sim.In[Msg], out *sim.Out[Msg]) {
	m := &in.Msg
	ack := Msg{Kind: WriteAck, Key: m.Key, Req: m.Req}
	switch {
	case m.Node == 0:
		if !n.merge(in, out, m.Key, m.Obj) {
			ack.Code = Refused
		}
	case !n.keepHint(m, out):
		ack.Code = Unavailable
	}
	n.post(out, in.From, ack)
}

// merge stores what is left of what is stored and what has arrived. It reports whether it does:
// a guarded hybrid clock refuses a stamp from too far ahead.
func (n *Node) merge(in sim.In[Msg], out *sim.Out[Msg], key uint32, o *version.Object) bool {
	if !n.Policy.Learn(&n.writer, in.Wall, o) {
		return false
	}
	before := n.objects.get(key)
	if after := n.Policy.Merge(before, o); after != before {
		n.set(key, after, in.Self)
		out.Note(Msg{Kind: Stored, Key: key, Obj: after})
		n.expire(in, out, key, after)
	}
	return true
}

// mergeRepair stores what a read has found this node to lack.
func (n *Node) mergeRepair(in sim.In[Msg], out *sim.Out[Msg]) {
	m := &in.Msg
	if n.merge(in, out, m.Key, m.Obj) && m.Code == wanted {
		out.Send(in.From, Msg{Kind: RepairAck, Key: m.Key, Req: m.Req, Word: m.Obj.Digest()})
	}
}
