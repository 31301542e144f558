package broadcast

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// replicasAgree holds if two processes that have delivered the same messages have the same
// balance: the account is a replicated state machine.
//
// Source: Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM
// 21(7), 1978, the State Machine; Tanenbaum and van Steen, "Distributed Systems", totally
// ordered multicasting.
type replicasAgree struct{ Ledger *ledger }

// Check implements [model.Checker].
func (p *replicasAgree) Check(r *model.Report[Msg]) {
	d := p.Ledger.now
	if d.NodeID == sim.None {
		return
	}
	own := &p.Ledger.replicas[d.NodeID]
	for q := 1; q < len(p.Ledger.replicas); q++ {
		other, id := &p.Ledger.replicas[q], sim.NodeID(q)
		if id == d.NodeID || other.crashed || !p.Ledger.same(d.NodeID, id) {
			continue
		}
		if r.Saw(); own.balance != other.balance && r.Violated(d.NodeID, id) {
			r.Why("%s and %s have delivered the same messages, and have %v and %v", r.Name(d.NodeID), r.Name(id), own.balance, other.balance)
		}
	}
}
