package replicas

import (
	"fencepost/models/clock"
	"fencepost/sim"
)

// dvvset is siblings under one dotted version vector for all of them.
//
// Source: dvvset.erl of ricardobcl/Dotted-Version-Vectors.
type dvvset struct{ set clock.DVVSet[ID, Value] }

// Put implements [Versions]: the version is the dot.
func (s dvvset) Put(w *Write, at Place) (Versions, clock.VersionVector[ID]) {
	var context clock.VersionVector[ID]
	if w.Read != nil {
		context = w.Read.versions.(dvvset).set.Join()
	}
	set := s.set.Update(clock.NewDVVSet(context, w.Value), at.Replica)
	return dvvset{set}, clock.VersionVector[ID]{{ID: at.Replica, N: set.Join().Get(at.Replica)}}
}

// Sync implements [Versions].
func (s dvvset) Sync(other Versions) Versions { return dvvset{s.set.Sync(other.(dvvset).set)} }

// Values implements [Versions].
func (s dvvset) Values() []Value { return s.set.Values() }

// Metadata implements [Versions]: an entry per id, and how many values are under it.
func (s dvvset) Metadata() int { return s.set.Join().WireSize() + len(s.set.Entries) }

// Text implements [Versions]: {a,3,[C B]}.
func (s dvvset) Text(n names) string {
	var named clock.DVVSet[string, string]
	for _, e := range s.set.Entries {
		named.Entries = append(named.Entries, clock.Dots[string, string]{ID: n.id(e.ID), N: e.N, Values: n.values(e.Values)})
	}
	return named.String()
}

// Fold implements [Versions].
func (s dvvset) Fold(d sim.Digest) sim.Digest {
	for _, e := range s.set.Entries {
		d = d.Fold(uint64(e.ID), e.N)
		for _, v := range e.Values {
			d = foldValue(d, v)
		}
	}
	return d
}
