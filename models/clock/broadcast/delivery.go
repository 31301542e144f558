package broadcast

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// Agreement holds if what one process delivers all deliver in time; those that crash are
// not counted, neither among the one nor among the others. What was delivered less than
// that before the end is not judged.
//
// Source: Hadzilacos and Toueg 1994, agreement, with a bound.
type Agreement struct {
	judge
	Within time.Duration

	got cast // of the first violation
}

// Name implements [sim.Property].
func (p *Agreement) Name() string { return "agreement" }

// Bound implements [sim.Bounded].
func (p *Agreement) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("by all within %v", p.Within)}
}

// Reset implements [sim.Observer].
func (p *Agreement) Reset(*sim.View[Msg]) {
	p.reset()
	p.got = cast{}
}

// Observe implements [sim.Observer].
func (p *Agreement) Observe(*sim.View[Msg], *sim.Observation[Msg]) {}

// End implements [sim.Observer].
func (p *Agreement) End(v *sim.View[Msg]) {
	first, who := sim.Never, sim.None
	for id := range p.ledger.casts {
		m := &p.ledger.casts[id]
		if m.first == sim.Never || m.first.Add(p.Within) > v.Now() {
			continue
		}
		p.Saw()
		if m.first.Add(p.Within) >= first {
			continue
		}
		for q := 1; q < len(p.ledger.replicas); q++ {
			if r := &p.ledger.replicas[q]; r.places[id] == 0 && !r.crashed {
				first, who, p.got = m.first.Add(p.Within), sim.NodeID(q), *m
				break
			}
		}
	}
	if who != sim.None {
		p.Violate(first, who, p.got.by)
	}
}

// Why implements [sim.Property].
func (p *Agreement) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("%s had not delivered message %d of %s, which %s had delivered %v before", v.Name(n[0]), p.got.seq, v.Name(p.got.sender), v.Name(n[1]), p.Within)
}

// Validity holds if a process delivers in time what it has broadcast itself, unless it
// crashes. What was broadcast less than that before the end is not judged.
//
// Source: Hadzilacos and Toueg 1994, validity, with a bound.
type Validity struct {
	judge
	Within time.Duration

	got cast // of the first violation
}

// Name implements [sim.Property].
func (p *Validity) Name() string { return "validity" }

// Bound implements [sim.Bounded].
func (p *Validity) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("by the sender within %v", p.Within)}
}

// Reset implements [sim.Observer].
func (p *Validity) Reset(*sim.View[Msg]) {
	p.reset()
	p.got = cast{}
}

// Observe implements [sim.Observer].
func (p *Validity) Observe(*sim.View[Msg], *sim.Observation[Msg]) {}

// End implements [sim.Observer].
func (p *Validity) End(v *sim.View[Msg]) {
	for id := range p.ledger.casts {
		m := &p.ledger.casts[id]
		r := &p.ledger.replicas[m.sender]
		if r.crashed || m.at.Add(p.Within) > v.Now() {
			continue
		}
		p.Saw()
		if r.places[id] == 0 && p.Violate(m.at.Add(p.Within), m.sender) {
			p.got = *m
		}
	}
}

// Why implements [sim.Property].
func (p *Validity) Why(v *sim.View[Msg]) string {
	return fmt.Sprintf("%s had broadcast its message %d %v before, and had not delivered it", v.Name(p.got.sender), p.got.seq, p.Within)
}

// NoDuplicates holds if no process delivers a message twice.
//
// Source: Hadzilacos and Toueg 1994, integrity.
type NoDuplicates struct {
	judge
	got cast // at the first violation
}

// Name implements [sim.Property].
func (p *NoDuplicates) Name() string { return "no-duplicates" }

// Reset implements [sim.Observer].
func (p *NoDuplicates) Reset(*sim.View[Msg]) {
	p.reset()
	p.got = cast{}
}

// Observe implements [sim.Observer].
func (p *NoDuplicates) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	d := p.look(v, o)
	if d.NodeID == sim.None {
		return
	}
	p.Saw()
	if d.copy && p.Violate(v.Now(), d.NodeID, p.ledger.casts[d.id].sender) {
		p.got = p.ledger.casts[d.id]
	}
}

// End implements [sim.Observer].
func (p *NoDuplicates) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *NoDuplicates) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("%s delivered message %d of %s again", v.Name(n[0]), p.got.seq, v.Name(n[1]))
}
