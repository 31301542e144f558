package replicas

import (
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
)

// Replica keeps the key, takes writes, and hands on what it keeps: to all others at once
// after a write, to one after the other at an interval, or when it is told to.
//
// What it keeps is durable. If its disk is lost in a crash, all of it is gone; a new id
// for the next life is what keeps its writes apart from those of the one before.
type Replica struct {
	Replicas int           // 1 to that many are replicas
	AtOnce   bool          // after a write
	Interval time.Duration // 0, never
	Disk     Disk

	kept  *Kept  // at first a key that was never written
	epoch uint32 // lives of the disk before this one
	last  sim.NodeID
}

// Disk is what becomes of a replica's disk in a crash.
type Disk uint8

const (
	Safe      Disk = iota // nothing
	Lost                  // it is empty, and the replica continues under its id
	LostNewID             // it is empty, and the replica takes a new id
)

// Step implements [sim.Node].
func (r *Replica) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := &in.Msg; m.Kind {
	case start:
		out.Note(Msg{Kind: Opened, Set: r.kept})
		r.rest(out)
	case Get:
		out.Send(in.From, Msg{Kind: Got, Seq: m.Seq, Set: r.kept})
	case Put:
		r.kept = r.kept.Put(m.Write, Place{clock.NewActor(uint32(in.Self), r.epoch), clock.Reading(in.Wall)})
		out.Note(Msg{Kind: Stored, Write: m.Write, Set: r.kept})
		out.Send(in.From, Msg{Kind: PutReply, Seq: m.Seq})
		if r.AtOnce {
			r.tellAll(in.Self, out)
		}
	case Push:
		out.Send(sim.NodeID(m.To), Msg{Kind: Sync, Set: r.kept})
		out.Send(in.From, Msg{Kind: PutReply, Seq: m.Seq})
	case Sync:
		r.kept = r.kept.Sync(m.Set)
		out.Note(Msg{Kind: Synced, Heard: m.Set, Set: r.kept})
	case gossip:
		out.Send(r.peer(in.Self), Msg{Kind: Sync, Set: r.kept})
		r.rest(out)
	default:
		panic("replicas: a replica got " + m.String())
	}
}

func (r *Replica) tellAll(self sim.NodeID, out *sim.Out[Msg]) {
	for id := sim.NodeID(1); id <= sim.NodeID(r.Replicas); id++ {
		if id != self {
			out.Send(id, Msg{Kind: Sync, Set: r.kept})
		}
	}
}

// rest waits for the next time to hand on what is kept.
func (r *Replica) rest(out *sim.Out[Msg]) {
	if r.Interval > 0 && r.Replicas > 1 {
		out.After(r.Interval, Msg{Kind: gossip})
	}
}

// peer is whose turn it is.
func (r *Replica) peer(self sim.NodeID) sim.NodeID {
	if r.last == 0 {
		r.last = self
	}
	if r.last = r.last%sim.NodeID(r.Replicas) + 1; r.last == self {
		r.last = r.last%sim.NodeID(r.Replicas) + 1
	}
	return r.last
}

// Recover implements [sim.Recoverer].
func (r *Replica) Recover(before *Replica) {
	switch r.epoch = before.epoch; r.Disk {
	case Safe:
		r.kept = before.kept
	case LostNewID:
		r.epoch++
	}
}
