package mutex

import (
	"fencepost/models/clock"
	"fencepost/sim"
)

// RicartAgrawala is a process of the algorithm of 1981: a process that is asked replies at once,
// unless it wants to enter itself and has asked before; then it replies when it leaves.
// The reply is acknowledgment and release in one, which saves a third of the messages:
// 2(N-1) for each entry, "at a minimum if parallel, distributed, symmetric control is
// used".
//
// Messages may overtake each other, but each must arrive once. Requests are granted in
// the order of their stamps.
//
// The paper numbers requests only, by one more than the highest number seen. Lamport's
// clock does that and counts the other events, too.
//
// Source: Ricart and Agrawala, "An Optimal Algorithm for Mutual Exclusion in Computer
// Networks", 1981, section 2 and figure 1.
type RicartAgrawala struct {
	self        sim.NodeID
	clock       clock.Lamport
	requesting  bool   // or in the critical section: Requesting_Critical_Section
	own         Stamp  // of the request: Our_Sequence_Number
	outstanding int    // replies: Outstanding_Reply_Count
	deferred    []bool // by process, from 1: Reply_Deferred
}

// NewRicartAgrawala is a process of a group of the given size.
func NewRicartAgrawala(self sim.NodeID, processes int) RicartAgrawala {
	return RicartAgrawala{self: self, deferred: make([]bool, processes+1)}
}

// Request implements [Algorithm].
func (r *RicartAgrawala) Request() Msg {
	r.requesting = true
	r.own = Stamp{C: r.clock.Tick(), P: r.self}
	r.outstanding = len(r.deferred) - 2 // everybody but this one; there is no process 0
	return Msg{Kind: Request, Stamp: r.own.C}
}

// Receive implements [Algorithm].
//
// It defers its reply if it has priority: if it has asked itself, and its number is
// smaller, or as large and its name smaller.
func (r *RicartAgrawala) Receive(from sim.NodeID, m Msg) (reply Msg, now bool) {
	receive(&r.clock, m)
	switch m.Kind {
	case Request:
		if r.requesting && r.own.Compare(Stamp{C: m.Stamp, P: from}) < 0 {
			r.deferred[from] = true
			return Msg{}, false
		}
		return Msg{Kind: Reply, Stamp: r.clock.Tick()}, true
	case Reply:
		r.outstanding--
	}
	return Msg{}, false
}

// Granted implements [Algorithm].
func (r *RicartAgrawala) Granted() bool { return r.requesting && r.outstanding == 0 }

// Release implements [Algorithm].
func (r *RicartAgrawala) Release(tell []sim.NodeID) (Msg, []sim.NodeID) {
	r.requesting = false
	for p, waits := range r.deferred {
		if waits {
			r.deferred[p] = false
			tell = append(tell, sim.NodeID(p))
		}
	}
	return Msg{Kind: Reply, Stamp: r.clock.Tick()}, tell
}

// Reset makes r equal to initial.
func (r *RicartAgrawala) Reset(initial *RicartAgrawala) {
	deferred := append(r.deferred[:0], initial.deferred...)
	*r = *initial
	r.deferred = deferred
}

// Recover takes over, from before a crash, the clock, or everything.
func (r *RicartAgrawala) Recover(before *RicartAgrawala, everything bool) {
	if everything {
		r.Reset(before)
	}
	r.clock = before.clock
}
