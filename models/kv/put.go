package kv

import "fencepost/sim"

// put is a write that this node coordinates. It makes the new version from what it stores
// itself, sends that to the others, and answers at the W-th acknowledgement. An error does
// not mean that the write is absent: some replica may have it.
//
// Source: "Dynamo", 2007, section 4.5.
func (n *Node) put(in sim.In[Msg], out *sim.Out[Msg]) {
	m := &in.Msg
	if n.forward(in, out) {
		return
	}
	o := n.Policy.Put(&n.writer, in.Wall, n.objects.get(m.Key), m.Obj, *m.Write)
	if o == nil { // its clock is too far from that of the context
		out.Send(in.From, Msg{Kind: PutReply, Code: Refused, Node: m.Node, Key: m.Key, Req: m.Req})
		return
	}
	r, name := n.accept(in, n.W)
	r.write, r.object = true, o
	n.ask(in, out, r, name)
	n.settle(out, r)
}

// acknowledged is a replica that has stored what this node coordinates.
func (n *Node) acknowledged(in sim.In[Msg], out *sim.Out[Msg]) {
	r := n.requests.find(in.Msg.Req)
	if r == nil {
		return
	}
	if t := r.of(in.From); t != nil && !t.answered {
		t.answered = true
		r.have++
		n.settle(out, r)
	}
}

// storeOwn is the write of a coordinator at itself.
func (n *Node) storeOwn(in sim.In[Msg], out *sim.Out[Msg], r *request, t *target) {
	t.answered = true
	r.have++
	if t.instead != 0 {
		n.keepHint(&Msg{Key: r.key, Node: t.instead, Obj: r.object}, out)
		return
	}
	before := n.objects.get(r.key)
	if after := n.Policy.Merge(before, r.object); after != before {
		n.objects.set(r.key, after)
		out.Note(Msg{Kind: Stored, Key: r.key, Obj: after, Write: in.Msg.Write})
	}
}
