package message

import (
	"fmt"

	"fencepost/models/internal/kit"
	"fencepost/sim"
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

	ShardOp sim.Kind = 71 // note of a shard or a store: Key, X counted; OK it takes what it was asked for
)

var coreKinds = kit.Kinds{
	Start:    kit.Message("start"),
	Request:  kit.Message("request"),
	Response: kit.Message("response"),
	Arrive:   kit.Timer("arrive"),
	Again:    kit.Timer("again"),
	Serve:    kit.Timer("serve"),
	Asked:    kit.Note("asked"),
	Answered: kit.Note("answered"),
	Admitted: kit.Note("admitted"),
	Rejected: kit.Note("rejected"),
	Started:  kit.Note("started"),
	ShardOp:  kit.Note("shard-op"),
}

// coreWords is such a message in words, but for its kind.
func coreWords(m Msg) string {
	switch m.Kind {
	case Request, Asked, Admitted:
		return " " + requestText(m)
	case Response, Answered:
		text := fmt.Sprintf(" %s %s", RequestName(m.ID), Verdict(m.OK))
		if !m.OK {
			text += retryName(m.X)
		}
		return text
	case Rejected:
		return " " + requestText(m) + retryName(m.X)
	case Again, Serve, Started:
		return " " + RequestName(m.ID)
	case ShardOp:
		return fmt.Sprintf(" key %d: %d", m.Key, m.X)
	}
	return ""
}
