package permits

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// slack is what a deadline may be missed by, for want of an event at the very instant.
const slack = time.Millisecond

// OneAnswer holds if each request gets exactly one answer while its client and the
// limiter live, and if none waits for a permit beyond its deadline, pauses of the limiter
// apart. How long a handler takes is its own affair.
type OneAnswer struct {
	Layout Layout

	sim.Check
	ledger ledger
	what   fault // at the first violation
}

type fault uint8

const (
	unanswered fault = iota // its deadline is over
	twice
	died // a panic took its handler
)

// Name implements [sim.Property].
func (p *OneAnswer) Name() string { return "one-answer" }

// Reset implements [sim.Observer].
func (p *OneAnswer) Reset(*sim.View[Msg]) {
	p.Clear()
	p.ledger.reset(p.Layout)
	p.what = unanswered
}

// Observe implements [sim.Observer].
func (p *OneAnswer) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Resumed {
		p.check(v)
	}
	was, known := p.ledger.observe(v, o)
	if o.Event != sim.Noted {
		return
	}
	m := &o.Msg
	switch {
	case m.Kind == Answered:
		p.Saw()
		if !known || was.answered {
			p.violate(v.Now(), o.Node, m.Rid, twice)
		}
	case m.Kind == Panicked && m.Rid != 0:
		p.violate(v.Now(), o.Node, m.Rid, died)
	}
}

func (p *OneAnswer) violate(at sim.Time, limiter sim.NodeID, rid uint32, what fault) {
	if p.Violate(at, limiter, client(rid)) {
		p.what = what
	}
}

// check looks for requests that wait for a permit beyond their deadline.
func (p *OneAnswer) check(v *sim.View[Msg]) {
	for i := range p.ledger.open {
		r := &p.ledger.open[i]
		if r.late || !r.waits() || r.gone {
			continue
		}
		if by, ok := p.ledger.awake(v, r.limiter, r.due); ok && v.Read(r.limiter, sim.MonoClock)-r.deadline > int64(slack) {
			r.late = true
			p.violate(by, r.limiter, r.rid, unanswered)
		}
	}
}

// End implements [sim.Observer].
func (p *OneAnswer) End(v *sim.View[Msg]) { p.check(v) }

// Why implements [sim.Property].
func (p *OneAnswer) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	switch p.what {
	case twice:
		return fmt.Sprintf("%s answered the request of %s, which had been answered", v.Name(n[0]), v.Name(n[1]))
	case died:
		return fmt.Sprintf("%s closed the connection of %s without an answer: its handler had panicked", v.Name(n[0]), v.Name(n[1]))
	}
	return fmt.Sprintf("%s neither started nor answered the request of %s by its deadline", v.Name(n[0]), v.Name(n[1]))
}

// Drains holds if a limiter that is shut down tells every request that waits at once, and has
// no request left when the time for draining is over, pauses of the limiter apart.
type Drains struct {
	Layout Layout
	Drain  time.Duration

	sim.Check
	ledger  ledger
	since   []sim.Time // by node: when it was shut down, Never if it was not
	waiting int        // of the first violation: that were not told
	running int        // or that ran on
}

// Name implements [sim.Property].
func (p *Drains) Name() string { return "drains" }

// Bound implements [sim.Bounded].
func (p *Drains) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("none left after %v", p.Drain)}
}

// Reset implements [sim.Observer].
func (p *Drains) Reset(v *sim.View[Msg]) {
	if p.since == nil {
		p.since = make([]sim.Time, v.Nodes()+1)
	}
	for i := range p.since {
		p.since[i] = sim.Never
	}
	p.Clear()
	p.ledger.reset(p.Layout)
	p.waiting, p.running = 0, 0
}

// Observe implements [sim.Observer].
func (p *Drains) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Resumed {
		p.check(v)
	}
	p.ledger.observe(v, o)
	switch {
	case o.Event == sim.Noted && o.Msg.Kind == Draining && p.since[o.Node] == sim.Never:
		p.since[o.Node] = v.Now()
		p.Saw()
	case o.Event == sim.Crashed:
		p.since[o.Node] = sim.Never
	case o.Event == sim.Resumed && p.since[o.Node] != sim.Never:
		p.since[o.Node] = p.since[o.Node].Add(p.ledger.stopped) // a pause takes no time of the draining
	}
}

// check looks at a shutdown that has outlived its instant, and then at the end of it.
func (p *Drains) check(v *sim.View[Msg]) {
	for id, since := range p.since {
		if since == sim.Never || p.Finding().Violations > 0 {
			continue
		}
		limiter := sim.NodeID(id)
		waiting, running := p.left(limiter, since)
		if by, ok := p.ledger.awake(v, limiter, since); ok && waiting > 0 && p.Violate(by, limiter) {
			p.waiting = waiting
		}
		if by, ok := p.ledger.awake(v, limiter, since.Add(p.Drain)); ok && running > 0 && p.Violate(by, limiter) {
			p.running = running
		}
	}
}

// left is how many requests of a limiter that came before its shutdown still wait, and
// how many run.
func (p *Drains) left(limiter sim.NodeID, since sim.Time) (waiting, running int) {
	for i := range p.ledger.open {
		switch r := &p.ledger.open[i]; {
		case r.limiter != limiter:
		case r.running:
			running++
		case r.waits() && r.at <= since:
			waiting++
		}
	}
	return waiting, running
}

// End implements [sim.Observer].
func (p *Drains) End(v *sim.View[Msg]) { p.check(v) }

// Why implements [sim.Property].
func (p *Drains) Why(v *sim.View[Msg]) string {
	name := v.Name(p.Finding().Nodes[0])
	if p.waiting > 0 {
		return fmt.Sprintf("%s was shut down, and %s still waiting: none was answered", name, number(p.waiting, "request is", "requests are"))
	}
	return fmt.Sprintf("%s was shut down, and %s still running when the time for draining was over", name, number(p.running, "request is", "requests are"))
}

// NoPanic holds if no goroutine of a limiter panics.
type NoPanic struct {
	sim.Check
	text string // of the first
}

// Name implements [sim.Property].
func (p *NoPanic) Name() string { return "no-panic" }

// Reset implements [sim.Observer].
func (p *NoPanic) Reset(*sim.View[Msg]) {
	p.Clear()
	p.text = ""
}

// Observe implements [sim.Observer].
func (p *NoPanic) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch m := &o.Msg; m.Kind {
	case Arrived:
		p.Saw()
	case Panicked:
		if p.Violate(v.Now(), o.Node, client(m.Rid)) {
			p.text = panicTexts[m.Code]
		}
	}
}

// End implements [sim.Observer].
func (p *NoPanic) End(*sim.View[Msg]) {}

// Why implements [sim.Property].
func (p *NoPanic) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	if n[1] == sim.None {
		return fmt.Sprintf("%s panicked: %s; the process is gone", v.Name(n[0]), p.text)
	}
	return fmt.Sprintf("%s panicked in the handler of %s: %s", v.Name(n[0]), v.Name(n[1]), p.text)
}

// number is a count with its noun and verb.
func number(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
