package permits

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// book is a ledger that properties and measures share. It is told of each note and each fault
// before they are. A property that looks at what was so until then keeps a ledger of its own.
type book struct {
	remembered

	was   request // what was known of the request that is noted
	known bool    // false if it is none, or over
}

// remembered is what a book remembers.
type remembered struct{ Ledger ledger }

// addBook adds the book to its system.
func addBook(s *sim.System[Msg], l Layout) *book {
	b := &book{remembered: remembered{newLedger(l)}}
	s.Ledgers = append(s.Ledgers, model.NewLedger(&b.remembered, b).AlsoFaults())
	return b
}

// Check implements [model.Checker].
func (b *book) Check(r *model.Report[Msg]) {
	b.was, b.known = b.Ledger.observe(r.View, r.Observation)
}

// Print implements [sim.Printer] for the properties that have a pointer to it: nothing, since
// [model.Ledger] takes in what is remembered, once.
func (b *book) Print(*sim.Print) {}
