package kv

import (
	"slices"

	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim/model"
)

// collected are the tombstones that some node has collected, by key, merged. A read need not
// return such a tombstone, nor what it had replaced: the key is as one that was never written.
type collected []*version.Object

// add takes in the note of a node that collects a tombstone.
func (c *collected) add(p *version.Policy, m *core.Msg) {
	of := model.At((*[]*version.Object)(c), m.Key())
	*of = p.Merge(*of, m.Obj)
}

// includes reports whether what is read of a key includes what was written: it covers that; or
// that was deleted, its tombstone is collected, and nothing that the tombstone had replaced is
// read. A replica that has lost the key otherwise, or has the deleted value back, is no excuse.
func (c collected) includes(p *version.Policy, key uint32, read, written *version.Object) bool {
	if p.Covers(read, written) {
		return true
	}
	if int(key) >= len(c) || !p.Covers(c[key], written) {
		return false
	}
	left := p.Merge(c[key], read).Values()
	return !slices.ContainsFunc(read.Values(), func(v version.Value) bool { return !slices.Contains(left, v) })
}
