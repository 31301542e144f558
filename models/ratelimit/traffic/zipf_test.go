package traffic

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLogarithmAndPower(t *testing.T) {
	roots := rootsOfTwo()
	for i, r := range roots {
		assert.InEpsilon(t, math.Exp2(-math.Ldexp(1, -i-1)), math.Ldexp(float64(r), -64), 1e-15, "root %d", i)
	}
	for _, k := range []uint64{1, 2, 3, 7, 10, 1000, 65535, 65536, 1 << 24} {
		assert.InDelta(t, math.Log2(float64(k)), math.Ldexp(float64(log2(k)), -logBits), 1.5e-12, "log2(%d)", k)
		for _, s := range []Exponent{1, 500, 1000, 1070, 2000} {
			want := math.Exp2(60) / math.Pow(float64(k), float64(s)/1000)
			assert.InDelta(t, want, float64(power(k, s, 60, &roots)), 1+1e-10*want, "1/%d^%v", k, s)
		}
	}
	assert.Zero(t, power(1<<24, MaxExponent, 30, &roots))
}

// The table gives each rank exactly its weight: the parts of all slots that are its own,
// added up, to the last place of the 2^64.
func TestZipfIsExact(t *testing.T) {
	for _, c := range []struct {
		n int64
		s Exponent
	}{{2, 1000}, {3, 1}, {10, 1000}, {100, 1070}, {1000, 500}, {4097, 2000}, {50_000, 1000}} {
		w, sum := weights(c.n, c.s), new(big.Int)
		for i, x := range w {
			sum.Add(sum, new(big.Int).SetUint64(x))
			want := math.Pow(float64(i+1), -float64(c.s)/1000)
			require.InDelta(t, want, float64(x)/float64(w[0]), 1e-10+1.01/float64(w[0]), "weight %d of %v", i, c)
		}
		got := make([]big.Int, c.n) // in parts of n*2^64
		for i, s := range newZipf(c.n, c.s).slots {
			share := new(big.Int).SetUint64(s.share)
			got[i].Add(&got[i], share)
			rest := share.Sub(new(big.Int).Lsh(big.NewInt(1), 64), share)
			got[s.other].Add(&got[s.other], rest)
		}
		whole := new(big.Int).Lsh(big.NewInt(c.n), 64)
		most := big.NewInt(c.n) // each slot is rounded by one at most
		for i, x := range w {
			want := new(big.Int).SetUint64(x)
			want.Div(want.Mul(want, whole), sum)
			off := want.Sub(want, &got[i])
			require.LessOrEqual(t, off.Abs(off).Cmp(most), 0, "rank %d of %v is off by %v of %v", i, c, off, whole)
		}
	}
}

// Drawn frequencies follow the law.
func TestZipfFrequencies(t *testing.T) {
	const n, draw = 100, 1_000_000
	z, d := newZipf(n, 1000), newDraws(1, "test", "ranks")
	got, want, harmonic := make([]float64, n), make([]float64, n), 0.0
	for range draw {
		got[z.rank(d.Next())]++
	}
	for k := range want {
		want[k] = 1 / float64(k+1)
		harmonic += want[k]
	}
	for k := range want {
		want[k] *= draw / harmonic
	}
	assert.Less(t, chiSquare(got, want), 148.2, "99.9 % of chi-square with 99 degrees are below")
}

// Without an exponent all clients are alike.
func TestUniform(t *testing.T) {
	got := make([]float64, 100)
	for _, r := range all(one(MaxFor, Class{Rate: perSecond(1000), Clients: 100}), 1, 1_000_000) {
		got[r.Key]++
	}
	assert.Less(t, chiSquare(got, repeat(10_000, 100)), 148.2)
}
