package replicas

import (
	"fmt"

	"fencepost/models/clock"
	"fencepost/sim"
)

// vnode is siblings under one version vector of server ids: Riak 1.x.
//
// Source: R. Brown, "Vector Clocks Revisited"; README of Dotted-Version-Vectors.
type vnode struct{ set clock.VnodeSet[ID, Value] }

// Put implements [Versions]. The vector is of all siblings together, and of none.
func (s vnode) Put(w *Write, at Place) (Versions, clock.VersionVector[ID]) {
	var context clock.VersionVector[ID]
	if w.Read != nil {
		context = w.Read.versions.(vnode).set.Clock
	}
	s.set.Clock = s.set.Clock.Clone() // it changes in place
	s.set.Put(context, w.Value, at.Replica)
	return s, nil
}

// Sync implements [Versions].
func (s vnode) Sync(other Versions) Versions {
	s.set.Clock = s.set.Clock.Clone()
	s.set.Sync(other.(vnode).set)
	return s
}

// Values implements [Versions], oldest first.
func (s vnode) Values() []Value { return s.set.Values }

// Metadata implements [Versions].
func (s vnode) Metadata() int { return s.set.Clock.WireSize() }

// Text implements [Versions]: {a:3} [A B C].
func (s vnode) Text(n names) string {
	return fmt.Sprint(n.vector(s.set.Clock), " ", n.values(s.set.Values))
}

// Fold implements [Versions].
func (s vnode) Fold(d sim.Digest) sim.Digest {
	for _, v := range s.set.Values {
		d = foldValue(d, v)
	}
	return foldVector(d, s.set.Clock)
}
