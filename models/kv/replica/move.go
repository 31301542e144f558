package replica

import (
	"fencepost/models/kv/core"
	"fencepost/sim"
)

// view is what a node knows of the membership besides its Ring. It is durable.
type view struct {
	change  uint32     // the number of the latest change
	phase   core.Phase // of it
	outside bool       // the node is not a member of Ring
	owes    sim.NodeID // an acknowledgement of the phase
	forgot  uint32     // the latest change for which it has deleted what it gains
	count   uint16     // of views so far: a request notes in which it started
}

// announced is the next phase of a change.
func (n *Node) announced(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	switch {
	case m.Change() < n.view.change, m.Change() == n.view.change && m.Phase() < n.view.phase:
		return // it is over
	case m.Change() == n.view.change && m.Phase() == n.view.phase:
		n.view.owes = in.From
		return
	}
	before, after := n.RingsOf(m.Rings())
	switch m.Phase() {
	case core.WriteBoth:
		n.adopt(before)
		n.Also = after
	case core.ReadNew:
		n.adopt(after)
		n.Also = before
	default:
		n.adopt(after)
		n.Also = nil
	}
	n.view = view{change: m.Change(), phase: m.Phase(), outside: !n.Ring.IsMember(in.Self), owes: in.From, forgot: n.view.forgot, count: n.view.count + 1}
	out.Note(core.NewPhase(core.Entered, m.Phase(), m.Change()))
}

// acknowledgePhase tells the controller that no client waits for a request of an earlier view.
func (n *Node) acknowledgePhase(out *sim.Out[core.Msg]) {
	for i := range n.requests.slots {
		if r := &n.requests.slots[i]; r.open && !r.done && r.view != n.view.count {
			return
		}
	}
	out.Send(n.view.owes, core.NewPhase(core.AnnounceAck, n.view.phase, n.view.change))
	n.view.owes = sim.None
}

// askAlso sends a write to those nodes of the other ring that the first does not have.
func (n *Node) askAlso(in sim.In[core.Msg], out *sim.Out[core.Msg], r *request, name uint32) {
	for i := range n.N {
		if id := n.Also.At(r.key, i); r.of(id) == nil && r.count < MaxAsked {
			n.send(in, out, r, name, target{node: uint16(id)})
		}
	}
}

// place notes for which of the two rings an acknowledgement of a node counts. A substitute
// counts as the node whose place it takes.
func (n *Node) place(r *request, t *target) {
	id := sim.NodeID(t.node)
	if t.instead != 0 {
		id = sim.NodeID(t.instead)
	}
	t.also = n.Also.Has(r.key, n.N, id)
	t.only = t.also && !n.Ring.Has(r.key, n.N, id)
}

// got notes an answer.
func (r *request) got(t *target) {
	t.answered = true
	if t.also {
		r.haveAlso++
	}
	if !t.only {
		r.have++
	}
}

// forget deletes what this node has of the keys that a change gives it, once. It has stored them
// in an earlier ring, and has missed what was written since: a tombstone that the others have
// collected would not stop it from bringing a deleted value back. No node has started the change
// yet, so that nothing is deleted that a coordinator counts on; the replicas send what they have.
//
// What a node does not store any more stays on its disk until then.
//
// Source: Apache Cassandra, nodetool cleanup, which an operator runs after a join.
func (n *Node) forget(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	m := &in.Msg
	if m.Change() > n.view.forgot && m.Change() > n.view.change {
		n.view.forgot = m.Change()
		before, after := n.RingsOf(m.Rings())
		for key := range uint32(before.Keys()) {
			if o := n.objects.Get(key); o != nil && gains(before, after, n.N, key, in.Self) {
				n.set(key, nil, in.Self)
				out.Note(core.NewDeleted(core.Discarded, key, o))
			}
		}
	}
	out.Send(in.From, core.NewOfChange(core.Forgotten, m.Change()))
}

// gains reports whether a node stores a key after a change, and not before.
func gains(before, after *core.Ring, n int, key uint32, id sim.NodeID) bool {
	return after.Has(key, n, id) && !before.Has(key, n, id)
}

// serves reports whether a node answers a read of a key: not while it is outside of the ring,
// and not while it may lack what it gains.
func (n *Node) serves(key uint32, self sim.NodeID) bool {
	return !n.view.outside && (n.view.phase != core.WriteBoth || !gains(n.Ring, n.Also, n.N, key, self))
}

// stepMove is what a node does for changes of the ring.
func (n *Node) stepMove(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	switch m := &in.Msg; m.Kind {
	case core.Announce:
		n.announced(in, out)
	case core.Forget:
		n.forget(in, out)
	case core.Fetch:
		n.fetchKeys(in, out)
	case core.StreamAsk:
		n.startStream(in, out)
	case core.StreamTick:
		n.sendStream(in, out, m.Other())
	case core.StreamItem, core.StreamEnd:
		n.streamed(in, out)
	case core.StreamLook:
		n.lookAtStreams(in, out)
	case core.LoadAsk:
		out.Send(in.From, core.NewLoadAnswer(m, uint64(n.handled)))
		n.handled = 0
	default:
		panic("kv: a node got " + m.String())
	}
}

// count counts the requests of clients and coordinators.
func (n *Node) count(kind sim.Kind) {
	if n.Count && (kind == core.Put || kind == core.Get || kind == core.ReplicaWrite || kind == core.ReplicaRead) {
		n.handled++
	}
}

// resetMove makes what a node knows of changes equal to that of another one.
func (n *Node) resetMove(to *Node) {
	n.Ring, n.Also, n.view, n.handled = to.Ring, to.Also, to.view, to.handled
	n.fetch.reset(&to.fetch)
	n.streams = append(n.streams[:0], to.streams...)
}
