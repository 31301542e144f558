package broadcast

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// fifoOrder holds if no process delivers a message before it has delivered all that the
// same sender had broadcast before.
//
// Source: Hadzilacos and Toueg, "A Modular Approach to Fault-Tolerant Broadcasts and Related
// Problems", 1994, FIFO order.
type fifoOrder struct{ Ledger *ledger }

// Begin begins the ledger anew, which this property keeps for the others.
func (p *fifoOrder) Begin(*model.Report[Msg]) { p.Ledger.reset() }

// Check implements [model.Checker].
func (p *fifoOrder) Check(r *model.Report[Msg]) {
	p.Ledger.observe(r.Now(), r.Observation)
	d := p.Ledger.now
	if d.NodeID == sim.None || d.copy {
		return
	}
	r.Saw()
	m := &p.Ledger.casts[d.id]
	if have := p.Ledger.have(d.NodeID, m.sender); have < m.seq && r.Violated(d.NodeID, m.sender) {
		r.Why("%s delivered message %d of %s, and had not delivered message %d", r.Name(d.NodeID), m.seq, r.Name(m.sender), have+1)
	}
}

// causalOrder holds if no process delivers a message before it has delivered all that
// happened before it: what its sender had broadcast or delivered, and so on back.
//
// Source: Birman, Schiper and Stephenson, "Lightweight Causal and Atomic Group Multicast",
// 1991; Hadzilacos and Toueg, "A Modular Approach to Fault-Tolerant Broadcasts and Related
// Problems", 1994, causal order.
type causalOrder struct{ Ledger *ledger }

// Check implements [model.Checker].
func (p *causalOrder) Check(r *model.Report[Msg]) {
	d := p.Ledger.now
	if d.NodeID == sim.None || d.copy {
		return
	}
	r.Saw()
	got := &p.Ledger.casts[d.id]
	if sender, seq := p.Ledger.missing(d.NodeID, d.id); sender != sim.None && r.Violated(d.NodeID, got.sender) {
		r.Why("%s delivered message %d of %s, and had not delivered message %d of %s, which happened before it",
			r.Name(d.NodeID), got.seq, r.Name(got.sender), seq, r.Name(sender))
	}
}

// sameOrder holds if no two processes deliver two messages in different orders.
//
// Source: Hadzilacos and Toueg, "A Modular Approach to Fault-Tolerant Broadcasts and Related
// Problems", 1994, total order.
type sameOrder struct{ Ledger *ledger }

// Check implements [model.Checker].
func (p *sameOrder) Check(r *model.Report[Msg]) {
	d := p.Ledger.now
	if d.NodeID == sim.None || d.copy {
		return
	}
	r.Saw()
	if d.behind != sim.None && r.Violated(d.NodeID, d.behind) {
		got := &p.Ledger.casts[d.id]
		r.Why("%s delivered message %d of %s after one that %s delivered after it", r.Name(d.NodeID), got.seq, r.Name(got.sender), r.Name(d.behind))
	}
}
