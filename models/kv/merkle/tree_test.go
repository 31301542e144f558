package merkle

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// M-01: "hash comparisons, one differing leaf of 16, 1024, 65 536: 9, 21, 33".
func TestOneDifferingLeafCostsOnePlusTwoPerLevel(t *testing.T) {
	for _, c := range []struct{ leaves, comparisons int }{{16, 9}, {1024, 21}, {65536, 33}} {
		a, b := filled(c.leaves), filled(c.leaves)
		found, comparisons := Differences(a, b, nil)
		assert.Empty(t, found)
		assert.Equal(t, 1, comparisons, "equal trees: the root")
		for _, key := range []uint64{0, uint64(c.leaves) / 3, uint64(c.leaves) - 1} {
			before := key + 1
			b.Update(key, before, 99)
			found, comparisons = Differences(a, b, nil)
			assert.Equal(t, []int{c.leaves + int(key)}, found)
			assert.Equal(t, c.comparisons, comparisons, "M-01: %d leaves, key %d", c.leaves, key)
			b.Update(key, 99, before)
		}
	}
}

// filled is a tree with one key per leaf, each of them stored.
func filled(leaves int) *Tree {
	t := New(0, uint64(leaves-1), leaves)
	for key := range uint64(leaves) {
		t.Update(key, 0, key+1)
	}
	return t
}

func TestAnySetOfDifferingKeysIsFoundAndNoneElse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		leaves := 1 << r.IntN(9)
		a, b := filled(leaves), filled(leaves)
		var want []int
		for key := range uint64(leaves) {
			if r.IntN(leaves) < 3 {
				b.Update(key, key+1, r.Uint64()&^1023)
				want = append(want, leaves+int(key))
			}
		}
		found, comparisons := Differences(a, b, nil)
		assert.Equal(t, want, found)
		back, again := Differences(b, a, nil)
		assert.Equal(t, found, back, "the side that starts makes no difference")
		assert.Equal(t, comparisons, again)
		assert.LessOrEqual(t, comparisons, 2*leaves-1)
	}
}

func TestAllLeavesDifferCostsOneComparisonPerNode(t *testing.T) {
	found, comparisons := Differences(filled(64), New(0, 63, 64), nil)
	assert.Len(t, found, 64)
	assert.Equal(t, 127, comparisons)
}

func TestTheOrderOfUpdatesDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const keys, leaves = 200, 64 // several keys per leaf
	digests := make([]uint64, keys)
	for k := range digests {
		digests[k] = r.Uint64()
	}
	want := New(0, keys-1, leaves)
	for key, d := range digests {
		want.Update(uint64(key), 0, d)
	}
	for range 50 {
		got := New(0, keys-1, leaves)
		for _, key := range r.Perm(keys) {
			between := r.Uint64()
			got.Update(uint64(key), 0, between)
			got.Update(uint64(key), between, digests[key])
		}
		require.Equal(t, want.nodes, got.nodes)
	}
}

func TestWhatIsRemovedLeavesNoTrace(t *testing.T) {
	tree := New(0, 999, 128)
	for key := range uint64(1000) {
		tree.Update(key, 0, key*key+1)
	}
	for key := range uint64(1000) {
		tree.Update(key, key*key+1, 0)
	}
	assert.Equal(t, make([]uint64, 256), tree.nodes)
}

func TestEachKeyHasOneLeaf(t *testing.T) {
	for _, c := range []struct {
		name        string
		first, last uint64
		leaves      int
	}{
		{"a range of the ring", 1 << 40, 1<<62 + 12345, 16},
		{"across the largest key", math.MaxUint64 - 99, 200, 32},
		{"the whole ring", 0, math.MaxUint64, 1024},
		{"the whole ring from its middle", 1 << 63, 1<<63 - 1, 8},
		{"fewer keys than leaves", 7, 9, 16},
		{"one leaf", 0, math.MaxUint64, 1},
		{"leaves rounded up to 8", 0, 99, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := New(c.first, c.last, c.leaves)
			next, n := c.first, tree.Leaves()
			assert.Equal(t, 0, n&(n-1), "a power of two")
			for leaf := n; leaf < 2*n; leaf++ {
				first, last, ok := tree.Keys(leaf)
				if !ok {
					assert.Equal(t, c.last+1, next, "only leaves behind the range have no key")
					continue
				}
				require.Equal(t, next, first)
				require.Equal(t, leaf, tree.Leaf(first))
				require.Equal(t, leaf, tree.Leaf(last))
				require.True(t, tree.Contains(first) && tree.Contains(last))
				next = last + 1
			}
			assert.Equal(t, c.last+1, next, "the last leaf ends where the range ends")
		})
	}
}

