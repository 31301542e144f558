package kv

import (
	"slices"

	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model"
)

// histories is the oracle of writes: which write had read which, which were acknowledged, and
// which of them the nodes still store. It goes by what clients send and nodes note, and looks at
// no clock.
//
// A write replaces what its writer had read; under a CRDT also what its coordinator stored, and with
// a leader all that is before it in the log. The history of an object is its latest writes and all
// that they replaced, directly or not. An acknowledged write is lost if it is in the history of no
// object that a node stores.
//
// Source: "Dynamo", 2007, section 4.4.
type histories struct {
	*Layout
	keys  []keyHistory
	place [][]int32 // by client and its nth write: its place in its key, from 1; 0, it is not tracked

	seen      int             // observations
	stored    *version.Object // by the last one; nil, nothing was
	falsePair [2]*track       // in that object: a value, and one that replaces it; nil, none
	falses    int             // objects stored with such a pair
	acked     int             // acknowledged writes
	deletes   int             // of these
	heads     []uint32
	scratch   bitSet
}

// maxTracked is how many writes of a key are tracked. Later ones are not checked.
const maxTracked = 1 << 14

// keyHistory is the writes of one key, and who stores it.
type keyHistory struct {
	writes  []track
	holders []holder
	missing int // acknowledged writes that no node stores
	removes int // writes that remove something
}

// track is what is known of a write.
type track struct {
	write   *version.Write
	past    bitSet // its place and those of the writes that it replaced, directly or not
	acked   bool
	deleted int             // how many deletes were acknowledged by then, if it is one
	applied bool            // with a leader: a node has applied it, and past has what was before it in the log
	missing bool            // it was acknowledged, and is in the history of nothing that is stored
	since   sim.Time        // of missing
	node    sim.NodeID      // that stored it last; None, no node did when it was acknowledged
	instead *version.Object // what that node stored then
}

// holder is a node that stores the key, or keeps a hint for another one.
type holder struct {
	node, target uint16 // target 0: for itself
	object       *version.Object
	has          bitSet // its history
	collected    bool   // it was a tombstone, and is forgotten
}

// historyKinds are the notes that the oracle goes by.
var historyKinds = []sim.Kind{core.Asked, core.Answered, core.Stored, core.Hinted, core.HandedOver, core.HintsLost, core.Collected, core.Wiped, core.Discarded}

// shared is a share in the oracle: the first of its owners that is told of an observation brings
// it up to date.
type shared struct {
	*histories
	own int // observations
}

// Reset makes package model reset it.
func (s *shared) Reset() {
	s.own = 0
	s.histories.reset()
}

func (h *histories) reset() {
	for i := range h.keys {
		k := &h.keys[i]
		k.writes, k.holders, k.missing, k.removes = k.writes[:0], k.holders[:0], 0, 0
	}
	for i := range h.place {
		h.place[i] = h.place[i][:0]
	}
	*h = histories{Layout: h.Layout, keys: h.keys[:0], place: h.place, heads: h.heads[:0], scratch: h.scratch[:0]}
}

func (s *shared) follow(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) {
	if o.Event != sim.Noted || !slices.Contains(historyKinds, o.Msg.Kind) {
		return
	}
	if s.own++; s.own > s.seen {
		s.seen = s.own
		s.observe(v, o)
	}
}

func (h *histories) observe(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) {
	h.stored, h.falsePair = nil, [2]*track{}
	switch m := &o.Msg; {
	case m.Kind == core.Collected:
		h.key(m.Key()).holder(o.Node, 0).collected = true
	case m.Kind == core.HandedOver:
		k := h.key(m.Key())
		h.put(k, k.holder(o.Node, m.HintFor()), v.Now(), nil)
	case m.Kind == core.HintsLost:
		h.forget(v.Now(), o.Node, func(at *holder) bool { return at.target != 0 })
	case m.Kind == core.Wiped:
		h.forget(v.Now(), o.Node, func(*holder) bool { return true })
	case m.Kind == core.Asked && m.Write != nil:
		h.ask(m)
	case m.Kind == core.Answered && m.Write != nil:
		h.acknowledge(v.Now(), m)
	case m.Kind == core.Discarded:
		k := h.key(m.Key())
		h.put(k, k.holder(o.Node, 0), v.Now(), nil)
	case m.Kind == core.Stored:
		h.store(v.Now(), o.Node, m)
	case m.Kind == core.Hinted:
		h.hint(o.Node, m)
	}
}

// key is the history of a key.
func (h *histories) key(key uint32) *keyHistory {
	for len(h.keys) <= int(key) {
		if len(h.keys) < cap(h.keys) {
			h.keys = h.keys[:len(h.keys)+1] // with the memory of the run before
		} else {
			h.keys = append(h.keys, keyHistory{})
		}
	}
	return &h.keys[key]
}

// ask takes in a write that a client is about to send.
func (h *histories) ask(m *core.Msg) {
	k := h.key(m.Key())
	n := len(k.writes)
	if n == maxTracked {
		return
	}
	var past bitSet
	if n < cap(k.writes) {
		past = k.writes[:n+1][n].past[:0]
	}
	past.merge(h.history(k, m.Obj))
	past.set(n)
	k.writes = append(k.writes, track{write: m.Write, past: past})
	of := model.At(&h.place, version.Client(m.Write.ID))
	for len(*of) < int(version.Nth(m.Write.ID)) {
		*of = append(*of, 0)
	}
	(*of)[version.Nth(m.Write.ID)-1] = int32(n + 1)
	if op := m.Write.Op; op == version.Remove || op == version.Delete {
		k.removes++
	}
}

