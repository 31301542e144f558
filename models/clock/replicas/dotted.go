package replicas

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fencepost/models/clock"
	"fencepost/sim"
)

// dotted is siblings with a dotted version vector each.
//
// Source: Preguica et al., "Dotted Version Vectors", 2010.
type dotted struct {
	set clock.DottedSet[ID, Value] // by write
}

// Put implements [Versions]: the version is the dot.
func (s dotted) Put(w *Write, at Place) (Versions, clock.VersionVector[ID]) {
	var context clock.VersionVector[ID]
	if w.Read != nil {
		context = w.Read.versions.(dotted).set.Join()
	}
	s.set.Put(context, w.Value, at.Replica)
	dot := clock.Entry[ID](s.set[len(s.set)-1].Dot)
	return s.sorted(), clock.VersionVector[ID]{dot}
}

// Sync implements [Versions].
func (s dotted) Sync(other Versions) Versions {
	s.set.Sync(other.(dotted).set)
	return s.sorted()
}

// sorted is for a set that has just been made: it sorts in place.
func (s dotted) sorted() dotted {
	slices.SortStableFunc(s.set, func(a, b clock.Dotted[ID, Value]) int { return cmp.Compare(a.Value.Write, b.Value.Write) })
	return s
}

// Values implements [Versions].
func (s dotted) Values() (all []Value) {
	for _, v := range s.set {
		all = append(all, v.Value)
	}
	return all
}

// Metadata implements [Versions]. A dot is as large as an entry of a vector.
func (s dotted) Metadata() (bytes int) {
	for _, v := range s.set {
		dot := clock.VersionVector[ID]{clock.Entry[ID](v.Dot)}
		bytes += dot.WireSize() - 1 + v.Context.WireSize()
	}
	return bytes
}

// Text implements [Versions]: C (a,3){a:1} || B (a,2){}.
func (s dotted) Text(n names) string {
	var all []string
	for _, v := range s.set {
		all = append(all, fmt.Sprintf("%s (%s,%d)%v", n.value(v.Value), n.id(v.Dot.ID), v.Dot.N, n.vector(v.Context)))
	}
	return strings.Join(all, " || ")
}

// Fold implements [Versions].
func (s dotted) Fold(d sim.Digest) sim.Digest {
	for _, v := range s.set {
		d = foldVector(foldValue(d, v.Value).Fold(uint64(v.Dot.ID), v.Dot.N), v.Context)
	}
	return d
}
