package flow

import (
	"time"

	"fencepost/models/internal/postgres/sql"
)

// MaxValues is how many values a statement takes at most, and how many columns of a row a
// flow reads at most.
const MaxValues = 5

// MaxKey is how many values follow the word of a key in the cache at most.
const MaxKey = 2

// ActionKind is what a task asks for.
type ActionKind uint8

// What a task asks for. A kind uses the fields of [Action] that its comment names; what is
// not said of its reply is Code 0, or 08006 if nothing answered.
const (
	None       ActionKind = iota // nothing: the task is idle, or the reply was not the one it waits for
	Query                        // run Statement with Values[:N]; reply: Code, Rows, and Values of the first row
	Fetch                        // the next row of the result of Statement, of which the reply to Query had the first; reply: Found, Values
	CacheGet                     // GET of key Word:Values[:N]; reply: Found, Values[0]
	CacheSet                     // SET of key Word:Values[:N] to Value, if Absent only if there is none (NX), for Lifetime (PX) unless 0; reply: Found if it was set
	CacheDel                     // DEL of key Word:Values[:N]; reply: Found if there was one
	CacheDelIf                   // DEL of key Word:Values[:N] if it holds Value; reply: Found if it did
	Charge                       // Amount at the provider, idempotent under Key; reply: Values[0] id of the charge, Values[1] its answer as an HTTP status
	Lookup                       // the charge that the provider has under Key; reply: Found, Values[0] its id
	Publish                      // event Key with Amount to the broker
	Work                         // processing that takes the time of the model's parameter
	Sleep                        // for a time drawn from [Least, Most), or Least if they are equal
	NoteMade                     // tell observers Note
	Answer                       // the end: HTTP status Status, and Value if HasValue
	Ack                          // the end: the event is consumed
	Return                       // the end, without an answer
)

var actionNames = [...]string{"none", "query", "fetch", "cache get", "cache set", "cache del", "cache delif", "charge", "lookup", "publish",
	"work", "sleep", "note", "answer", "ack", "return"}

func (k ActionKind) String() string { return name(actionNames[:], int(k)) }

// Ends reports whether a task is idle after an action of this kind; it wants no reply.
func (k ActionKind) Ends() bool { return k >= Answer }

// Action is what a task asks for next. It is a plain value.
type Action struct {
	Do       ActionKind
	Note     Note
	N        uint8  // of Values
	Absent   bool   // CacheSet
	HasValue bool   // Answer
	Status   int16  // of an answer, 100 to 599
	Number   uint32 // that the reply has to carry
	Word     int16  // index into Program.Words: the first part of a key in the cache
	// Statement is an index into Program.Statements.
	Statement   int16
	Values      [MaxValues]sql.Value
	Key         sql.Value
	Value       sql.Value
	Amount      sql.Value
	Lifetime    time.Duration
	Least, Most time.Duration
}

// Reply is what an action led to. The zero Reply with the action's Number is success
// without a row or a value.
type Reply struct {
	Number uint32   // of the action; another one is ignored
	Code   sql.Code // 0, an error of the database, or 08006: nothing answered
	Found  bool     // of all actions but Query, which has Rows
	Rows   int32    // returned or changed
	Values [MaxValues]sql.Value
}

// Note is what a flow says about itself. It changes nothing: observers see it, and faults
// can be placed at it.
type Note uint8

// Notes, as a flow writes them.
const (
	Claimed   Note = iota + 1 // the key is this task's
	Processed                 // the effect is carried out, and maybe not yet durable
	Recorded                  // the answer is stored
	Replayed                  // a stored answer is given
	Takeover                  // the key is taken from a holder whose lease is over
	Fenced                    // this task found that it is no longer the holder
	Locked                    // a lock is held
	Resumed                   // processing continues at a recovery point
)

var noteNames = [...]string{"", "claimed", "processed", "recorded", "replayed", "takeover", "fenced", "locked", "resumed"}

func (n Note) String() string { return name(noteNames[:], int(n)) }

// Handler is a part of a program that runs by itself.
type Handler uint8

// Handlers.
const (
	Request Handler = iota + 1 // on request: ends with an answer
	Event                      // on event: ends with ack, or the event is delivered again
	Every                      // every 100ms: a relay, a reaper, a completer
)

var handlerNames = [...]string{"none", "request", "event", "every"}

func (h Handler) String() string { return name(handlerNames[:], int(h)) }

// Input is what a handler is started with, under the names by which a flow reads it. A
// request has Tenant to Attempt, an event has Event, Amount and Intent; all have Owner.
type Input struct {
	Tenant      sql.Value
	Key         sql.Value // the idempotency key; Null: none was sent
	Fingerprint sql.Value // of the request's body: fp
	Amount      sql.Value
	Intent      sql.Value // what the user wanted, once: only observers may decide by it
	Attempt     sql.Value // of the client, from 1
	Event       sql.Value // the event's identifier
	Owner       sql.Value // unique per task
}

func name(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "unknown"
}
