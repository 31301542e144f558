package replica

import (
	"math/bits"

	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// accept begins to coordinate a request of a client.
func (n *Node) accept(in sim.In[core.Msg], need int) (r *request, name uint32) {
	m := &in.Msg
	r, name = n.requests.open()
	r.client, r.behind, r.req, r.key, r.need = in.From, m.Client(), m.Req(), m.Key(), uint8(need)
	r.view = n.view.count
	return r, name
}

// ask sends a request to the nodes it is for: those that its client names; the N replicas
// of the key; or the first N nodes of the walk around the ring that can be reached.
func (n *Node) ask(in sim.In[core.Msg], out *sim.Out[core.Msg], r *request, name uint32) {
	switch named := in.Msg.ReadFrom(); {
	case named != 0:
		for ; named != 0; named &= named - 1 {
			n.send(in, out, r, name, target{node: uint16(bits.TrailingZeros64(named))})
		}
	case n.Sloppy:
		n.walk(in, out, r, name)
	default:
		for i := range n.N {
			n.send(in, out, r, name, target{node: uint16(n.Ring.At(r.key, i))})
		}
	}
	if n.Also != nil && r.write {
		r.needAlso = r.need
		n.askAlso(in, out, r, name)
	}
	switch {
	case r.count == r.have: // all are this node
	case n.Replica > 0 && n.Replica < n.Timeout:
		out.After(n.Replica, core.NewReplicaTimeout(name, false))
	default:
		out.After(n.Timeout, core.NewRequestTimer(core.RequestTimeout, name))
	}
}

// walk asks the first N nodes that can be reached. A node beyond the preference list keeps
// a hint for one of it that cannot.
func (n *Node) walk(in sim.In[core.Msg], out *sim.Out[core.Msg], r *request, name uint32) {
	var missing [MaxAsked]uint16
	count, given := 0, 0
	for i := 0; i < n.Ring.Nodes && int(r.count) < n.N; i++ {
		r.walked = uint16(i + 1)
		switch id := n.Ring.At(r.key, i); {
		case !n.suspects.suspected(id, in.Mono):
			t := target{node: uint16(id)}
			if i >= n.N && given < count {
				t.instead = missing[given]
				given++
			}
			n.send(in, out, r, name, t)
		case i < n.N:
			missing[count] = uint16(id)
			count++
		}
	}
}

// send sends a request to one node, which may be this one.
func (n *Node) send(in sim.In[core.Msg], out *sim.Out[core.Msg], r *request, name uint32, t target) {
	at := &r.asked[r.count]
	*at = t
	r.count++
	if n.Also != nil && r.write {
		n.place(r, at)
	}
	switch to := sim.NodeID(t.node); {
	case to == in.Self && r.write:
		n.storeOwn(in, out, r, name, at)
	case to == in.Self:
		n.take(in, r, at, n.read(r.key))
	case r.write:
		r.sent++
		n.post(out, to, core.NewReplicaWrite(r.key, name, r.object, t.instead))
	default:
		n.post(out, to, core.NewReplicaRead(r.key, name))
	}
}

// of is what has been asked of a node, nil if nothing has.
func (r *request) of(id sim.NodeID) *target {
	for i := range r.targets() {
		if t := &r.asked[i]; sim.NodeID(t.node) == id {
			return t
		}
	}
	return nil
}

// settle answers the client at the last answer that is needed, and ends the request when
// no node can answer any more.
func (n *Node) settle(out *sim.Out[core.Msg], r *request) {
	if r.have >= r.need && r.haveAlso >= r.needAlso && !r.done && !n.blocked(r) {
		n.reply(out, r, core.OK)
	}
	for i := range r.targets() {
		if !r.asked[i].answered {
			return
		}
	}
	if r.done {
		r.close()
	}
}

// reply answers the client, or the node that the request came from.
func (n *Node) reply(out *sim.Out[core.Msg], r *request, status core.Status) {
	r.done = true
	var o *version.Object
	if status == core.OK {
		o = r.object
	}
	m := core.NewGetReply(r.key, r.req, status, o)
	if r.write {
		m = core.NewPutReply(r.key, r.req, status, o, r.sent)
	}
	out.Send(r.client, m.For(r.behind))
}

// unanswered suspects the replicas that have not answered. A sloppy quorum asks the next
// nodes of the walk instead of them.
func (n *Node) unanswered(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	name := in.Msg.Req()
	r := n.requests.find(name)
	if r == nil {
		return
	}
	more := false
	for i, asked := 0, int(r.count); i < asked; i++ {
		t := &r.asked[i]
		if !t.pending() {
			continue
		}
		t.failed = true
		n.suspects.add(sim.NodeID(t.node), in.Mono.Add(n.SuspectFor))
		out.Note(core.NewSuspected(t.node))
		more = n.Sloppy && n.substitute(in, out, r, name, t) || more
	}
	n.repair(in, out, r, name)
	n.settle(out, r)
	if r.open && more {
		out.After(n.Replica, core.NewReplicaTimeout(name, true))
	}
	if r.open && !in.Msg.Again() {
		out.After(n.Timeout-n.Replica, core.NewRequestTimer(core.RequestTimeout, name))
	}
}

// substitute asks the next node of the walk that can be reached.
func (n *Node) substitute(in sim.In[core.Msg], out *sim.Out[core.Msg], r *request, name uint32, failed *target) bool {
	instead := failed.instead
	if instead == 0 {
		instead = failed.node
	}
	for int(r.walked) < n.Ring.Nodes && r.count < MaxAsked {
		id := n.Ring.At(r.key, int(r.walked))
		r.walked++
		if !n.suspects.suspected(id, in.Mono) {
			n.send(in, out, r, name, target{node: uint16(id), instead: instead})
			return true
		}
	}
	return false
}

// timedOut ends a request. If too few replicas have answered, its client is told.
func (n *Node) timedOut(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	r := n.requests.find(in.Msg.Req())
	if r == nil {
		return
	}
	if !r.done {
		n.reply(out, r, core.TimedOut)
	}
	r.close()
}
