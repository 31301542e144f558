package replica

import (
	"fencepost/models/kv/core"
	"fencepost/sim"
)

// put is a write that this node coordinates. It makes the new version from what it stores
// itself, sends that to the others, and answers at the W-th acknowledgement. An error does
// not mean that the write is absent: some replica may have it.
//
// Source: "Dynamo", 2007, section 4.5.
func (n *Node) put(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	if n.forward(in, out) {
		return
	}
	o := n.Policy.Put(&n.Writer, in.Wall, n.objects.Get(m.Key()), m.Obj, *m.Write)
	if o == nil { // its clock is too far from that of the context
		out.Send(in.From, core.NewPutReply(m.Key(), m.Req(), core.Refused, nil, 0).For(m.Client()))
		return
	}
	r, name := n.accept(in, n.W)
	r.write, r.object = true, o
	n.ask(in, out, r, name)
	n.settle(out, r)
}

// acknowledged is a replica that has stored what this node coordinates.
func (n *Node) acknowledged(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	r := n.requests.find(in.Msg.Req())
	if r == nil {
		return
	}
	switch t := r.of(in.From); {
	case t == nil || t.answered:
	case in.Msg.Status() == core.Refused: // its clock is too far behind
		t.failed = true
	case in.Msg.Status() != core.OK:
		n.refused(in, out, r, in.Msg.Req(), t)
		n.settle(out, r)
	default:
		r.got(t)
		n.settle(out, r)
	}
}

// refused is a node without room for a hint: the next one of the walk is asked instead.
func (n *Node) refused(in sim.In[core.Msg], out *sim.Out[core.Msg], r *request, name uint32, t *target) {
	if t.pending() {
		t.failed = true
		n.substitute(in, out, r, name, t)
	}
}

// storeOwn is the write of a coordinator at itself.
func (n *Node) storeOwn(in sim.In[core.Msg], out *sim.Out[core.Msg], r *request, name uint32, t *target) {
	if t.instead != 0 && !n.keepHint(r.key, t.instead, r.object, out) {
		n.refused(in, out, r, name, t)
		return
	}
	r.got(t)
	if t.instead != 0 {
		return
	}
	before := n.objects.Get(r.key)
	if after := n.Policy.Merge(before, r.object); after != before {
		n.set(r.key, after, in.Self)
		out.Note(core.NewStored(r.key, after, in.Msg.Write))
		n.expire(in, out, r.key, after)
	}
}
