package clock

import "slices"

// VnodeSet is a key with its siblings under one version vector of server ids: Riak 1.x.
//
// It loses nothing and keeps too much. The vector says that the key has been written
// three times at a, and a client that it has seen two of these; which sibling is the
// third it does not say, so all stay. Under writers that take turns, the siblings grow
// with every write.
//
// Source: R. Brown, "Vector Clocks Revisited", parts 1 and 2; README of
// Dotted-Version-Vectors.
type VnodeSet[I ID, V comparable] struct {
	Clock  VersionVector[I]
	Values []V // oldest first
}

// Put is a write at replica r by a client that has read context.
func (s *VnodeSet[I, V]) Put(context VersionVector[I], v V, r I) {
	if context.Covers(s.Clock) {
		s.Clock = context.Clone()
		s.Values = []V{v}
	} else {
		s.Clock.Merge(context)
		s.Values = append(slices.Clip(s.Values), v)
	}
	s.Clock.Tick(r)
}

// Sync is what a replica does with the set of another: it keeps the later one, or both
// if they are concurrent.
func (s *VnodeSet[I, V]) Sync(t VnodeSet[I, V]) {
	switch s.Clock.Compare(t.Clock) {
	case Before:
		*s = VnodeSet[I, V]{t.Clock.Clone(), slices.Clone(t.Values)}
	case Concurrent:
		s.Clock.Merge(t.Clock)
		s.Values = union(s.Values, t.Values)
	}
}

// union is what is in a or b, in that order.
func union[V comparable](a, b []V) []V {
	all := slices.Clip(a)
	for _, v := range b {
		if !slices.Contains(a, v) {
			all = append(all, v)
		}
	}
	return all
}
