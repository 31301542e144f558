package fleet

import (
	"fmt"

	"fencepost/sim"
)

// The kinds of message before the limiter: balancers, several dimensions.
const (
	Ping    = frontKinds + iota // balancer to limiter
	Alive                       // limiter to balancer
	Members                     // balancer to limiter: N take part

	Charge  // limiter to shard: request ID, Key, Cost
	Charged // shard to limiter: request ID, Key, Cost; OK it is counted; X how long the window lasts
	Peek    // limiter to shard: the count of Key
	Peeked  // shard to limiter: Key, X counted in window Y

	health   // balancer timer: ask the limiters whether they live
	scale    // balancer timer: change N of how many take part
	announce // balancer timer: tell the limiters that N take part

	pick // limiter timer: a shard for request ID, by how long it took since X
	soft // limiter timer: ask all shards

	ShardOp // note of a shard: Key, X counted; OK it takes what it was asked for
	Moved   // note of a balancer: X of Y keys have another limiter

	kinds // how many there are
)

var frontNames = []string{
	"ping", "alive", "members", "charge", "charged", "peek", "peeked",
	"health", "scale", "announce", "pick", "soft",
	"shard-op", "moved",
}

// frontNoted are those that are notes.
var frontNoted = []sim.Kind{ShardOp, Moved}

// frontText is such a message in words, but for its kind.
func (m Msg) frontText() string {
	switch m.Kind {
	case Members, scale, announce:
		return fmt.Sprintf(" %d", m.N)
	case Charge, pick:
		return fmt.Sprintf(" %s key %d%s", requestName(m.ID), m.Key, costName(m.Cost))
	case Charged:
		return fmt.Sprintf(" %s key %d %s", requestName(m.ID), m.Key, verdict(m.OK))
	case Peek:
		return fmt.Sprintf(" key %d", m.Key)
	case Peeked, ShardOp:
		return fmt.Sprintf(" key %d: %d", m.Key, m.X)
	case Moved:
		return fmt.Sprintf(" %d of %d keys", m.X, m.Y)
	}
	return ""
}
