// Package dist is distributions of durations and chances: how a draw, a word of 64 bits, is
// mapped to a duration or a decision, in integers only. It is part of package sim, which names
// all that others use.
package dist

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"
)

type shape uint8

const (
	constant shape = iota
	uniform
	exponential
	lognormal
	empirical
	pareto
	mixed
)

// Dist is a distribution of durations. The zero Dist is the constant 0. Sampling
// is integer arithmetic on tables: the same draw gives the same duration on every
// processor. A larger draw never gives a shorter duration, but for a [Mix]: there
// this holds within each part, and draw 0 gives the shortest.
type Dist struct {
	shape  shape
	a      int64           // constant, least, mean or median in ns
	b      int64           // width in ns, or sigma of the logarithm, see fixed, or alpha in millionths
	values []time.Duration // of an empirical distribution, ascending
	parts  []part          // of a mix, by their shortest durations
}

// Constant is always d. A negative d counts as 0.
func Constant(d time.Duration) Dist { return Dist{shape: constant, a: int64(max(d, 0))} }

// Uniform lies in [least, most). A most below least counts as least.
func Uniform(least, most time.Duration) Dist {
	least = max(least, 0)
	return Dist{shape: uniform, a: int64(least), b: int64(max(most, least) - least)}
}

// Exponential has the given mean. Error of the quantiles: under 2e-6 of the mean.
func Exponential(mean time.Duration) Dist {
	return Dist{shape: exponential, a: int64(max(mean, 0))}
}

// LogNormal has the given median and 99th percentile; p99 is at least median, at
// most 1000 times it. Relative error of the quantiles up to 6 standard deviations:
// under 2e-4 times sigma.
func LogNormal(median, p99 time.Duration) (Dist, error) {
	if median <= 0 || p99 < median || (p99-1)/median >= 1000 {
		return Dist{}, fmt.Errorf("lognormal: want 0 < median <= p99 <= 1000 * median, got median %v and p99 %v", median, p99)
	}
	const z99 = 9991588038 // the 99% quantile of the standard normal, see fixed
	spread := uint64(lnRatio(p99, median))
	sigma, _ := bits.Div64(spread>>(64-fixed), spread<<fixed, z99)
	return Dist{shape: lognormal, a: int64(median), b: int64(sigma)}, nil
}

// Empirical draws one of the given durations, each equally often. It needs at
// least one, and keeps a sorted copy.
func Empirical(values []time.Duration) (Dist, error) {
	if len(values) == 0 {
		return Dist{}, fmt.Errorf("empirical: want at least one duration")
	}
	v := slices.Clone(values)
	slices.Sort(v)
	if v[0] < 0 {
		return Dist{}, fmt.Errorf("empirical: a duration is negative: %v", v[0])
	}
	return Dist{shape: empirical, values: v}, nil
}

// IsZero reports whether the distribution is the constant 0.
func (d *Dist) IsZero() bool { return d.shape == constant && d.a == 0 }

// Draws reports whether sampling needs a draw. It is a function, as the next three are, since only the
// engine asks.
func Draws(d *Dist) bool { return d.shape != constant }

// Fixed is the duration of a distribution that needs no draw.
func Fixed(d *Dist) time.Duration { return time.Duration(d.a) }

// IsExponential reports whether it is [Exponential], of which SampleExponential is the sample.
func IsExponential(d *Dist) bool { return d.shape == exponential }

// SampleExponential is d.Sample(u) of an exponential distribution: it is small enough for the
// compiler to put it where it is called.
func SampleExponential(d *Dist, u uint64) time.Duration { return scale(d.a, negLog(^u)) }

// Sample maps a draw, uniform over all 64-bit words, to a duration.
func (d *Dist) Sample(u uint64) time.Duration {
	switch d.shape {
	case exponential:
		return scale(d.a, negLog(^u))
	case uniform:
		return time.Duration(d.a + int64(Below(u, uint64(d.b))))
	case lognormal:
		return scale(d.a, exp(mulFixed(d.b, normal(u))))
	case empirical:
		return d.values[Below(u, uint64(len(d.values)))]
	case pareto:
		return scale(d.a, exp(int64(negLog(^u)*millionths/uint64(d.b))))
	case mixed:
		return d.sampleMix(u)
	}
	return time.Duration(d.a)
}

