package permits

import (
	"fmt"

	"fencepost/sim"
)

// Conserved holds if at every event boundary the permits in use are those of the requests
// that run or are about to, and are between 0 and c. A step that a pause interrupts is no
// boundary. Permits in a store may outlive a limiter that crashed; there it holds if no
// handler runs without one.
type Conserved struct {
	Layout Layout

	sim.Check
	ledger ledger
	since  sim.Time // of the present imbalance, if there is one
	off    int      // the imbalance: permits in use that no handler has; below 0, handlers without a permit
	told   int      // the imbalance that has been checked
	rid    uint32   // the request that made it, and where
	node   sim.NodeID
	what   blame
	first  struct { // the first violation
		what        blame
		inUse, runs int
	}
}

// blame is how a permit was lost.
type blame uint8

const (
	toNobody   blame = iota // it was given to a request that had been answered
	answeredIt              // its request was answered without having run
	ranOut                  // it expired while the handler ran
	miscounted              // the count is below 0 or above c
)

// Name implements [sim.Property].
func (p *Conserved) Name() string { return "permits-conserved" }

// Reset implements [sim.Observer].
func (p *Conserved) Reset(*sim.View[Msg]) {
	*p = Conserved{Layout: p.Layout, ledger: p.ledger}
	p.Clear()
	p.ledger.reset(p.Layout)
}

// Observe implements [sim.Observer].
func (p *Conserved) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event == sim.Resumed {
		p.since = v.Now() // what its last step asked for leaves now
	}
	p.check(v)
	p.ledger.observe(v, o)
	if o.Event == sim.Noted && o.Msg.Kind == Granted {
		p.Saw()
	}
	if off := p.imbalance(); off != p.off {
		p.off, p.since = off, v.Now()
		if o.Event == sim.Noted {
			p.rid, p.node = o.Msg.Rid, o.Node
			p.what = p.blameFor(o.Msg.Kind)
		}
	}
}

func (p *Conserved) blameFor(kind sim.Kind) blame {
	switch {
	case p.ledger.inUse < 0 || p.ledger.inUse > p.Layout.Permits:
		return miscounted
	case kind == Answered:
		return answeredIt
	case kind == Purged:
		return ranOut
	}
	return toNobody
}

// imbalance is 0 if all is well.
func (p *Conserved) imbalance() int {
	if out := p.ledger.inUse; out < 0 || out > p.Layout.Permits {
		return out
	}
	if !p.Layout.Leased {
		return p.ledger.leaked()
	}
	if p.ledger.unbacked() != nil {
		return -1
	}
	return 0
}

// check looks at an imbalance that has outlived its instant: each one more permit that is
// lost is a violation.
func (p *Conserved) check(v *sim.View[Msg]) {
	if v.Now() == p.since || p.off == p.told {
		return
	}
	if _, paused := v.PausedSince(p.node); paused {
		return
	}
	if p.off != 0 && (p.told == 0 || p.off > p.told) && p.Violate(p.since, p.node, client(p.rid)) {
		p.first.what, p.first.inUse, p.first.runs = p.what, p.ledger.inUse, p.ledger.running
	}
	p.told = p.off
}

// End implements [sim.Observer].
func (p *Conserved) End(v *sim.View[Msg]) { p.check(v) }

// Why implements [sim.Property].
func (p *Conserved) Why(v *sim.View[Msg]) string {
	n := p.Finding().Nodes
	limiter, who := v.Name(n[0]), "the request of "+v.Name(n[1])
	count := fmt.Sprintf("%d in use, %d running", p.first.inUse, p.first.runs)
	switch p.first.what {
	case answeredIt:
		return fmt.Sprintf("%s answered %s, which had been granted a permit: it is never returned: %s", limiter, who, count)
	case ranOut:
		return fmt.Sprintf("the permit of %s expired while its handler ran", who)
	case miscounted:
		return fmt.Sprintf("%s counts %d permits in use of %d", limiter, p.first.inUse, p.Layout.Permits)
	}
	return fmt.Sprintf("%s handed a permit to %s, which had been answered: it is never returned: %s", limiter, who, count)
}
