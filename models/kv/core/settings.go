package core

import (
	"time"

	"fencepost/models/kv/pbs"
	"fencepost/models/kv/version"
)

// Settings are what all nodes of a store have in common. They do not change during a run.
type Settings struct {
	Ring    *Ring   // at the start
	Rings   []*Ring // that there may be in a run, by number; nil: no change leads to it
	Policy  *version.Policy
	N, R, W int
	Led     bool // a leader orders the writes, and R and W are of no account
	Nodes   int  // all, also those that may join: their ids are 1 to Nodes

	Sloppy      bool // the first N nodes that can be reached take a write, not the first N
	AnyNode     bool // a node that does not store a key coordinates requests for it
	Timeout     time.Duration
	Replica     time.Duration // after which a replica that has not answered is suspected
	SuspectFor  time.Duration
	MaxInFlight int         // requests that a node coordinates at once
	Latency     *pbs.Delays // of requests to other nodes and their answers, on top of the network; nil, there is none

	Repair       ReadRepair
	HandoffEvery time.Duration // 0, hints are not handed over
	HintLimit    int           // hints that a node keeps
	HintsDurable bool
	AntiEntropy  time.Duration // from one round to the next; 0, there is none
	MerkleLeaves int           // of each hash tree; 0, one for each key
	GossipEvery  time.Duration // 0, never

	Grace     time.Duration // after which a tombstone is collected; 0, never
	LosesDisk bool          // in a crash

	Stream     bool // a node that gains keys fetches them before it serves them
	StreamRate int  // bytes per second of each stream; 0, without limit
	Managed    bool // a controller announces rings; gossip does not send them
	Count      bool // nodes count the requests that they handle
	Ordered    bool // the ring is the ordered one
}

// Immutable implements [sim.Immutable].
func (*Settings) Immutable() {}

// ReadRepair is what a read does about a replica that has answered with less than the others.
type ReadRepair uint8

const (
	AsyncRepair    ReadRepair = iota // the client has its answer, and the replica is sent what it lacks
	BlockingRepair                   // the client has its answer once enough replicas store it
	NoRepair                         // a replica that lacks something is left as it is
)
