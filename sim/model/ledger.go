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
	l.also(faults)
	return l
}

// Also lets the ledger look at some events, besides notes.
func (l *Ledger[M]) Also(events ...sim.Event) *Ledger[M] {
	l.also(events)
	return l
}

// Print implements [sim.Printer].
func (l *Ledger[M]) Print(to *sim.Print) { to.Value(l.memory) }

// watch is what an observer is told of.
type watch struct {
	kinds  [4]uint64 // a bit for each kind of note
	events uint64    // a bit for each event
}

// newWatch is some kinds of notes, or all.
func newWatch(on []sim.Kind) watch {
	w := watch{events: 1 << sim.Noted}
	for _, k := range on {
		w.kinds[k/64] |= 1 << (k % 64)
	}
	if len(on) == 0 {
		w.kinds = [4]uint64{1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1}
	}
	return w
}

// faults are what faults do to nodes.
var faults = []sim.Event{sim.Paused, sim.Resumed, sim.Crashed, sim.Restarted, sim.ClockChanged}

func (w *watch) also(events []sim.Event) {
	for _, e := range events {
		w.events |= 1 << e
	}
}

// Watches implements [sim.Selective].
func (w *watch) Watches(event sim.Event, note sim.Kind) bool {
	return w.events>>event&1 != 0 && (event != sim.Noted || w.kinds[note/64]>>(note%64)&1 != 0)
}
