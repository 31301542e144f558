package stats

import (
	"math"
	"math/big"
)

// The numbers of this file are for people to read, and decide nothing. They are
// the same on every processor: each product is rounded on its own.

// z95 is the 97.5% quantile of the standard normal.
const z95 = 1.959963984540054

// Interval is a 95% confidence interval.
type Interval struct{ Low, High float64 }

// Holds reports whether a value lies in the interval.
func (i Interval) Holds(x float64) bool { return i.Low <= x && x <= i.High }

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

// wilson is the same for a share of n independent values.
func wilson(p, size float64) Interval {
	zz := float64(z95 * z95)
	scale := 1 + zz/size
	centre := p + zz/float64(2*size)
	half := float64(z95 * math.Sqrt(float64(p*(1-p))/size+zz/float64(4*float64(size*size))))
	return Interval{(centre - half) / scale, (centre + half) / scale}
}

// shareInterval is the interval of a share p that is off by half with 95%, as [wilson] has it
// for as many independent values as are off by that much: it lies within 0 and 1. The
// values of a run are not independent, and there are more of them.
//
// Source: Franco, Little, Louis and Slud, "Comparative Study of Confidence Intervals for
// Proportions in Complex Sample Surveys", 2019: Wilson, with the effective sample size.
func shareInterval(p, half float64) Interval {
	if half == 0 || p <= 0 || p >= 1 {
		return Interval{p, p}
	}
	deviation := half / z95
	i := wilson(p, float64(p*(1-p))/float64(deviation*deviation))
	return Interval{max(i.Low, 0), min(i.High, 1)} // rounding
}

// student is the 97.5% quantile of Student's t, good to 0.2%.
func student(degrees uint64) float64 {
	small := [...]float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228}
	if degrees <= uint64(len(small)) {
		return small[max(degrees, 1)-1]
	}
	f := float64(degrees) // Cornish-Fisher
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
		half := float64(z95 * math.Sqrt(float64(mean*(1-p))))
		return uint64(max(mean-half, 0)), min(uint64(math.Ceil(mean+half))+1, n+1)
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

// meanInterval is where the mean lies of which n values with this sum and sum of
// squares are a sample.
func meanInterval(n uint64, sum int128, squares int192) (Interval, bool) {
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
	half := float64(student(n-1) * math.Sqrt(ofMean))
	return Interval{mean - half, mean + half}, true
}

// halfWidth is half of the 95% interval around the result of a number of runs, 2 or more, of
// which each adds its numbers with these weights, and 0 in the mean. Products are the sums
// of the products of the numbers a and b of each run, a at most b.
func halfWidth(runs int, weights []*big.Rat, products func(a, b int) *big.Int) float64 {
	variance := new(big.Rat)
	for a := range weights {
		for b := a; b < len(weights); b++ {
			term := new(big.Rat).SetInt(products(a, b))
			term.Mul(term, weights[a]).Mul(term, weights[b])
			if a != b {
				term.Add(term, term)
			}
			variance.Add(variance, term)
		}
	}
	variance.Mul(variance, big.NewRat(int64(runs), int64(runs-1)))
	v, _ := variance.Float64()
	return float64(student(uint64(runs-1)) * math.Sqrt(v))
}
