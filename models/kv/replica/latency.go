package replica

import (
	"fencepost/models/kv/core"
	"fencepost/sim"
)

// post sends a message of a request from a coordinator to a replica or back. With latencies it
// leaves when the time is over that it takes, and the replica with it; a crash of its sender
// before that loses it. What a coordinator does at itself takes no time.
//
// Source: Bailis et al., "Probabilistically Bounded Staleness for Practical Partial Quorums",
// VLDB 2012, section 4.1: W, A, R and S.
func (n *Node) post(out *sim.Out[core.Msg], to sim.NodeID, m core.Msg) {
	if n.Latency == nil {
		out.Send(to, m)
		return
	}
	delay := n.Latency.Answer
	switch m.Kind {
	case core.ReplicaWrite:
		delay = n.Latency.Write
	case core.WriteAck:
		delay = n.Latency.Ack
	case core.ReplicaRead:
		delay = n.Latency.Read
	}
	out.AfterDraw(delay, m.Delay(to))
}

// leave sends a message whose time is over, after that between data centers.
func (n *Node) leave(m core.Msg, out *sim.Out[core.Msg]) {
	if n.Latency.Remote > 0 && m.Kind == core.Delayed {
		m.Kind = core.Remote
		out.After(n.Latency.Remote, m)
		return
	}
	sent, to := m.Sent()
	out.Send(to, sent)
}
