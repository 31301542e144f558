package threshold

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFind(t *testing.T) {
	for _, n := range []int64{1, 2, 3, 7, 8, 9, 100, 15_000, math.MaxInt64} {
		for _, edge := range []int64{1, n/3 + 1, n/2 + 1, n} {
			for _, up := range []bool{true, false} {
				asked := map[int64]int{}
				f, err := Find(n, func(p int64) (bool, error) {
					asked[p]++
					require.True(t, p >= 0 && p <= n)
					return (p >= edge) == up, nil
				})
				require.NoError(t, err)
				require.Equal(t, Found{Before: edge - 1, After: edge, Changes: 1, Odd: -1}, f, "n %d", n)
				require.LessOrEqual(t, len(asked), samples+64)
				for p, times := range asked {
					require.Equal(t, 1, times, "place %d of %d", p, n)
				}
			}
		}
	}
}

func TestFindNothing(t *testing.T) {
	f, err := Find(100, func(int64) (bool, error) { return true, nil })
	require.NoError(t, err)
	require.Equal(t, Found{Odd: -1}, f)
	f, err = Find(80, func(p int64) (bool, error) { return p < 15 || p > 25, nil })
	require.NoError(t, err)
	require.Equal(t, Found{Changes: 2, Odd: 20}, f)
}

func TestFindOneOfSeveral(t *testing.T) {
	f, err := Find(80, func(p int64) (bool, error) { return p >= 15 && p < 35 || p >= 55, nil })
	require.NoError(t, err)
	require.Equal(t, Found{Before: 14, After: 15, Changes: 3, Odd: -1}, f)
}

func TestFindFails(t *testing.T) {
	broken := errors.New("broken")
	for _, bad := range []int64{0, 100, 51} {
		_, err := Find(100, func(p int64) (bool, error) {
			if p == bad {
				return false, broken
			}
			return p > 50, nil
		})
		require.ErrorIs(t, err, broken)
	}
}
