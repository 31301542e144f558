package permits

import (
	"fmt"

	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// atMost holds if no more than c handlers run at once.
//
// It counts what runs, and does not believe a counter.
type atMost struct{ Ledger ledger }

// Bound implements [sim.Bounded].
func (p *atMost) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("at most %d at once", p.Ledger.layout.Permits), Worst: "peak-running"}
}

// Check implements [kit.Checker].
func (p *atMost) Check(r *kit.Report[Msg]) {
	l := &p.Ledger
	l.observe(r.View, r.Observation)
	if r.Event != sim.Noted || r.Msg.Kind != Started {
		return
	}
	r.Saw()
	if who := client(r.Msg.Rid); l.running > l.layout.Permits && r.Violated(r.Node, who) {
		r.Why("%s started the request of %s: %d run, and %d may", r.Name(r.Node), r.Name(who), l.running, l.layout.Permits)
	}
}

// fifo holds if requests start in the order in which they came, among those that start.
// A limiter that serves the newest first is not checked.
type fifo struct {
	Ledger ledger
	LIFO   bool

	Last request // of those that have started, the one that came last
}

// Check implements [kit.Checker].
func (p *fifo) Check(r *kit.Report[Msg]) {
	now, known := p.Ledger.observe(r.View, r.Observation)
	if !known || p.LIFO || p.Ledger.layout.Leased || r.Msg.Kind != Started {
		return
	}
	r.Saw()
	if now.seq >= p.Last.seq {
		p.Last = now
		return
	}
	if later, earlier := client(p.Last.rid), client(now.rid); r.Violated(later, earlier) {
		r.Why("the request of %s came later than that of %s, and started before it", r.Name(later), r.Name(earlier))
	}
}

// queueBound holds if no more than q requests wait.
type queueBound struct{ Ledger ledger }

// Bound implements [sim.Bounded].
func (p *queueBound) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("at most %d waiting", p.Ledger.layout.Queue), Worst: "peak-waiting"}
}

// Check implements [kit.Checker].
func (p *queueBound) Check(r *kit.Report[Msg]) {
	l := &p.Ledger
	l.observe(r.View, r.Observation)
	if r.Event != sim.Noted || r.Msg.Kind != Queued {
		return
	}
	r.Saw()
	if n, who := l.waiting(), client(r.Msg.Rid); n > l.layout.Queue && r.Violated(r.Node, who) {
		r.Why("%s queued the request of %s: %d wait, and %d may", r.Name(r.Node), r.Name(who), n, l.layout.Queue)
	}
}
