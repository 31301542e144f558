package version

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"fencepost/models/clock"
	"fencepost/sim"
)

// vectors are siblings with a version vector each, as in Dynamo.
//
// With the ids of clients they are exact as long as a client reads its own writes: of two blind
// writes of one client at two nodes with one vector, the one with the larger id stays. With the
// ids of nodes two blind writes at one node have vectors of which the one is after the other, and
// the older is lost.
//
// A write that failed may be stored all the same. A client that has not read it gives its vector to
// the next write, and who has read the first takes the second for it: that one is lost, though it
// is acknowledged.
//
// A vector is truncated to its newest entries by the wall clocks of who counted them. What it
// forgets it has not seen: an old value and its successor turn concurrent.
//
// Source: "Dynamo", 2007, section 4.4.
type vectors struct {
	byClient   bool
	truncate   int // entries; 0, never
	valueBytes int
}

// sibling is a value with its vector.
type sibling struct {
	Value
	clock clock.VersionVector[clock.Actor]
	times clock.TimedVector[clock.Actor] // nil where vectors are not truncated
}

// compare is how the sibling stands to another; one vector orders by write.
func (s *sibling) compare(t *sibling) clock.Relation {
	r := s.clock.Compare(t.clock)
	switch {
	case r != clock.Equal || s.Write == t.Write:
		return r
	case s.Write < t.Write:
		return clock.Before
	}
	return clock.After
}

// versioned is what a replica stores: siblings by write.
type versioned struct {
	Object
	siblings []sibling
}

func versionedOf(o *Object) *versioned { return o.state.(*versioned) }

// siblingsOf are the siblings of an object, which may be nil.
func siblingsOf(o *Object) []sibling {
	if o == nil {
		return nil
	}
	return versionedOf(o).siblings
}

// put implements rules: the vector merges what the writer has read, and counts.
func (v *vectors) put(t taking) *Object {
	s := sibling{Value: t.value()}
	for _, read := range siblingsOf(t.context) {
		s.clock.Merge(read.clock)
		s.times.Merge(read.times)
	}
	id := clock.NewActor(clientActor|Client(t.ID), 0)
	if !v.byClient {
		id = v.own(&t, &s)
	}
	s.clock.Tick(id)
	if v.truncate > 0 {
		s.times.Merge(clock.TimedVector[clock.Actor]{{ID: id, N: s.clock.Get(id), At: reading(t.wall)}})
		s.times.Prune(reading(t.wall), clock.PruneLimits{Small: v.truncate, Big: v.truncate, Young: math.MinInt64, Old: math.MaxInt64})
		s.clock = s.times.Clock()
	}
	written := v.object([]sibling{s})
	if t.local == nil || v.covers(written, t.local) {
		return written
	}
	return v.merge(written, t.local)
}

// own is the id of the coordinator. Its counter in the vector of a new sibling continues from the
// largest that it has given out.
func (v *vectors) own(t *taking, s *sibling) clock.Actor {
	all := s.clock.Clone()
	for _, l := range siblingsOf(t.local) {
		all.Merge(l.clock)
	}
	id := t.actor(t.latest(len(all), func(i int) clock.Actor { return all[i].ID }))
	if n := all.Get(id); n > 0 {
		s.clock.Merge(clock.VersionVector[clock.Actor]{{ID: id, N: n}})
	}
	return id
}

// merge implements rules: a sibling stays if none is after it.
func (v *vectors) merge(a, b *Object) *Object {
	x, y := siblingsOf(a), siblingsOf(b)
	all := make([]sibling, 0, len(x)+len(y))
	for i := range x {
		if !slices.ContainsFunc(y, func(s sibling) bool { return x[i].compare(&s) == clock.Before }) {
			all = append(all, x[i])
		}
	}
	for i := range y {
		// of what both have, x's is there
		if !slices.ContainsFunc(x, func(s sibling) bool { return y[i].compare(&s)&clock.After == 0 }) {
			all = append(all, y[i])
		}
	}
	return v.object(all)
}

// covers implements rules: of each sibling of b, a has it or one that is after it.
func (v *vectors) covers(a, b *Object) bool {
	x, y := siblingsOf(a), siblingsOf(b)
	for i := range y {
		if !slices.ContainsFunc(x, func(s sibling) bool { return y[i].compare(&s)&clock.After == 0 }) {
			return false
		}
	}
	return true
}

// object is siblings as an object; it sorts them in place.
func (v *vectors) object(siblings []sibling) *Object {
	slices.SortFunc(siblings, func(a, b sibling) int { return cmp.Compare(a.Write, b.Write) })
	o := &versioned{siblings: siblings}
	values := make([]Value, len(siblings))
	d, metadata := sim.Digest(0), 0
	for i, s := range siblings {
		values[i] = s.Value
		d = foldVector(foldValue(d, s.Value), s.clock)
		metadata += vectorBytes(s.clock) + 8*len(s.times)
		for _, e := range s.times {
			d = d.Fold(uint64(e.At), 0)
		}
	}
	o.Object = newObject(o, values, d, v.valueBytes, metadata)
	return &o.Object
}

// heads implements state.
func (o *versioned) heads(into []uint32) []uint32 { return headsOf(o.values, into) }

// text is 3 {node-1:2,node-2:1} || 4 {node-1:2,node-3:1}.
func (o *versioned) text(name func(clock.Actor) string) string {
	var all []string
	for _, s := range o.siblings {
		all = append(all, s.Value.String()+" "+named(s.clock, name).String())
	}
	return strings.Join(all, " || ")
}
