package reach

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scatter spreads a number over a word, as a bijection.
func scatter(i uint64) uint64 {
	i = (i ^ i>>31) * 0x9E3779B97F4A7C15
	return i ^ i>>29
}

var testScratch = new(scratch)

// enter enters a key, as a visit does, and reports whether it is new.
func (s *set) enter(k key) bool {
	if len(s.insert([]move{{to: k, hash: k.hash()}}, testScratch)) == 0 {
		return false
	}
	s.extend(s.n + 1)
	s.write(s.n, k, 0)
	s.n++
	return true
}

// A set holds what a map holds, while it grows, becomes wide and is repacked, and knows
// the order.
func TestSetAgreesWithMap(t *testing.T) {
	const n = 200_000
	s := newSet(false)
	want := map[key]bool{}
	var order []key
	enter := func(k key) {
		isNew := s.enter(k)
		if isNew == want[k] {
			t.Fatalf("key %x: new %v", k, isNew)
		}
		if isNew {
			want[k] = true
			order = append(order, k)
		}
	}
	for i := range uint64(n) {
		enter(key{lo: scatter(i*i%n) | 1})
	}
	for _, wide := range []bool{false, true, true} {
		change := func(k key) key {
			if wide {
				k.hi = ^k.lo
			}
			k.lo = k.lo<<7 | k.lo>>57 | 1
			return k
		}
		s.repack(wide, change)
		clear(want)
		for i, k := range order {
			order[i] = change(k)
			want[order[i]] = true
		}
		requireKeys(t, order, &s)
		for i := range uint64(n) {
			k := key{lo: scatter(i) | 1}
			if wide {
				k.hi = i % 3
			}
			enter(k)
		}
	}
	requireKeys(t, order, &s)
}

// requireKeys wants a set to hold keys in an order.
func requireKeys(t *testing.T, order []key, s *set) {
	t.Helper()
	require.Equal(t, uint64(len(order)), s.n)
	for i, k := range order {
		if k != s.key(uint64(i)) {
			t.Fatalf("key %d: %x, not %x", i, s.key(uint64(i)), k)
		}
	}
}

// What a set takes depends on its keys alone, whatever their order, and is at most 27
// bytes for a key of one word and 54 for one of two, once there are many.
func TestSetBytes(t *testing.T) {
	for _, wide := range []bool{false, true} {
		for _, n := range []uint64{1, 5_000, 80_000, 160_000} {
			forth, back := newSet(wide), newSet(wide)
			at := func(i uint64) key {
				k := key{lo: i<<1 | 1}
				if wide {
					k.hi = scatter(i)
				}
				return k
			}
			for i := range n {
				if !forth.enter(at(i)) || !back.enter(at(n-1-i)) {
					t.Fatalf("key %d of %d is there already", i, n)
				}
			}
			forth.forget(n)
			back.forget(n)
			assert.Equal(t, forth.bytes(), back.bytes())
			if n > 150_000 {
				assert.LessOrEqual(t, forth.bytes(), int64(27*n*forth.words()), "%d keys, wide %v", n, wide)
			}
		}
	}
}

// A layout returns what was put, and a wider one too.
func TestLayout(t *testing.T) {
	var l layout
	numbers := []int{2, 1, 300, 1, 70000, 9, 9, 17, 3, 1 << 20, 5, 5}
	for _, n := range numbers {
		f := &field{}
		f.fit(n)
		l = append(l, f)
	}
	require.True(t, l.widen())
	assert.True(t, l.wide())
	k := first
	for i, f := range l {
		var ok bool
		k, ok = f.put(k, uint32(numbers[i]-1))
		require.True(t, ok)
	}
	for i, f := range l {
		assert.Equal(t, uint32(numbers[i]-1), f.of(k))
		same, ok := f.put(k, f.mask+1)
		assert.Equal(t, f.mask == 1<<32-1, ok)
		assert.Equal(t, k, same)
	}
	assert.Equal(t, uint64(1), k.lo&1)

	l = append(l, &field{need: 31}, &field{need: 31})
	assert.False(t, l.widen())
}

func TestGrid(t *testing.T) {
	var g grid
	want := map[[2]uint32]uint32{}
	for i := range uint32(2000) {
		at := [2]uint32{uint32(scatter(uint64(i)) % 97), uint32(scatter(uint64(i))>>32) % (i/20 + 1)}
		assert.Equal(t, want[at], g.at(at[0], at[1]))
		g.set(at[0], at[1], i+1)
		want[at] = i + 1
	}
	for at, v := range want {
		assert.Equal(t, v, g.at(at[0], at[1]))
	}
	assert.Zero(t, g.at(1<<31, 1<<31))
}