func TestKeysOutsideOfTheRange(t *testing.T) {
	tree := New(math.MaxUint64-9, 9, 4)
	assert.True(t, tree.Contains(math.MaxUint64-9) && tree.Contains(0) && tree.Contains(9))
	assert.False(t, tree.Contains(10) || tree.Contains(math.MaxUint64-10))
	assert.PanicsWithValue(t, "merkle: key 10 is not in the range 18446744073709551606 to 9", func() { tree.Update(10, 0, 1) })
	assert.PanicsWithValue(t, "merkle: leaves: want 1 to 16777216, got 0", func() { New(0, 9, 0) })
	assert.PanicsWithValue(t, "merkle: keys 0 to 9 with 4 leaves compared with keys 0 to 9 with 8 leaves",
		func() { Differences(New(0, 9, 4), New(0, 9, 8), nil) })
	assert.Equal(t, Malformed, tree.Compare(Node{Index: 0}))
	assert.Equal(t, Malformed, tree.Compare(Node{Index: 8}))
}

func TestCopyHasItsOwnMemoryAndReusesIt(t *testing.T) {
	from, to := filled(16), &Tree{}
	to.CopyFrom(from)
	to.Update(3, 4, 5)
	assert.Equal(t, filled(16), from)
	assert.Zero(t, testing.AllocsPerRun(10, func() { to.CopyFrom(from) }))
	assert.Equal(t, from, to)
	assert.Zero(t, testing.AllocsPerRun(10, to.Clear))
	assert.Equal(t, New(0, 15, 16), to)
}

func TestUpdateAndCompareAllocateNothing(t *testing.T) {
	tree, other, d := filled(1024), New(0, 1023, 1024), uint64(1)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		tree.Update(7, 8*d, 8*d+8)
		tree.Update(7, 8*d+8, 8*d)
		left, _ := tree.Children(Root)
		if other.Compare(left) != Descend {
			t.Error("equal")
		}
	}))
}

// FuzzDifferences writes keys at two replicas in the order of the input and compares what the trees find with what the
// stores say.
func FuzzDifferences(f *testing.F) {
	f.Add(uint8(4), uint64(0), uint64(15), []byte{0, 1, 2, 3, 128, 1, 2})
	f.Add(uint8(2), uint64(math.MaxUint64-3), uint64(100), []byte{9, 9, 0, 137, 9, 200})
	f.Fuzz(func(t *testing.T, depth uint8, first, last uint64, writes []byte) {
		trees, stores := [2]*Tree{}, [2]map[uint64]uint64{{}, {}}
		for i := range trees {
			trees[i] = New(first, last, 1<<(depth%10))
		}
		for i := 0; i+1 < len(writes); i += 2 {
			replica, digest := writes[i]>>7, uint64(writes[i+1])
			key := first + uint64(writes[i]&127)*((last-first)/127)
			trees[replica].Update(key, stores[replica][key], digest)
			stores[replica][key] = digest
		}
		differ := map[int]bool{}
		for i := range stores {
			for key, digest := range stores[i] {
				if stores[1-i][key] != digest {
					differ[trees[0].Leaf(key)] = true
				}
			}
		}
		found, comparisons := Differences(trees[0], trees[1], nil)
		assert.True(t, slices.IsSorted(found))
		assert.Len(t, found, len(differ))
		for _, leaf := range found {
			assert.True(t, differ[leaf], "leaf %d is the same", leaf)
		}
		assert.LessOrEqual(t, comparisons, 1+2*int(depth%10)*len(differ))
	})
}

func BenchmarkUpdate(b *testing.B) {
	tree := filled(65536)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		tree.Update(7, uint64(i)+8, uint64(i)+9)
	}
}

func BenchmarkCompare(b *testing.B) {
	a, c := filled(65536), filled(65536)
	c.Update(12345, 12346, 1)
	for b.Loop() {
		Differences(a, c, nil)
	}
}
