package idempotency

import (
	"fmt"

	"fencepost/models/idempotency/flow"
	"fencepost/models/internal/postgres/sql"
	"fencepost/sim"
	"fencepost/sim/model"
)

// Value is a number, a text or a time in the database, the cache or a request.
type Value = sql.Value

// Null is no value.
const Null = sql.Null

// The kinds of message.
const (
	start sim.Kind = iota // the zero message

	Request  // client to server: Call, Attempt; tenant, key, fingerprint, amount, intent
	Response // server to client: Call, Status; body
	Query    // server to database: Slot, Call, First, Statement; its arguments
	Fetch    // server to database: Slot, Call
	Result   // database to server: Slot, Call, Code, Rows; the first row
	Row      // database to server: Slot, Call, Rows; the row
	Hangup   // server to database: Slot, Call
	HungUp   // database to server: Slot, Call
	CacheGet // server to cache: Slot, Call; word, two parts of the key
	CacheSet // server to cache: Slot, Call; word, two parts of the key, value, lifetime
	CacheAdd // as CacheSet, if there is none
	CacheDel // as CacheGet
	CacheDelIf
	CacheReply // cache to server: Slot, Call, Rows; value
	Charge     // server to provider: Slot, Call; amount, key, intent
	Lookup     // server to provider: Slot, Call; key
	Charged    // provider to server: Slot, Call, Rows; id, status
	Publish    // server to broker: Slot, Call; event, amount
	Stored     // broker to server: Slot, Call
	Deliver    // broker to consumer: Call; event, amount
	Consumed   // consumer to broker: Call

	next         // client timer: the next intent
	click        // client timer: the same intent again; intent, Attempt the click
	again        // client timer: the next attempt; Call
	timeout      // client timer: no answer; Call
	woken        // server timer: work or sleep is over; Slot, Call
	unanswered   // server timer: nothing has answered; Slot, Call
	unclosed     // server timer: the database has not confirmed the hangup; Slot, Call
	tick         // server timer: the handler every
	lockTimeout  // database timer: Slot, Call the wait; server
	deadlock     // database timer: Slot, Call the wait; server
	redelivery   // broker timer: Call the delivery
	Asked        // note of a client: a call of an intent; as Request
	Retrying     // Status was the answer to Call, 0 none; as Request, Attempt the next one
	Answered     // the final answer, to Call, is Status; tenant, key, fingerprint, body, intent
	GaveUp       // there will be none, Call was the last; tenant, key, fingerprint, body, intent
	Began        // note of a server: it handles a request, Slot; as Request
	Handling     // note of a server: it handles an event, Slot; event, amount
	Refused      // it has no room for a request; as Request
	Claimed      // notes of a flow, in the order of package flow: Slot; tenant, key, fingerprint, amount, intent
	Processed    //
	Recorded     //
	Replayed     //
	TookOver     //
	Fenced       //
	Locked       //
	Resumed      //
	Replied      // note of a server: its answer is Status; tenant, key, body, statements, round trips
	Unanswered   // note of a server: nothing has answered it, Slot
	Effect       // note of the database: a row of an effect is durable; table, intent, id, amount
	Removed      // such a row is deleted; table, intent, id, amount
	Sum          // the sum of the columns that are conserved; sum, and the least value written if it is below 0
	Folded       // what events are added to; sum
	Recovery     // a recovery point has changed; row, before, after
	Watched      // a column that is watched has changed; row, before, after
	Committed    // a transaction that changed something; Rows that it changed
	Aborted      // a statement failed with Code; Slot the session
	Waits        // a statement waits for another transaction; Slot the session
	ChargeMade   // note of the provider; id, amount, key, intent
	ChargeAgain  // it answers from its table of keys; id, amount, key, intent
	Published    // note of the broker; event, amount
	Delivered    // Call the delivery, Attempt the time; event, amount
	Acknowledged // Call the delivery; event, amount
	Staged       // note of the database: a row of an ordered table is durable; event, key

	kindCount
)

// flowNotes are the kinds of the notes that a flow makes.
var flowNotes = [...]sim.Kind{flow.Claimed: Claimed, flow.Processed: Processed, flow.Recorded: Recorded, flow.Replayed: Replayed,
	flow.Takeover: TookOver, flow.Fenced: Fenced, flow.Locked: Locked, flow.Resumed: Resumed}

