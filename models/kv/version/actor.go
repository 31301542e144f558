package version

import (
	"fencepost/models/clock"
	"fencepost/sim"
)

// Replica is what a node needs of its own to take writes. It belongs to the node's durable
// state.
type Replica struct {
	ID clock.Actor // the node, and the incarnation of its disk

	keys   uint32 // epochs that are used up: of keys that it had nothing of
	hybrid clock.HLC
}

// incarnation is how many epochs an incarnation of a disk has, one for each key that the node
// has taken a first write of.
const incarnation = 1 << 20

// clientActor is set in the node of an actor that is a client.
const clientActor = 1 << 31

// NewReplica is a node that has taken no write, and never lost its disk.
func NewReplica(node uint32) Replica { return Replica{ID: clock.NewActor(node, 0)} }

// Print implements [sim.Printer].
func (r *Replica) Print(p *sim.Print) {
	p.Fold(uint64(r.ID), uint64(r.hybrid.Last.L), uint64(r.hybrid.Last.C)|uint64(r.keys)<<32)
}

// Wiped is a node that has lost its disk. Where actors are epochs it takes an id that it never
// had, and else its old one: then it gives out dots that are in use.
func (p *Policy) Wiped(r Replica) Replica {
	if p.epochs {
		return Replica{ID: r.ID + incarnation}
	}
	return Replica{ID: r.ID}
}

// Actor is the node or the client of an actor id, the incarnation of a node's disk, and which of
// its epochs this is.
func Actor(a clock.Actor) (id uint32, client bool, disk, epoch uint32) {
	return a.Node() &^ clientActor, a.Node()&clientActor != 0, a.Epoch() / incarnation, a.Epoch() % incarnation
}

// actor is the id under which the node takes this write; has is the one that it has used of this
// key, if any. A node that has nothing of the key may have had it, and have handed it on or lost
// it: its counter would begin again, and the new write be taken for an old one.
//
// Source: basho/riak_kv, per-key actor epochs.
func (t *taking) actor(has clock.Actor, ok bool) clock.Actor {
	r := t.replica
	switch {
	case !t.epochs:
		return r.ID
	case ok:
		return has
	}
	r.keys++
	return r.ID + clock.Actor(r.keys-1)
}

// latest is the last id of a node among the ids at 0 to n-1, which ascend.
func (t *taking) latest(n int, id func(int) clock.Actor) (a clock.Actor, ok bool) {
	for i := range n {
		if x := id(i); x >= t.replica.ID && x < t.replica.ID+incarnation {
			a, ok = x, true
		}
	}
	return a, ok
}
