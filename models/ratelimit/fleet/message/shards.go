package message

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message between limiters and shards: a digest has their numbers.
const (
	Charge  sim.Kind = 53 // limiter to shard: request ID, Key, Cost
	Charged sim.Kind = 54 // shard to limiter: request ID, Key, Cost; OK it is counted; x how long the window lasts
	Peek    sim.Kind = 55 // limiter to shard: the count of Key
	Peeked  sim.Kind = 56 // shard to limiter: Key, x counted in window y

	Pick sim.Kind = 68 // limiter timer: a shard for request ID, by how long it took since x
	Soft sim.Kind = 69 // limiter timer: ask all shards
)

var shardsKinds = model.Kinds{
	Charge:  model.MessageKind("charge"),
	Charged: model.MessageKind("charged"),
	Peek:    model.MessageKind("peek"),
	Peeked:  model.MessageKind("peeked"),
	Pick:    model.TimerKind("pick"),
	Soft:    model.TimerKind("soft"),
}

// shardsWords is such a message in words, but for its kind.
func shardsWords(m Msg) string {
	switch m.Kind {
	case Charge, Pick:
		return " " + requestText(m)
	case Charged:
		return fmt.Sprintf(" %s key %d %s", RequestName(m.ID), m.Key, Verdict(m.OK))
	case Peek:
		return fmt.Sprintf(" key %d", m.Key)
	case Peeked:
		return fmt.Sprintf(" key %d: %d", m.Key, m.x)
	}
	return ""
}

// NewCharged answers a charge: it is counted or not, and the window lasts that long.
func NewCharged(charge Msg, ok bool, left time.Duration) Msg {
	m := Of(Charged, charge)
	m.OK, m.x = ok, int64(left)
	return m
}

// NewPeeked says what a shard has counted of a key in a window.
func NewPeeked(key uint64, count, window int64) Msg {
	return Msg{Kind: Peeked, Key: key, x: count, y: window}
}

// NewPick is a timer that is drawn, armed at a reading: how long it took chooses the shard.
func NewPick(m Msg, armed sim.Mono) Msg {
	p := Of(Pick, m)
	p.x = int64(armed)
	return p
}

// Armed is when a timer was armed, or a request decided.
func (m Msg) Armed() sim.Mono { return sim.Mono(m.x) }
