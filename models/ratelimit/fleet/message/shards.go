package message

import (
	"fmt"

	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// The kinds of message between limiters and shards: a digest has their numbers.
const (
	Charge  sim.Kind = 53 // limiter to shard: request ID, Key, Cost
	Charged sim.Kind = 54 // shard to limiter: request ID, Key, Cost; OK it is counted; X how long the window lasts
	Peek    sim.Kind = 55 // limiter to shard: the count of Key
	Peeked  sim.Kind = 56 // shard to limiter: Key, X counted in window Y

	Pick sim.Kind = 68 // limiter timer: a shard for request ID, by how long it took since X
	Soft sim.Kind = 69 // limiter timer: ask all shards
)

var shardsKinds = kit.Kinds{
	Charge:  kit.Message("charge"),
	Charged: kit.Message("charged"),
	Peek:    kit.Message("peek"),
	Peeked:  kit.Message("peeked"),
	Pick:    kit.Timer("pick"),
	Soft:    kit.Timer("soft"),
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
		return fmt.Sprintf(" key %d: %d", m.Key, m.X)
	}
	return ""
}
