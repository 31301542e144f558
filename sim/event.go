package sim

import "fencepost/sim/internal/queue"

// An event is a message on its way, or a change that the engine has planned, with its instant and
// sequence. With a message of 24 bytes it is one cache line.
type event[M Message] = queue.Entry[body[M]]

// body is what an event is.
type body[M Message] struct {
	due         int64 // of a timer, the reading of its clock at which it is due; of a message, the instant it was sent
	to, from    NodeID
	incarnation uint32 // of a timer: the life of the node that armed it
	class       class
	touched     uint8 // see [World.touch]
	msg         M
}

type class uint8

const (
	message class = iota
	timer         // on the node's monotonic clock
	alarm         // on the node's wall clock
	change        // due is the number of the change
)

// maxEvents is how many events a run may have: 2,000 a step are room enough until the next look, see
// [World.mustProgress].
const maxEvents = queue.MaxSeq - 2*stuckAfter*1000

// stale reports whether it is a timer of an earlier life of its node.
func (e *body[M]) stale(life uint32) bool {
	return e.class != message && e.class != change && e.incarnation != life
}
