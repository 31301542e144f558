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

// The phases.
const (
	Stable uint8 = iota // before the first change
	WriteBoth
	ReadNew
	Switched
)

// Codes of a change.
const (
	Joins uint8 = iota
	Leaves
)

// StreamRetry is for how long a stream, or a phase, may make no progress until it is asked for again.
const StreamRetry = time.Second

// RingsOf are the old and the new ring of a message.
func (s *Settings) RingsOf(m *Msg) (before, after *Ring) {
	return s.Rings[uint16(m.Word)], s.Rings[uint16(m.Word>>16)]
}
