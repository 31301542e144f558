package replica

import (
	"time"

	"fencepost/models/kv/core"
	"fencepost/sim"
)

// armGossip arms the next round. Which peer it is for is drawn with its length: a nanosecond
// for each.
func (n *Node) armGossip(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if n.GossipEvery > 0 && n.Nodes > 1 {
		from := in.Mono.Add(n.GossipEvery)
		out.AfterDraw(sim.Uniform(n.GossipEvery, n.GossipEvery+time.Duration(n.Nodes-1)), core.Msg{Kind: core.GossipRound, Word: uint64(from)})
	}
}

// gossip is how nodes learn of a new ring, the membership table of the store. A node sends the
// number of its ring to a peer, again and again; a ring is sent only where the numbers differ.
// And a node that is heard of is not suspected any more.
//
// Source: DeCandia et al., "Dynamo", 2007, section 4.8.
func (n *Node) gossip(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	own := uint32(n.Ring.Number)
	if n.Managed { // the controller announces rings: gossip says who is alive
		own = 0
	}
	switch m := &in.Msg; m.Kind {
	case core.GossipRound: // it is late by as many nanoseconds as the draw says, and by what a pause adds
		peer := int64(in.Mono.Sub(sim.Mono(m.Word))) % int64(n.Nodes-1)
		out.Send((in.Self+sim.NodeID(peer))%sim.NodeID(n.Nodes)+1, core.Msg{Kind: core.Gossip, Number: own})
		n.armGossip(in, out)
	case core.Gossip:
		switch {
		case m.Number < own:
			out.Send(in.From, core.Msg{Kind: core.Membership, Number: own})
		case m.Number > own: // ask for it
			out.Send(in.From, core.Msg{Kind: core.Gossip, Number: own})
		}
	case core.Membership:
		if m.Number > own {
			n.adopt(n.Rings[m.Number])
			out.Note(core.Msg{Kind: core.Adopted, Node: uint16(in.From), Number: m.Number})
		}
	}
}
