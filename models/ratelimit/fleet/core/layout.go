package core

import (
	"time"

	"fencepost/sim"
)

// Layout is who is who in a fleet, and what its limit is: what the observers know.
type Layout struct {
	Clients    int        // nodes 1 and up
	First      sim.NodeID // limiter
	Limiters   int
	Front      sim.NodeID // whom clients ask, the first of Fronts: the limiters, or who stands before them
	Fronts     int
	Shards     int         // after the limiters
	KeyBytes   int64       // that the store keeps of a key, of a log while it is empty; 0: there is no store
	RedisBytes int64       // that a key takes in a Redis with its name; 0: that is not known
	Dimensions []Dimension // a request must keep to all; nil: there is one limit
	Keys       int         // are numbered 1 and up

	Limit  int64
	Share  int64 // of the limit, that one limiter has
	Window time.Duration

	Bound   int64         // of window-limit
	Exact   bool          // equals-exact-log is checked
	Later   string        // algorithm that limiters take while they run
	Counts  bool          // limiters that decide alone count in windows that begin at multiples of Window
	Clock   sim.ClockID   // by which they do
	Burst   int64         // of a bucket; 0: the algorithm is none
	Service time.Duration // from one start to the next; 0: the algorithm is no queue

	Wish  Wish
	Users []int // by client less 1, from 0

	Patience time.Duration // of one-answer
	Forward  time.Duration // from a decision to the start
	Fair     int64         // least index of Jain, in parts per thousand
	Even     int64         // of the shards, such an index
	Within   time.Duration // of useful-work; 0: it is not checked
	Aligned  bool          // aligned-window-limit is checked
}

// Shard is the number of a shard from 0, of a node that is one.
func (l *Layout) Shard(node sim.NodeID) int { return int(node-l.First) - l.Limiters }
