package clock

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// siblings is a store of several replicas under one key, of any kind.
type siblings struct {
	put  func(replica int, context VersionVector[string], v WriteID)
	sync func(to, from int)
	get  func(replica int) ([]WriteID, VersionVector[string])
	// wipe takes the disk of a replica away.
	wipe func(replica int)
}

// converging runs random writes, reads and syncs, and holds the siblings of every
// replica against what was truly read by whom. It counts the false siblings and the
// lost values.
func converging(build func() siblings, wipes bool) (falses, lost int) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 300 {
		s := build()
		var w Writes
		type reader struct {
			read    []WriteID
			context VersionVector[string]
		}
		readers := []reader{{}}
		var reached [3]writeList
		for range 25 {
			at := r.IntN(3)
			switch r.IntN(10) {
			case 0, 1, 2:
				from := r.IntN(3)
				s.sync(at, from)
				reached[at] = reached[at].with(reached[from])
			case 3, 4:
				read, context := s.get(at)
				readers = append(readers, reader{read, context})
			case 5:
				if wipes {
					s.wipe(at)
					reached[at] = nil
				}
			default:
				by := readers[r.IntN(len(readers))]
				id := must(w.Add(by.read...))
				s.put(at, by.context.Clone(), id)
				reached[at] = reached[at].with(writeList{id})
			}
			kept, _ := s.get(at)
			if w.NoFalseSiblings(kept) != nil {
				falses++
			}
			if w.NoLostValue(reached[at], kept) != nil {
				lost++
			}
		}
	}
	return falses, lost
}

// writeList is a set of writes as a list, which is enough for these runs.
type writeList []WriteID

func (b writeList) with(c writeList) writeList { return union(b, c) }

// dvvSets are replicas with dotted version vector sets; epochs gives a wiped one a new
// id.
func dvvSets(epochs bool) func() siblings {
	return func() siblings {
		var sets [3]DVVSet[string, WriteID]
		names := []string{"a", "b", "c"}
		return siblings{
			put: func(replica int, context VersionVector[string], v WriteID) {
				sets[replica] = sets[replica].Update(NewDVVSet(context, v), names[replica])
			},
			sync: func(to, from int) { sets[to] = sets[to].Sync(sets[from]) },
			get: func(replica int) ([]WriteID, VersionVector[string]) {
				return sets[replica].Values(), sets[replica].Join()
			},
			wipe: func(replica int) {
				sets[replica] = DVVSet[string, WriteID]{}
				if epochs {
					names[replica] += "'"
				}
			},
		}
	}
}

// dottedSets are replicas with a dotted version vector per value.
func dottedSets() siblings {
	var sets [3]DottedSet[string, WriteID]
	return siblings{
		put: func(replica int, context VersionVector[string], v WriteID) {
			sets[replica].Put(context, v, string(rune('a'+replica)))
		},
		sync: func(to, from int) { sets[to].Sync(sets[from]) },
		get: func(replica int) (kept []WriteID, context VersionVector[string]) {
			for _, x := range sets[replica] {
				kept = append(kept, x.Value)
			}
			return kept, sets[replica].Join()
		},
	}
}

// vnodeSets are replicas with one version vector per key.
func vnodeSets() siblings {
	var sets [3]VnodeSet[string, WriteID]
	return siblings{
		put: func(replica int, context VersionVector[string], v WriteID) {
			sets[replica].Put(context, v, string(rune('a'+replica)))
		},
		sync: func(to, from int) { sets[to].Sync(sets[from]) },
		get: func(replica int) ([]WriteID, VersionVector[string]) {
			return sets[replica].Values, sets[replica].Clock.Clone()
		},
	}
}

// TestSiblings: NFS and NLV. "for all siblings x != y: not x -> y" and "no value is
// dropped unless a kept value or a context covers its dot".
func TestSiblings(t *testing.T) {
	count := func(build func() siblings, wipes bool) []int {
		f, l := converging(build, wipes)
		return []int{f, l}
	}
	assert.Equal(t, []int{0, 0}, count(dvvSets(false), false))
	assert.Equal(t, []int{0, 0}, count(dvvSets(true), true), "a wiped replica with a new id")
	assert.Equal(t, []int{0, 0}, count(dottedSets, false))
	f, l := converging(vnodeSets, false)
	assert.Positive(t, f, "one vector per key keeps what was replaced")
	assert.Zero(t, l, "and loses nothing")
}

// TestDottedIsDVVSet: a clock per value and a clock per set keep the same.
func TestDottedIsDVVSet(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 500 {
		one, two := dvvSets(false)(), dottedSets()
		contexts := []VersionVector[string]{nil}
		for v := range WriteID(20) {
			at := r.IntN(3)
			switch r.IntN(3) {
			case 0:
				from := r.IntN(3)
				one.sync(at, from)
				two.sync(at, from)
			default:
				context := contexts[r.IntN(len(contexts))]
				one.put(at, context, v)
				two.put(at, context, v)
			}
			a, context := one.get(at)
			b, other := two.get(at)
			require.ElementsMatch(t, a, b)
			require.Equal(t, Equal, context.Compare(other))
			contexts = append(contexts, context)
		}
	}
}

// TestSetAllocations: a sync makes one list of entries and copies no values; a write
// also makes the list that it adds to.
func TestSetAllocations(t *testing.T) {
	s := DVVSet[string, int]{}
	for i, r := range []string{"a", "b", "c", "d", "e"} {
		s = s.Update(NewDVVSet[string](nil, i), r)
	}
	write := NewDVVSet(s.Join(), 7)
	other := s.Update(write, "d")
	require.Equal(t, 1.0, testing.AllocsPerRun(100, func() { s.Sync(other) }))
	require.Equal(t, 2.0, testing.AllocsPerRun(100, func() { s.Update(write, "d") }))
	require.Equal(t, 2.0, testing.AllocsPerRun(100, func() { s.Event("d", 7) }))
}
