package version

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"fencepost/models/clock"
	"fencepost/sim"
)

// orSet is an observed-remove set without tombstones. An addition puts a dot on an element; a
// removal takes away the dots that its writer has read, or those of the coordinator if it has
// read nothing. So an element that is added and removed concurrently stays: an addition wins.
//
// A replica that knows of a dot, and has no element with it, has heard of its removal.
//
// Source: Bieniusa et al., "An Optimized Conflict-free Replicated Set", 2012; basho/riak_dt,
// riak_dt_orswot.erl.
type orSet struct{ valueBytes int }

// seen is how many writes of an actor are known, and the last of them.
type seen struct {
	ID    clock.Actor
	N     uint64
	Write uint32
}

// tag is an element with the dot of an addition.
type tag struct {
	Element uint8
	ID      clock.Actor
	N       uint64
}

func (t *tag) compare(u *tag) int {
	return cmp.Or(cmp.Compare(t.Element, u.Element), cmp.Compare(t.ID, u.ID), cmp.Compare(t.N, u.N))
}

// elements is what a replica stores.
type elements struct {
	Object
	seen  []seen // by actor
	tags  []tag  // by element and dot
	value [1]Value
}

// elementsOf is the set of an object, which may be nil.
func elementsOf(o *Object) *elements {
	if o == nil {
		return &elements{}
	}
	return o.state.(*elements)
}

// n is how many writes of an actor the set knows of.
func (e *elements) n(id clock.Actor) uint64 {
	i, ok := slices.BinarySearchFunc(e.seen, id, func(s seen, id clock.Actor) int { return cmp.Compare(s.ID, id) })
	if !ok {
		return 0
	}
	return e.seen[i].N
}

// put implements rules.
func (o orSet) put(t taking) *Object {
	local, context := elementsOf(t.local), elementsOf(t.context)
	all := &elements{seen: latest(local.seen, context.seen), tags: mergeTags(local, context)}
	id := t.actor(t.latest(len(local.seen), func(i int) clock.Actor { return local.seen[i].ID }))
	i, ok := slices.BinarySearchFunc(all.seen, id, func(s seen, id clock.Actor) int { return cmp.Compare(s.ID, id) })
	if !ok {
		all.seen = slices.Insert(all.seen, i, seen{ID: id})
	}
	dot := &all.seen[i]
	dot.N, dot.Write = dot.N+1, t.ID
	if t.context == nil {
		context = local
	}
	switch t.Op {
	case Add:
		all.remove(t.Data, all) // one dot for an element is enough: it is above those it replaces
		for left := t.Data; left != 0; left &= left - 1 {
			all.tags = append(all.tags, tag{uint8(bits.TrailingZeros64(left)), id, dot.N})
		}
		slices.SortFunc(all.tags, func(a, b tag) int { return a.compare(&b) })
	case Remove:
		all.remove(t.Data, context)
	case Delete:
		all.remove(^uint64(0), context)
	}
	return o.object(all.seen, all.tags)
}

// remove takes away the dots of some elements that have been read.
func (e *elements) remove(which uint64, read *elements) {
	e.tags = slices.DeleteFunc(e.tags, func(t tag) bool { return which>>t.Element&1 == 1 && t.N <= read.n(t.ID) })
}

// merge implements rules.
func (o orSet) merge(a, b *Object) *Object {
	x, y := elementsOf(a), elementsOf(b)
	return o.object(latest(x.seen, y.seen), mergeTags(x, y))
}

// mergeTags are the dots that both sides have, and those that the other has not heard of.
func mergeTags(a, b *elements) []tag {
	all := make([]tag, 0, len(a.tags)+len(b.tags)+1)
	x, y := a.tags, b.tags
	for len(x) > 0 || len(y) > 0 {
		order := -1
		if len(x) == 0 {
			order = 1
		} else if len(y) > 0 {
			order = x[0].compare(&y[0])
		}
		switch {
		case order == 0:
			all, x, y = append(all, x[0]), x[1:], y[1:]
		case order < 0:
			if x[0].N > b.n(x[0].ID) {
				all = append(all, x[0])
			}
			x = x[1:]
		default:
			if y[0].N > a.n(y[0].ID) {
				all = append(all, y[0])
			}
			y = y[1:]
		}
	}
	return all
}

func (s *seen) compare(t *seen) int {
	return cmp.Or(cmp.Compare(s.N, t.N), cmp.Compare(s.Write, t.Write))
}

func (s *seen) actor() clock.Actor { return s.ID }

// covers implements rules: a knows of all writes that b does, and has no dot that b has heard of
// and does not have.
func (o orSet) covers(a, b *Object) bool {
	x, y := elementsOf(a), elementsOf(b)
	left := x.seen
	for i := range y.seen {
		for len(left) > 0 && left[0].ID < y.seen[i].ID {
			left = left[1:]
		}
		if len(left) == 0 || left[0].ID != y.seen[i].ID || left[0].compare(&y.seen[i]) < 0 {
			return false
		}
	}
	theirs := y.tags
	for i := range x.tags {
		for len(theirs) > 0 && theirs[0].compare(&x.tags[i]) < 0 {
			theirs = theirs[1:]
		}
		shared := len(theirs) > 0 && theirs[0] == x.tags[i]
		if !shared && x.tags[i].N <= y.n(x.tags[i].ID) {
			return false
		}
	}
	return true
}

// object is a set as an object. Its one value has the largest id of a last write.
func (o orSet) object(known []seen, tags []tag) *Object {
	e := &elements{seen: known, tags: tags}
	d, metadata := sim.Digest(0).Fold(uint64(len(known)), uint64(len(tags))), varint(uint64(len(known)))
	for _, s := range known {
		e.value[0].Write = max(e.value[0].Write, s.Write)
		d = d.Fold(uint64(s.ID), s.N).Fold(uint64(s.Write), 0)
		metadata += 8 + varint(s.N)
	}
	for _, t := range tags {
		e.value[0].Data |= 1 << t.Element
		d = d.Fold(uint64(t.Element), uint64(t.ID)).Fold(t.N, 0)
		metadata += 8 + varint(t.N)
	}
	e.Object = newObject(e, e.value[:], d, o.valueBytes*bits.OnesCount64(e.value[0].Data), metadata)
	return &e.Object
}

// heads implements state.
func (e *elements) heads(into []uint32) []uint32 {
	for _, s := range e.seen {
		into = append(into, s.Write)
	}
	return into
}

// text is {0 3} of {node-1:2,node-2:1}.
func (e *elements) text(name func(clock.Actor) string) string {
	var all []string
	for left := e.value[0].Data; left != 0; left &= left - 1 {
		all = append(all, fmt.Sprint(bits.TrailingZeros64(left)))
	}
	var known clock.VersionVector[clock.Actor]
	for _, s := range e.seen {
		known = append(known, clock.Entry[clock.Actor]{ID: s.ID, N: s.N})
	}
	return fmt.Sprintf("{%s} of %v", strings.Join(all, " "), named(known, name))
}
