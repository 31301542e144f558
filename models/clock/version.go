package clock

// VersionVector is the clock of a version of some data. Only writes count, and only at
// the replica that takes the write; reading and replicating merge without counting.
//
// Whose ids are in it decides what it can tell. With client ids it is exact, without
// bound, and must be pruned ([TimedVector]); a client that writes at two replicas
// without having read its own write makes two versions with one vector. With server
// ids it is small, but one vector per key cannot describe siblings ([VnodeSet]);
// [DVVSet] can.
//
// Source: Parker et al., "Detection of Mutual Inconsistency in Distributed Systems",
// 1983.
type VersionVector[I ID] = Sparse[I]

// Put is the clock of a write that replica r takes: it merges what the client has read
// and counts. The replica's own clock matters only for its own counter.
//
// To merge and not to count is a known mistake: two clients that reconcile the same
// versions make different values of equal vectors.
func Put[I ID](r I, local VersionVector[I], context ...VersionVector[I]) VersionVector[I] {
	own := VersionVector[I]{{r, local.Get(r)}}
	for _, c := range context {
		own.Merge(c)
	}
	own.Tick(r)
	return own
}

// Versioned is a value with the clock of its version.
type Versioned[I ID, V any] struct {
	Clock VersionVector[I]
	Value V
}

// Resolve keeps the versions that no other one is after, and of equal ones the first.
//
// Source: DeCandia et al., "Dynamo", 2007, section 4.4; voldemort,
// VectorClockInconsistencyResolver.
func Resolve[I ID, V any](versions []Versioned[I, V]) []Versioned[I, V] {
	var kept []Versioned[I, V]
	for i, v := range versions {
		obsolete := false
		for j, w := range versions {
			r := v.Clock.Compare(w.Clock)
			obsolete = obsolete || r == Before || r == Equal && j < i
		}
		if !obsolete {
			kept = append(kept, v)
		}
	}
	return kept
}
