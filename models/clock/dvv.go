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
// Logical Clocks for Optimistic Replication", 2010; spec, locks, clocks and key-value
// store, section 9.5.
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
	var kept DottedSet[I, V]
	for _, x := range *s {
		if !context.covers(x.Dot) {
			kept = append(kept, x)
		}
	}
	*s = append(kept, Dotted[I, V]{DVV[I]{dot, context.Clone()}, v})
}

// Sync keeps what the other set has not overwritten, and adds what it has in turn.
func (s *DottedSet[I, V]) Sync(t DottedSet[I, V]) {
	kept := s.not(Before, t)
	*s = append(kept, t.not(Before, *s).not(Equal, kept)...)
}

// not is those of s that stand so to none of t.
func (s DottedSet[I, V]) not(r Relation, t DottedSet[I, V]) (kept DottedSet[I, V]) {
	for _, x := range s {
		if !slices.ContainsFunc(t, func(y Dotted[I, V]) bool { return x.Compare(y.DVV) == r }) {
			kept = append(kept, x)
		}
	}
	return kept
}
