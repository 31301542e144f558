package model

import "fencepost/sim"

// Ledger is what several properties and measures of a model remember together, each thing
// once: a [sim.System].Ledgers.
type Ledger[M sim.Message] struct {
	part[M]
	memory any
}

// NewLedger makes a ledger that looks at the notes of some kinds, if none are given at all
// notes. The checker changes what the memory refers to, a struct that is put back before each
// run as that of a property. A property may hold a pointer to that struct if this has a method
// Print that does nothing: the ledger takes it into a fingerprint, once.
func NewLedger[M sim.Message](memory any, c Checker[M], on ...sim.Kind) *Ledger[M] {
	return &Ledger[M]{newPart(c, memory, on), memory}
}

// AlsoFaults lets the ledger look at all that faults do to nodes, besides notes.
func (l *Ledger[M]) AlsoFaults() *Ledger[M] {
	l.Watch.Also(faults...)
	return l
}

// Also lets the ledger look at some events, besides notes.
func (l *Ledger[M]) Also(events ...sim.Event) *Ledger[M] {
	l.Watch.Also(events...)
	return l
}

// Print implements [sim.Printer].
func (l *Ledger[M]) Print(to *sim.Print) { to.Value(l.memory) }
