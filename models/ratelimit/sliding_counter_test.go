package ratelimit

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The weight of the previous window and the time at which it has faded, against big
// integers: also where a product is just below or above 2^62, 2^63 and 2^64.
func TestSlidingCounterArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		w := in(r, 1, int64(MaxWindow)>>in(r, 0, 60))
		rounding := Rounding(r.IntN(4))
		c := slidingCounter(MaxLimit, time.Duration(w), rounding)
		left := in(r, 1, w) // W-e
		prev := in(r, 0, MaxLimit>>in(r, 0, 39))
		if edge := in(r, 61, 65); r.IntN(2) == 0 {
			prev = new(big.Int).Div(new(big.Int).Lsh(big.NewInt(1), uint(edge)), big.NewInt(left)).Int64() - in(r, -1, 1)
			prev = max(0, min(prev, MaxLimit+1))
		}
		require.Equal(t, weight(prev, left, w, rounding), c.weigh(prev, w-left), "%d*%d/%d, rounding %d", prev, left, w, rounding)

		room := in(r, 0, prev+1)
		e := c.fades(prev, room)
		require.True(t, 0 <= e && e <= w)
		require.LessOrEqual(t, weight(prev, w-e, w, rounding), room, "%d of %d, %d ns, rounding %d", room, prev, w, rounding)
		if e > 0 {
			require.Greater(t, weight(prev, w-e+1, w, rounding), room, "not before: %d of %d, %d ns, rounding %d", room, prev, w, rounding)
		}
	}
}

// weight is prev*left/w, rounded.
func weight(prev, left, w int64, rounding Rounding) int64 {
	q, rest := new(big.Int).QuoRem(new(big.Int).Mul(big.NewInt(prev), big.NewInt(left)), big.NewInt(w), new(big.Int))
	up := rest.Sign() > 0 // Inclusive, OffByOne
	switch rounding {
	case Strict:
		up = false
	case HalfUp:
		up = rest.Lsh(rest, 1).Cmp(big.NewInt(w)) >= 0
	}
	return q.Int64() + int64(btoi(up))
}
