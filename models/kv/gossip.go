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

// gossip is how nodes learn of each other. A node sends the version of its membership table
// to a peer, again and again; a table is sent only where the versions differ. And a node that
// is heard of is not suspected any more.
//
// Source: DeCandia et al., "Dynamo", 2007, section 4.8.
func (n *Node) gossip(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := &in.Msg; m.Kind {
	case gossipRound: // it is late by as many nanoseconds as the draw says, and by what a pause adds
		peer := int64(in.Mono.Sub(sim.Mono(m.Word))) % int64(n.Nodes-1)
		out.Send((in.Self+sim.NodeID(peer))%sim.NodeID(n.Nodes)+1, Msg{Kind: Gossip, Word: n.table})
		n.armGossip(in, out)
	case Gossip:
		switch {
		case m.Word < n.table:
			out.Send(in.From, Msg{Kind: Membership, Word: n.table})
		case m.Word > n.table: // ask for it
			out.Send(in.From, Msg{Kind: Gossip, Word: n.table})
		}
	case Membership:
		if m.Word > n.table {
			n.table = m.Word
			out.Note(Msg{Kind: Adopted, Node: uint16(in.From), Word: m.Word})
		}
	}
}
