package check

import (
	"time"

	"fencepost/models/fact"
	"fencepost/sim"
)

// liveness are the facts that change who waits and whom the lock can serve.
func liveness() []fact.Kind {
	return []fact.Kind{fact.Attempt, fact.Acquired, fact.GaveUp,
		fact.Paused, fact.Resumed, fact.Crashed, fact.Restarted, fact.ClockChanged, fact.NetworkChanged}
}

// Spell is a time that adds up while something is so. Gaps in which it is not so do not count.
type Spell struct {
	Since sim.Time // when it would have begun without the gaps
	Gap   sim.Time // since when it is not so, unless it is
	On    bool
}

// restart lets the time begin anew.
func (s *Spell) restart(now sim.Time) { s.Since, s.Gap = now, now }

// set says whether it is so from now on.
func (s *Spell) set(now sim.Time, on bool) {
	switch {
	case on && !s.On:
		s.Since = s.Since.Add(now.Sub(s.Gap))
	case !on && s.On:
		s.Gap = now
	}
	s.On = on
}

// lasted is how long it has been so.
func (s *Spell) lasted(now sim.Time) time.Duration {
	if !s.On {
		now = s.Gap
	}
	return now.Sub(s.Since)
}

// Progress is what the properties of liveness have in common: the time in which clients ask for the lock and none acquires
// it. What counts is the time in which the lock owes them progress: a client that asks reaches the servers that it needs,
// and the clients and what the lock protects run. It begins anew after each fault of a node, and when a client is
// connected again with the servers that it needs.
type Progress struct {
	Ledger  *LockLedger
	Within  time.Duration
	Outages bool // they count, too

	Owed  Spell // in which some client is owed the lock
	Asked Spell // in which clients ask for it
	Late  bool  // Owed has lasted for too long, and that has been said
}

// hear takes in what has happened, and whether clients ask now.
func (p *Progress) hear(r *fact.Report, asks bool) {
	news := p.Ledger.News()
	if news.Change == Entered {
		if p.Asked.On {
			r.Saw()
		}
		p.Owed.restart(r.At)
		p.Asked.restart(r.At)
		p.Late = false
	}
	if news.Anew && !p.Outages {
		p.Owed.restart(r.At)
		p.Late = false
	}
	p.Asked.set(r.At, asks)
	p.Owed.set(r.At, asks && (p.Outages || p.Ledger.serves()))
	p.await(r)
}

// await waits for the last instant at which a client may acquire the lock, if there is one.
func (p *Progress) await(r *fact.Report) (last sim.Time, owes bool) {
	last, owes = p.Owed.Since.Add(p.Within), p.Owed.On && !p.Late
	if owes && r.At <= last {
		r.Await(last)
	}
	return last, owes
}

// late reports whether a client that waits was to acquire the lock before now, and did not. A run that ends while clients
// ask for longer than that, and were owed less, has shown nothing. Nor has one that is shorter than that and most of it
// passes while they ask in vain.
func (p *Progress) late(r *fact.Report) (waits sim.NodeID, first bool) {
	if asked := p.Asked.lasted(r.At); r.Kind == fact.Ended && (asked > p.Within || inVain(r.At, p.Within, asked)) {
		r.Withdraw()
	}
	last, owes := p.await(r)
	if !owes || r.At <= last {
		return sim.None, false
	}
	p.Late = true
	waits = p.Ledger.Waiting.first()
	return waits, r.ViolatedAt(last, waits)
}

// inVain reports whether a run that is shorter than a bound ends in a wait that takes most of it.
func inVain(end sim.Time, bound, wait time.Duration) bool {
	run := end.Sub(0)
	return run < bound && wait > run/2
}
