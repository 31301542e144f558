package replicas

import (
	"fencepost/models/clock"
	"fencepost/sim"
)

// Versions is what a replica keeps of the key, under one way to version values. No method
// changes its receiver.
type Versions interface {
	// Put is a write that a replica takes, and the version of its value: what tells it from
	// all others, nil if there is no such thing.
	Put(w *Write, at Place) (Versions, clock.VersionVector[ID])
	// Sync is what is left of both.
	Sync(other Versions) Versions
	// Values are the siblings.
	Values() []Value
	// Metadata is how many bytes all this needs beside the values.
	Metadata() int
	// Text is the siblings and their versions in words.
	Text(n names) string
	// Fold takes all of it into a digest.
	Fold(d sim.Digest) sim.Digest
}

// Place is where and when a write is taken.
type Place struct {
	Replica ID
	Wall    clock.Reading // of the replica
}

// Kept is [Versions] with what is asked of them again and again. It is immutable.
type Kept struct {
	versions Versions
	values   []Value
	digest   sim.Digest
	version  clock.VersionVector[ID] // of the value whose write made it
}

func keep(v Versions) *Kept { return &Kept{versions: v, values: v.Values(), digest: v.Fold(0)} }

// Put is a write that a replica takes.
func (k *Kept) Put(w *Write, at Place) *Kept {
	v, version := k.versions.Put(w, at)
	written := keep(v)
	written.version = version
	return written
}

// Sync is what is left of both.
func (k *Kept) Sync(other *Kept) *Kept {
	if k.digest == other.digest && k.equal(other) {
		return k
	}
	return keep(k.versions.Sync(other.versions))
}

// equal reports whether both hold the same values, in the same order.
func (k *Kept) equal(other *Kept) bool {
	if len(k.values) != len(other.values) {
		return false
	}
	for i, v := range k.values {
		if v != other.values[i] {
			return false
		}
	}
	return true
}

// Rules are what a way to version values leaves open.
type Rules struct {
	Versioning string
	Prune      *clock.PruneLimits // of vectors: nil, they keep all entries
	OwnCounter bool               // of client-vectors: a client counts its writes itself
	Uncounted  bool               // of server-vectors: a write of several siblings merges, and does not count
	Hybrid     bool               // of last-write-wins: stamps are of a hybrid clock
}

// empty is a key that was never written.
func (r *Rules) empty() *Kept {
	switch r.Versioning {
	case "vnode":
		return keep(vnode{})
	case "dvv":
		return keep(dotted{})
	case "dvvset":
		return keep(dvvset{})
	case "last-write-wins":
		return keep(lastWrite{rules: r})
	}
	return keep(vectors{rules: r})
}

// names say ids and values in words.
type names struct {
	id    func(ID) string
	value func(Value) string
}

// vector is a version vector with names.
func (n *names) vector(v clock.VersionVector[ID]) clock.VersionVector[string] {
	named := make(clock.VersionVector[string], len(v))
	for i, e := range v {
		named[i] = clock.Entry[string]{ID: n.id(e.ID), N: e.N}
	}
	return named
}

// values are values in words.
func (n *names) values(all []Value) []string {
	words := make([]string, len(all))
	for i, v := range all {
		words[i] = n.value(v)
	}
	return words
}

func foldValue(d sim.Digest, v Value) sim.Digest {
	return d.Fold(uint64(v.Write), v.Added).Fold(v.Removed, 0)
}

func foldVector(d sim.Digest, v clock.VersionVector[ID]) sim.Digest {
	d = d.Fold(uint64(len(v)), 0)
	for _, e := range v {
		d = d.Fold(uint64(e.ID), e.N)
	}
	return d
}
