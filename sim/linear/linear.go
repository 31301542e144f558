// Package linear says whether a recorded history is linearizable: whether each
// operation can have taken effect at one instant between its call and its return, so
// that together they did what one copy of the object would have done.
//
// A [History] is a list of [Op], of one [Model]: registers, a key-value store, locks,
// leases, sets, queues, or counters. [Load] reads one from a file, a simulation makes one as it runs. [Check]
// comes to a verdict. Keys are independent: a history is linearizable if that of each
// key is.
//
// Three methods decide. Where every value is written once, and only read and written,
// the history of n operations is checked in O(n log n) as Gibbons and Korach do; that of a
// queue whose values are enqueued once, as Chakraborty, Henzinger, Sezgin and Vafeiadis do.
// Both say in words what contradicts what. Everything else is NP-complete and is
// searched by porcupine, within [Limits] of steps and memory. Those are counted and not
// measured, so that a verdict does not depend on the machine; only the deadline of the
// context does.
//
// Source: Herlihy and Wing, "Linearizability: a correctness condition for concurrent
// objects", TOPLAS 1990.
package linear

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Nil is what a register holds before the first write.
const Nil = "nil"

// Kind is what an operation does.
type Kind uint8

// The kinds of operations. Read and Write are also the get and put of a store.
const (
	Read    Kind = iota + 1 // returns Value
	Write                   // Value
	CAS                     // Value, if it finds Old
	Append                  // adds Value to the end
	Acquire                 // the lock, for the client
	Release                 // the lock that the client holds
	Renew                   // the lease that the client holds, for Value
	Add                     // Value: to a set, or an amount to a counter
	Remove                  // Value from a set
	Enqueue                 // Value
	Dequeue                 // returns Value
)

var kindNames = []string{Read: "read", Write: "write", CAS: "cas", Append: "append", Acquire: "acquire", Release: "release",
	Renew: "renew", Add: "add", Remove: "remove", Enqueue: "enqueue", Dequeue: "dequeue"}

// String returns the name, "read" and so on, or "kind 9" of what is none.
func (k Kind) String() string {
	if k == 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("kind %d", uint8(k))
	}
	return kindNames[k]
}

// Outcome is what is known about how an operation ended.
type Outcome uint8

// The outcomes.
const (
	OK      Outcome = iota // it took effect
	Open                   // unknown: it took effect at some instant after its call, or never does
	Failed                 // it took no effect, which says nothing about the object
	Refused                // it took no effect because a cas found another value, an acquire the lock taken, a release or renew another holder, a dequeue nothing
)

var outcomeNames = []string{OK: "ok", Open: "open", Failed: "failed", Refused: "refused"}

// String returns the name, "ok" and so on, or "outcome 9" of what is none.
func (o Outcome) String() string {
	if int(o) >= len(outcomeNames) {
		return fmt.Sprintf("outcome %d", uint8(o))
	}
	return outcomeNames[o]
}

// Op is one operation. An interval is closed: an operation that is called at the
// instant at which another returns is concurrent with it.
//
// A value is its text. Values with the same text are the same value.
type Op struct {
	Client  int // who called it, 0 or more; only locks care
	Kind    Kind
	Outcome Outcome
	Call    int64  // nanoseconds, or any other positions in an order; over [math.MinInt64]
	Return  int64  // at or after Call; without meaning if the outcome is Open
	Key     string // of the register, the entry or the lock; "" is one like any other
	Value   string // what a read returned, of a set as [Elements] has it, or what the others are about; the TTL of a lease, in the unit of Call
	Old     string // what a cas compares with
}

// end is the return of an operation as far as order is concerned.
func (o *Op) end() int64 {
	if o.Outcome == Open {
		return math.MaxInt64
	}
	return o.Return
}

// idle reports whether an operation had no effect that could matter to another one, and
// tells nothing: it failed, or it is a read that never returned.
func (o *Op) idle() bool {
	return o.Outcome == Failed || o.Outcome == Open && o.Kind == Read
}

// String describes the operation, as in "read of 7 by client 3 at [10, 20]".
func (o *Op) String() string {
	what := o.Kind.String()
	switch {
	case (o.Kind == Read || o.Kind == Dequeue) && o.Outcome != OK, o.Kind == Acquire, o.Kind == Release, o.Kind == Renew:
	case o.Kind != CAS:
		what += " of " + show(o.Value)
	default:
		what += " of " + show(o.Old) + " to " + show(o.Value)
	}
	end := "open"
	if o.Outcome != Open {
		end = strconv.FormatInt(o.Return, 10)
	}
	return fmt.Sprintf("%s by client %d at [%d, %s]", what, o.Client, o.Call, end)
}

