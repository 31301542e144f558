package permits

import (
	"fmt"

	"fencepost/sim"
)

// AtMost holds if no more than c handlers run at once.
//
// It counts what runs, and does not believe a counter.
type AtMost struct {
	Layout Layout

	sim.Check
	ledger ledger
	most   int // at the first violation
}

// Name implements [sim.Property].
func (p *AtMost) Name() string { return "concurrency-limit" }

// Bound implements [sim.Bounded].
func (p *AtMost) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("at most %d at once", p.Layout.Permits), Worst: "peak-running"}
}

// Reset implements [sim.Observer].
func (p *AtMost) Reset(*sim.View[Msg]) {
	*p = AtMost{Layout: p.Layout, ledger: p.ledger}
	p.Clear()
	p.ledger.reset(p.Layout)
}

// Observe implements [sim.Observer].
func (p *AtMost) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.ledger.observe(v, o)
	if o.Event != sim.Noted || o.Msg.Kind != Started {
		return
	}
	if p.Saw(); p.ledger.running > p.Layout.Permits && p.Violate(v.Now(), o.Node, client(o.Msg.Rid)) {
		p.most = p.ledger.running
	}
}

// End implements [sim.Observer].
func (p *AtMost) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *AtMost) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("%s started the request of %s: %d run, and %d may", v.Name(n[0]), v.Name(n[1]), p.most, p.Layout.Permits)
}

// FIFO holds if requests start in the order in which they came, among those that start.
// A limiter that serves the newest first is not checked.
type FIFO struct {
	Layout Layout
	LIFO   bool

	sim.Check
	ledger ledger
	last   request // of those that have started, the one that came last
}

// Name implements [sim.Property].
func (p *FIFO) Name() string { return "fifo" }

// Reset implements [sim.Observer].
func (p *FIFO) Reset(*sim.View[Msg]) {
	*p = FIFO{Layout: p.Layout, LIFO: p.LIFO, ledger: p.ledger}
	p.Clear()
	p.ledger.reset(p.Layout)
}

// Observe implements [sim.Observer].
func (p *FIFO) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	r, known := p.ledger.observe(v, o)
	if !known || p.LIFO || p.Layout.Leased || o.Msg.Kind != Started {
		return
	}
	if p.Saw(); r.seq < p.last.seq {
		p.Violate(v.Now(), client(p.last.rid), client(r.rid))
		return
	}
	p.last = r
}

// End implements [sim.Observer].
func (p *FIFO) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *FIFO) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("the request of %s came later than that of %s, and started before it", v.Name(n[0]), v.Name(n[1]))
}

// QueueBound holds if no more than q requests wait.
type QueueBound struct {
	Layout Layout

	sim.Check
	ledger ledger
	most   int // at the first violation
}

// Name implements [sim.Property].
func (p *QueueBound) Name() string { return "queue-bound" }

// Bound implements [sim.Bounded].
func (p *QueueBound) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("at most %d waiting", p.Layout.Queue), Worst: "peak-waiting"}
}

// Reset implements [sim.Observer].
func (p *QueueBound) Reset(*sim.View[Msg]) {
	*p = QueueBound{Layout: p.Layout, ledger: p.ledger}
	p.Clear()
	p.ledger.reset(p.Layout)
}

// Observe implements [sim.Observer].
func (p *QueueBound) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	p.ledger.observe(v, o)
	if o.Event != sim.Noted || o.Msg.Kind != Queued {
		return
	}
	n := p.ledger.waiting()
	if p.Saw(); n > p.Layout.Queue && p.Violate(v.Now(), o.Node, client(o.Msg.Rid)) {
		p.most = n
	}
}

// End implements [sim.Observer].
func (p *QueueBound) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *QueueBound) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	return fmt.Sprintf("%s queued the request of %s: %d wait, and %d may", v.Name(n[0]), v.Name(n[1]), p.most, p.Layout.Queue)
}
