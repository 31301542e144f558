package message

import (
	"fmt"
	"time"

	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// The kinds of message between limiters and their coordinator: a digest has their numbers.
const (
	LeaseAsk    sim.Kind = 34 // limiter to coordinator: Key, X wanted; ID
	LeaseGrant  sim.Kind = 35 // coordinator to limiter: Key, X tokens, Y for how long, with OK until when by the wall clock; Cost is the window's number; ID
	LeaseReturn sim.Kind = 36 // limiter to coordinator: Key, X tokens of window Cost; ID

	LeaseHalf sim.Kind = 41 // limiter timer: half of the lease of ask ID is over
	LeaseEnd  sim.Kind = 42 // limiter timer: the lease of ask ID is over
	LeaseWait sim.Kind = 43 // limiter timer: ask ID should have been answered

	Leased   sim.Kind = 46 // note of a coordinator: Key, X tokens for limiter N, Y for how long; OK it was granted before
	Returned sim.Kind = 47 // note of a coordinator: Key, X tokens of limiter N
	Lapsed   sim.Kind = 48 // note of a limiter: Key, X tokens of a lease were not used
)

var leaseKinds = kit.Kinds{
	LeaseAsk:    kit.Message("lease-ask"),
	LeaseGrant:  kit.Message("lease-grant"),
	LeaseReturn: kit.Message("lease-return"),
	LeaseHalf:   kit.Timer("lease-half"),
	LeaseEnd:    kit.Timer("lease-end"),
	LeaseWait:   kit.Timer("lease-wait"),
	Leased:      kit.Note("leased"),
	Returned:    kit.Note("returned"),
	Lapsed:      kit.Note("lapsed"),
}

// leaseWords is such a message in words, but for its kind.
func leaseWords(m Msg) string {
	switch m.Kind {
	case LeaseAsk:
		return fmt.Sprintf(" key %d: %d, number %d", m.Key, m.X, m.ID)
	case LeaseGrant:
		if m.OK {
			return fmt.Sprintf(" key %d: %d until %v, number %d", m.Key, m.X, time.Duration(m.Y), m.ID)
		}
		return fmt.Sprintf(" key %d: %d for %v, number %d", m.Key, m.X, time.Duration(m.Y), m.ID)
	case LeaseHalf, LeaseEnd, LeaseWait:
		return fmt.Sprintf(" key %d, number %d", m.Key, m.ID)
	case Leased:
		return fmt.Sprintf(" key %d: %d to limiter %d for %v", m.Key, m.X, m.N, time.Duration(m.Y))
	case Returned:
		return fmt.Sprintf(" key %d: %d of %d", m.Key, m.X, m.N)
	}
	return fmt.Sprintf(" key %d: %d", m.Key, m.X)
}
