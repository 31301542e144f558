package core

import (
	"fmt"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message of the store, and of the counter that issues fencing tokens: a digest has their numbers.
const (
	Incr          sim.Kind = 10  // client to the counter
	IncrReply     sim.Kind = 11  // counter to client: a new token
	Register      sim.Kind = 12  // client to the store: the fence operation, which registers its token, or its value
	RegisterReply sim.Kind = 13  // OK: not stale; the latest token
	Read          sim.Kind = 14  // client to the store, with its token
	ReadReply     sim.Kind = 15  // the counter
	Write         sim.Kind = 16  // client to the store: its token and value, the number of the request, the new counter
	WriteReply    sim.Kind = 17  // OK: not rejected; the latest token
	Stale         sim.Kind = 35  // note of a client: the store rejected its token, when it registered or when it wrote
	Issued        sim.Kind = 38  // note of the counter, or of a client whose lock has tokens: the token of a grant
	Applied       sim.Kind = 39  // note of the store: the token, the grant, the new counter, and how often its client has written before with this grant
	Fenced        sim.Kind = 40  // note of the store: the token of a grant is registered, or its value
	Rejected      sim.Kind = 41  // note of the store: the token of a grant was stale, or its value was not the one registered last
	Skipped       sim.Kind = 152 // note of a client: the store says that the job of a night is done
)

var storeKinds = model.Kinds{
	Incr:          model.Message("incr"),
	IncrReply:     model.Message("incr-reply"),
	Register:      model.Message("fence"),
	RegisterReply: model.Message("fence-reply"),
	Read:          model.Message("read"),
	ReadReply:     model.Message("read-reply"),
	Write:         model.Message("write"),
	WriteReply:    model.Message("write-reply"),
	Stale:         model.Note("stale"),
	Issued:        model.Note("issued"),
	Applied:       model.Note("applied"),
	Fenced:        model.Note("fenced"),
	Rejected:      model.Note("rejected"),
	Skipped:       model.Note("skipped"),
}

// NewIncrReply hands out a fencing token.
func NewIncrReply(try uint32, token uint64) Msg {
	return Msg{head: head{Kind: IncrReply}, Try: try, tail: tail{token: token}}
}

// NewIssued notes that a grant has a fencing token.
func NewIssued(try uint32, grant, token uint64) Msg {
	return Msg{head: head{Kind: Issued}, Try: try, value: grant, tail: tail{token: token}}
}

// FencingToken is the token that a message carries, 1 and up; 0: none. In a reply of the store it is
// the latest that the store has admitted.
func (m *Msg) FencingToken() uint64 { return m.token }

// NewRegister is the first operation of a holder: it shows its token, and its value where those are
// compared.
func NewRegister(try uint32, token, value uint64) Msg {
	return Msg{head: head{Kind: Register}, Try: try, value: value, tail: tail{token: token}}
}

// NewRead asks for the counter.
func NewRead(try uint32, token uint64) Msg {
	return Msg{head: head{Kind: Read}, Try: try, tail: tail{token: token}}
}

// NewReadReply is the counter.
func NewReadReply(try uint32, counter int64) Msg {
	return Msg{head: head{Kind: ReadReply}, Try: try, tail: tail{x: counter}}
}

// NewWrite is the nth write of a grant, of a new counter.
func NewWrite(try uint32, token, value uint64, nth uint16, counter int64) Msg {
	return Msg{head: head{Kind: Write, n: nth}, Try: try, value: value, tail: tail{token: token, x: counter}}
}

// Counter is the counter that is read, to be written or written. Of a job that runs once a night it
// is the latest night in which it was done.
func (m *Msg) Counter() int64 { return m.x }

// NewStoreReply is a [RegisterReply] or a [WriteReply], with the latest token.
func NewStoreReply(kind sim.Kind, try uint32, ok bool, latest uint64) Msg {
	return Msg{head: head{Kind: kind, OK: ok}, Try: try, tail: tail{token: latest}}
}

// NewApplied notes that a write of a grant is applied, which had written some times before.
func NewApplied(write *Msg, grant uint64, before uint16) Msg {
	return Msg{head: head{Kind: Applied, n: before}, Try: write.Try, value: grant, tail: tail{token: write.token, x: write.x}}
}

// Before is how often the client of a write has written before with its grant.
func (m *Msg) Before() uint16 { return m.n }

// NewFenced notes that the token of a grant is registered.
func NewFenced(register *Msg, grant uint64) Msg {
	return Msg{head: head{Kind: Fenced}, Try: register.Try, value: grant, tail: tail{token: register.token}}
}

// NewRejected notes that the token of a grant is stale: the store has seen the latest.
func NewRejected(operation *Msg, grant, latest uint64) Msg {
	return Msg{head: head{Kind: Rejected}, Try: operation.Try, value: grant, tail: tail{token: operation.token, x: int64(latest)}}
}

// LatestToken is the latest that the store has seen which rejects another.
func (m *Msg) LatestToken() uint64 { return uint64(m.x) }

// SetRegistered says that the store compares values, not tokens, and which was registered last.
func (m *Msg) SetRegistered(value uint64) { m.n, m.x = 1, int64(value) }

// Registered is the value that was registered last, if the store compares values.
func (m *Msg) Registered() (value uint64, compares bool) { return uint64(m.x), m.n > 0 }

// NewStale notes that the store has rejected a client's token: when it wrote, or when it registered.
func NewStale(wrote bool) Msg { return Msg{head: head{Kind: Stale, n: bit(wrote)}} }

// Wrote reports whether a client has written before it learned that its token is stale.
func (m *Msg) Wrote() bool { return m.n > 0 }

// NewSkipped notes that the job of a night is done.
func NewSkipped(try uint32, night int64) Msg {
	return Msg{head: head{Kind: Skipped}, Try: try, tail: tail{x: night}}
}

// Night is that which a job is for, 1 and up.
func (m *Msg) Night() int64 { return m.x }

// storeWords is such a message in words, but for its kind.
func storeWords(m *Msg) string {
	switch m.Kind {
	case RegisterReply, WriteReply:
		return okName(m.OK)
	case IncrReply, Issued, Fenced:
		return fmt.Sprintf(" token %d", m.token)
	case ReadReply:
		return fmt.Sprintf(" %d", m.x)
	case Write, Applied:
		return fmt.Sprintf(" %d%s", m.x, tokenName(m.token))
	case Register, Rejected:
		return tokenName(m.token)
	}
	return ""
}

func tokenName(token uint64) string {
	if token == 0 {
		return ""
	}
	return fmt.Sprintf(" token %d", token)
}
