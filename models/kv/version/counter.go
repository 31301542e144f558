package version

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fencepost/models/clock"
	"fencepost/sim"
)

// counter is a PN-counter: each node counts what it was told to add and to remove, and the value
// is the sum over all nodes. It loses no increment, as long as no node forgets its own counts and
// keeps its id.
//
// Source: Shapiro et al. 2011, specification 7.
type counter struct{}

// counts are what one actor was told.
type counts struct {
	ID          clock.Actor
	N           uint64 // writes
	Plus, Minus uint64
	Write       uint32 // the last one
}

// compare is negative, zero or positive: which counts of one actor are the later ones. Only an
// actor that has forgotten its counts has two of as many writes; then the larger ones stay.
func (c *counts) compare(d *counts) int {
	return cmp.Or(cmp.Compare(c.N, d.N), cmp.Compare(c.Plus, d.Plus), cmp.Compare(c.Minus, d.Minus), cmp.Compare(c.Write, d.Write))
}

func (c *counts) actor() clock.Actor { return c.ID }

// counted is what a replica stores: the counts by actor.
type counted struct {
	Object
	counts []counts
	value  [1]Value
}

// countsOf are the counts of an object, which may be nil.
func countsOf(o *Object) []counts {
	if o == nil {
		return nil
	}
	return o.state.(*counted).counts
}

// put implements rules: the coordinator counts, on top of all it stores.
func (counter) put(t taking) *Object {
	all := latest(countsOf(t.local), countsOf(t.context))
	own := countsOf(t.local)
	id := t.actor(t.latest(len(own), func(i int) clock.Actor { return own[i].ID }))
	i, ok := slices.BinarySearchFunc(all, id, func(c counts, id clock.Actor) int { return cmp.Compare(c.ID, id) })
	if !ok {
		all = slices.Insert(all, i, counts{ID: id})
	}
	c := &all[i]
	c.N, c.Write = c.N+1, t.ID
	if t.Op == Add {
		c.Plus += t.Data
	} else {
		c.Minus += t.Data
	}
	return countedObject(all)
}

// merge implements rules: of each actor the later counts.
func (counter) merge(a, b *Object) *Object {
	return countedObject(latest(countsOf(a), countsOf(b)))
}

// covers implements rules.
func (counter) covers(a, b *Object) bool {
	x := countsOf(a)
	y := countsOf(b)
	for i := range y {
		for len(x) > 0 && x[0].ID < y[i].ID {
			x = x[1:]
		}
		if len(x) == 0 || x[0].ID != y[i].ID || x[0].compare(&y[i]) < 0 {
			return false
		}
	}
	return true
}

// countedObject is counts as an object. Its one value has the largest id of a last write.
func countedObject(all []counts) *Object {
	o := &counted{counts: all}
	d, metadata := sim.Digest(0), varint(uint64(len(all)))
	for _, c := range all {
		o.value[0].Data += c.Plus - c.Minus
		o.value[0].Write = max(o.value[0].Write, c.Write)
		d = d.Fold(uint64(c.ID), c.N).Fold(c.Plus, c.Minus).Fold(uint64(c.Write), 0)
		metadata += 8 + varint(c.Plus) + varint(c.Minus)
	}
	o.Object = newObject(o, o.value[:], d, 0, metadata)
	return &o.Object
}

// heads implements state.
func (o *counted) heads(into []uint32) []uint32 {
	for _, c := range o.counts {
		into = append(into, c.Write)
	}
	return into
}

// text is 5 = node-1:+3-1 node-2:+3.
func (o *counted) text(name func(clock.Actor) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d =", int64(o.value[0].Data))
	for _, c := range o.counts {
		fmt.Fprintf(&b, " %s:+%d", name(c.ID), c.Plus)
		if c.Minus > 0 {
			fmt.Fprintf(&b, "-%d", c.Minus)
		}
	}
	return b.String()
}
