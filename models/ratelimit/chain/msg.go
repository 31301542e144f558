package chain

import (
	"cmp"
	"fmt"
	"time"

	"fencepost/models/ratelimit/shed"
	"fencepost/sim"
	"fencepost/sim/model"
)

//go:generate go run fencepost/cmd/messages

// fields are what messages carry. Digests hold the registers.
type fields struct {
	patience   time.Duration `at:"value"` // patience of the caller with the call; 0: it waits forever
	retryAfter time.Duration `at:"value"` // time after which the caller may come back; 0: none
	sleep      time.Duration `at:"value"` // time from now to the next call
	took       time.Duration `at:"value"` // time since the operation began
	waited     time.Duration `at:"value"` // time in the queue
}

//messages:family
type messages struct {
	Request model.Message `has:"+patience"`   // down the chain: ID, Root, patience
	Reply   model.Message `has:"+retryAfter"` // to the caller: ID, Root, Status, retryAfter
	Credit  model.Message // database to queue: workers are free, see Workers. Queue to database: how many are?
	Grant   model.Message // queue to limiter: requests have left what is behind it, see Granted
	begin   model.Timer   // of a client: the next operation
	again   model.Timer   // of a client: call again
	timeout model.Timer   // of a client: no answer in time
	quit    model.Timer   // of a client: the sleep after the last failure is over
	finish  model.Timer   // of a database: a worker has done its request
	Begun   model.Note    `detail:"begins operation {operation}"` // of a client: an operation begins
	// it is sent, for the Attempt-th time; patience
	Called     model.Note `has:"+patience" log:"{node} calls" detail:"makes call {attempt} for operation {operation}"`
	Suppressed model.Note `log:"{node} refuses its own call: the limiter accepts too few"` // the client refuses it itself
	Refused    model.Note `has:"+retryAfter" detail:"is refused with {status}"`            // the answer is Status; retryAfter
	// there was none
	TimedOut model.Note `log:"{node} hears nothing and waits no longer" detail:"stops waiting for call {attempt}"`
	// it will be sent again after its sleep; Status was the answer
	Retrying model.Note `has:"+sleep" log:"{node} will call again in {sleep}" detail:"will call again in {sleep}"`
	// took is since it began
	Succeeded model.Note `has:"+took" log:"{node} has what it wanted" detail:"has operation {operation} done after {took}"`
	GaveUp    model.Note `log:"{node} gives up an operation" detail:"gives up operation {operation}"` // Status was the last answer
	// an answer that comes after its client gave up
	Late     model.Note `log:"an answer reaches {node}, which does not wait for it any more"`
	Admitted model.Note `detail:"admits {it}"` // of the limiter
	// of the limiter or queue; Status; retryAfter, -1 if the client is told nothing
	Rejected model.Note `has:"+retryAfter" log:"the {node} refuses {caller}{told}" detail:"refuses {it}"`
	Queued   model.Note `detail:"keeps {it}: {waiting} wait"` // of the queue: Waiting are waiting now
	// it would be too late; waited
	Dropped model.Note `has:"+waited" log:"the queue drops a request of {caller}: after {waited} it would be too late" detail:"drops {it}, which has waited {waited}"`
	Taken   model.Note `has:"+waited" detail:"hands over {it}, which has waited {waited}"`     // it goes to a worker; waited
	Served  model.Note `log:"the database carries out {root} again" detail:"carries out {it}"` // of the node that carries it out
	// of the database: it answers with an error
	Failed model.Note `log:"the database answers {caller} with an error" detail:"fails {it}"`
	// of the limiter: from now on it sheds the Shed least important classes
	Shedding model.Note `log:"the {node} {lets-in}" detail:"{lets-in}"`
	// of a client: its length is the draw that begins a generator; Status, retryAfter as in the Reply that waits for it
	drawn model.Timer `has:"+retryAfter"`
	// of the database: it answers from its record of what has been carried out
	Replayed model.Note `log:"the database has carried out {root} already, and answers from its record" detail:"answers {it} from its record"`
}

// Msg is every message of the chain. A kind uses the fields its comment names, and those
// that say which call it is about: ID, Attempt and Slot. What else a kind carries is written by its
// constructor and read by its accessor.
type Msg struct {
	Kind    sim.Kind
	Class   shed.Class
	Status  uint16 // as in HTTP; 0: no answer
	Attempt uint32 // of the call, 1 and up
	Slot    uint32 // of the operation in its caller's table
	ID      uint64 // of the operation: its caller, and its number there
	Root    uint64 // of the client's operation that it is part of
	value   int64  // a duration; of Credit, Grant, Queued and Shedding a count
}

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	d = d.Fold(uint64(m.Kind)|uint64(m.Class)<<8|uint64(m.Status)<<16|uint64(m.Attempt)<<32, uint64(m.Slot))
	return d.Fold(m.ID, m.Root).Fold(uint64(m.value), 0)
}

// String is the message in words.
func (m Msg) String() string {
	s := kinds.Name(m.Kind)
	if m.ID != 0 {
		s += fmt.Sprintf(" %d.%d", m.ID>>32, uint32(m.ID))
	}
	if m.Attempt > 1 {
		s += fmt.Sprintf("/%d", m.Attempt)
	}
	if m.Status > 1 {
		s += fmt.Sprintf(" %d", m.Status)
	}
	switch m.Kind {
	case Credit, Queued, Grant, Shedding:
		s += fmt.Sprintf(" %d", m.value)
	default:
		if m.value != 0 {
			s += fmt.Sprintf(" %v", time.Duration(m.value))
		}
	}
	return s
}

// about is what a message says which call it is about.
func (m Msg) about(kind sim.Kind) Msg {
	m.Kind, m.Status, m.value = kind, 0, 0
	return m
}

// as is the same message of another kind, and with the same with another value.
func (m Msg) as(kind sim.Kind) Msg { m.Kind = kind; return m }
func (m Msg) with(value int64) Msg { m.value = value; return m }

// answer is the answer to a request.
func (m Msg) answer(status uint16) Msg {
	m = m.about(Reply)
	m.Status = status
	return m
}

// told is what the caller is told that is refused: nothing, that it is, or also when to come back.
func (m *Msg) told() int { return 1 + cmp.Compare(m.retryAfter(), 0) }

// others is 1 if a request is not critical: how many of those it counts for.
func (m Msg) others() int64 {
	if m.Class == shed.Critical {
		return 0
	}
	return 1
}

// operation names an operation of a caller.
func operation(caller sim.NodeID, number uint32) uint64 { return uint64(caller)<<32 | uint64(number) }

// caller is who began an operation.
func caller(id uint64) sim.NodeID { return sim.NodeID(id >> 32) }
