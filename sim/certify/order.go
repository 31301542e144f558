package certify

import "fencepost/sim/certify/internal/dbm"

// Events of different nodes are not put in an order: what one does to another takes a message, which
// arrives later than it was sent, and each node handles what arrives in its order. So a search goes
// from state to state by events of which each may be the next of all, and puts it before those of
// its own node alone: whichever of two concurrent events a search takes first, it ends in one state,
// with one zone, in place of two zones of which neither has the other's instants.
//
// Some instants of such a zone are of no run up to a moment, since a node is ahead of what another
// is about to do. But each run, up to each moment of it, is among them, for its events in their
// order are a path: each is the next of all. And a state that has such a moment, at which all that
// fired has happened and nothing that is pending, has a run up to it; one that has none is dropped,
// and a violation without one is none.
//
// What happened last to a node is therefore a variable: what is still to come to it is not earlier.
// It matters until all that is pending is later. The later it is, the less can follow, so that a
// zone may allow any later instant in its place, and has more room for others.
//
// Source: Bengtsson, Jonsson, Lilius and Yi, "Partial Order Reductions for Timed Systems", 1998, whose
// local time this is; the moment is theirs of synchronised states.

// mayBeNext reports whether there is a moment at which an event happens, after all that has happened
// and before all that is pending. Each of these bounds begins or ends at that moment, so that a cycle of
// bounds has two of them at most.
func (s *state) mayBeNext(x int) bool {
	for i := range s.pending {
		if !s.zone.Allows(x, s.pending[i].at, dbm.Zero) {
			return false
		}
	}
	for _, v := range s.last {
		if !s.zone.Allows(v, x, dbm.Zero) {
			return false
		}
	}
	return s.happened()
}

// happened reports whether there is a moment at which all that fired has happened and nothing of
// what is pending.
func (s *state) happened() bool {
	for _, v := range s.last {
		for i := range s.pending {
			if !s.zone.Allows(v, s.pending[i].at, dbm.Zero) {
				return false
			}
		}
	}
	return true
}

// forgetPast lets what happened last to each node be any later in the zone that is kept of the state, and
// be anything where nothing that is pending is earlier: nothing that follows from it is either. That is not
// so of a node that a fault may strike.
func (s *state) forgetPast(z *dbm.Zone, exposed []bool) {
	for node, v := range s.last {
		x := z.Len() - len(s.last) + node
		if z.Raise(x); s.isOver(v) && (exposed == nil || !exposed[node]) {
			z.Free(x)
		}
	}
}

// isOver reports whether all that is pending is not earlier than an instant.
func (s *state) isOver(v int) bool {
	for i := range s.pending {
		if s.zone.At(v, s.pending[i].at) > dbm.Zero {
			return false
		}
	}
	return true
}
