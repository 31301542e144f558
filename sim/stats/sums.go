package stats

import (
	"math"
	"math/big"
	"math/bits"
)

// Sums without rounding or overflow, so that they merge to the same bits in any order.

// int128 is a sum of many int64, in 128 bits.
type int128 struct {
	hi int64
	lo uint64
}

func (s *int128) add(v int64) { s.merge(int128{v >> 63, uint64(v)}) }

func (s *int128) merge(t int128) {
	lo, carry := bits.Add64(s.lo, t.lo, 0)
	s.lo, s.hi = lo, s.hi+t.hi+int64(carry)
}

func (s int128) big() *big.Int {
	i := new(big.Int).Lsh(big.NewInt(s.hi), 64)
	return i.Add(i, new(big.Int).SetUint64(s.lo))
}

// over is s / n, correctly rounded, 0 if n is 0.
func (s int128) over(n *big.Int) float64 {
	if n.Sign() == 0 {
		return 0
	}
	f, _ := new(big.Rat).SetFrac(s.big(), n).Float64()
	return f
}

// int192 is a sum of products of two int64, in 192 bits of two's complement.
type int192 struct{ hi, mid, lo uint64 }

func (p *int192) add(x, y int64) {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	hi -= uint64(x>>63)&uint64(y) + uint64(y>>63)&uint64(x)
	p.merge(int192{uint64(int64(hi) >> 63), hi, lo})
}

func (p *int192) merge(q int192) {
	var carry uint64
	p.lo, carry = bits.Add64(p.lo, q.lo, 0)
	p.mid, carry = bits.Add64(p.mid, q.mid, carry)
	p.hi += q.hi + carry
}

func (p int192) big() *big.Int {
	i := new(big.Int).Lsh(big.NewInt(int64(p.hi)), 64)
	i.Add(i, new(big.Int).SetUint64(p.mid))
	return i.Lsh(i, 64).Add(i, new(big.Int).SetUint64(p.lo))
}

// add64 adds and stays at the ends of int64 instead of wrapping.
func add64(a, b int64) int64 {
	c := a + b
	switch {
	case (c > a) == (b > 0):
		return c
	case b > 0:
		return math.MaxInt64
	}
	return math.MinInt64
}
