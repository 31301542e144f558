package idempotency

import "fencepost/sim"

// What the nodes and the properties that change with almost every message depend on, for a
// search that compares states.

// Immutable implements [sim.Immutable].
func (*Layout) Immutable() {}

// Immutable implements [sim.Immutable].
func (*watched) Immutable() {}

// Print implements [sim.Printer].
func (s *Server) Print(p *sim.Print) {
	p.Fold(uint64(s.calls)<<32|uint64(s.closing), uint64(len(s.slots)))
	for i := range s.slots {
		t := &s.slots[i]
		flags := uint64(0)
		for i, f := range [...]bool{t.busy, t.asked, t.connected} {
			if f {
				flags |= 1 << i
			}
		}
		p.Fold(flags, uint64(t.closing))
		if !t.busy {
			continue
		}
		t.task.Print(p)
		t.demand.print(p)
		p.Fold(uint64(t.from)<<32|uint64(t.number), uint64(t.call)<<32|uint64(t.action), uint64(t.statements)<<32|uint64(t.trips))
	}
}

func (d *demand) print(p *sim.Print) {
	p.Fold(uint64(d.tenant), uint64(d.key), uint64(d.fingerprint), uint64(d.amount), uint64(d.intent))
}

func (c *connections) print(p *sim.Print) {
	p.Fold(uint64(len(c.last)))
	for _, n := range c.last {
		p.Fold(uint64(n))
	}
}

// Print implements [sim.Printer].
func (d *Database) Print(p *sim.Print) {
	d.Connections.print(p)
	d.db.Print(p)
	p.Fold(uint64(d.totals.sum), uint64(d.totals.fold), uint64(d.totals.least), uint64(len(d.sessions)), uint64(len(d.said)))
	for i := range d.sessions {
		s, open := &d.sessions[i], uint64(0)
		if s.open {
			open = 1
		}
		p.Fold(uint64(s.from)<<32|uint64(s.slot)<<1|open, uint64(s.call))
	}
	for i := range d.said {
		m := &d.said[i]
		p.Fold(uint64(m.Kind))
		for _, v := range m.Values {
			p.Fold(uint64(v))
		}
	}
}

// Print implements [sim.Printer].
func (c *Client) Print(p *sim.Print) {
	p.Fold(uint64(c.begun)<<32|uint64(c.numbers), uint64(len(c.calls)))
	for i := range c.calls {
		o, waiting := &c.calls[i], uint64(0)
		if o.waiting {
			waiting = 1
		}
		o.demand.print(p)
		p.Fold(uint64(o.click)<<32|uint64(o.attempt)<<1|waiting, uint64(o.number))
	}
}

// print takes in the numbers and the entries, each as words.
func (t *table[E]) print(p *sim.Print, entry func(*E, *sim.Print)) {
	p.Fold(uint64(len(t.Numbers)))
	for i, n := range t.Numbers {
		p.Fold(uint64(n))
		entry(&t.Entries[i], p)
	}
}

func printValue(v *Value, p *sim.Print) { p.Fold(uint64(*v)) }

func printScope(s *scope, p *sim.Print) {
	p.Fold(uint64(s.tenant), uint64(s.key), uint64(s.fingerprint))
}

func printGiven(g *given, p *sim.Print) {
	printScope(&g.to, p)
	p.Fold(uint64(g.client)<<32|uint64(g.status), uint64(g.body))
}

func printAsked(a *asked, p *sim.Print) {
	flags := uint64(0)
	for i, f := range [...]bool{a.Done, a.GaveUp, a.Silent} {
		if f {
			flags |= 1 << i
		}
	}
	p.Fold(uint64(a.Client)<<3|flags, uint64(a.At), uint64(a.Lost))
}

// Print implements [sim.Printer].
func (p *sameAnswer) Print(to *sim.Print) {
	p.Answers.print(to, printGiven)
	to.Fold(uint64(len(p.More)))
	for i := range p.More {
		printGiven(&p.More[i], to)
	}
}

// Print implements [sim.Printer]. When a client was told is for the words alone.
func (p *acknowledgedIsDurable) Print(to *sim.Print) {
	p.Ledger.Print(to)
	p.Acknowledged.print(to, func(a *acknowledged, to *sim.Print) { to.Fold(uint64(a.Client)) })
}

// Print implements [sim.Printer].
func (p *isolated) Print(to *sim.Print) {
	p.Intents.print(to, printScope)
	p.Rows.print(to, printValue)
	p.Keys.print(to, printScope)
	to.Fold(uint64(len(p.More)))
	for i := range p.More {
		printScope(&p.More[i], to)
	}
}

// Print implements [sim.Printer].
func (p *noPhantom) Print(to *sim.Print) {
	to.Fold(uint64(len(p.Rows.Numbers)))
	for _, id := range p.Rows.Numbers {
		to.Fold(uint64(id))
	}
}

// Print implements [sim.Printer].
func (p *progress) Print(to *sim.Print) {
	p.Intents.print(to, printAsked)
	to.Fold(uint64(len(p.Open)))
	for _, intent := range p.Open {
		to.Fold(uint64(intent))
	}
	p.Downtime.print(to)
}

// Print implements [sim.Printer]. When an intent had its effect matters only while a caller waits for it.
func (p *told) Print(to *sim.Print) {
	p.Ledger.Print(to)
	p.Callers.print(to, printCaller)
	to.Fold(uint64(len(p.Waiting)))
	for _, who := range p.Waiting {
		to.Fold(uint64(who))
	}
	p.Downtime.print(to)
}

func printCaller(c *caller, p *sim.Print) {
	flags := uint64(0)
	for i, f := range [...]bool{c.Told, c.Failed, c.Waits, c.Judged, c.Unsure, c.Silent, c.Again} {
		if f {
			flags |= 1 << i
		}
	}
	p.Fold(flags | uint64(c.Calls)<<8)
	if c.Again {
		p.Fold(uint64(c.Latest), uint64(c.Asked))
	}
	if c.Waits && !c.Told {
		p.Fold(uint64(c.Since), uint64(c.Lost))
	}
}
