package chain

import (
	"cmp"
	"fmt"
	"time"

	"fencepost/models/ratelimit/shed"
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message.
const (
	start sim.Kind = iota // the zero message

	Request // down the chain: ID, Root, patience
	Reply   // to the caller: ID, Root, Status, retryAfter
	Credit  // database to queue: workers are free, see Workers. Queue to database: how many are?
	Grant   // queue to limiter: requests have left what is behind it, see Granted

	begin   // client timer: the next operation
	again   // client timer: call again
	timeout // client timer: no answer in time
	quit    // client timer: the sleep after the last failure is over
	finish  // database timer: a worker has done its request

	Begun      // note of a client: an operation begins
	Called     // it is sent, for the Attempt-th time; patience
	Suppressed // the client refuses it itself
	Refused    // the answer is Status; retryAfter
	TimedOut   // there was none
	Retrying   // it will be sent again after its sleep; Status was the answer
	Succeeded  // took is since it began
	GaveUp     // Status was the last answer
	Late       // an answer that comes after its client gave up
	Admitted   // note of the limiter
	Rejected   // note of the limiter or queue; Status; retryAfter, -1 if the client is told nothing
	Queued     // note of the queue: Waiting are waiting now
	Dropped    // it would be too late; waited
	Taken      // it goes to a worker; waited
	Served     // note of the node that carries it out
	Failed     // note of the database: it answers with an error
	Shedding   // note of the limiter: from now on it sheds the Shed least important classes

	drawn // client timer: its length is the draw that begins a generator; Status, retryAfter as in the Reply that waits for it

	Replayed // note of the database: it answers from its record of what has been carried out

	kindCount
)

var kinds = model.NewKinds(kindCount, model.Kinds{
	Request:    model.MessageKind("request"),
	Reply:      model.MessageKind("reply"),
	Credit:     model.MessageKind("credit"),
	Grant:      model.MessageKind("grant"),
	begin:      model.TimerKind("begin"),
	again:      model.TimerKind("again"),
	timeout:    model.TimerKind("timeout"),
	quit:       model.TimerKind("quit"),
	finish:     model.TimerKind("finish"),
	Begun:      model.NoteKind("begun").Detail("begins operation {operation}"),
	Called:     model.NoteKind("called").Log("{node} calls").Detail("makes call {attempt} for operation {operation}"),
	Suppressed: model.NoteKind("suppressed").Log("{node} refuses its own call: the limiter accepts too few"),
	Refused:    model.NoteKind("refused").Detail("is refused with {status}"),
	TimedOut:   model.NoteKind("timed-out").Log("{node} hears nothing and waits no longer").Detail("stops waiting for call {attempt}"),
	Retrying:   model.NoteKind("retrying").Log("{node} will call again in {sleep}").Detail("will call again in {sleep}"),
	Succeeded:  model.NoteKind("succeeded").Log("{node} has what it wanted").Detail("has operation {operation} done after {took}"),
	GaveUp:     model.NoteKind("gave-up").Log("{node} gives up an operation").Detail("gives up operation {operation}"),
	Late:       model.NoteKind("late").Log("an answer reaches {node}, which does not wait for it any more"),
	Admitted:   model.NoteKind("admitted").Detail("admits {it}"),
	Rejected:   model.NoteKind("rejected").Log("the {node} refuses {caller}{told}").Detail("refuses {it}"),
	Queued:     model.NoteKind("queued").Detail("keeps {it}: {waiting} wait"),
	Dropped:    model.NoteKind("dropped").Log("the queue drops a request of {caller}: after {waited} it would be too late").Detail("drops {it}, which has waited {waited}"),
	Taken:      model.NoteKind("taken").Detail("hands over {it}, which has waited {waited}"),
	Served:     model.NoteKind("served").Log("the database carries out {root} again").Detail("carries out {it}"),
	Failed:     model.NoteKind("failed").Log("the database answers {caller} with an error").Detail("fails {it}"),
	Shedding:   model.NoteKind("shedding").Log("the {node} {lets-in}").Detail("{lets-in}"),
	drawn:      model.TimerKind("drawn"),
	Replayed:   model.NoteKind("replayed").Log("the database has carried out {root} already, and answers from its record").Detail("answers {it} from its record"),
})

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

func (m *Msg) patience() time.Duration   { return time.Duration(m.value) } // of the caller with the call; 0: it waits forever
func (m *Msg) retryAfter() time.Duration { return time.Duration(m.value) } // 0: none
func (m *Msg) sleep() time.Duration      { return time.Duration(m.value) } // from now to the next call
func (m *Msg) took() time.Duration       { return time.Duration(m.value) } // since the operation began
func (m *Msg) waited() time.Duration     { return time.Duration(m.value) } // in the queue

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
