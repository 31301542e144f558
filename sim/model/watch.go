package model

import "fencepost/sim"

// Watch is what an observer is told of: embed it to implement [sim.Selective].
type Watch struct {
	kinds  [4]uint64 // a bit for each kind of note
	events uint64    // a bit for each event
}

// newWatch is some kinds of notes, or all.
func newWatch(on []sim.Kind) (w Watch) {
	w.Notes(on...)
	if len(on) == 0 {
		w.events |= 1 << sim.Noted
		w.kinds = [4]uint64{1<<64 - 1, 1<<64 - 1, 1<<64 - 1, 1<<64 - 1}
	}
	return w
}

// faults are what faults do to nodes.
var faults = []sim.Event{sim.Paused, sim.Resumed, sim.Crashed, sim.Restarted, sim.ClockChanged}

// Notes adds some kinds of notes.
func (w *Watch) Notes(on ...sim.Kind) {
	for _, k := range on {
		w.events |= 1 << sim.Noted
		w.kinds[k/64] |= 1 << (k % 64)
	}
}

// Also adds some events besides notes.
func (w *Watch) Also(events ...sim.Event) {
	for _, e := range events {
		w.events |= 1 << e
	}
}

// Watches implements [sim.Selective].
func (w *Watch) Watches(event sim.Event, note sim.Kind) bool {
	return w.events>>event&1 != 0 && (event != sim.Noted || w.kinds[note/64]>>(note%64)&1 != 0)
}
