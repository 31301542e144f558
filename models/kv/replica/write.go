package replica

import (
	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// write is a write of another node's coordinator: the replica merges it with what it
// stores, or keeps it for the node that cannot be reached.
func (n *Node) write(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	status := core.OK
	switch {
	case m.HintFor() == 0:
		if !n.merge(in, out, m.Key(), m.Obj) {
			status = core.Refused
		}
	case !n.keepHint(m.Key(), m.HintFor(), m.Obj, out):
		status = core.Unavailable
	}
	n.post(out, in.From, core.NewWriteAck(m, status))
}

// merge stores what is left of what is stored and what has arrived. It reports whether it does:
// a guarded hybrid clock refuses a stamp from too far ahead.
func (n *Node) merge(in sim.In[core.Msg], out *sim.Out[core.Msg], key uint32, o *version.Object) bool {
	if !n.Policy.Learn(&n.Writer, in.Wall, o) {
		return false
	}
	before := n.objects.Get(key)
	if after := n.Policy.Merge(before, o); after != before {
		n.set(key, after, in.Self)
		out.Note(core.NewStored(key, after, nil))
		n.expire(in, out, key, after)
	}
	return true
}

// mergeRepair stores what a read has found this node to lack.
func (n *Node) mergeRepair(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	if n.merge(in, out, m.Key(), m.Obj) && m.AnswerWanted() {
		out.Send(in.From, core.NewRepairAck(m))
	}
}