var kinds = model.NewKinds(kindCount, model.Kinds{
	Request:      model.MessageKind("request"),
	Response:     model.MessageKind("response"),
	Query:        model.MessageKind("query"),
	Fetch:        model.MessageKind("fetch"),
	Result:       model.MessageKind("result"),
	Row:          model.MessageKind("row"),
	Hangup:       model.MessageKind("hangup"),
	HungUp:       model.MessageKind("hung-up"),
	CacheGet:     model.MessageKind("cache-get"),
	CacheSet:     model.MessageKind("cache-set"),
	CacheAdd:     model.MessageKind("cache-add"),
	CacheDel:     model.MessageKind("cache-del"),
	CacheDelIf:   model.MessageKind("cache-delif"),
	CacheReply:   model.MessageKind("cache-reply"),
	Charge:       model.MessageKind("charge"),
	Lookup:       model.MessageKind("lookup"),
	Charged:      model.MessageKind("charge-reply"),
	Publish:      model.MessageKind("publish"),
	Stored:       model.MessageKind("stored"),
	Deliver:      model.MessageKind("deliver"),
	Consumed:     model.MessageKind("consumed"),
	next:         model.TimerKind("next"),
	click:        model.TimerKind("click"),
	again:        model.TimerKind("again"),
	timeout:      model.TimerKind("timeout"),
	woken:        model.TimerKind("woken"),
	unanswered:   model.TimerKind("no-answer"),
	unclosed:     model.TimerKind("unclosed"),
	tick:         model.TimerKind("tick"),
	lockTimeout:  model.TimerKind("lock-timeout"),
	deadlock:     model.TimerKind("deadlock-timeout"),
	redelivery:   model.TimerKind("redelivery"),
	Asked:        model.NoteKind("asked"),
	Retrying:     model.NoteKind("retrying"),
	Answered:     model.NoteKind("answered"),
	GaveUp:       model.NoteKind("gave-up"),
	Began:        model.NoteKind("began"),
	Handling:     model.NoteKind("handling"),
	Refused:      model.NoteKind("refused"),
	Claimed:      model.NoteKind("claimed"),
	Processed:    model.NoteKind("processed"),
	Recorded:     model.NoteKind("recorded"),
	Replayed:     model.NoteKind("replayed"),
	TookOver:     model.NoteKind("takeover"),
	Fenced:       model.NoteKind("fenced"),
	Locked:       model.NoteKind("locked"),
	Resumed:      model.NoteKind("resumed"),
	Replied:      model.NoteKind("replied"),
	Unanswered:   model.NoteKind("unanswered"),
	Effect:       model.NoteKind("effect"),
	Removed:      model.NoteKind("removed"),
	Sum:          model.NoteKind("sum"),
	Folded:       model.NoteKind("folded"),
	Recovery:     model.NoteKind("recovery"),
	Watched:      model.NoteKind("watched"),
	Committed:    model.NoteKind("committed"),
	Aborted:      model.NoteKind("aborted"),
	Waits:        model.NoteKind("waits"),
	ChargeMade:   model.NoteKind("charged"),
	ChargeAgain:  model.NoteKind("charged-again"),
	Published:    model.NoteKind("published"),
	Delivered:    model.NoteKind("delivered"),
	Acknowledged: model.NoteKind("acknowledged"),
	Staged:       model.NoteKind("staged"),
})

// Msg is every message of the model. A kind uses the fields that its comment names, and its
// Values in the order given there after the semicolon; the constructors below write them.
type Msg struct {
	Kind      sim.Kind
	Code      sql.Code // of a result
	Slot      uint8    // of a server's task, or of a session of the database
	First     bool     // of a query: the first on its connection
	Status    uint16   // as in HTTP; 0: none
	Statement uint16   // index into the program
	Rows      uint16   // returned or changed, or found: 0 or 1
	Attempt   uint16   // from 1
	Call      uint32   // number of a message that wants an answer, and of that answer
	Values    [5]Value
}

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	first := uint64(0)
	if m.First {
		first = 1
	}
	d = d.Fold(uint64(m.Kind)|uint64(m.Code)<<8|uint64(m.Slot)<<16|first<<24|uint64(m.Status)<<32|uint64(m.Statement)<<48,
		uint64(m.Rows)|uint64(m.Attempt)<<16|uint64(m.Call)<<32)
	d = d.Fold(uint64(m.Values[0]), uint64(m.Values[1])).Fold(uint64(m.Values[2]), uint64(m.Values[3]))
	return d.Fold(uint64(m.Values[4]), 0)
}

