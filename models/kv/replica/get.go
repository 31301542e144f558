package replica

import (
	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// get is a read that this node coordinates: it asks all replicas, and answers with what is
// left of the first R answers.
//
// Source: "Dynamo", 2007, section 4.5.
func (n *Node) get(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if n.forward(in, out) {
		return
	}
	r, name := n.accept(in, n.R)
	n.ask(in, out, r, name)
	n.repair(in, out, r, name)
	n.settle(out, r)
}

// answered is a replica's answer to a read.
func (n *Node) answered(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	r := n.requests.find(in.Msg.Req())
	if r == nil {
		return
	}
	if t := r.of(in.From); t != nil && !t.answered {
		n.take(in, r, t, in.Msg.Obj)
		n.repair(in, out, r, in.Msg.Req())
		n.settle(out, r)
	}
}

// take notes what a replica has answered.
func (n *Node) take(in sim.In[core.Msg], r *request, t *target, o *version.Object) {
	t.answered = true
	if !t.repairing {
		t.object = o //fencepost:allow an object never changes once it is made
	}
	r.have++
	if n.Policy.Learn(&n.Writer, in.Wall, o) {
		r.object = n.Policy.Merge(r.object, o)
	}
}

// read is what this node answers to a read: what it stores, and what it keeps for others.
func (n *Node) read(key uint32) *version.Object {
	o := n.objects.Get(key)
	for i := range n.hints.list {
		if h := &n.hints.list[i]; h.key == key {
			o = n.Policy.Merge(o, h.object)
		}
	}
	return o
}
