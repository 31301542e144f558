package permits

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// conserved holds if at every event boundary the permits in use are those of the requests
// that run or are about to, and are between 0 and c. A step that a pause interrupts is no
// boundary. Permits in a store may outlive a limiter that crashed; there it holds if no
// handler runs without one.
type conserved struct {
	Ledger ledger

	Since sim.Time // of the present imbalance, if there is one
	Off   int      // the imbalance: permits in use that no handler has; below 0, handlers without a permit
	Told  int      // the imbalance that has been checked
	Rid   uint32   // the request that made it, and where
	Node  sim.NodeID
	What  blame
}

// blame is how a permit was lost.
type blame uint8

const (
	toNobody   blame = iota // it was given to a request that had been answered
	answeredIt              // its request was answered without having run
	ranOut                  // it expired while the handler ran
	miscounted              // the count is below 0 or above c
)

// Check implements [model.Checker].
func (p *conserved) Check(r *model.Report[Msg]) {
	if r.Event == sim.Resumed {
		p.Since = r.Now() // what its last step asked for leaves now
	}
	p.End(r)
	p.Ledger.observe(r.View, r.Observation)
	if r.Event == sim.Noted && r.Msg.Kind == Granted {
		r.Saw()
	}
	if off := p.imbalance(); off != p.Off {
		p.Off, p.Since = off, r.Now()
		if r.Event == sim.Noted {
			p.Rid, p.Node, p.What = r.Msg.Rid, r.Node, p.blameFor(r.Msg.Kind)
		}
	}
}

func (p *conserved) blameFor(kind sim.Kind) blame {
	switch {
	case p.Ledger.inUse < 0 || p.Ledger.inUse > p.Ledger.layout.Permits:
		return miscounted
	case kind == Answered:
		return answeredIt
	case kind == Purged:
		return ranOut
	}
	return toNobody
}

// imbalance is 0 if all is well.
func (p *conserved) imbalance() int {
	l := &p.Ledger
	switch out := l.inUse; {
	case out < 0 || out > l.layout.Permits:
		return out
	case !l.layout.Leased:
		return l.leaked()
	case l.unbacked() != nil:
		return -1
	}
	return 0
}

// End looks at an imbalance that has outlived its instant: each one more permit that is
// lost is a violation.
func (p *conserved) End(r *model.Report[Msg]) {
	if r.Now() == p.Since || p.Off == p.Told {
		return
	}
	if _, paused := r.PausedSince(p.Node); paused {
		return
	}
	if who := client(p.Rid); p.Off != 0 && (p.Told == 0 || p.Off > p.Told) && r.ViolatedAt(p.Since, p.Node, who) {
		p.why(r, r.Name(p.Node), r.Name(who))
	}
	p.Told = p.Off
}

// why says how the permit was lost.
func (p *conserved) why(r *model.Report[Msg], limiter, who string) {
	switch inUse, runs := p.Ledger.inUse, p.Ledger.running; p.What {
	case answeredIt:
		r.Why("%s answered the request of %s, which had been granted a permit: it is never returned: %d in use, %d running", limiter, who, inUse, runs)
	case ranOut:
		r.Why("the permit of the request of %s expired while its handler ran", who)
	case miscounted:
		r.Why("%s counts %d permits in use of %d", limiter, inUse, p.Ledger.layout.Permits)
	default:
		r.Why("%s handed a permit to the request of %s, which had been answered: it is never returned: %d in use, %d running", limiter, who, inUse, runs)
	}
}
