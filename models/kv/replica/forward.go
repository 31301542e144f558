package replica

import (
	"slices"

	"fencepost/models/kv/core"
	"fencepost/sim"
)

// forwarded is a request that this node has handed on and that is not answered. It is lost in a
// crash.
type forwarded struct {
	client, to uint16
	write      bool
	req, key   uint32
	from       uint64 // the nodes to read from
}

// forward hands a request on to a node that stores the key, unless this is one or may
// coordinate all the same. It reports whether it has.
//
// Source: "Dynamo", 2007, section 4.5: a node that is not in the preference list forwards.
func (n *Node) forward(in sim.In[core.Msg], out *sim.Out[core.Msg]) bool {
	m, client := &in.Msg, uint16(in.From)
	if n.AnyNode || m.Client() != 0 || n.Ring.Has(m.Key(), n.N, in.Self) {
		return false
	}
	to := n.coordinatorOf(m.Key(), in.Mono)
	out.Send(to, m.For(client))
	if n.forwardOf(client, m.Req()) >= 0 { // it has arrived twice
		return true
	}
	n.forwards = append(n.forwards, forwarded{client, uint16(to), m.Write != nil, m.Req(), m.Key(), m.ReadFrom()})
	n.armForward(out, client, m.Req())
	return true
}

// coordinatorOf is the first node of a preference list that is not suspected, or the first.
func (n *Node) coordinatorOf(key uint32, now sim.Mono) sim.NodeID {
	for i := range n.N {
		if id := n.Ring.At(key, i); !n.suspects.suspected(id, now) {
			return id
		}
	}
	return n.Ring.At(key, 0)
}

// armForward arms the end of the time in which a coordinator that is up has answered, were it
// with an error.
func (n *Node) armForward(out *sim.Out[core.Msg], client uint16, req uint32) {
	out.After(n.Timeout+n.Replica, core.NewForwardTimeout(client, req))
}

// forwardTimedOut suspects a coordinator that has not answered. A read goes to the next one. A
// write does not, as the first may have taken it and it would be two: its client gets an error.
func (n *Node) forwardTimedOut(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	i := n.forwardOf(in.Msg.Client(), in.Msg.Req())
	if i < 0 {
		return
	}
	f := &n.forwards[i]
	if n.Replica > 0 {
		n.suspects.add(sim.NodeID(f.to), in.Mono.Add(n.SuspectFor))
		out.Note(core.NewSuspected(f.to))
	}
	if to := n.coordinatorOf(f.key, in.Mono); !f.write && !n.suspects.suspected(to, in.Mono) && uint16(to) != f.to {
		f.to = uint16(to)
		out.Send(to, core.NewGet(f.key, f.req, f.from).For(f.client))
		n.armForward(out, f.client, f.req)
		return
	}
	answer := core.NewGetReply(f.key, f.req, core.TimedOut, nil)
	if f.write {
		answer = core.NewPutReply(f.key, f.req, core.TimedOut, nil, 0)
	}
	out.Send(sim.NodeID(f.client), answer)
	n.forwards = slices.Delete(n.forwards, i, i+1)
}

// forwardOf is the place of a client's request among the forwarded ones, -1 if it is answered.
func (n *Node) forwardOf(client uint16, req uint32) int {
	return slices.IndexFunc(n.forwards, func(f forwarded) bool { return f.client == client && f.req == req })
}

// relay hands an answer on to the client behind this node.
func (n *Node) relay(m *core.Msg, out *sim.Out[core.Msg]) {
	if i := n.forwardOf(m.Client(), m.Req()); i >= 0 {
		n.forwards = slices.Delete(n.forwards, i, i+1)
	}
	out.Send(sim.NodeID(m.Client()), m.For(0))
}

func (n *Node) printForwards(p *sim.Print) {
	p.Fold(uint64(len(n.forwards)))
	for _, f := range n.forwards {
		p.Fold(uint64(f.client)|uint64(f.to)<<16|core.One(f.write)<<32, uint64(f.req)|uint64(f.key)<<32, f.from)
	}
}
