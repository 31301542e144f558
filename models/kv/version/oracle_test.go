package version_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
	"fencepost/models/kv/version"
)

// oracle knows which writes have reached each object, and which write had read which. It looks
// at no clock.
type oracle struct {
	clock.Writes
	ids     map[uint32]clock.WriteID
	reached map[*version.Object][]clock.WriteID
}

func (o *oracle) heads(obj *version.Object) (ids []clock.WriteID) {
	for _, w := range obj.Heads(nil) {
		ids = append(ids, o.ids[w])
	}
	return ids
}

// play is a random history of a policy. It returns how many objects have lost a write, and how
// many have a sibling beside one that replaces it.
func play(t *testing.T, p *version.Policy, seed uint64) (lost, falses int) {
	o := &oracle{ids: map[uint32]clock.WriteID{}, reached: map[*version.Object][]clock.WriteID{}}
	s := newStore(p, seed)
	reached := make([][]clock.WriteID, len(s.replicas))
	s.wrote = func(w version.Write, local, context, _ *version.Object) {
		read := o.heads(context)
		if p.Joins {
			read = append(read, o.heads(local)...)
		}
		id, err := o.Add(read...)
		require.NoError(t, err)
		o.ids[w.ID] = id
	}
	for range 60 {
		r, c := s.rand.IntN(len(s.replicas)), s.rand.IntN(len(s.read))
		switch s.rand.IntN(4) {
		case 0:
			s.read[c] = s.Merge(s.read[c], s.objects[r])
		case 1:
			from := s.rand.IntN(len(s.replicas))
			s.objects[r] = s.Merge(s.objects[r], s.objects[from])
			reached[r] = append(reached[r], reached[from]...)
		default:
			s.write(r, c)
			reached[r] = append(reached[r], o.ids[version.NewID(uint32(c+1), s.nth[c])])
		}
		heads := o.heads(s.objects[r])
		if o.NoLostValue(reached[r], heads) != nil {
			lost++
		}
		if len(s.objects[r].Values()) == len(heads) && o.NoFalseSiblings(heads) != nil {
			falses++
		}
	}
	return lost, falses
}

// What each policy loses, and what it keeps in vain: dotted vectors and CRDTs do neither.
func TestWhatAPolicyLoses(t *testing.T) {
	for n, want := range map[string]struct{ loses, falses bool }{
		"last-write-wins":     {loses: true},
		"last-write-wins-hlc": {loses: true},
		"client-vectors":      {loses: true}, // blind writes of one client at two nodes have one vector
		"server-vectors":      {loses: true}, // a blind write replaces what its node has
		"vnode-vectors":       {falses: true},
		"dvvset":              {},
		"counter":             {},
		"or-set":              {},
		"register":            {},
	} {
		lost, falses := 0, 0
		for seed := range uint64(100) {
			l, f := play(t, named(n), seed)
			lost, falses = lost+l, falses+f
		}
		assert.Equal(t, want.loses, lost > 0, "%s: %d objects have lost a write", n, lost)
		assert.Equal(t, want.falses, falses > 0, "%s: %d objects have a false sibling", n, falses)
	}
}

// Shapiro et al. 2011, specification 7: once all replicas have heard of each other, a counter is
// the sum of all that was added less all that was removed.
func TestACounterIsTheSumOfAllWrites(t *testing.T) {
	for seed := range uint64(100) {
		s := newStore(named("counter"), seed)
		var sum uint64
		s.wrote = func(w version.Write, _, _, _ *version.Object) {
			if w.Op == version.Add {
				sum += w.Data
			} else {
				sum -= w.Data
			}
		}
		for range 60 {
			s.step()
		}
		all := s.Merge(s.Merge(s.objects[0], s.objects[1]), s.objects[2])
		require.Equal(t, sum, s.Read(all), "seed %d: %s", seed, all.Text(name))
	}
}

// Bieniusa et al. 2012: an element is in the set exactly if there is an addition of it that no
// removal had read. A removal by a writer that has read nothing is of all its coordinator had.
func TestAnElementIsInASetIfNoRemovalHadReadItsAddition(t *testing.T) {
	type added struct {
		by   clock.WriteID
		what uint64
	}
	for seed := range uint64(100) {
		o := &oracle{ids: map[uint32]clock.WriteID{}}
		s := newStore(named("or-set"), seed)
		var adds []added
		gone := map[added]bool{}
		s.wrote = func(w version.Write, local, context, _ *version.Object) {
			id, err := o.Add(append(o.heads(local), o.heads(context)...)...)
			require.NoError(t, err)
			o.ids[w.ID] = id
			seen := context
			if context == nil {
				seen = local
			}
			switch w.Op {
			case version.Add:
				adds = append(adds, added{id, w.Data})
			case version.Remove, version.Delete:
				for _, a := range adds {
					for _, head := range o.heads(seen) {
						if (a.by == head || o.Before(a.by, head)) && (w.Op == version.Delete || a.what == w.Data) {
							gone[a] = true
						}
					}
				}
			}
		}
		for range 60 {
			s.step()
		}
		var want uint64
		for _, a := range adds {
			if !gone[a] {
				want |= a.what
			}
		}
		all := s.Merge(s.Merge(s.objects[0], s.objects[1]), s.objects[2])
		require.Equal(t, want, s.Read(all), "seed %d: %s", seed, all.Text(name))
	}
}
