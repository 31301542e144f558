package ring

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// every is one ring of each strategy, of 5 nodes with 60 keys in 3 replicas; node 5 to 7 may join.
func every(t *testing.T) (rings []*Ring) {
	var tokens [][]uint64
	for i := range uint64(8) {
		tokens = append(tokens, []uint64{i * 1000, i*700 + 13})
	}
	positions := make([]uint64, 60)
	for i := range positions {
		positions[i] = uint64(i) * 130
	}
	for _, s := range []Strategy{Hashed, Random, Partitions, Ordered, Explicit, Modulo} {
		r, err := New(Params{Strategy: s, Hash: MD5, VirtualNodes: 8, Partitions: 32, Seed: 7,
			Tokens: tokens, Positions: positions, Keys: 60, Replicas: 3}, members(5))
		require.NoError(t, err, "%s", s)
		rings = append(rings, r)
	}
	return rings
}

func TestWalkYieldsEachMemberOnce(t *testing.T) {
	for _, r := range every(t) {
		for k := range r.Keys() {
			var got []NodeIndex
			walk := r.Walk(k)
			for n, ok := walk.Next(); ok; n, ok = walk.Next() {
				assert.Equal(t, n, r.At(k, len(got)))
				got = append(got, n)
			}
			assert.Equal(t, got[:3], r.Preference(k, 3), "%s", r.params.Strategy)
			slices.Sort(got)
			assert.Equal(t, members(5), got, "%s key %d", r.params.Strategy, k)
		}
	}
}

// A ring too large to store whole walks answers At with a walk.
func TestAtWalksWhereWalksAreNotStored(t *testing.T) {
	r := hashed(t, MD5, 200, 4, 1000, 3)
	require.Less(t, r.depth, 200)
	for k := 0; k < 1000; k += 97 {
		walk := r.Walk(k)
		for i := range 200 {
			n, ok := walk.Next()
			require.True(t, ok)
			assert.Equal(t, n, r.At(k, i))
		}
	}
}

// A join and the leave of the same node are each other's opposite, but for partitions,
// which a leave deals anew.
func TestLeaveUndoesJoin(t *testing.T) {
	for _, r := range every(t) {
		more, err := r.Join(6)
		require.NoError(t, err)
		assert.True(t, more.Has(6) && !r.Has(6))
		less, err := more.Leave(6)
		require.NoError(t, err)
		if r.params.Strategy == Partitions {
			continue
		}
		assert.Equal(t, r.circle, less.circle)
		assert.Equal(t, r.lists, less.lists)
	}
}

// Consistent hashing: a join moves keys to the new node only, a leave only from the one
// that leaves. Without a ring (modulo) it does not hold.
func TestJoinAndLeaveMoveOnlyWhatTheyMust(t *testing.T) {
	for _, r := range every(t) {
		joined, err := r.Join(5)
		require.NoError(t, err)
		left, err := r.Leave(2)
		require.NoError(t, err)
		elsewhere := 0
		for k := range r.Keys() {
			if a, b := r.At(k, 0), joined.At(k, 0); a != b && b != 5 {
				elsewhere++
			}
			if a, b := r.At(k, 0), left.At(k, 0); a != b && a != 2 {
				elsewhere++
			}
		}
		assert.Equal(t, r.params.Strategy == Modulo, elsewhere > 0, "%s: %d", r.params.Strategy, elsewhere)
	}
}

// Moves has exactly the positions whose lists differ.
func TestMovesAreWhereListsDiffer(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, r := range every(t) {
		if r.params.Strategy == Modulo {
			continue
		}
		joined, err := r.Join(7)
		require.NoError(t, err)
		left, err := r.Leave(0)
		require.NoError(t, err)
		for _, next := range []*Ring{joined, left} {
			moves := Moves(r, next, 3)
			require.NotEmpty(t, moves)
			for i := range 2000 {
				at := random.Uint64()
				if i%2 == 0 { // tokens and their neighbours
					at = r.circle[random.IntN(len(r.circle))].At + at%3 - 1
				}
				before, after := r.preferenceAt(at, 3), next.preferenceAt(at, 3)
				var in []Move
				for _, m := range moves {
					if m.Has(at) {
						in = append(in, m)
					}
				}
				if slices.Equal(before, after) {
					assert.Empty(t, in)
				} else if assert.Len(t, in, 1, "%s at %d", r.params.Strategy, at) {
					assert.Equal(t, [][]NodeIndex{before, after}, [][]NodeIndex{in[0].Old, in[0].New})
				}
			}
		}
	}
}

