package kv

import (
	"fmt"

	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model"
)

// noLostWrite holds if at the end every acknowledged write is stored by some node, or is replaced
// by one that is: its writer had read it, directly or by way of others. A hint counts as stored;
// what is only in a message does not.
//
// In a quorum nothing else orders two writes. One that overwrites what its writer has not read,
// as a later stamp does, loses it, even if that was acknowledged long before.
//
// Under a CRDT a write also replaces what its coordinator stored, since it is applied to that. With
// a leader a write is applied to all that is before it in the log: it replaces that, read or not.
// Two concurrent writes replace each other in the order of the log, which all nodes agree on before
// either is acknowledged. So a leader loses a write only if it acknowledges what does not stay in
// the log. A client that must not overwrite what it has not read uses compare-and-set.
//
// Source: "Dynamo", 2007, section 4.4; Ongaro 2014, section 3.6, for the log.
type noLostWrite struct{ Writes shared }

// Check implements [model.Checker].
func (p *noLostWrite) Check(r *model.Report[core.Msg]) { p.Writes.follow(r.View, r.Observation) }

// End is called when the run is over.
func (p *noLostWrite) End(r *model.Report[core.Msg]) {
	h := p.Writes.histories
	if h.acked > 0 {
		r.Saw()
	}
	for i := range h.keys {
		if h.keys[i].missing == 0 {
			continue
		}
		for j := range h.keys[i].writes {
			t := &h.keys[i].writes[j]
			if !t.missing || !r.ViolatedAt(t.since, h.client(t.write.ID), t.node) {
				continue
			}
			what := fmt.Sprintf("%s's %s %s %s", r.Name(h.client(t.write.ID)), h.request(t.write), preposition(t.write), h.Layout.key(uint32(i)))
			if t.node == sim.None {
				r.Why("%s is acknowledged, and no node stores it: its coordinator has %s", what, h.siblings(t.instead))
			} else {
				r.Why("%s was acknowledged, and the last node that stored it, %s, has %s now", what, r.Name(t.node), h.siblings(t.instead))
			}
		}
	}
}

// Print implements [sim.Printer].
func (p *noLostWrite) Print(to *sim.Print) { p.Writes.print(to) }

// client is the client of a write.
func (l *Layout) client(id uint32) sim.NodeID {
	return sim.NodeID(l.Nodes) + sim.NodeID(version.Client(id))
}

// concurrentSiblings holds if no node stores a value beside one that replaces it.
//
// A network that delivers a put twice violates it under any policy: each delivery makes a version
// of its own, the client reads or is answered one of them, and what it writes next replaces only
// that one. No node asks whether it has taken a put before; neither does Dynamo.
//
// Source: "Dynamo", 2007, section 4.4.
type concurrentSiblings struct{ Writes shared }

// Check implements [model.Checker].
func (p *concurrentSiblings) Check(r *model.Report[core.Msg]) {
	p.Writes.follow(r.View, r.Observation)
	h := p.Writes.histories
	if r.Msg.Kind != core.Stored {
		return
	}
	r.Saw()
	if old, by := h.falsePair[0], h.falsePair[1]; old != nil && r.Violated(r.Node, h.client(old.write.ID)) {
		r.Why("%s stores %s at %s beside %s, which replaced it: %d siblings", r.Name(r.Node), h.written(old.write), h.Layout.key(r.Msg.Key()),
			h.written(by.write), len(r.Msg.Obj.Values()))
	}
}

// Print implements [sim.Printer].
func (p *concurrentSiblings) Print(to *sim.Print) { p.Writes.print(to) }

// print takes the oracle into a fingerprint: what it will say depends on all of it but the names
// of what was there when a write was lost.
func (h *histories) print(to *sim.Print) {
	to.Fold(uint64(len(h.keys)), uint64(h.acked), uint64(h.falses))
	for i := range h.keys {
		k := &h.keys[i]
		to.Fold(uint64(len(k.writes)), uint64(len(k.holders)))
		for j := range k.writes {
			t := &k.writes[j]
			to.Fold(uint64(t.write.ID)|core.One(t.acked)<<32|core.One(t.missing)<<33|core.One(t.applied)<<34|uint64(t.deleted)<<35, uint64(t.since), uint64(t.node), t.instead.Digest())
			to.Fold(t.past...)
		}
		for j := range k.holders {
			at := &k.holders[j]
			to.Fold(uint64(at.node)|uint64(at.target)<<16|core.One(at.collected)<<32, at.object.Digest(), uint64(len(at.has)))
			to.Fold(at.has...)
		}
	}
}
