package broadcast

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// agreement holds if what one process delivers all deliver in time; those that crash are
// not counted, neither among the one nor among the others. What was delivered less than
// that before the end is not checked.
//
// Source: Hadzilacos and Toueg, "A Modular Approach to Fault-Tolerant Broadcasts and Related
// Problems", 1994, agreement, with a bound.
type agreement struct {
	Ledger *ledger
	Within time.Duration
}

// Bound implements [sim.Bounded].
func (p *agreement) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("by all within %v", p.Within)}
}

// Check implements [model.Checker]. What is missing is known at the end.
func (*agreement) Check(*model.Report[Msg]) {}

// End looks for the message that had to be delivered first, and was not.
func (p *agreement) End(r *model.Report[Msg]) {
	first, who, got := sim.Never, sim.None, cast{}
	for id := range p.Ledger.casts {
		m := &p.Ledger.casts[id]
		if m.first == sim.Never || m.first.Add(p.Within) > r.Now() {
			continue
		}
		r.Saw()
		if m.first.Add(p.Within) >= first {
			continue
		}
		for q := 1; q < len(p.Ledger.replicas); q++ {
			if without := &p.Ledger.replicas[q]; without.places[id] == 0 && !without.crashed {
				first, who, got = m.first.Add(p.Within), sim.NodeID(q), *m
				break
			}
		}
	}
	if who != sim.None && r.ViolatedAt(first, who, got.by) {
		r.Why("%s had not delivered message %d of %s, which %s had delivered %v before", r.Name(who), got.seq, r.Name(got.sender), r.Name(got.by), p.Within)
	}
}

// validity holds if a process delivers in time what it has broadcast itself, unless it
// crashes. What was broadcast less than that before the end is not checked.
//
// Source: Hadzilacos and Toueg, "A Modular Approach to Fault-Tolerant Broadcasts and Related
// Problems", 1994, validity, with a bound.
type validity struct {
	Ledger *ledger
	Within time.Duration
}

// Bound implements [sim.Bounded].
func (p *validity) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("by the sender within %v", p.Within)}
}

// Check implements [model.Checker]. What is missing is known at the end.
func (*validity) Check(*model.Report[Msg]) {}

// End looks for messages that their senders have not delivered.
func (p *validity) End(r *model.Report[Msg]) {
	for id := range p.Ledger.casts {
		m := &p.Ledger.casts[id]
		sender := &p.Ledger.replicas[m.sender]
		if sender.crashed || m.at.Add(p.Within) > r.Now() {
			continue
		}
		r.Saw()
		if sender.places[id] == 0 && r.ViolatedAt(m.at.Add(p.Within), m.sender) {
			r.Why("%s had broadcast its message %d %v before, and had not delivered it", r.Name(m.sender), m.seq, p.Within)
		}
	}
}

// noDuplicates holds if no process delivers a message twice.
//
// Source: Hadzilacos and Toueg, "A Modular Approach to Fault-Tolerant Broadcasts and Related
// Problems", 1994, integrity.
type noDuplicates struct{ Ledger *ledger }

// Check implements [model.Checker].
func (p *noDuplicates) Check(r *model.Report[Msg]) {
	d := p.Ledger.now
	if d.NodeID == sim.None {
		return
	}
	r.Saw()
	if got := &p.Ledger.casts[d.id]; d.copy && r.Violated(d.NodeID, got.sender) {
		r.Why("%s delivered message %d of %s again", r.Name(d.NodeID), got.seq, r.Name(got.sender))
	}
}
