package process

import (
	"fmt"

	"fencepost/models/clock"
	"fencepost/sim"
)

// DetectsConcurrency holds if stamps tell of any two events which happened before which,
// and else that they are concurrent. Equal numbers say that they are concurrent: Lamport
// clocks are taken at that word.
//
// Of each process an event is compared with two that are concurrent with it: the first
// that it does not know of, and the last so far. If the stamps put one in between
// before or after the event they put one of these there, since the stamps of a process
// ascend. Whether they do is seen, as for [OrdersCausally], with the events right before.
//
// Source: Mattern 1989.
type DetectsConcurrency struct {
	claim
	known []uint32 // by process, and of each process: how many of its events are in the history of the last one
}

// Name implements [sim.Property].
func (p *DetectsConcurrency) Name() string { return "detects-concurrency" }

// Reset implements [sim.Observer].
func (p *DetectsConcurrency) Reset(*sim.View[Msg]) {
	p.reset()
	if n := len(p.ledger.names); p.known == nil && p.held {
		p.known = make([]uint32, n*n)
	}
	clear(p.known)
}

// Observe implements [sim.Observer].
func (p *DetectsConcurrency) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	e, ok := p.next(v, o)
	if !ok {
		return
	}
	l := p.ledger
	for _, a := range l.before(e) {
		if a == none {
			continue
		}
		p.Saw()
		if r := l.relation(a, e); r != clock.Before {
			p.violate(v, a, e, r.String())
		}
	}
	self, n := l.history.Process(e), len(l.names)
	known := p.known[self*n:][:n]
	if l.events[e].from != none {
		p.learn(known, e)
	}
	known[self] = uint32(l.history.Index(e))
	for q, chain := range l.chains {
		if unknown := chain[known[q]:]; len(unknown) > 0 {
			p.Saw()
			p.concurrent(v, unknown[0], e)
			if len(unknown) > 1 {
				p.concurrent(v, unknown[len(unknown)-1], e)
			}
		}
	}
}

// learn takes in the history of a receipt.
func (p *DetectsConcurrency) learn(known []uint32, e clock.Event) {
	l := p.ledger
	for q, chain := range l.chains {
		k := known[q]
		for int(k) < len(chain) && l.history.Before(chain[k], e) {
			k++
		}
		known[q] = k
	}
}

// concurrent judges two events that are.
func (p *DetectsConcurrency) concurrent(v *sim.View[Msg], a, e clock.Event) {
	l := p.ledger
	if l.kind == "vector" { // each counts more of its own events than the other knows of
		x, y := *l.events[a].Vector, *l.events[e].Vector
		i, j := l.history.Process(a), l.history.Process(e)
		if x[i] > y[i] && y[j] > x[j] {
			return
		}
	}
	if r := l.relation(a, e); r != clock.Concurrent && !(r == clock.Equal && l.scalar()) {
		p.violate(v, a, e, r.String())
	}
}

// Why implements [sim.Property].
func (p *DetectsConcurrency) Why(v *sim.View[Msg]) string {
	is := "%s and %s are concurrent, and %s"
	if p.ledger.history.Before(p.a, p.b) {
		is = "%s happened before %s, and %s"
	}
	return fmt.Sprintf(is, p.ledger.name(v, p.a), p.ledger.name(v, p.b), words[p.what])
}
