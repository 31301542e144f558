package clock

import "slices"

// Dot names one write: the n-th that replica ID has taken.
type Dot[I ID] struct {
	ID I
	N  uint64
}

// DVV is a dotted version vector, the clock of one value: which write it is, and which
// writes its writer had read. Two of them compare by one look each.
//
// Source: Preguica, Baquero, Almeida, Fonte, Goncalves, "Dotted Version Vectors:
// Logical Clocks for Optimistic Replication", 2010.
type DVV[I ID] struct {
	Dot     Dot[I]
	Context VersionVector[I]
}

// Compare is how the write d stands to the write e.
func (d DVV[I]) Compare(e DVV[I]) Relation {
	if d.Dot == e.Dot {
		return Equal
	}
	var r Relation
	if e.Context.covers(d.Dot) {
		r |= Before
	}
	if d.Context.covers(e.Dot) {
		r |= After
	}
	if r == Equal {
		r = Concurrent
	}
	return r
}

// covers reports whether a write is one of those that s knows of.
func (s Sparse[I]) covers(d Dot[I]) bool { return d.N <= s.Get(d.ID) }

// Dotted is a value with its clock.
type Dotted[I ID, V any] struct {
	DVV[I]
	Value V
}

// DottedSet is a key with its siblings, each under a [DVV] of its own. [DVVSet] holds
// the same in less.
//
// No dot is in it twice.
type DottedSet[I ID, V any] []Dotted[I, V]

// Join is all that the set knows of: the context that a reader gets.
func (s DottedSet[I, V]) Join() VersionVector[I] {
	var all VersionVector[I]
	for _, x := range s {
		all.Merge(x.Context)
		all.Merge(VersionVector[I]{Entry[I](x.Dot)})
	}
	return all
}

// Put is a write at replica r by a client that has read context: the values that it
// had read go.
func (s *DottedSet[I, V]) Put(context VersionVector[I], v V, r I) {
	dot := Dot[I]{r, max(s.Join().Get(r), context.Get(r)) + 1}
	*s = append(s.without(context), Dotted[I, V]{DVV[I]{dot, context.Clone()}, v})
}

// Sync keeps what the other set has not overwritten, and adds what it has in turn.
//
// A value is before some value of a set if it is in the context of one, which it is if
// it is in all of them together.
func (s *DottedSet[I, V]) Sync(t DottedSet[I, V]) {
	kept, theirs := s.without(t.overwritten()), t.without(s.overwritten())
	for _, y := range theirs {
		if !slices.ContainsFunc(kept, func(x Dotted[I, V]) bool { return x.Dot == y.Dot }) {
			kept = append(kept, y)
		}
	}
	*s = kept
}

// overwritten are the writes that the writers of the values had read.
func (s DottedSet[I, V]) overwritten() VersionVector[I] {
	var all VersionVector[I]
	for _, x := range s {
		all.Merge(x.Context)
	}
	return all
}

// without is the values that are not of these writes.
func (s DottedSet[I, V]) without(writes VersionVector[I]) (kept DottedSet[I, V]) {
	for _, x := range s {
		if !writes.covers(x.Dot) {
			kept = append(kept, x)
		}
	}
	return kept
}
