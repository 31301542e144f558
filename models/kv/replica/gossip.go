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
		due := in.Mono.Add(n.GossipEvery)
		out.AfterDraw(sim.Uniform(n.GossipEvery, n.GossipEvery+time.Duration(n.Nodes-1)), core.NewGossipRound(due))
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
		peer := int64(in.Mono.Sub(m.RoundDue())) % int64(n.Nodes-1)
		out.Send((in.Self+sim.NodeID(peer))%sim.NodeID(n.Nodes)+1, core.NewRingMessage(core.Gossip, own))
		n.armGossip(in, out)
	case core.Gossip:
		switch {
		case m.Ring() < own:
			out.Send(in.From, core.NewRingMessage(core.Membership, own))
		case m.Ring() > own: // ask for it
			out.Send(in.From, core.NewRingMessage(core.Gossip, own))
		}
	case core.Membership:
		if m.Ring() > own {
			n.adopt(n.Rings[m.Ring()])
			out.Note(core.NewAdopted(m.Ring(), in.From))
		}
	}
}
