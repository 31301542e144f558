package lock

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// ledger is what observers know of a lock, kept once for all properties and measures. It is
// told of each note and each fault before they are.
type ledger struct {
	books
	news
}

// books is what a ledger remembers.
type books struct {
	Layout   Layout
	Entitled entitlements
	Owners   owners
	Waiting  waiters
	Reach    reach
	Store    updates // not of cron, whose store counts nothing
}

// news is what the observation at hand did to the books. It means nothing when only time has
// passed, and at the end of the run.
type news struct {
	change   change // of the beliefs
	may      bool   // it may have entitled its client
	instance int    // whose key changed, -1 for none
	key      uint64 // and which it was: 0 is free
	lost     int64  // increments that are missing now and were not before
	over     uint64 // the grant that wrote before the write that was applied
	anew     bool   // a fault: what the lock owes begins anew
}

// addLedger adds the ledger of a lock to its system.
func addLedger(s *sim.System[Msg], l Layout) *ledger {
	b := &ledger{books: books{Layout: l, Entitled: newEntitlements(&l), Owners: newOwners(l), Waiting: newWaiters(&l), Reach: reach{CutOff: byClient[bool](&l)}, Store: newUpdates(&l)}}
	s.Ledgers = append(s.Ledgers, model.NewLedger(&b.books, b).AlsoFaults().Also(sim.NetworkChanged))
	return b
}

// Print implements [sim.Printer] for the properties that have a pointer to it: nothing, since
// [model.Ledger] takes the books in, once.
func (b *ledger) Print(*sim.Print) {}

// Check implements [model.Checker].
func (b *ledger) Check(r *model.Report[Msg]) {
	v, o := r.View, r.Observation
	b.news = news{instance: -1, anew: b.Reach.observe(&b.Layout, v, o)}
	b.may, b.change = b.Entitled.observe(v, o)
	b.instance, b.key = b.Owners.observe(o)
	b.Waiting.observe(v, o)
	if b.Layout.Workload != cron {
		b.lost, b.over, _ = b.Store.observe(o)
	}
}

// beliefs is which clients believe to hold the lock.
func (b *ledger) beliefs() *beliefs { return &b.Entitled.Beliefs }
