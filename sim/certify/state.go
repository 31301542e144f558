package certify

import (
	"cmp"
	"slices"

	"fencepost/sim"
	"fencepost/sim/certify/internal/dbm"
)

// class is what a pending event is.
type class uint8

const (
	message class = iota
	begin         // a node starts, before anything else happens to it
	timer
	alarm
	wake    // the end of a pause
	second  // copy of a message, which keeps no order with others
	restart // the end of a crash
)

// event is what will happen to a node, at an instant that is a variable of the zone.
type event struct {
	class   class
	to      sim.NodeID
	from    sim.NodeID
	msg     uint32
	symbols []variable
	due     due // of an alarm
	at      int // the variable
}

// due is the reading that an alarm waits for.
type due struct {
	symbol variable
	offset int64
}

// stop is a node that is paused: what came meanwhile, and what has not left. Or it is down: then that is lost.
type stop struct {
	down  bool
	inbox []event
	held  []heldEffect
}

// heldEffect is an effect whose symbols are variables.
type heldEffect struct {
	effect
	symbols []variable
	at      due
	less    variable
}

// state is everything on which the future depends, but for the zone. The variables are those of the
// pending events, in their order, then the readings that are remembered, in the order in which
// they first appear, and then those of what happened last, by node.
type state struct {
	nodes    []part
	property part
	stops    []*stop // by node; nil: it is not paused
	left     []uint8 // faults that may still begin, by [Fault], then messages that may be lost, and that may come again
	pending  []event
	last     []int // by node the variable of what happened to it last, of [sim.None] to the property; or never
	zone     dbm.Zone
}

// sort puts the pending events in an order that does not depend on their instants. Where links keep
// the order of messages, these stay in the order in which they were sent.
func (s *state) sort(fifo bool) {
	slices.SortStableFunc(s.pending, func(a, b event) int {
		if place := cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.class, b.class), cmp.Compare(a.from, b.from)); place != 0 || fifo && a.class == message {
			return place
		}
		return cmp.Or(cmp.Compare(a.msg, b.msg), cmp.Compare(a.due.offset, b.due.offset))
	})
}

// waitsForStart reports whether an event is of a node that has not started. In a run all nodes start
// before a message arrives, at the same instant or not.
func (s *state) waitsForStart(e *event) bool {
	if e.class == begin {
		return false
	}
	for i := range s.pending {
		if s.pending[i].class == begin && s.pending[i].to == e.to {
			return true
		}
	}
	return false
}

// sameLink reports whether two events are messages of one link.
func (e *event) sameLink(f *event) bool {
	return e.class == message && f.class == message && e.to == f.to && e.from == f.from
}
