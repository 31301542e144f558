package kv

import (
	"math/bits"

	"fencepost/models/internal/kit"
	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// noResurrection holds if no client reads an item in a cart or a set that was removed: every
// addition of it that what is read goes back to was read by a removal that it also goes back to.
//
// Source: DeCandia et al., "Dynamo", 2007, section 4.4: "deleted items can resurface".
type noResurrection struct{ Writes shared }

// Check implements [kit.Checker].
func (p *noResurrection) Check(r *kit.Report[core.Msg]) {
	p.Writes.follow(r.View, r.Observation)
	h, m := p.Writes.histories, &r.Msg
	if m.Kind != core.Answered || m.Write != nil || len(h.items.list) == 0 {
		return
	}
	k := h.key(m.Key())
	if k.removes == 0 {
		return
	}
	r.Saw()
	if back := h.resurrected(k, m.Obj); back != 0 && r.Violated(r.Node) {
		r.Why("%s reads %s from %s, and %s was removed: what it reads is %s", r.Name(r.Node), h.content(h.Policy.Read(m.Obj)), h.Layout.key(m.Key()),
			h.content(back), h.siblings(m.Obj))
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
func (p *noResurrection) Print(to *sim.Print) { p.Writes.print(to) }
