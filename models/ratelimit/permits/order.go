package permits

import (
	"fmt"

	"fencepost/sim"
	"fencepost/sim/model"
)

// atMost holds if no more than c handlers run at once.
//
// It counts what runs, and does not believe a counter.
type atMost struct{ Book *book }

// Bound implements [sim.Bounded].
func (p *atMost) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("at most %d at once", p.Book.Ledger.layout.Permits), Worst: "peak-running"}
}

// Check implements [model.Checker].
func (p *atMost) Check(r *model.Report[Msg]) {
	l := &p.Book.Ledger
	r.Saw()
	if who := client(r.Msg.Rid); l.running > l.layout.Permits && r.Violated(r.Node, who) {
		r.Why("%s started the request of %s: %d run, and %d may", r.Name(r.Node), r.Name(who), l.running, l.layout.Permits)
	}
}

// fifo holds if requests start in the order in which they came, among those that start.
// A limiter that serves the newest first is not checked.
type fifo struct {
	Book *book
	LIFO bool

	Last request // of those that have started, the one that came last
}

// Check implements [model.Checker].
func (p *fifo) Check(r *model.Report[Msg]) {
	now := &p.Book.was
	if !p.Book.known || p.LIFO || p.Book.Ledger.layout.Leased {
		return
	}
	r.Saw()
	if now.seq >= p.Last.seq {
		p.Last = *now
		return
	}
	if later, earlier := client(p.Last.rid), client(now.rid); r.Violated(later, earlier) {
		r.Why("the request of %s came later than that of %s, and started before it", r.Name(later), r.Name(earlier))
	}
}

// queueBound holds if no more than q requests wait.
type queueBound struct{ Book *book }

// Bound implements [sim.Bounded].
func (p *queueBound) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("at most %d waiting", p.Book.Ledger.layout.Queue), Worst: "peak-waiting"}
}

// Check implements [model.Checker].
func (p *queueBound) Check(r *model.Report[Msg]) {
	l := &p.Book.Ledger
	r.Saw()
	if n, who := l.waiting(), client(r.Msg.Rid); n > l.layout.Queue && r.Violated(r.Node, who) {
		r.Why("%s queued the request of %s: %d wait, and %d may", r.Name(r.Node), r.Name(who), n, l.layout.Queue)
	}
}