// show returns a value as messages have it: a word as it stands, anything else quoted,
// and the end of what is long, which is what tells it apart.
func show(value string) string {
	const longest = 40
	switch {
	case len(value) > longest:
		return "..." + strconv.Quote(value[len(value)-longest:])
	case isWord(value):
		return value
	}
	return strconv.Quote(value)
}

func isWord(value string) bool {
	other := func(r rune) bool {
		return r != '-' && r != '_' && r != ':' && !('0' <= r && r <= '9') && !('a' <= r|0x20 && r|0x20 <= 'z')
	}
	return value != "" && strings.IndexFunc(value, other) < 0
}

// Model is the kind of object that a history is of.
type Model uint8

// The models. A key of a store that was never put is the empty text, as is one that
// was appended to nothing. A lock is held by the client that acquired it, once, until
// that client releases it; it has no time limit.
const (
	Register Model = iota + 1 // reads, writes and cas; Nil at first
	KV                        // reads, writes and appends; "" at first
	Lock                      // acquires and releases; free at first
	Lease                     // a lock with a TTL: acquires, renews and releases; free at first
	Set                       // adds, removes and reads of all elements; empty at first
	Queue                     // first in, first out: enqueues and dequeues; empty at first
	Counter                   // adds and reads; 0 at first
)

var modelNames = []string{Register: "register", KV: "kv", Lock: "lock", Lease: "lease", Set: "set", Queue: "queue", Counter: "counter"}

// Models are the names of all models.
func Models() []string { return slices.Clone(modelNames[Register:]) }

// String returns the name, "register" and so on, or "model 9" of what is none.
func (m Model) String() string {
	if !m.valid() {
		return fmt.Sprintf("model %d", uint8(m))
	}
	return modelNames[m]
}

func (m Model) valid() bool { return m > 0 && int(m) < len(modelNames) }

// ParseModel returns the model of a name.
func ParseModel(name string) (Model, error) {
	for m := Register; m.valid(); m++ {
		if m.String() == name {
			return m, nil
		}
	}
	return 0, fmt.Errorf("model: want %s, got %q", strings.Join(Models(), ", "), name)
}

// kinds returns what a model can do.
func (m Model) kinds() []Kind {
	return [][]Kind{Register: {Read, Write, CAS}, KV: {Read, Write, Append}, Lock: {Acquire, Release}, Lease: {Acquire, Renew, Release},
		Set: {Add, Remove, Read}, Queue: {Enqueue, Dequeue}, Counter: {Add, Read}}[m]
}

// initial is the value that a key holds at first.
func (m Model) initial() string {
	switch m {
	case Register:
		return Nil
	case Counter:
		return "0"
	}
	return ""
}

// History is what clients saw of an object. The order of the operations has no meaning;
// one client may have several under way.
type History struct {
	Model Model
	Ops   []Op
}

// Validate returns the first thing that is wrong with the history as such.
func (h *History) Validate() error {
	if !h.Model.valid() {
		return fmt.Errorf("history: want a model, got %v", h.Model)
	}
	if len(h.Ops) > MaxOps {
		return fmt.Errorf("history: want at most %d operations, got %d", MaxOps, len(h.Ops))
	}
	kinds := h.Model.kinds()
	for i := range h.Ops {
		if err := h.Ops[i].validate(h.Model, kinds); err != nil {
			return fmt.Errorf("operation %d: %w", i, err)
		}
	}
	return nil
}

func (o *Op) validate(m Model, kinds []Kind) error {
	switch {
	case !slices.Contains(kinds, o.Kind):
		return notOf(o.Kind.String(), m)
	case int(o.Outcome) >= len(outcomeNames):
		return fmt.Errorf("want an outcome, got %v", o.Outcome)
	case o.Outcome == Refused && !slices.Contains(refusable, o.Kind):
		return fmt.Errorf("%v cannot be refused: want ok, open or failed", o.Kind)
	case o.Call == math.MinInt64:
		return errors.New("call: want an instant after the least")
	case o.Outcome != Open && o.Return < o.Call:
		return fmt.Errorf("return: want %d or later, its call, got %d", o.Call, o.Return)
	case m == Lease:
		return o.validateLease()
	case m.elements(o) && Elements(elementsOf(o.Value)...) != o.Value:
		return fmt.Errorf("value: want the elements of a set as Elements has them, got %s", show(o.Value))
	case m == Counter && o.Kind == Add:
		return o.integer(-maxAmount, maxAmount)
	case m == Counter && o.Outcome == OK:
		return o.integer(math.MinInt64, math.MaxInt64)
	}
	return nil
}

// refusable are the kinds that take effect on a condition.
var refusable = []Kind{CAS, Acquire, Renew, Release, Dequeue}

func notOf(what string, m Model) error {
	var can []string
	for _, k := range m.kinds() {
		can = append(can, k.String())
	}
	last := len(can) - 1
	return fmt.Errorf("%s is no operation of a %v: want %s or %s", what, m, strings.Join(can[:last], ", "), can[last])
}
