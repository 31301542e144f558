package measure

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestMaxMin(t *testing.T) {
	for _, v := range []struct {
		id             string
		capacity       int64
		wants, weights []int64
		want           []int64
	}{
		{"TL-05 a", 120, []int64{1000, 60, 10}, nil, []int64{55, 55, 10}},
		{"TL-05 b", 120, []int64{1000, 50, 10}, nil, []int64{60, 50, 10}},
		{"TL-05 c", 120, []int64{1000, 500, 200}, []int64{6, 4, 2}, []int64{60, 40, 20}},
		{"enough for all", 100, []int64{1, 2, 3}, nil, []int64{1, 2, 3}},
		{"does not divide", 10, []int64{9, 9, 9}, nil, []int64{4, 3, 3}},
		{"nothing", 0, []int64{5, 0}, nil, []int64{0, 0}},
		{"nobody", 10, nil, nil, []int64{}},
		{"no weight", 10, []int64{5, 50}, []int64{0, 1}, []int64{0, 10}},
		{"large", 1 << 62, []int64{1 << 62, 1 << 62}, nil, []int64{1 << 61, 1 << 61}},
	} {
		t.Run(v.id, func(t *testing.T) { assert.Equal(t, v.want, MaxMin(v.capacity, v.wants, v.weights)) })
	}
	assert.Panics(t, func() { MaxMin(1, []int64{-1}, nil) })
}

// Nobody gets more than it wants; nothing is kept back; and whoever gets less than it wants gets,
// per weight and but for one, as much as anybody.
func TestMaxMinProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "clients")
		list := func(least, most int64, name string) []int64 {
			return rapid.SliceOfN(rapid.Int64Range(least, most), n, n).Draw(t, name)
		}
		wants, weights, capacity := list(0, 1000, "wants"), list(1, 9, "weights"), rapid.Int64Range(0, 3000).Draw(t, "capacity")
		got := MaxMin(capacity, wants, weights)
		sum, wanted := int64(0), int64(0)
		for i := range got {
			require.LessOrEqual(t, got[i], wants[i])
			sum += got[i]
			wanted += wants[i]
		}
		require.Equal(t, min(capacity, wanted), sum)
		for i := range got {
			for j := range got {
				if got[i] < wants[i] {
					require.LessOrEqual(t, (got[j]-1)*weights[i], (got[i]+1)*weights[j], "%v of %v with %v", got, wants, weights)
				}
			}
		}
	})
}
