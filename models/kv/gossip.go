package kv

import (
	"time"

	"fencepost/sim"
)

// armGossip arms the next round. Which peer it is for is drawn with its length: a nanosecond
// for each.
func (n *Node) armGossip(in sim.In[Msg], out *sim.Out[Msg]) {
	if n.GossipEvery > 0 && n.Nodes > 1 {
		from := in.Mono.Add(n.GossipEvery)
		out.AfterDraw(sim.Uniform(n.GossipEvery, n.GossipEvery+time.Duration(n.Nodes-1)), Msg{Kind: gossipRound, Word: uint64(from)})
	}
}

// gossip is how nodes learn of a new ring, the membership table of the store. A node sends the
// number of its ring to a peer, again and again; a ring is sent only where the numbers differ.
// And a node that is heard of is not suspected any more.
//
// Source: DeCandia et al., "Dynamo", 2007, section 4.8.
func (n *Node) gossip(in sim.In[Msg], out *sim.Out[Msg]) {
	own := uint32(n.Ring.Number)
	if n.Managed { // the controller announces rings: gossip says who is alive
		own = 0
	}
	switch m := &in.Msg; m.Kind {
	case gossipRound: // it is late by as many nanoseconds as the draw says, and by what a pause adds
		peer := int64(in.Mono.Sub(sim.Mono(m.Word))) % int64(n.Nodes-1)
		out.Send((in.Self+sim.NodeID(peer))%sim.NodeID(n.Nodes)+1, Msg{Kind: Gossip, N: own})
		n.armGossip(in, out)
	case Gossip:
		switch {
		case m.N < own:
			out.Send(in.From, Msg{Kind: Membership, N: own})
		case m.N > own: // ask for it
			out.Send(in.From, Msg{Kind: Gossip, N: own})
		}
	case Membership:
		if m.N > own {
			n.adopt(n.Rings[m.N])
			out.Note(Msg{Kind: Adopted, Node: uint16(in.From), N: m.N})
		}
	}
}
