package broadcast

import (
	"fmt"

	"fencepost/sim"
)

// ReplicasAgree holds if two processes that have delivered the same messages have the same
// balance: the account is a replicated state machine.
//
// Source: Lamport 1978, the State Machine; Tanenbaum and van Steen, "Distributed Systems",
// totally ordered multicasting.
type ReplicasAgree struct {
	judge
	balances [2]Account // at the first violation
}

// Name implements [sim.Property].
func (p *ReplicasAgree) Name() string { return "replicas-agree" }

// Reset implements [sim.Observer].
func (p *ReplicasAgree) Reset(*sim.View[Msg]) {
	p.reset()
	p.balances = [2]Account{}
}

// Observe implements [sim.Observer].
func (p *ReplicasAgree) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	d := p.look(v, o)
	if d.NodeID == sim.None {
		return
	}
	own := &p.ledger.replicas[d.NodeID]
	for q := 1; q < len(p.ledger.replicas); q++ {
		other := &p.ledger.replicas[q]
		if sim.NodeID(q) == d.NodeID || other.crashed || !p.ledger.same(d.NodeID, sim.NodeID(q)) {
			continue
		}
		if p.Saw(); own.balance != other.balance && p.Violate(v.Now(), d.NodeID, sim.NodeID(q)) {
			p.balances = [2]Account{own.balance, other.balance}
		}
	}
}

// End implements [sim.Observer].
func (p *ReplicasAgree) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *ReplicasAgree) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("%s and %s have delivered the same messages, and have %v and %v", v.Name(n[0]), v.Name(n[1]), p.balances[0], p.balances[1])
}
