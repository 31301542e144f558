package core

import "time"

// A join or a leave changes the ring in three phases, each of which starts when all nodes have
// acknowledged the one before. Before the first of them nodes that gain keys delete what they
// have of them from an earlier time, see forget.
//
//	WriteBoth  writes go to the nodes of both rings, with W acknowledgements of each; reads to
//	           the old ring. Then nodes that gain keys fetch them from the old ring.
//	ReadNew    writes still go to both, reads to the new ring.
//	Switched   the new ring alone.
//
// At most two neighbouring phases are in use at once, and of any two neighbours the reads of
// one overlap with the writes of the other. A node acknowledges a phase when no client waits
// for a request that it started in an earlier one.
//
// Source: Apache Cassandra, pending ranges and "consistent range movement", one change of the
// ring at a time (CASSANDRA-2434); the second phase is added, as its nodes switch their reads
// at different instants.

// Phase is a phase of a change.
type Phase uint8

// The phases.
const (
	Stable Phase = iota // before the first change
	WriteBoth
	ReadNew
	Switched
)

// Direction is what a node does in a change.
type Direction uint8

// The directions.
const (
	Joins Direction = iota
	Leaves
)

// Transition names the old ring of a change and, from bit 16 on, the new one.
type Transition uint64

// NewTransition is that from one ring to another, by number.
func NewTransition(before, after uint16) Transition {
	return Transition(before) | Transition(after)<<16
}

// StreamRetry is for how long a stream, or a phase, may make no progress until it is asked for again.
const StreamRetry = time.Second

// RingsOf are the old and the new ring of a change.
func (s *Settings) RingsOf(t Transition) (before, after *Ring) {
	return s.Rings[uint16(t)], s.Rings[uint16(t>>16)]
}
