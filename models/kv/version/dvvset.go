package version

import (
	"fmt"
	"strings"

	"fencepost/models/clock"
	"fencepost/sim"
)

// dvvset is siblings under one dotted version vector for all of them, of node ids: Riak 2. It
// loses nothing, and keeps no value that another replaces, as long as no dot is given out twice.
//
// As a register it is the multi-value register: a write replaces all that its coordinator stores,
// read or not. Then only writes at different nodes are siblings. It is offered rather than the
// last-write-wins register since that one loses writes, and is what last-write-wins-hlc does.
//
// Source: dvvset.erl of ricardobcl/Dotted-Version-Vectors; Shapiro et al., "A comprehensive study
// of Convergent and Commutative Replicated Data Types", 2011, specification 10.
type dvvset struct {
	register   bool
	valueBytes int
}

type set = clock.DVVSet[clock.Actor, Value]

// dotted is what a replica stores.
type dotted struct {
	Object
	set set
}

func dottedOf(o *Object) *dotted { return o.state.(*dotted) }

// setOf is the set of an object, which may be nil.
func setOf(o *Object) set {
	if o == nil {
		return set{}
	}
	return dottedOf(o).set
}

// put implements rules.
func (v *dvvset) put(t taking) *Object {
	local, context := setOf(t.local), setOf(t.context)
	if v.register {
		context = context.Sync(local)
	}
	id := t.actor(t.latest(len(local.Entries), func(i int) clock.Actor { return local.Entries[i].ID }))
	return v.object(local.Update(clock.NewDVVSet(context.Join(), t.value()), id))
}

// merge implements rules.
func (v *dvvset) merge(a, b *Object) *Object { return v.object(setOf(a).Sync(setOf(b))) }

// covers implements rules: of each actor of b, a has counted as many writes, and as many of them
// are gone.
func (v *dvvset) covers(a, b *Object) bool {
	x, y := setOf(a).Entries, setOf(b).Entries
	for _, e := range y {
		for len(x) > 0 && x[0].ID < e.ID {
			x = x[1:]
		}
		if len(x) == 0 || x[0].ID != e.ID || x[0].N < e.N || x[0].N-uint64(len(x[0].Values)) < e.N-uint64(len(e.Values)) {
			return false
		}
	}
	return true
}

func (v *dvvset) object(s set) *Object {
	o := &dotted{set: s}
	d, metadata := sim.Digest(0), varint(uint64(len(s.Entries)))
	for _, e := range s.Entries {
		d = d.Fold(uint64(e.ID), e.N).Fold(uint64(len(e.Values)), 0)
		for _, x := range e.Values {
			d = foldValue(d, x)
		}
		metadata += 8 + varint(e.N) + varint(uint64(len(e.Values)))
	}
	o.Object = newObject(o, s.Values(), d, v.valueBytes, metadata)
	return &o.Object
}

// heads implements state.
func (o *dotted) heads(into []uint32) []uint32 { return headsOf(o.values, into) }

// text is {node-1,3,[5 4]}{node-2,1,[]}.
func (o *dotted) text(name func(clock.Actor) string) string {
	var b strings.Builder
	for _, e := range o.set.Entries {
		fmt.Fprintf(&b, "{%s,%d,%v}", name(e.ID), e.N, e.Values)
	}
	return b.String()
}
