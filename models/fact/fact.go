package fact

import (
	"cmp"

	"fencepost/sim"
)

// Kind is what happened.
type Kind uint8

// The facts. The first come from the world, those from Attempt on from notes.
const (
	Nothing        Kind = iota // a note that is no fact
	Paused                     // Node stopped
	Resumed                    // Node continues
	Crashed                    // Node lost what is not durable
	Restarted                  // Node starts again
	ClockChanged               // a clock of Node was stepped, slewed, suspended or resumed
	NetworkChanged             // a partition began or ended
	Elapsed                    // an awaited instant has passed
	Ended                      // the run or the trace is over

	Attempt  // By wants the lock: one attempt begins
	GaveUp   // Node no longer wants it
	Refused  // the attempt of Node failed
	Acquired // By has the lock, until the clock of Node reads Until if it Ends; ID is the attempt, and By may be an identity that attempts share
	Extended // Node may act until its clock reads Until
	Left     // Node no longer acts under the lock
	Owned    // the key on the instance Node belongs to By, until its wall clock reads Until if it Ends; ID orders replicas
	Freed    // the key on Node is gone: By deleted it, or none did; ID orders replicas
	Issued   // By has Token
	Shown    // the resource Node has seen Token of By
	Admitted // Node admits a request of the key ID that costs Value
	Rejected // Node rejects one; it is told to come back after Until ns, 0: it is told nothing
	Effect   // Node has done for the intent ID what must be done once: N is its sort, Token tells it from others
	Undone   // that effect is gone
	Written  // the resource Node has applied a write of By with Token, which wrote N times before: Value is new

	kinds
)

// Holder is one task of a process: it holds a lock, writes, or runs a job. The zero Holder is none.
type Holder struct {
	Node sim.NodeID
	Task uint32
}

// Compare orders holders by node, then by task.
func (h Holder) Compare(o Holder) int {
	return cmp.Or(cmp.Compare(h.Node, o.Node), cmp.Compare(h.Task, o.Task))
}

// Renamed is the holder under other numbers, see [sim.Renamer].
func (h Holder) Renamed(to sim.Renaming) Holder {
	if h.Node == sim.None {
		return h
	}
	return Holder{to.Node(h.Node), to.Serial(h.Node, h.Task)}
}

// Fact is one thing that happened at an instant. Its kind says which fields count.
type Fact struct {
	Kind  Kind
	Ends  bool       // Until counts
	N     uint16     // earlier writes of By, or a sort
	Node  sim.NodeID // where it happened
	By    Holder     // who did it, or who it happened to
	At    sim.Time   // true time
	Nth   uint64     // number of the observation: a hearing never gives it twice
	ID    uint64     // number of an attempt, a key or an intent, or place in an order among replicas
	Token uint64     // fencing token, 0: none; or the id of an effect
	Value int64      // a counter or a number
	Until int64      // reading of a clock, or a length
}

// World answers what properties ask besides the facts. A [sim.View] is one; a recorded trace has its own.
type World interface {
	Now() sim.Time
	Nodes() int
	Name(id sim.NodeID) string
	PausedSince(id sim.NodeID) (sim.Time, bool)
	Down(id sim.NodeID) bool
	Connected(a, b sim.NodeID) bool
	When(id sim.NodeID, c sim.ClockID, reading int64) sim.Time
	Await(t sim.Time)
}