// history is the history of an object; it is overwritten by the next one.
func (h *histories) history(k *keyHistory, o *version.Object) bitSet {
	h.scratch = h.scratch[:0]
	h.heads = o.Heads(h.heads[:0])
	for _, id := range h.heads {
		if n, ok := h.at(id); ok {
			h.scratch.merge(k.writes[n].past)
		}
	}
	return h.scratch
}

// at is the place of a write in its key.
func (h *histories) at(id uint32) (n int, ok bool) {
	client, nth := int(version.Client(id)), int(version.Nth(id))
	if client >= len(h.place) || nth > len(h.place[client]) {
		return 0, false
	}
	n = int(h.place[client][nth-1]) - 1
	return n, n >= 0
}

// tracked is what is known of a write, nil if it is not tracked.
func (h *histories) tracked(k *keyHistory, id uint32) *track {
	if n, ok := h.at(id); ok {
		return &k.writes[n]
	}
	return nil
}

// acknowledge takes in an acknowledgement. Some policies drop a write that they acknowledge.
func (h *histories) acknowledge(now sim.Time, m *core.Msg) {
	k := h.key(m.Key())
	t := h.tracked(k, m.Write.ID)
	if t == nil || t.acked {
		return
	}
	t.acked = true
	if t.write.Op == version.Delete {
		h.deletes++
		t.deleted = h.deletes
	}
	h.acked++
	if n, _ := h.at(m.Write.ID); !k.holds(n) {
		t.missing, t.since, t.instead = true, now, m.Obj
		k.missing++
	}
}

// holds reports whether a write is in the history of what a node stores.
func (k *keyHistory) holds(n int) bool {
	return slices.ContainsFunc(k.holders, func(h holder) bool { return !h.collected && h.has.has(n) })
}

// deleted reports whether a write is in the history of a tombstone that a node has collected.
func (k *keyHistory) deleted(n int) bool {
	return slices.ContainsFunc(k.holders, func(h holder) bool { return h.collected && h.has.has(n) })
}

// holder is what a node stores, or keeps for another one.
func (k *keyHistory) holder(node sim.NodeID, target uint16) *holder {
	i := slices.IndexFunc(k.holders, func(h holder) bool { return sim.NodeID(h.node) == node && h.target == target })
	if i >= 0 {
		return &k.holders[i]
	}
	var has bitSet
	if n := len(k.holders); n < cap(k.holders) {
		has = k.holders[:n+1][n].has[:0]
	}
	k.holders = append(k.holders, holder{node: uint16(node), target: target, has: has})
	return &k.holders[len(k.holders)-1]
}

// store takes in what a node stores now.
func (h *histories) store(now sim.Time, node sim.NodeID, m *core.Msg) {
	k := h.key(m.Key())
	at := k.holder(node, 0)
	switch {
	case h.Led:
		h.apply(k, at, m.Obj)
	case m.Write != nil && h.Policy.Joins:
		if t := h.tracked(k, m.Write.ID); t != nil {
			t.past.merge(at.has)
		}
	}
	h.stored = m.Obj
	h.put(k, at, now, m.Obj)
	h.findFalse(k, m.Obj)
}

// apply takes in that a node applies an entry of the log. The first node that does so decides what
// was before it: were logs to differ, the entry would not replace what only another log has.
func (h *histories) apply(k *keyHistory, at *holder, o *version.Object) {
	h.heads = o.Heads(h.heads[:0])
	for _, id := range h.heads {
		if t := h.tracked(k, id); t != nil && !t.applied {
			t.applied = true
			t.past.merge(at.has)
		}
	}
}

// put is what a holder has now.
func (h *histories) put(k *keyHistory, at *holder, now sim.Time, o *version.Object) {
	has := h.history(k, o)
	collected := at.collected
	at.object, at.has, at.collected, h.scratch = o, has, false, at.has // the old history is in the scratch
	for n := range h.scratch.without(has) {
		t := &k.writes[n]
		if collected && !has.meets(t.past) || o == nil && k.deleted(n) { // what was deleted is not lost
			continue
		}
		if t.acked && !t.missing && !k.holds(n) {
			t.missing, t.since, t.node, t.instead = true, now, sim.NodeID(at.node), o
			k.missing++
		}
	}
	if k.missing > 0 { // a message that was on its way may bring one back
		for n := range has.without(h.scratch) {
			if t := &k.writes[n]; t.missing {
				t.missing = false
				k.missing--
			}
		}
	}
}

// hint takes in what a node keeps for another one.
func (h *histories) hint(node sim.NodeID, m *core.Msg) {
	k := h.key(m.Key())
	at := k.holder(node, m.HintFor())
	h.put(k, at, 0, h.Policy.Merge(at.object, m.Obj))
}

// forget takes in that a node has lost some of what it stored.
func (h *histories) forget(now sim.Time, node sim.NodeID, what func(*holder) bool) {
	for i := range h.keys {
		k := &h.keys[i]
		for j := range k.holders {
			if at := &k.holders[j]; sim.NodeID(at.node) == node && what(at) {
				h.put(k, at, now, nil)
			}
		}
	}
}

// findFalse finds a sibling that another one replaces.
func (h *histories) findFalse(k *keyHistory, o *version.Object) {
	values := o.Values()
	if len(values) < 2 {
		return
	}
	for _, v := range values {
		y := h.tracked(k, v.Write)
		for _, w := range values {
			n, ok := h.at(w.Write)
			if ok && y != nil && w.Write != v.Write && y.past.has(n) {
				h.falsePair = [2]*track{&k.writes[n], y}
				h.falses++
				return
			}
		}
	}
}
