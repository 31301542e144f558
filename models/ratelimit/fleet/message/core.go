package message

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message of every form: a digest has their numbers.
const (
	Start sim.Kind = 0 // the zero message

	Request  sim.Kind = 1  // client to limiter: ID, Key, Cost; X how long the client waits, 0 forever
	Response sim.Kind = 2  // limiter to client: ID; OK it was admitted; X the retry-after, Y what remains
	Arrive   sim.Kind = 3  // client timer: the next requests of a phase; N is the phase
	Again    sim.Kind = 4  // client timer: the retry-after of request ID is over
	Serve    sim.Kind = 5  // limiter timer: the turn of request ID has come, to answer to node N
	Asked    sim.Kind = 6  // note of a client: request ID, Key, Cost leaves for node X
	Answered sim.Kind = 7  // note of a client: request ID is answered; OK it was admitted; Y how long it waits
	Admitted sim.Kind = 8  // note of a limiter: request ID, Key, Cost; X how long it waits for its turn
	Rejected sim.Kind = 9  // note of a limiter: request ID, Key, Cost; X the retry-after, ratelimit.Never forever; Y the dimension, from 0
	Started  sim.Kind = 10 // note of a limiter: the turn of request ID has come

	ShardOp sim.Kind = 71 // note of a shard or a store: Key, x counted; OK it takes what it was asked for
)

var coreKinds = model.Kinds{
	Start:    model.MessageKind("start"),
	Request:  model.MessageKind("request"),
	Response: model.MessageKind("response"),
	Arrive:   model.TimerKind("arrive"),
	Again:    model.TimerKind("again"),
	Serve:    model.TimerKind("serve"),
	Asked:    model.NoteKind("asked"),
	Answered: model.NoteKind("answered"),
	Admitted: model.NoteKind("admitted"),
	Rejected: model.NoteKind("rejected"),
	Started:  model.NoteKind("started"),
	ShardOp:  model.NoteKind("shard-op"),
}

// coreWords is such a message in words, but for its kind.
func coreWords(m Msg) string {
	switch m.Kind {
	case Request, Asked, Admitted:
		return " " + requestText(m)
	case Response, Answered:
		text := fmt.Sprintf(" %s %s", RequestName(m.ID), Verdict(m.OK))
		if !m.OK {
			text += retryName(m.x)
		}
		return text
	case Rejected:
		return " " + requestText(m) + retryName(m.x)
	case Again, Serve, Started:
		return " " + RequestName(m.ID)
	case ShardOp:
		return fmt.Sprintf(" key %d: %d", m.Key, m.x)
	}
	return ""
}

// NewRequest is request id of a client, who waits for its answer that long, 0 forever.
func NewRequest(id, key uint64, cost uint32, patience time.Duration) Msg {
	return Msg{Kind: Request, ID: id, Key: key, Cost: cost, x: int64(patience)}
}

// Patience is how long the client of a request waits, 0 forever.
func (m Msg) Patience() time.Duration { return time.Duration(m.x) }

// NewAdmission answers a request that was admitted, and says what remains.
func NewAdmission(id uint64, remaining int64) Msg {
	return Msg{Kind: Response, OK: true, ID: id, y: remaining}
}

// NewRejection answers a request that was rejected: it may come again after a time, 0 is not known.
func NewRejection(id uint64, wait time.Duration) Msg {
	return Msg{Kind: Response, ID: id, x: int64(wait)}
}

// NewHeaders is what an answer to the request of m says in its headers: for how long, and what remains.
func NewHeaders(m Msg, admitted bool, wait time.Duration, remaining int64) Msg {
	return Msg{Kind: Response, OK: admitted, ID: m.ID, Key: m.Key, Cost: m.Cost, x: int64(wait), y: remaining}
}

// Wait is the time after which a request may come again, or has its turn, or a window is over.
func (m Msg) Wait() time.Duration { return time.Duration(m.x) }

// Remaining is what an admitted client has left.
func (m Msg) Remaining() int64 { return m.y }

// NewArrive is the timer of a client's phase, 0 and up.
func NewArrive(phase int) Msg { return Msg{Kind: Arrive, n: uint16(phase)} }

// Phase is whose timer it is.
func (m Msg) Phase() int { return int(m.n) }

// NewServe is the timer of a request of a client that waits for its turn.
func NewServe(m Msg, client sim.NodeID, remaining int64) Msg {
	s := Of(Serve, m)
	s.n, s.y = uint16(client), remaining
	return s
}

// Client is who gets the answer to a request that waits.
func (m Msg) Client() sim.NodeID { return sim.NodeID(m.n) }

// NewAsked notes that a request is sent to a node.
func NewAsked(id, key uint64, cost uint32, to sim.NodeID) Msg {
	return Msg{Kind: Asked, ID: id, Key: key, Cost: cost, x: int64(to)}
}

// To is the node that a request is sent to.
func (m Msg) To() sim.NodeID { return sim.NodeID(m.x) }

// NewAnswered notes a response at its client, who waits for one that long.
func NewAnswered(response Msg, key uint64, cost uint32, patience time.Duration) Msg {
	return Msg{Kind: Answered, OK: response.OK, ID: response.ID, Key: key, Cost: cost, x: response.x, y: int64(patience)}
}

// AnsweredPatience is how long the client of an answered request waits, 0 forever.
func (m Msg) AnsweredPatience() time.Duration { return time.Duration(m.y) }

// NewAdmitted notes that a request is admitted, and waits for its turn that long.
func NewAdmitted(m Msg, wait time.Duration) Msg {
	a := Of(Admitted, m)
	a.x = int64(wait)
	return a
}

// NewRejected notes that a request is rejected by a dimension, 0 and up.
func NewRejected(m Msg, wait time.Duration, dimension int) Msg {
	r := Of(Rejected, m)
	r.x, r.y = int64(wait), int64(dimension)
	return r
}

// RejectedBy is the dimension, 0 and up, that has rejected a request.
func (m Msg) RejectedBy() int { return int(m.y) }

// NewShardOp notes what a shard or a store has counted of a key, and whether it takes what it was asked for.
func NewShardOp(id, key uint64, ok bool, count int64) Msg {
	return Msg{Kind: ShardOp, OK: ok, ID: id, Key: key, x: count}
}

// Count is what was counted.
func (m Msg) Count() int64 { return m.x }
