package broadcast

import (
	"fmt"

	"fencepost/sim"
)

// FIFOOrder holds if no process delivers a message before it has delivered all that the
// same sender had broadcast before.
//
// Source: Hadzilacos and Toueg 1994, FIFO order.
type FIFOOrder struct {
	judge
	seq, missing uint32 // at the first violation
}

// Name implements [sim.Property].
func (p *FIFOOrder) Name() string { return "fifo-order" }

// Reset implements [sim.Observer].
func (p *FIFOOrder) Reset(*sim.View[Msg]) {
	p.reset()
	p.seq, p.missing = 0, 0
}

// Observe implements [sim.Observer].
func (p *FIFOOrder) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	d := p.look(v, o)
	if d.NodeID == sim.None || d.copy {
		return
	}
	p.Saw()
	m := &p.ledger.casts[d.id]
	if have := p.ledger.have(d.NodeID, m.sender); have < m.seq && p.Violate(v.Now(), d.NodeID, m.sender) {
		p.seq, p.missing = m.seq, have+1
	}
}

// End implements [sim.Observer].
func (p *FIFOOrder) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *FIFOOrder) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("%s delivered message %d of %s, and had not delivered message %d", v.Name(n[0]), p.seq, v.Name(n[1]), p.missing)
}

// CausalOrder holds if no process delivers a message before it has delivered all that
// happened before it: what its sender had broadcast or delivered, and so on back.
//
// Source: Birman, Schiper and Stephenson 1991; Hadzilacos and Toueg 1994, causal order.
type CausalOrder struct {
	judge
	got, missing cast // at the first violation
}

// Name implements [sim.Property].
func (p *CausalOrder) Name() string { return "causal-order" }

// Reset implements [sim.Observer].
func (p *CausalOrder) Reset(*sim.View[Msg]) {
	p.reset()
	p.got, p.missing = cast{}, cast{}
}

// Observe implements [sim.Observer].
func (p *CausalOrder) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	d := p.look(v, o)
	if d.NodeID == sim.None || d.copy {
		return
	}
	p.Saw()
	sender, seq := p.ledger.missing(d.NodeID, d.id)
	if sender != sim.None && p.Violate(v.Now(), d.NodeID, p.ledger.casts[d.id].sender) {
		p.got, p.missing = p.ledger.casts[d.id], p.ledger.casts[p.ledger.ids[sender][seq-1]]
	}
}

// End implements [sim.Observer].
func (p *CausalOrder) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *CausalOrder) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s delivered message %d of %s, and had not delivered message %d of %s, which happened before it",
		v.Name(p.Finding().Nodes[0]), p.got.seq, v.Name(p.got.sender), p.missing.seq, v.Name(p.missing.sender))
}

// SameOrder holds if no two processes deliver two messages in different orders.
//
// Source: Hadzilacos and Toueg 1994, total order.
type SameOrder struct {
	judge
	got cast // at the first violation
}

// Name implements [sim.Property].
func (p *SameOrder) Name() string { return "same-order" }

// Reset implements [sim.Observer].
func (p *SameOrder) Reset(*sim.View[Msg]) {
	p.reset()
	p.got = cast{}
}

// Observe implements [sim.Observer].
func (p *SameOrder) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	d := p.look(v, o)
	if d.NodeID == sim.None || d.copy {
		return
	}
	p.Saw()
	if d.behind != sim.None && p.Violate(v.Now(), d.NodeID, d.behind) {
		p.got = p.ledger.casts[d.id]
	}
}

// End implements [sim.Observer].
func (p *SameOrder) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *SameOrder) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("%s delivered message %d of %s after one that %s delivered after it", v.Name(n[0]), p.got.seq, v.Name(p.got.sender), v.Name(n[1]))
}
