package clock

import (
	"cmp"
	"math"
	"slices"
)

// TimedEntry is a counter and when it was counted last, by the wall clock of who did.
type TimedEntry[I ID] struct {
	ID I
	N  uint64
	At Reading
}

// TimedVector is a version vector that can forget its oldest entries. Its ids ascend,
// none twice.
//
// What it forgets it has not seen: an old version and its successor turn concurrent,
// and a value comes back as a sibling. That is the price of client ids in Dynamo and
// in the early Riak.
//
// Source: DeCandia et al., "Dynamo", 2007, section 4.4; basho/riak_core,
// src/vclock.erl.
type TimedVector[I ID] []TimedEntry[I]

// Tick counts a write of id at a reading.
func (v *TimedVector[I]) Tick(id I, now Reading) {
	i, ok := slices.BinarySearchFunc(*v, id, func(e TimedEntry[I], id I) int { return cmp.Compare(e.ID, id) })
	if !ok {
		*v = slices.Insert(*v, i, TimedEntry[I]{ID: id})
	}
	(*v)[i].N++
	(*v)[i].At = now
}

// Get is the entry of id; N is 0 if there is none.
func (v TimedVector[I]) Get(id I) TimedEntry[I] {
	for _, e := range v {
		if e.ID == id {
			return e
		}
	}
	return TimedEntry[I]{ID: id}
}

// Merge takes the larger of each counter with its reading, and of equal counters the
// later reading.
func (v *TimedVector[I]) Merge(w TimedVector[I]) {
	all := append(*v, w...)
	slices.SortFunc(all, func(a, b TimedEntry[I]) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(b.N, a.N), cmp.Compare(b.At, a.At))
	})
	*v = slices.CompactFunc(all, func(a, b TimedEntry[I]) bool { return a.ID == b.ID })
}

// Clock is the version vector without the readings, which do not compare.
func (v TimedVector[I]) Clock() VersionVector[I] {
	s := make(VersionVector[I], len(v))
	for i, e := range v {
		s[i] = Entry[I]{e.ID, e.N}
	}
	return s
}

// PruneLimits say when a [TimedVector] forgets: never with at most Small entries, and
// never while its oldest entry is younger than Young; else entries go, oldest first,
// while there are more than Big or the oldest is older than Old.
type PruneLimits struct {
	Small, Big int     // entries
	Young, Old Reading // nanoseconds
}

// RiakLimits are the defaults of Riak: small 50, big 50, young 20 s, old 86,400 s.
func RiakLimits() PruneLimits { return PruneLimits{50, 50, 20e9, 86_400e9} }

// DynamoLimits are those of Dynamo: more than 10 pairs, and the oldest goes.
func DynamoLimits() PruneLimits { return PruneLimits{10, 10, math.MinInt64, math.MaxInt64} }

// Prune forgets what the limits allow. Of entries equally old the smaller id goes
// first, so that replicas forget the same.
func (v *TimedVector[I]) Prune(now Reading, l PruneLimits) {
	all := *v
	if len(all) <= l.Small {
		return
	}
	slices.SortFunc(all, func(a, b TimedEntry[I]) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.ID, b.ID))
	})
	gone := 0
	for ; len(all)-gone > l.Small; gone++ {
		age := now - all[gone].At
		if age < l.Young || len(all)-gone <= l.Big && age <= l.Old {
			break
		}
	}
	*v = slices.Delete(all, 0, gone)
	slices.SortFunc(*v, func(a, b TimedEntry[I]) int { return cmp.Compare(a.ID, b.ID) })
}
