package permits

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// slack is what a deadline may be missed by, for want of an event at the very instant.
const slack = time.Millisecond

// oneAnswer holds if each request gets exactly one answer while its client and the
// limiter live, and if none waits for a permit beyond its deadline, pauses of the limiter
// apart. How long a handler takes is its own affair.
type oneAnswer struct{ Ledger ledger }

// Check implements [model.Checker].
func (p *oneAnswer) Check(r *model.Report[Msg]) {
	if r.Event != sim.Resumed {
		p.End(r)
	}
	was, known := p.Ledger.observe(r.View, r.Observation)
	if r.Event != sim.Noted {
		return
	}
	who := client(r.Msg.Rid)
	switch {
	case r.Msg.Kind == Answered:
		r.Saw()
		if (!known || was.answered) && r.Violated(r.Node, who) {
			r.Why("%s answered the request of %s, which had been answered", r.Name(r.Node), r.Name(who))
		}
	case r.Msg.Kind == Panicked && r.Msg.Rid != 0:
		if r.Violated(r.Node, who) {
			r.Why("%s closed the connection of %s without an answer: its handler had panicked", r.Name(r.Node), r.Name(who))
		}
	}
}

// End looks for requests that wait for a permit beyond their deadline.
func (p *oneAnswer) End(r *model.Report[Msg]) {
	for i := range p.Ledger.open {
		q := &p.Ledger.open[i]
		if q.late || !q.waits() || q.gone {
			continue
		}
		by, ok := p.Ledger.awake(r.View, q.limiter, q.due)
		if !ok || r.Read(q.limiter, sim.MonoClock)-q.deadline <= int64(slack) {
			continue
		}
		q.late = true
		if who := client(q.rid); r.ViolatedAt(by, q.limiter, who) {
			r.Why("%s neither started nor answered the request of %s by its deadline", r.Name(q.limiter), r.Name(who))
		}
	}
}

// drains holds if a limiter that is shut down tells every request that waits at once, and has
// no request left when the time for draining is over, pauses of the limiter apart.
type drains struct {
	Ledger ledger
	Drain  time.Duration

	Since []sim.Time // by node: when it was shut down, Never if it was not
	Found bool       // the property is violated: nothing more is looked for
}

// Bound implements [sim.Bounded].
func (p *drains) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("none left after %v", p.Drain)}
}

// Begin says that no node was shut down.
func (p *drains) Begin(r *model.Report[Msg]) {
	for range r.Nodes() + 1 {
		p.Since = append(p.Since, sim.Never)
	}
}

// Check implements [model.Checker].
func (p *drains) Check(r *model.Report[Msg]) {
	if r.Event != sim.Resumed {
		p.End(r)
	}
	p.Ledger.observe(r.View, r.Observation)
	switch since := &p.Since[r.Node]; {
	case r.Event == sim.Noted && r.Msg.Kind == Draining && *since == sim.Never:
		*since = r.Now()
		r.Saw()
	case r.Event == sim.Crashed:
		*since = sim.Never
	case r.Event == sim.Resumed && *since != sim.Never:
		*since = since.Add(p.Ledger.stopped) // a pause takes no time of the draining
	}
}

// End looks at a shutdown that has outlived its instant, and then at the end of it.
func (p *drains) End(r *model.Report[Msg]) {
	for id, since := range p.Since {
		if since == sim.Never || p.Found {
			continue
		}
		limiter := sim.NodeID(id)
		waiting, running := p.left(limiter, since)
		if by, ok := p.Ledger.awake(r.View, limiter, since); ok && waiting > 0 {
			p.Found = true
			if r.ViolatedAt(by, limiter) {
				r.Why("%s was shut down, and %s still waiting: none was answered", r.Name(limiter), number(waiting, "request is", "requests are"))
			}
		}
		if by, ok := p.Ledger.awake(r.View, limiter, since.Add(p.Drain)); ok && running > 0 {
			p.Found = true
			if r.ViolatedAt(by, limiter) {
				r.Why("%s was shut down, and %s still running when the time for draining was over", r.Name(limiter), number(running, "request is", "requests are"))
			}
		}
	}
}

// left is how many requests of a limiter that came before its shutdown still wait, and
// how many run.
func (p *drains) left(limiter sim.NodeID, since sim.Time) (waiting, running int) {
	for i := range p.Ledger.open {
		switch r := &p.Ledger.open[i]; {
		case r.limiter != limiter:
		case r.running:
			running++
		case r.waits() && r.at <= since:
			waiting++
		}
	}
	return waiting, running
}

// noPanic holds if no goroutine of a limiter panics.
type noPanic struct{}

// Check implements [model.Checker].
func (*noPanic) Check(r *model.Report[Msg]) {
	m := &r.Msg
	if m.Kind == Arrived {
		r.Saw()
		return
	}
	if who := client(m.Rid); r.Violated(r.Node, who) {
		if who == sim.None {
			r.Why("%s panicked: %s; the process is gone", r.Name(r.Node), m.panicText())
		} else {
			r.Why("%s panicked in the handler of %s: %s", r.Name(r.Node), r.Name(who), m.panicText())
		}
	}
}

// number is a count with its noun and verb.
func number(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
