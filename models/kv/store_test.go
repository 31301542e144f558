package kv

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// written is an object of its own for each n.
func written(p *version.Policy, n uint32) *version.Object {
	r := version.NewReplica(1)
	return p.Put(&r, sim.Wall(n), nil, nil, version.Write{ID: version.NewID(1, n+1), Data: uint64(n)})
}

func printOf(s *core.Store) (p sim.Print) {
	s.Print(&p)
	return p
}

// A store is compared with a map, through resets and with keys that collide.
func TestAStoreIsAMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	policy := version.New(version.DefaultPolicyParams())
	var s core.Store
	for round := range 200 {
		s.Reset(&core.Store{})
		want := map[uint32]*version.Object{}
		for n := range r.Uint32N(200) {
			key := r.Uint32N(1 << r.IntN(21))
			o := written(policy, n)
			s.Set(key, o)
			want[key] = o
		}
		for key, o := range want {
			require.Same(t, o, s.Get(key), "round %d", round)
			require.Nil(t, s.Get(key+1<<22))
		}
		var twin core.Store
		twin.Reset(&s)
		require.Equal(t, s, twin)
	}
}

// The print is that of what is stored: not of the order in which it came, and not of a key
// whose object has been taken away.
func TestThePrintOfAStore(t *testing.T) {
	policy := version.New(version.DefaultPolicyParams())
	var forth, back core.Store
	for n := range uint32(100) {
		forth.Set(n, written(policy, n))
		back.Set(99-n, written(policy, 99-n))
	}
	assert.Equal(t, printOf(&forth), printOf(&back))
	back.Set(100, written(policy, 0))
	assert.NotEqual(t, printOf(&forth), printOf(&back))
	back.Set(100, nil)
	assert.Equal(t, printOf(&forth), printOf(&back))
	back.Set(7, written(policy, 8))
	assert.NotEqual(t, printOf(&forth), printOf(&back))
}

// A store that has been reset grows without allocating.
func TestAStoreKeepsItsMemory(t *testing.T) {
	o := written(version.New(version.DefaultPolicyParams()), 1)
	var s core.Store
	assert.Zero(t, testing.AllocsPerRun(10, func() {
		s.Reset(&core.Store{})
		for key := range uint32(1000) {
			s.Set(key, o)
		}
	}))
}

func BenchmarkStore(b *testing.B) {
	o := written(version.New(version.DefaultPolicyParams()), 1)
	var s core.Store
	for key := range uint32(30) {
		s.Set(333*key, o)
	}
	b.Run("get", func(b *testing.B) {
		for n := uint32(0); b.Loop(); n++ {
			s.Get(333 * (n % 30))
		}
	})
	b.Run("get of a key that is not there", func(b *testing.B) {
		for n := uint32(0); b.Loop(); n++ {
			s.Get(333*(n%30) + 1)
		}
	})
	b.Run("set", func(b *testing.B) {
		for n := uint32(0); b.Loop(); n++ {
			s.Set(333*(n%30), o)
		}
	})
}