// String is the message in words.
func (m Msg) String() string {
	s := kinds.Name(m.Kind)
	if m.Call != 0 {
		s += fmt.Sprintf(" #%d", m.Call)
	}
	if m.Attempt > 1 {
		s += fmt.Sprintf("/%d", m.Attempt)
	}
	if m.Status != 0 {
		s += fmt.Sprintf(" %d", m.Status)
	}
	if m.Code != 0 {
		s += " " + m.Code.String()
	}
	switch m.Kind {
	case Query:
		s += fmt.Sprintf(" statement %d", m.Statement)
	case Request, Asked, Retrying, Began:
		s += fmt.Sprintf(" intent %d key %d", m.intent(), m.key())
	}
	return s
}

// demand is what a client wants, as each request and the notes about it say it.
type demand struct{ tenant, key, fingerprint, amount, intent Value }

func (d demand) values() [5]Value {
	return [5]Value{d.tenant, d.key, d.fingerprint, d.amount, d.intent}
}

func (m *Msg) demand() demand {
	return demand{m.Values[0], m.Values[1], m.Values[2], m.Values[3], m.Values[4]}
}

func (m *Msg) tenant() Value      { return m.Values[0] }
func (m *Msg) key() Value         { return m.Values[1] }
func (m *Msg) fingerprint() Value { return m.Values[2] }
func (m *Msg) intent() Value      { return m.Values[4] }

// about is a message or a note of a client or a server about a demand.
func about(kind sim.Kind, d demand) Msg { return Msg{Kind: kind, Values: d.values()} }

func request(call uint32, attempt uint16, d demand) Msg {
	return Msg{Kind: Request, Call: call, Attempt: attempt, Values: d.values()}
}

func response(call uint32, status uint16, body Value) Msg {
	return Msg{Kind: Response, Call: call, Status: status, Values: [5]Value{body}}
}

// ended is the note of a client that a call is over: [Answered] or [GaveUp].
func ended(kind sim.Kind, o *call, status uint16, body Value) Msg {
	return Msg{Kind: kind, Call: o.number, Status: status, Values: [5]Value{o.tenant, o.key, o.fingerprint, body, o.intent}}
}

// body is that of an [Answered] or [GaveUp].
func (m *Msg) body() Value { return m.Values[3] }

func replied(slot uint8, d demand, status uint16, body Value, statements, trips uint16) Msg {
	return Msg{Kind: Replied, Slot: slot, Status: status, Values: [5]Value{d.tenant, d.key, body, Value(statements), Value(trips)}}
}

// answerTo is an answer to a message of a server's task.
func (m *Msg) answerTo(kind sim.Kind) Msg { return Msg{Kind: kind, Slot: m.Slot, Call: m.Call} }

// found is such an answer with one value, if there is one.
func (m *Msg) found(kind sim.Kind, ok bool, value, second Value) Msg {
	a := m.answerTo(kind)
	if ok {
		a.Rows, a.Values = 1, [5]Value{value, second}
	}
	return a
}

// cacheKey is the name of a key in the cache: a word of the flow, and what follows it.
type cacheKey struct {
	word  int16
	parts [2]Value
}

func (m *Msg) cacheKey() cacheKey {
	return cacheKey{int16(m.Values[0]), [2]Value{m.Values[1], m.Values[2]}}
}

// row is a note of the database about a row of an effect.
func row(kind sim.Kind, table int, intent, id, amount Value) Msg {
	return Msg{Kind: kind, Values: [5]Value{Value(table), intent, id, amount}}
}

func (m *Msg) effect() (table, intent, id, amount Value) {
	return m.Values[0], m.Values[1], m.Values[2], m.Values[3]
}

// payment is a note of the provider.
func payment(kind sim.Kind, id, amount, key, intent Value) Msg {
	return Msg{Kind: kind, Values: [5]Value{id, amount, key, intent}}
}

func (m *Msg) paid() (id, amount, key, intent Value) {
	return m.Values[0], m.Values[1], m.Values[2], m.Values[3]
}

// happening is a message or a note about an event.
func happening(kind sim.Kind, call uint32, event, amount Value) Msg {
	return Msg{Kind: kind, Call: call, Values: [5]Value{event, amount}}
}

func (m *Msg) event() (event, amount Value) { return m.Values[0], m.Values[1] }
