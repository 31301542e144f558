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

	Take    // limiter to store: request ID, Key, Cost in dimension N; OK as a reservation
	TakeAll // limiter to store: request ID, Key, Cost in all dimensions; OK only if it fits in all
	Taken   // store to limiter: request ID, dimension N; OK it fits; X how long the window lasts, Y which it is
	Refund  // limiter to store: what request ID, Key, Cost has taken in dimension N, window Y
	Confirm // limiter to store: the reservation of request ID in dimension N stays
	Cancel  // limiter to store: the reservation of request ID, Key, Cost in dimension N is given back

	health   // balancer timer: ask the limiters whether they live
	scale    // balancer timer: change N of how many take part
	announce // balancer timer: tell the limiters that N take part

	forward // limiter timer: request ID, Key, Cost of node N goes on; it was decided at X

	turn // limiter timer: whoever of Key has its turn

	pick // limiter timer: a shard for request ID, by how long it took since X
	soft // limiter timer: ask all shards

	lapse // store timer: the reservation of request ID, Key, Cost in dimension N is out of time

	ShardOp // note of a shard or a store: Key, X counted; OK it takes what it was asked for
	Dropped // note of a limiter: request ID, Key, Cost has waited longer than its client does
	Moved   // note of a balancer: X of Y keys have another limiter
	Grown   // note of a store: the log of Key has X members, more than any has had

	change  // limiter timer: it takes its other algorithm
	Changed // note of a limiter: it has

	kinds // how many there are
)

var frontNames = []string{
	"ping", "alive", "members", "charge", "charged", "peek", "peeked",
	"take", "take-all", "taken", "refund", "confirm", "cancel",
	"health", "scale", "announce", "forward", "turn", "pick", "soft", "lapse",
	"shard-op", "dropped", "moved", "grown", "change", "changed",
}

// frontNoted are those that are notes.
var frontNoted = []sim.Kind{ShardOp, Dropped, Moved, Grown, Changed}

// frontText is such a message in words, but for its kind.
func (m Msg) frontText() string {
	switch m.Kind {
	case Members, scale, announce:
		return fmt.Sprintf(" %d", m.N)
	case Charge, pick, forward, Dropped:
		return fmt.Sprintf(" %s key %d%s", requestName(m.ID), m.Key, costName(m.Cost))
	case Charged:
		return fmt.Sprintf(" %s key %d %s", requestName(m.ID), m.Key, verdict(m.OK))
	case Take, TakeAll, Refund, Confirm, Cancel, lapse:
		return fmt.Sprintf(" %s key %d%s dimension %d", requestName(m.ID), m.Key, costName(m.Cost), m.N+1)
	case Taken:
		return fmt.Sprintf(" %s dimension %d %s", requestName(m.ID), m.N+1, verdict(m.OK))
	case Peek, turn:
		return fmt.Sprintf(" key %d", m.Key)
	case Peeked, ShardOp, Grown:
		return fmt.Sprintf(" key %d: %d", m.Key, m.X)
	case Moved:
		return fmt.Sprintf(" %d of %d keys", m.X, m.Y)
	}
	return ""
}
