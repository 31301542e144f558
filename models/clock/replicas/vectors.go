package replicas

import (
	"cmp"
	"slices"
	"strings"

	"fencepost/models/clock"
	"fencepost/sim"
)

// vectors are siblings with a version vector each, as in Dynamo.
//
// With client ids they are exact as long as a client reads its own writes, or counts them
// itself. With server ids two siblings of one replica have vectors of which the one is
// after the other, and the older is lost.
//
// Source: "Dynamo", 2007, section 4.4.
type vectors struct {
	rules    *Rules
	siblings []clock.Versioned[ID, timed] // by write
}

// timed is a value, and its vector with the readings by which it is pruned.
type timed struct {
	Value
	times clock.TimedVector[ID]
}

// Put implements [Versions]: the vector merges what the client has read, and counts. Of
// two values with one vector the one stays that was there before.
func (s vectors) Put(w *Write, at Place) (Versions, clock.VersionVector[ID]) {
	times := clock.TimedVector[ID](nil)
	if w.Read != nil {
		for _, v := range w.Read.versions.(vectors).siblings {
			times.Merge(v.Value.times)
		}
	}
	switch id := ID(0); {
	case s.rules.Versioning == "client-vectors":
		id = clock.NewActor(uint32(w.Write.client()), 0)
		if s.rules.OwnCounter {
			times.Merge(clock.TimedVector[ID]{{ID: id, N: uint64(w.Write.nth()) - 1, At: at.Wall}})
		}
		times.Tick(id, at.Wall)
	case s.rules.Uncounted && w.Read != nil && len(w.Read.values) > 1:
	default:
		times.Merge(clock.TimedVector[ID]{{ID: at.Replica, N: s.counter(at.Replica), At: at.Wall}})
		times.Tick(at.Replica, at.Wall)
	}
	if s.rules.Prune != nil {
		times.Prune(at.Wall, *s.rules.Prune)
	}
	written := clock.Versioned[ID, timed]{Clock: times.Clock(), Value: timed{w.Value, times}}
	return s.resolve(append(slices.Clip(s.siblings), written)), written.Clock
}

// counter is how many writes of a replica the siblings know of.
func (s vectors) counter(replica ID) (n uint64) {
	for _, v := range s.siblings {
		n = max(n, v.Clock.Get(replica))
	}
	return n
}

// Sync implements [Versions].
func (s vectors) Sync(other Versions) Versions {
	return s.resolve(append(slices.Clip(s.siblings), other.(vectors).siblings...))
}

func (s vectors) resolve(all []clock.Versioned[ID, timed]) vectors {
	s.siblings = clock.Resolve(all)
	slices.SortStableFunc(s.siblings, func(a, b clock.Versioned[ID, timed]) int { return cmp.Compare(a.Value.Write, b.Value.Write) })
	return s
}

// Values implements [Versions].
func (s vectors) Values() (all []Value) {
	for _, v := range s.siblings {
		all = append(all, v.Value.Value)
	}
	return all
}

// Metadata implements [Versions]. What is pruned carries a reading of 8 bytes per entry.
func (s vectors) Metadata() (bytes int) {
	for _, v := range s.siblings {
		bytes += v.Clock.WireSize()
		if s.rules.Prune != nil {
			bytes += 8 * len(v.Clock)
		}
	}
	return bytes
}

// Text implements [Versions]: D3 {Sx:2,Sy:1} || D4 {Sx:2,Sz:1}.
func (s vectors) Text(n names) string {
	var all []string
	for _, v := range s.siblings {
		all = append(all, n.value(v.Value.Value)+" "+n.vector(v.Clock).String())
	}
	return strings.Join(all, " || ")
}

// Fold implements [Versions].
func (s vectors) Fold(d sim.Digest) sim.Digest {
	for _, v := range s.siblings {
		d = foldVector(foldValue(d, v.Value.Value), v.Clock)
		for _, e := range v.Value.times {
			d = d.Fold(uint64(e.At), 0)
		}
	}
	return d
}
