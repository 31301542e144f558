package replica

import (
	"time"

	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// expire sees to it that a tombstone which the node stores is collected once its grace time has
// passed. A replica that was down for longer still has what was deleted, and hands it back to
// those that have forgotten the tombstone.
//
// Source: Apache Cassandra, gc_grace_seconds, 864,000 by default; "Dynamo", 2007, section 4.4.
func (n *Node) expire(in sim.In[core.Msg], out *sim.Out[core.Msg], key uint32, o *version.Object) {
	at, deleted := o.Deleted()
	if !deleted || n.Grace == 0 {
		return
	}
	left := time.Duration(0)
	if due := at.Add(n.Grace); in.Wall.Before(due) {
		left = due.Sub(in.Wall)
	}
	out.After(left, core.NewCollect(key))
}

// collect deletes a tombstone whose time has come by the wall clock.
func (n *Node) collect(in sim.In[core.Msg], out *sim.Out[core.Msg], key uint32) {
	o := n.objects.Get(key)
	at, deleted := o.Deleted()
	switch {
	case !deleted: // written again
	case in.Wall.Before(at.Add(n.Grace)): // a later tombstone, or the wall clock went back
		n.expire(in, out, key, o)
	default:
		n.set(key, nil, in.Self)
		out.Note(core.NewDeleted(core.Collected, key, o))
	}
}

// resumeCollection waits again for the tombstones that the node stored before a crash.
func (n *Node) resumeCollection(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	for i := range n.objects.Slots {
		if s := &n.objects.Slots[i]; s.Name != 0 {
			n.expire(in, out, s.Name-1, s.Object)
		}
	}
}