// p99 is the 99th percentile of a log-normal one: the roundest that makes this
// distribution, which is what was asked for. What is sampled there is a little beside it.
func (d *Dist) p99() time.Duration {
	p99 := d.Sample(math.MaxUint64 / 100 * 99)
	for grain := time.Duration(1e18); grain >= 1; grain /= 10 {
		round := p99.Round(grain)
		if made, err := LogNormal(time.Duration(d.a), round); err == nil && made.b == d.b {
			return round
		}
	}
	return p99.Round(time.Microsecond)
}

// Least is the shortest duration that can be drawn.
func (d *Dist) Least() time.Duration { return d.Sample(0) }

// Most is the longest duration that can be drawn.
func (d *Dist) Most() time.Duration {
	longest := d.Sample(math.MaxUint64)
	for i := range d.parts {
		longest = max(longest, d.parts[i].of.Most())
	}
	return longest
}

// String is the distribution as a scenario writes it.
func (d Dist) String() string {
	switch d.shape {
	case exponential:
		return fmt.Sprintf("{exp: %v}", time.Duration(d.a))
	case uniform:
		return fmt.Sprintf("{uniform: [%v, %v]}", time.Duration(d.a), time.Duration(d.a+d.b))
	case lognormal:
		return fmt.Sprintf("{lognormal: {median: %v, p99: %v}}", time.Duration(d.a), d.p99())
	case empirical:
		return fmt.Sprintf("{empirical: %d values, %v to %v}", len(d.values), d.values[0], d.values[len(d.values)-1])
	case pareto:
		return fmt.Sprintf("{pareto: {least: %v, alpha: %s}}", time.Duration(d.a), decimal(d.b, 6))
	case mixed:
		return d.mixText()
	}
	return time.Duration(d.a).String()
}

// negLog is -ln(v / 2^64), see fixed; v = 0 counts as 2^-65.
func negLog(v uint64) uint64 {
	halvings := bits.LeadingZeros64(v)
	m := v << (halvings & 63) // in [2^63, 2^64), or 0
	i := m >> 55 & (logSteps - 1)
	part := m << 9 >> 32 // of the step, as a fraction of 2^32
	step := uint64(logTable[i] - logTable[i+1])
	down := (step*part + 1<<32 - 1) >> 32 // rounded up, so that the greatest v gives 0
	return uint64(halvings)*uint64(logTable[0]) + uint64(logTable[i]) - down
}

// normal is the standard normal quantile of u / 2^64, see fixed.
func normal(u uint64) int64 {
	tail, sign := u, int64(-1)
	if u >= 1<<63 {
		tail, sign = ^u, 1
	}
	k := bits.LeadingZeros64(tail)
	if k > normalTails {
		return sign * normalTable[len(normalTable)-1]
	}
	m := tail << k
	j := int(m >> 58 & (normalSteps - 1))
	part := int64(m << 6 >> 32)
	n := normalSteps*k - j
	return sign * (normalTable[n] - (normalTable[n]-normalTable[n-1])*part>>32)
}

// exp is e^x of x, both see fixed; at most 2^30.
func exp(x int64) uint64 {
	const log2e = 6196328019 // 1 / ln 2
	y := mulFixed(x, log2e)
	whole := y >> fixed // rounds down
	if whole >= 30 {
		return 1 << (30 + fixed)
	}
	part := uint64(y) & (1<<fixed - 1)
	i := part >> (fixed - 8)
	step := uint64(powTable[i+1] - powTable[i])
	v := uint64(powTable[i]) + step*(part<<8&(1<<fixed-1))>>fixed
	if whole < 0 {
		return v >> min(-whole, 63)
	}
	return v << whole
}

// lnRatio is ln(p / q) for p >= q, see fixed.
func lnRatio(p, q time.Duration) int64 {
	l := func(x time.Duration) int64 { return 64*logTable[0] - int64(negLog(uint64(x))) }
	return l(p) - l(q)
}

// scale is ns * f for a factor f, see fixed; it stays at the end of int64.
func scale(ns int64, f uint64) time.Duration {
	hi, lo := bits.Mul64(uint64(ns), f)
	if hi >= 1<<(fixed-1) {
		return math.MaxInt64
	}
	return time.Duration(hi<<(64-fixed) | lo>>fixed)
}

// mulFixed is a * b, all three see fixed, rounded towards zero.
func mulFixed(a, b int64) int64 {
	sign := int64(1)
	if a < 0 {
		a, sign = -a, -sign
	}
	if b < 0 {
		b, sign = -b, -sign
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	return sign * int64(hi<<(64-fixed)|lo>>fixed)
}
