package kv

import (
	"math/bits"

	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model"
)

// noResurrection holds if no client reads what was deleted. An item in a cart or a set is back if some addition of it
// that what is read goes back to was read by a removal that it also goes back to. The value of another key is back if a
// delete that had read it was acknowledged before the client asked, and no node stores that delete any more: a replica
// that has not heard of the delete yet is stale, and quorum-read looks for that.
//
// Source: DeCandia et al., "Dynamo", 2007, section 4.4: "deleted items can resurface"; Apache Cassandra, gc_grace_seconds:
// a replica that was away for longer brings deleted data back.
type noResurrection struct {
	Writes shared
	Asked  []int // by client: how many deletes were acknowledged when it asked for its latest read
}

// Check implements [model.Checker].
func (p *noResurrection) Check(r *model.Report[core.Msg]) {
	p.Writes.follow(r.View, r.Observation)
	h, m := p.Writes.histories, &r.Msg
	switch {
	case m.Kind == core.Asked && m.Write == nil:
		*model.At(&p.Asked, r.Node) = h.deletes
	case m.Kind != core.Answered || m.Write != nil:
	case len(h.items.list) > 0:
		p.items(r, h.key(m.Key()))
	default:
		p.value(r, h.key(m.Key()), *model.At(&p.Asked, r.Node))
	}
}

// items looks for items that were removed in what is read of a cart or a set.
func (p *noResurrection) items(r *model.Report[core.Msg], k *keyHistory) {
	if k.removes == 0 {
		return
	}
	r.Saw()
	h, m := p.Writes.histories, &r.Msg
	if back := h.resurrected(k, m.Obj); back != 0 && r.Violated(r.Node) {
		r.Why("%s reads %s from %s, and %s was removed: what it reads is %s", r.Name(r.Node), h.content(h.Policy.Read(m.Obj)), h.Layout.key(m.Key()),
			h.content(back), h.siblings(m.Obj))
	}
}

// value looks in what is read of a key for a value that one of the first deletes had deleted.
func (p *noResurrection) value(r *model.Report[core.Msg], k *keyHistory, deletes int) {
	h, m := p.Writes.histories, &r.Msg
	for n := range k.writes {
		d := &k.writes[n]
		if d.deleted == 0 || d.deleted > deletes {
			continue
		}
		r.Saw()
		if k.holds(n) {
			continue
		}
		for _, v := range m.Obj.Values() {
			if at, ok := h.at(v.Write); ok && !v.Tombstone && d.past.has(at) && r.Violated(r.Node, h.client(d.write.ID)) {
				r.Why("%s reads %s from %s, which %s had deleted; no node stores the delete any more", r.Name(r.Node), h.value(v), h.Layout.key(m.Key()),
					r.Name(h.client(d.write.ID)))
			}
		}
	}
}

// resurrected are the items that a client reads although they were removed.
func (h *histories) resurrected(k *keyHistory, o *version.Object) (back uint64) {
	history := h.history(k, o)
	for present := h.Policy.Read(o); present != 0; present &= present - 1 {
		item := uint64(1) << bits.TrailingZeros64(present)
		if added, live := k.additions(history, item); added && !live {
			back |= item
		}
	}
	return back
}

// additions reports whether an item was added in a history, and whether it has an addition that
// no removal had read.
func (k *keyHistory) additions(history bitSet, item uint64) (added, live bool) {
	for n := range history.without(nil) {
		if w := k.writes[n].write; w.Op == version.Add && w.Data&item != 0 {
			added = true
			live = live || !k.removed(history, n, item)
		}
	}
	return added, live
}

// removed reports whether a removal of an item had read an addition of it.
func (k *keyHistory) removed(history bitSet, addition int, item uint64) bool {
	for n := range history.without(nil) {
		t := &k.writes[n]
		removes := t.write.Op == version.Delete || t.write.Op == version.Remove && t.write.Data&item != 0
		if removes && t.past.has(addition) {
			return true
		}
	}
	return false
}

// Print implements [sim.Printer].
func (p *noResurrection) Print(to *sim.Print) {
	p.Writes.print(to)
	for _, n := range p.Asked {
		to.Fold(uint64(n))
	}
}
