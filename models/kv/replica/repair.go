package replica

import (
	"fencepost/models/kv/core"
	"fencepost/sim"
)

// repair sends what is left of all answers to the replicas that have answered with less. It
// starts at the R-th answer; an answer that comes later is looked at, too.
//
// Repair that blocks makes reads of one key agree: once a client has an answer, every R
// replicas have one among them that stores it. If those that lack it are too few for that, it
// is sent to replicas that have not answered yet.
//
// Source: DeCandia et al., "Dynamo", 2007, section 5; Attiya, Bar-Noy and Dolev, "Sharing
// Memory Robustly in Message-Passing Systems", Journal of the ACM 42, 1995, the second phase
// of a read.
func (n *Node) repair(in sim.In[core.Msg], out *sim.Out[core.Msg], r *request, name uint32) {
	if n.Repair == core.NoRepair || r.write || r.have < r.need || r.object == nil {
		return
	}
	sent := 0
	for i := range r.targets() {
		if t := &r.asked[i]; t.answered && n.lacks(r, t) {
			n.sendRepair(in, out, r, name, t)
			sent++
		}
	}
	if n.Repair != core.BlockingRepair || r.done {
		return
	}
	sent += n.holders(r)
	for i := range r.targets() {
		if t := &r.asked[i]; sent < n.enough(r) && !t.answered && n.lacks(r, t) {
			n.sendRepair(in, out, r, name, t)
			sent++
		}
	}
}

// lacks reports whether a replica stores less of the key than is known, and has not been sent
// that yet. A node that only keeps hints for the key is not repaired.
func (n *Node) lacks(r *request, t *target) bool {
	return n.Ring.Has(r.key, n.N, sim.NodeID(t.node)) && !n.Policy.Covers(t.object, r.object)
}

// sendRepair sends a replica what is left of all answers. This node stores it at once.
func (n *Node) sendRepair(in sim.In[core.Msg], out *sim.Out[core.Msg], r *request, name uint32, t *target) {
	t.object = r.object
	out.Note(core.NewRepaired(r.key, t.node, r.object, t.answered))
	if sim.NodeID(t.node) == in.Self {
		n.merge(in, out, r.key, r.object)
		return
	}
	blocks := n.Repair == core.BlockingRepair
	t.repairing = blocks
	out.Send(sim.NodeID(t.node), core.NewRepair(r.key, name, r.object, blocks))
}

// enough is how many replicas have to store what a read returns, so that every R of them have
// one among them that does: N - R + 1.
func (n *Node) enough(r *request) int { return min(n.N-n.R+1, n.replicas(r)) }

// replicas is how many of the nodes asked are replicas of the key.
func (n *Node) replicas(r *request) (count int) {
	for i := range r.targets() {
		if n.Ring.Has(r.key, n.N, sim.NodeID(r.asked[i].node)) {
			count++
		}
	}
	return count
}

// holders is how many replicas are known to store what a read returns.
func (n *Node) holders(r *request) (count int) {
	for i := range r.targets() {
		t := &r.asked[i]
		if n.Ring.Has(r.key, n.N, sim.NodeID(t.node)) && !t.repairing && n.Policy.Covers(t.object, r.object) {
			count++
		}
	}
	return count
}

// blocked reports whether the answer to a read waits for its repair.
func (n *Node) blocked(r *request) bool {
	return n.Repair == core.BlockingRepair && !r.write && r.object != nil && n.holders(r) < n.enough(r)
}

// repaired is an acknowledgement of a repair. One of an earlier repair says nothing of the
// latest.
func (n *Node) repaired(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	r := n.requests.find(in.Msg.Req())
	if r == nil {
		return
	}
	if t := r.of(in.From); t != nil && t.repairing && t.object.Digest() == in.Msg.Acknowledged() {
		t.repairing = false
		n.settle(out, r)
	}
}
