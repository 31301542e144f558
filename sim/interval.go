package sim

import (
	"math"
	"math/big"
	"math/bits"
)

// The numbers of this file are for people to read, and decide nothing. They are
// the same on every processor: each product is rounded on its own.

// z95 is the 97.5% quantile of the standard normal.
const z95 = 1.959963984540054

// Interval is a 95% confidence interval.
type Interval struct{ Low, High float64 }

// Wilson is the 95% interval for a probability after k of n.
//
// Source: Wilson, "Probable inference, the law of succession, and statistical
// inference", JASA 1927.
func Wilson(k, n int) Interval {
	if n <= 0 {
		return Interval{0, 1}
	}
	i := wilson(float64(k)/float64(n), float64(n))
	if k <= 0 {
		i.Low = 0
	}
	if k >= n {
		i.High = 1
	}
	return i
}

// wilson is the same for a share of so many independent values.
func wilson(p, size float64) Interval {
	zz := float64(z95 * z95)
	scale := 1 + zz/size
	centre := p + zz/float64(2*size)
	spread := float64(z95 * math.Sqrt(float64(p*(1-p))/size+zz/float64(4*float64(size*size))))
	return Interval{(centre - spread) / scale, (centre + spread) / scale}
}

// shareInterval is the interval of a share p that is off by spread with 95%, as [wilson] has it
// for as many independent values as are off by that much: it lies within 0 and 1. The
// values of a run are not independent, and there are more of them.
//
// Source: Franco, Little, Louis and Slud, "Comparative Study of Confidence Intervals for
// Proportions in Complex Sample Surveys", 2019: Wilson, with the effective sample size.
func shareInterval(p, spread float64) Interval {
	if spread == 0 || p <= 0 || p >= 1 {
		return Interval{p, p}
	}
	deviation := spread / z95
	i := wilson(p, float64(p*(1-p))/float64(deviation*deviation))
	return Interval{max(i.Low, 0), min(i.High, 1)} // rounding
}

// student is the 97.5% quantile of Student's t, good to 0.2%.
func student(freedom uint64) float64 {
	small := [...]float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228}
	if freedom <= uint64(len(small)) {
		return small[max(freedom, 1)-1]
	}
	f := float64(freedom) // Cornish-Fisher
	return z95 + 2.3722712/f + 2.8224982/float64(f*f)
}

// ranks are the ranks of the order statistics between which the quantile p of n
// independent values lies with 95%, whatever their distribution: 1 to n, or 0
// and n+1 where n is too small for a bound on that side.
func ranks(p float64, n uint64) (low, high uint64) {
	const exact = 1000
	if p > 0.5 {
		low, high = ranks(1-p, n)
		return n + 1 - high, n + 1 - low
	}
	if n > exact {
		mean := float64(p * float64(n))
		spread := float64(z95 * math.Sqrt(float64(mean*(1-p))))
		return uint64(max(mean-spread, 0)), min(uint64(math.Ceil(mean+spread))+1, n+1)
	}
	// At most p are below the quantile: the count of values there is binomial.
	mass, below := 1.0, 0.0 // P(count = k) and P(count < k)
	for range n {
		mass = float64(mass * (1 - p))
	}
	high = n + 1
	for k := uint64(0); k <= n; k++ {
		if above := 1 - below; above <= 0.025 { // P(count >= k)
			high = k
			break
		}
		below += mass
		if below <= 0.025 {
			low = k + 1
		}
		mass = float64(mass*float64(n-k)) * p / float64(float64(k+1)*(1-p))
	}
	return low, high
}

// wide is a sum of many int64, in 128 bits.
type wide struct {
	hi int64
	lo uint64
}

func (s *wide) add(v int64) { s.merge(wide{v >> 63, uint64(v)}) }

func (s *wide) merge(t wide) {
	lo, carry := bits.Add64(s.lo, t.lo, 0)
	s.lo, s.hi = lo, s.hi+t.hi+int64(carry)
}

func (s wide) big() *big.Int {
	i := new(big.Int).Lsh(big.NewInt(s.hi), 64)
	return i.Add(i, new(big.Int).SetUint64(s.lo))
}

// over is s / n, correctly rounded, 0 if n is 0.
func (s wide) over(n *big.Int) float64 {
	if n.Sign() == 0 {
		return 0
	}
	f, _ := new(big.Rat).SetFrac(s.big(), n).Float64()
	return f
}

// square is a sum of squares, in 192 bits.
type square struct{ hi, mid, lo uint64 }

func (s *square) add(v int64) {
	u := uint64(v)
	if v < 0 {
		u = -u
	}
	hi, lo := bits.Mul64(u, u)
	s.merge(square{0, hi, lo})
}

func (s *square) merge(t square) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, t.lo, 0)
	s.mid, carry = bits.Add64(s.mid, t.mid, carry)
	s.hi += t.hi + carry
}

func (s square) big() *big.Int {
	i := new(big.Int).SetUint64(s.hi)
	i.Lsh(i, 64).Add(i, new(big.Int).SetUint64(s.mid))
	return i.Lsh(i, 64).Add(i, new(big.Int).SetUint64(s.lo))
}

// meanInterval is where the mean lies of which n values with this sum and sum of
// squares are a sample.
func meanInterval(n uint64, sum wide, squares square) (Interval, bool) {
	if n < 2 {
		return Interval{}, false
	}
	count := new(big.Int).SetUint64(n)
	mean := sum.over(count)
	// n*(n-1) times the variance is n*squares - sum*sum, exactly.
	v := new(big.Int).Mul(count, squares.big())
	v.Sub(v, new(big.Int).Mul(sum.big(), sum.big()))
	scale := new(big.Int).Mul(count, count)
	scale.Mul(scale, new(big.Int).SetUint64(n-1))
	ofMean, _ := new(big.Rat).SetFrac(v, scale).Float64()
	spread := float64(student(n-1) * math.Sqrt(ofMean))
	return Interval{mean - spread, mean + spread}, true
}
