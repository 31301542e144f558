package process

import (
	"slices"

	"fencepost/models/clock"
	"fencepost/sim/model"
)

// detectsConcurrency holds if stamps tell of any two events which happened before which,
// and else that they are concurrent. Equal numbers say that they are concurrent: Lamport
// clocks are taken at that word.
//
// Of each process an event is compared with two that are concurrent with it: the first
// that it does not know of, and the last so far. If the stamps put one in between
// before or after the event they put one of these there, since the stamps of a process
// ascend. Whether they do is seen, as for orders-causally, with the events right before.
//
// Source: Mattern, "Virtual Time and Global States of Distributed Systems", 1989.
type detectsConcurrency struct {
	Ledger *ledger
	Known  []uint32 // by process, and of each process: how many of its events are in the history of the last one
}

// Begin makes room.
func (p *detectsConcurrency) Begin(*model.Report[Msg]) {
	n := len(p.Ledger.names)
	p.Known = slices.Grow(p.Known, n*n)[:n*n]
	clear(p.Known)
}

// Check implements [model.Checker].
func (p *detectsConcurrency) Check(r *model.Report[Msg]) {
	l, e := p.Ledger, p.Ledger.latest
	if e == none {
		return
	}
	l.after(r, e)
	self, n := l.history.Process(e), len(l.names)
	known := p.Known[self*n:][:n]
	if l.events[e].from != none {
		p.learn(known, e)
	}
	known[self] = uint32(l.history.Index(e))
	for q, chain := range l.chains {
		if unknown := chain[known[q]:]; len(unknown) > 0 {
			r.Saw()
			p.concurrent(r, unknown[0], e)
			if len(unknown) > 1 {
				p.concurrent(r, unknown[len(unknown)-1], e)
			}
		}
	}
}

// learn takes in the history of a receipt.
func (p *detectsConcurrency) learn(known []uint32, e clock.Event) {
	l := p.Ledger
	for q, chain := range l.chains {
		k := known[q]
		for int(k) < len(chain) && l.history.Before(chain[k], e) {
			k++
		}
		known[q] = k
	}
}

// concurrent checks two events that are.
func (p *detectsConcurrency) concurrent(r *model.Report[Msg], a, e clock.Event) {
	l := p.Ledger
	if l.kind == "vector" { // each counts more of its own events than the other knows of
		x, y := *l.events[a].Vector, *l.events[e].Vector
		i, j := l.history.Process(a), l.history.Process(e)
		if x[i] > y[i] && y[j] > x[j] {
			return
		}
	}
	if is := l.relation(a, e); is != clock.Concurrent && !(is == clock.Equal && l.scalar()) && l.violated(r, a, e) {
		r.Why("%s and %s are concurrent, and %s", l.name(r.View, a), l.name(r.View, e), words[is])
	}
}