func TestRangeThatWraps(t *testing.T) {
	g := Range{From: 270, To: 10}
	assert.True(t, g.Has(271) && g.Has(0) && g.Has(10))
	assert.False(t, g.Has(270) || g.Has(11))
	assert.True(t, Range{5, 5}.Has(5) && Range{5, 5}.Has(6))
	assert.Zero(t, Range{5, 5}.Width())
}

// Dynamo, section 6.2: "each node is assigned Q/S tokens". Joins and leaves keep owners
// within one partition of each other.
func TestPartitionsStayEven(t *testing.T) {
	r, err := New(Params{Strategy: Partitions, Hash: SHA1, Partitions: 64, Keys: 0, Replicas: 3}, members(4))
	require.NoError(t, err)
	even := func() {
		count := owned(r.circle)
		var loads []int
		for _, m := range r.members {
			loads = append(loads, count[m])
		}
		assert.LessOrEqual(t, slices.Max(loads)-slices.Min(loads), 1, "%v", loads)
	}
	for n := NodeIndex(4); n < 20; n++ {
		before := r
		r, err = r.Join(n)
		require.NoError(t, err)
		even()
		for i, token := range r.circle {
			assert.True(t, token == before.circle[i] || token.Node == n, "a join changes owners to the new node only")
		}
	}
	for n := NodeIndex(0); n < 17; n++ {
		r, err = r.Leave(n)
		require.NoError(t, err)
		even()
	}
	_, err = r.Leave(17)
	assert.EqualError(t, err, "ring: 3 replicas of a key, but 2 nodes")
}

func TestPartitionsAreOfEqualSize(t *testing.T) {
	for _, q := range []int{1, 2, 3, 7, 64, 1000} {
		c := deal(q, members(1))
		assert.Equal(t, ^uint64(0), c[q-1].At)
		for i := 1; i < q; i++ {
			width := Range{c[i-1].At, c[i].At}.Width()
			assert.InDelta(t, float64(^uint64(0))/float64(q), float64(width), 2048)
		}
		assert.Equal(t, 0, c.First(0))
		assert.Equal(t, q-1, c.First(^uint64(0)))
	}
	assert.Equal(t, uint64(1<<62-1), endOf(0, 4))
	assert.Equal(t, 1, Circle(deal(4, members(4))).First(1<<62))
}

// key-0 is stored by nodes 0, 1, 2; a node that joins takes the place in front of node 0.
func TestOrderedRing(t *testing.T) {
	r, err := New(Params{Strategy: Ordered, Keys: 6, Replicas: 3}, members(5))
	require.NoError(t, err)
	for k, want := range []string{"ABC", "BCD", "CDE", "DEA", "EAB", "ABC"} {
		assert.Equal(t, want, letters(r.Preference(k, 3)), "key %d", k)
	}
	for n, want := range map[NodeIndex][2]string{5: {"FAB", "BCD"}, 6: {"AGB", "GBC"}, 10: {"KAB", "BCD"}} {
		joined, err := r.Join(n)
		require.NoError(t, err)
		assert.Equal(t, want, [2]string{letters(joined.Preference(0, 3)), letters(joined.Preference(1, 3))})
	}
}

