package check

import (
	"fencepost/models/fact"
	"fencepost/sim"
)

// LockLedger is what observers know of a lock, kept once for all properties and measures. It hears a fact before they do.
type LockLedger struct {
	LockBooks
	news LockNews
	hand *fact.Fact
}

// LockBooks is what a ledger remembers.
type LockBooks struct {
	Layout   Lock
	Entitled Entitlements
	Owners   Owners
	Waiting  Waiters
	Reach    Reach
	Store    Updates // unless the layout says Uncounted
}

// LockNews is what one fact did to the books. The zero LockNews is nothing.
type LockNews struct {
	of       uint64 // number of the observation
	Change   Change
	May      bool        // the fact may have entitled its client
	Moved    bool        // the key on Instance changed
	Anew     bool        // a fault: the time that the lock has begins anew
	Instance int         // from 0
	Key      fact.Holder // of the key on Instance before; none: it was free
	Lost     int64       // increments that are missing now and were not before
	Over     fact.Holder // who wrote before this write
}

// NewLockLedger makes the ledger of a lock.
func NewLockLedger(l Lock) *LockLedger {
	return &LockLedger{LockBooks: LockBooks{Layout: l, Entitled: newEntitlements(&l), Owners: newOwners(l), Waiting: Waiters{By: byClient[Wait](&l)},
		Reach: Reach{CutOff: byClient[bool](&l)}, Store: newUpdates(&l)}}
}

// Hears implements [fact.Checker].
func (*LockLedger) Hears() []fact.Kind {
	return append(liveness(), fact.Extended, fact.Left, fact.Owned, fact.Freed, fact.Written)
}

// Print implements [sim.Printer] for the properties that have a pointer to the ledger: a fingerprint has the books once,
// from the ledger itself.
func (l *LockLedger) Print(*sim.Print) {}

// Begin implements the part of [fact.Checker] for a new run.
func (l *LockLedger) Begin(r *fact.Report) { l.hand, l.news = r.Fact, LockNews{} }

// Check implements [fact.Checker].
func (l *LockLedger) Check(r *fact.Report) {
	n := &l.news
	*n = LockNews{of: r.Nth}
	switch r.Kind {
	case fact.Owned, fact.Freed:
		n.Moved, n.Instance, n.Key = l.Owners.hear(r.Fact)
	case fact.Written:
		if !l.Layout.Uncounted {
			n.Lost, n.Over = l.Store.hear(r.Fact)
		}
	case fact.Attempt, fact.GaveUp:
		l.Waiting.hear(r.Fact)
	case fact.Acquired, fact.Crashed:
		l.Waiting.hear(r.Fact)
		n.May, n.Change = l.Entitled.hear(r)
	case fact.Left, fact.Extended, fact.ClockChanged:
		n.May, n.Change = l.Entitled.hear(r)
	}
	if r.Kind < fact.Elapsed {
		n.Anew = l.Reach.hear(&l.Layout, r)
	}
}

// News is what the fact at hand did to the books: nothing if the ledger did not hear it.
func (l *LockLedger) News() *LockNews {
	if l.news.of != l.hand.Nth {
		l.news = LockNews{of: l.hand.Nth}
	}
	return &l.news
}

// Beliefs is which clients believe to hold the lock.
func (l *LockLedger) Beliefs() *Beliefs { return &l.Entitled.Beliefs }

// serves reports whether the lock can serve one of the clients that wait.
func (l *LockLedger) serves() bool {
	if l.Reach.Stopped {
		return false
	}
	if !l.Reach.Some {
		return true
	}
	for id := range l.Waiting.By {
		if l.Waiting.By[id].Waits && !l.Reach.CutOff[id] {
			return true
		}
	}
	return false
}

// vacant reports whether clients wait and none believes to hold the lock.
func (l *LockLedger) vacant() bool { return l.Waiting.Count > 0 && l.Beliefs().Count == 0 }
