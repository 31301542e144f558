package version

import (
	"fmt"
	"slices"

	"fencepost/models/clock"
)

// vnodeVectors are siblings under one version vector of node ids: Riak 1.x. It loses nothing and
// keeps too much: the vector does not say which sibling a writer has read, so a write by a writer
// that has not read all of them replaces none.
//
// A merge is not associative: what a replica keeps depends on the order in which it hears of the
// others, and with one vector they can keep different siblings. Then it takes the union.
//
// Source: R. Brown, "Vector Clocks Revisited"; README of Dotted-Version-Vectors.
type vnodeVectors struct{ valueBytes int }

// vnode is what a replica stores: siblings by write.
type vnode struct {
	Object
	clock clock.VersionVector[clock.Actor]
}

func vnodeOf(o *Object) *vnode { return o.state.(*vnode) }

// put implements rules.
func (v *vnodeVectors) put(t taking) *Object {
	var set clock.VnodeSet[clock.Actor, Value]
	var context clock.VersionVector[clock.Actor]
	if t.local != nil {
		set.Clock, set.Values = vnodeOf(t.local).clock.Clone(), t.local.values
	}
	if t.context != nil {
		context = vnodeOf(t.context).clock
	}
	set.Put(context, t.value(), t.actor(t.latest(len(set.Clock), func(i int) clock.Actor { return set.Clock[i].ID })))
	return v.object(set.Clock, set.Values)
}

// merge implements rules: the vectors are concurrent, or equal over different siblings.
func (v *vnodeVectors) merge(a, b *Object) *Object {
	both := vnodeOf(a).clock.Clone()
	both.Merge(vnodeOf(b).clock)
	values := slices.Clone(a.values)
	for _, x := range b.values {
		if !slices.Contains(values, x) {
			values = append(values, x)
		}
	}
	return v.object(both, values)
}

// covers implements rules.
func (v *vnodeVectors) covers(a, b *Object) bool {
	switch vnodeOf(a).clock.Compare(vnodeOf(b).clock) {
	case clock.After:
		return true
	case clock.Equal:
		return !slices.ContainsFunc(b.values, func(x Value) bool { return !slices.Contains(a.values, x) })
	}
	return false
}

// object is an object of siblings that no other has.
func (v *vnodeVectors) object(c clock.VersionVector[clock.Actor], values []Value) *Object {
	slices.SortFunc(values, order)
	o := &vnode{clock: c}
	d := foldVector(0, c)
	for _, x := range values {
		d = foldValue(d, x)
	}
	o.Object = newObject(o, values, d, v.valueBytes, vectorBytes(c))
	return &o.Object
}

// heads implements state.
func (o *vnode) heads(into []uint32) []uint32 { return headsOf(o.values, into) }

// text is {node-1:3} [1 2 3].
func (o *vnode) text(name func(clock.Actor) string) string {
	return fmt.Sprint(named(o.clock, name), " ", o.values)
}