func TestErrors(t *testing.T) {
	ok := Params{Strategy: Hashed, Hash: MD5, VirtualNodes: 8, Replicas: 3}
	for want, change := range map[string]func(p *Params, m *[]NodeIndex){
		"ring: it is empty: want at least one node":                               func(_ *Params, m *[]NodeIndex) { *m = nil },
		"ring: node-1 is a member twice: want one node of each name":              func(_ *Params, m *[]NodeIndex) { (*m)[0] = 1 },
		"ring: 3 replicas of a key, but 2 nodes":                                  func(_ *Params, m *[]NodeIndex) { *m = (*m)[:2] },
		"ring: node-1024: the greatest index is 1023":                             func(_ *Params, m *[]NodeIndex) { (*m)[0] = 1024 },
		`ring: no strategy named "hash"`:                                          func(p *Params, _ *[]NodeIndex) { p.Strategy = "hash" },
		`ring: no hash named "md4"`:                                               func(p *Params, _ *[]NodeIndex) { p.Hash = "md4" },
		"ring: want at least 1 virtual node of each node, got 0":                  func(p *Params, _ *[]NodeIndex) { p.VirtualNodes = 0 },
		`ring: tokens need a hash of labels, got "number"`:                        func(p *Params, _ *[]NodeIndex) { p.Hash = Number },
		"ring: 3 partitions are too few for 4 nodes: each node owns at least one": func(p *Params, _ *[]NodeIndex) { p.Strategy, p.Partitions = Partitions, 3 },
		"ring: node-2 has no token": func(p *Params, _ *[]NodeIndex) {
			p.Strategy, p.Tokens = Explicit, [][]uint64{{1}, {2}, {}, {3}}
		},
		"ring: two tokens are 1: one of node-0 and one of node-3": func(p *Params, _ *[]NodeIndex) {
			p.Strategy, p.Tokens = Explicit, [][]uint64{{1}, {2}, {3}, {1}}
		},
		"ring: 2 keys, but the positions of 1": func(p *Params, _ *[]NodeIndex) {
			p.Strategy, p.Tokens, p.Positions, p.Keys = Explicit, [][]uint64{{1}, {2}, {3}, {4}}, []uint64{1}, 2
		},
	} {
		p, m := ok, members(4)
		change(&p, &m)
		_, err := New(p, m)
		assert.EqualError(t, err, want)
	}
	r, err := New(ok, members(3))
	require.NoError(t, err)
	_, err = r.Join(2)
	assert.EqualError(t, err, "ring: node-2 is a member twice: want one node of each name")
	_, err = r.Leave(7)
	assert.EqualError(t, err, "ring: node-7 is not a member")
	_, err = r.Leave(2)
	assert.EqualError(t, err, "ring: 3 replicas of a key, but 2 nodes")
}

// The paper's form, in floating point.
func TestJumpIsThePapersFormula(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 100_000 {
		key, buckets := random.Uint64(), 1+random.IntN(1<<random.IntN(20))
		bucket, next, x := int64(-1), int64(0), key
		for next < int64(buckets) {
			bucket = next
			x = x*2862933555777941757 + 1
			next = int64(float64(bucket+1) * (float64(int64(1)<<31) / float64(x>>33+1)))
		}
		require.EqualValues(t, bucket, Jump(key, buckets), "key %d, %d buckets", key, buckets)
	}
	assert.Equal(t, -1, Jump(1, 0))
}

func TestBalance(t *testing.T) {
	assert.Equal(t, Balance{}, BalanceOf([]int{0, 0}))
	assert.Equal(t, Balance{Max: 1000, Min: 1000}, BalanceOf([]int{3, 3, 3}))
	assert.Equal(t, Balance{Max: 1500, Min: 500, Deviation: 500}, BalanceOf([]int{1, 3, 1, 3}))
}

func TestLookUpAllocatesNothing(t *testing.T) {
	r := hashed(t, MD5, 200, 16, 1000, 3)
	var sum int
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		walk := r.Walk(17)
		n, _ := walk.Next()
		sum += int(r.Preference(5, 3)[2]) + int(r.At(7, 150)) + int(n) + int(Jump(9, 100)) +
			r.circle.First(r.Position(12))
	}))
}

func BenchmarkFirst(b *testing.B) {
	r, _ := New(Params{Strategy: Hashed, Hash: MD5, VirtualNodes: 100}, members(1000))
	b.ReportAllocs()
	x := uint64(1)
	for b.Loop() {
		x = x*2862933555777941757 + 1
		r.circle.First(x)
	}
}

func BenchmarkPreference(b *testing.B) {
	r, _ := New(Params{Strategy: Hashed, Hash: MD5, VirtualNodes: 100, Keys: 10_000, Replicas: 3}, members(1000))
	b.ReportAllocs()
	k := 0
	for b.Loop() {
		if k++; k == 10_000 {
			k = 0
		}
		_ = r.Preference(k, 3)
	}
}

// BenchmarkBuild makes a ring of 1,000 nodes, each with 100 tokens, and 10,000 keys.
func BenchmarkBuild(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, _ = New(Params{Strategy: Hashed, Hash: MD5, VirtualNodes: 100, Keys: 10_000, Replicas: 3}, members(1000))
	}
}
