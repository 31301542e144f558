// Package clock holds the clocks of distributed systems as plain types, no engine: what
// each of them can tell about two events or two versions, and what it costs.
//
// An event ticks a clock once; a message carries what the tick returned, or a copy of
// the clock; its receipt merges and ticks:
//
//	p, q := make(clock.Vector, 2), make(clock.Vector, 2)
//	p.Tick(0)                      // p sends: the message carries a copy of p
//	err := q.Receive(1, p)         // and q receives it
//	r, err := p.Compare(q)         // clock.Before
//
// # What each clock promises
//
// a -> b is that a happened before b. Bytes are beside the event's own, for n processes
// or replicas, without ids.
//
//	file          a -> b implies   and back  the price                         bytes
//	lamport.go    C(a) < C(b)      no        orders what is concurrent, too    8
//	vector.go     V(a) < V(b)      yes       a counter per process             n varints, 8n in memory
//	sparse.go     V(a) < V(b)      yes       the same, and their ids           as many as it has heard of
//	timed.go      until it prunes  no        pruned, an old version turns      at most as many as it keeps
//	                                         concurrent with its successor
//	hlc.go        (l,c)(a) < (b)   no        l is close to wall clocks only    12
//	                                         if these are close
//	physical.go   nothing                    two clocks are never the same     8
//
// Of versions of one key, x -> y is that the writer of y had read x:
//
//	file          what it tells                                     its failure
//	version.go    which of two versions replaces the other          siblings have one vector: equal, or false order
//	vnode.go      the same for a key with siblings, too coarsely    keeps what was replaced: 101 siblings for 2
//	dvv.go        the relation of any two values, by one look each  a vector per sibling
//	dvvset.go     the same, one vector for all of them              a dot that is used twice loses a value
//	actor.go      an id that is not used twice                      2^32 epochs per node
//
// # When to take which
//
//   - One order that everybody agrees on, and no claim about concurrency: Lamport with
//     process ids, or the hybrid clock if the stamps are to mean something to a person.
//     With the hybrid clock take [GuardedHLC]: a single message from a clock an hour
//     ahead moves the bare one, and everyone it talks to, by an hour.
//   - "Did one of these two know of the other?": a vector clock. [Vector] where the
//     processes are known and few, [Sparse] where they come and go, [Indexed] where one
//     of them counts for many.
//   - Values that several replicas take: [DVVSet], with an [Actor] per life of a disk.
//
// # A clock that goes back, a node that forgets
//
// Logical clocks know no time, and are lost with the memory they are in: a process that
// restarts without its counter issues stamps twice. A hybrid clock survives a wall clock
// that goes back, as l stands still and c counts; after a restart it does not, unless a
// bound was made durable ([RestartHLC]).
//
// # Bounds
//
// Counters from elsewhere are at most 2^62 ([MaxCount]), readings within 2^62 ns of
// their epoch, ids 256 bytes, clocks and sets 65,536 entries. Clocks of unequal
// dimension, processes that are not of the group and malformed texts are errors; a
// [ParseError] says where.
//
// # The oracle
//
// history.go knows what happened before what in a run without looking at any clock, and
// claims.go holds a clock's promises against it; writes.go does the same for the values
// of a key.
//
// Source: Lamport 1978; Mattern 1989; Kulkarni et al. 2014; RFC 5905; S4 9 to 11 of
// docs/sources.md.
package clock
