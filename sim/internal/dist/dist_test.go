package dist

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"fencepost/internal/splitmix"
	"fencepost/internal/whole"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const ms = time.Millisecond

const one = float64(1 << fixed)

// Every entry of every table is the nearest integer, or where the float64 of the
// check cannot tell, one beside it.
func TestTables(t *testing.T) {
	require.Len(t, logTable, logSteps+1)
	for i, got := range logTable {
		assert.InDelta(t, (math.Ln2-math.Log1p(float64(i)/logSteps))*one, float64(got), 0.5001, "logTable[%d]", i)
	}
	require.Len(t, powTable, 257)
	for i, got := range powTable {
		assert.InDelta(t, math.Exp2(float64(i)/256)*one, float64(got), 0.5001, "powTable[%d]", i)
	}
	require.Len(t, normalTable, normalSteps*normalTails+1)
	for i, got := range normalTable {
		// Entry n = normalSteps*k-j is the quantile of the tail (1+j/32) * 2^-(k+1).
		k := (i + normalSteps - 1) / normalSteps
		j := normalSteps*k - i
		tail := math.Ldexp(1+float64(j)/normalSteps, -k-1)
		z := float64(got) / one
		// The quantile of a tail is where erfc(z/sqrt2)/2 is the tail: one unit of
		// the last place to either side must enclose it.
		assert.InDelta(t, upperQuantile(tail), z, 1.01/one, "normalTable[%d]", i)
	}
	assert.Zero(t, logTable[logSteps])
	assert.Equal(t, int64(1<<fixed), powTable[0])
	assert.Equal(t, int64(2<<fixed), powTable[256])
	assert.Zero(t, normalTable[0])
}

// upperQuantile is the z with erfc(z/sqrt2)/2 = tail, by bisection.
func upperQuantile(tail float64) float64 {
	lo, hi := 0.0, 10.0
	for range 200 {
		if mid := (lo + hi) / 2; math.Erfc(mid/math.Sqrt2)/2 > tail {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

func logNormal(t testing.TB, median, p99 time.Duration) Dist {
	d, err := LogNormal(median, p99)
	require.NoError(t, err)
	return d
}

func aPareto(t testing.TB, least time.Duration, alpha int64) Dist {
	d, err := Pareto(least, alpha)
	require.NoError(t, err)
	return d
}

func aMix(t testing.TB, parts ...Part) Dist {
	d, err := Mix(parts...)
	require.NoError(t, err)
	return d
}

func empiric(t testing.TB, values ...time.Duration) Dist {
	d, err := Empirical(values)
	require.NoError(t, err)
	return d
}

// moments are what a distribution is, in closed form; NaN is not checked.
type moments struct{ mean, median, p99, p999, deviation float64 }

func ofLogNormal(median, p99 time.Duration) moments {
	sigma := math.Log(float64(p99)/float64(median)) / 2.3263478740408408
	m := float64(median)
	at := func(z float64) float64 { return m * math.Exp(sigma*z) }
	mean := at(sigma / 2)
	return moments{mean, m, float64(p99), at(3.090232306167813), mean * math.Sqrt(math.Exp(sigma*sigma)-1)}
}

func ofPareto(least, alpha float64) moments {
	at := func(p float64) float64 { return least * math.Pow(1-p, -1/alpha) }
	return moments{least * alpha / (alpha - 1), at(0.5), at(0.99), at(0.999), least / (alpha - 1) * math.Sqrt(alpha/(alpha-2))}
}

func TestDistributions(t *testing.T) {
	n := float64(whole.Of(250_000, 1_000_000))
	for _, c := range []struct {
		d     Dist
		least time.Duration
		want  moments
		text  string
	}{
		{Dist{}, 0, moments{}, "0s"},
		{Constant(5 * ms), 5 * ms, moments{5e6, 5e6, 5e6, 5e6, 0}, "5ms"},
		{Uniform(ms, 9*ms), ms, moments{5e6, 5e6, 8.92e6, 8.992e6, 8e6 / math.Sqrt(12)}, "{uniform: [1ms, 9ms]}"},
		{Uniform(3*ms, 3*ms), 3 * ms, moments{3e6, 3e6, 3e6, 3e6, 0}, "{uniform: [3ms, 3ms]}"},
		{Exponential(5 * ms), 0, moments{5e6, 5e6 * math.Ln2, 5e6 * math.Log(100), 5e6 * math.Log(1000), 5e6}, "{exp: 5ms}"},
		{Exponential(time.Hour), 0, moments{3.6e12, 3.6e12 * math.Ln2, 3.6e12 * math.Log(100), 3.6e12 * math.Log(1000), 3.6e12}, "{exp: 1h0m0s}"},
		{logNormal(t, ms, 20*ms), 101, ofLogNormal(ms, 20*ms), "{lognormal: {median: 1ms, p99: 20ms}}"},
		{logNormal(t, 10*ms, 11*ms), 7462686, ofLogNormal(10*ms, 11*ms), "{lognormal: {median: 10ms, p99: 11ms}}"},
		{logNormal(t, ms, ms), ms, moments{1e6, 1e6, 1e6, 1e6, 0}, "{lognormal: {median: 1ms, p99: 1ms}}"},
		{aPareto(t, 235*time.Microsecond, 10_000_000), 235 * time.Microsecond, ofPareto(0.235e6, 10), "{pareto: {least: 235µs, alpha: 10}}"},
		{aPareto(t, 3*ms, 3_350_000), 3 * ms, ofPareto(3e6, 3.35), "{pareto: {least: 3ms, alpha: 3.35}}"},
		{aMix(t, Part{Certain / 4, Uniform(ms, 9*ms)}, Part{Certain / 4 * 3, Constant(10)}), 10,
			moments{1.25e6 + 7.5, 10, 8.68e6, 8.968e6, math.Sqrt(91.0/12e-12 - 1.25e6*1.25e6)},
			"{mix: [{share: 75%, of: 10ns}, {share: 25%, of: {uniform: [1ms, 9ms]}}]}"},
		{empiric(t, 4*ms, ms, 2*ms, ms), ms, moments{2e6, math.NaN(), 4e6, 4e6, math.Sqrt(1.5) * 1e6}, "{empirical: 4 values, 1ms to 4ms}"},
	} {
		t.Run(c.text, func(t *testing.T) {
			assert.Equal(t, c.text, c.d.String())
			assert.Equal(t, c.least, c.d.Sample(0))
			assert.Equal(t, c.least, c.d.Least())
			values := make([]float64, int(n))
			sum, most := 0.0, c.d.Most()
			for i := range values {
				v := c.d.Sample(splitmix.Mix(uint64(i)))
				if v < c.least || v > most {
					require.Fail(t, "out of range", "%v", v)
				}
				values[i] = float64(v)
				sum += float64(v)
			}
			slices.Sort(values)
			// Six standard errors: once in a thousand million.
			assert.InDelta(t, c.want.mean, sum/n, 6*c.want.deviation/math.Sqrt(n)+1, "mean")
			for _, q := range []struct{ p, want float64 }{{0.5, c.want.median}, {0.99, c.want.p99}, {0.999, c.want.p999}} {
				if math.IsNaN(q.want) {
					continue
				}
				spread := 6 * math.Sqrt(n*q.p*(1-q.p)) // of the rank
				lo, hi := values[int(n*q.p-spread)], values[min(int(n*q.p+spread), len(values)-1)]
				assert.GreaterOrEqual(t, q.want, lo*(1-1e-3)-1, "quantile %v", q.p)
				assert.LessOrEqual(t, q.want, hi*(1+1e-3)+1, "quantile %v", q.p)
			}
		})
	}
}

// "A larger draw never gives a shorter duration", also across the joints of tables.
func TestDistributionsAreMonotone(t *testing.T) {
	for _, d := range []Dist{
		Uniform(ms, 9*ms), Exponential(5 * ms), Exponential(math.MaxInt64), logNormal(t, ms, 20*ms),
		logNormal(t, time.Hour, 1000*time.Hour), empiric(t, 3, 1, 2), aPareto(t, ms, 1_000_000), aPareto(t, 1, 1_510_000),
		aPareto(t, math.MaxInt64/2, 1_000_000_000),
	} {
		var draws []uint64
		for k := range 64 {
			for j := range uint64(64) { // every joint of a step and its neighbours, from both ends
				u := uint64(1)<<k + j<<k>>6
				draws = append(draws, u-1, u, u+1, ^u-1, ^u, ^u+1)
			}
		}
		for i := range uint64(20_000) {
			draws = append(draws, splitmix.Mix(i), splitmix.Mix(i)+1)
		}
		slices.Sort(draws)
		last := time.Duration(0)
		for _, u := range draws {
			v := d.Sample(u)
			if v < last {
				t.Fatalf("%v at draw %#x: %v, and %v at the one before", d, u, v, last)
			}
			last = v
		}
	}
}

// The quantiles follow their closed forms far into the tails.
func TestQuantiles(t *testing.T) {
	exp, logn := Exponential(time.Hour), logNormal(t, time.Second, 10*time.Second)
	sigma := math.Log(10) / 2.3263478740408408
	for i := range uint64(2000) {
		u := splitmix.Mix(i) >> (i % 30) // also small draws
		for _, u := range []uint64{u, ^u} {
			p := (float64(u) + 0.5) / (1 << 63) / 2
			q := (float64(^u) + 0.5) / (1 << 63) / 2
			want := -math.Log1p(-p)
			if p > 0.5 {
				want = -math.Log(q)
			}
			// "Error of the quantiles: under 2e-6 of the mean."
			assert.InDelta(t, want*3600e9, float64(exp.Sample(u)), 3600e9*2e-6, "exponential at %#x", u)
			z := -upperQuantile(min(p, 0.5))
			if p > 0.5 {
				z = upperQuantile(q)
			}
			if math.Abs(z) < 6 {
				// "up to 6 standard deviations: under 2e-4 times sigma".
				want := 1e9 * math.Exp(sigma*z)
				assert.InDelta(t, want, float64(logn.Sample(u)), want*2e-4*sigma+1, "lognormal at %#x", u)
			}
		}
	}
}

// A sample decides an instant: these must come out the same on every processor.
func TestGoldenSamples(t *testing.T) {
	draws := []uint64{0, 1, 1 << 32, 1 << 62, 1<<63 - 1, 1 << 63, 0xDEADBEEFDEADBEEF, math.MaxUint64 / 100 * 99, math.MaxUint64 - 1, math.MaxUint64}
	for _, c := range []struct {
		d    Dist
		want []time.Duration
	}{
		{Uniform(ms, 9*ms), []time.Duration{1000000, 1000000, 1000000, 3000000, 4999999, 5000000, 7958709, 8919999, 8999999, 8999999}},
		{Exponential(5 * ms), []time.Duration{0, 0, 0, 1438410, 3465735, 3465735, 10194910, 23025856, 221807097, 225272833}},
		{Exponential(time.Hour), []time.Duration{0, 0, 838, 1035655460972, 2495329850167, 2495329850167, 7340335842780, 16578616320434, 159701110410690, 162196440260857}},
		{logNormal(t, ms, 20*ms), []time.Duration{101, 101, 327, 419552, 999999, 1000000, 4261289, 20000108, 9887640178, 9887640178}},
		{aPareto(t, 1050*time.Microsecond, 1_510_000), []time.Duration{1050000, 1050000, 1050000, 1270370, 1661679, 1661679, 4051593, 22166303, 1127428915200000, 1127428915200000}},
		{diskWrites(t), []time.Duration{0, 0, 0, 2820862, 8973926, 8973926, 2134697, 11678956, 1127428915200000, 1127428915200000}},
		{empiric(t, 3, 1, 2), []time.Duration{1, 1, 1, 1, 2, 2, 3, 3, 3, 3}},
	} {
		var got []time.Duration
		for _, u := range draws {
			got = append(got, c.d.Sample(u))
		}
		assert.Equal(t, c.want, got, c.d.String())
	}
}

func TestDistributionsAtTheEnds(t *testing.T) {
	const most = time.Duration(math.MaxInt64)
	for _, c := range []struct {
		name        string
		d           Dist
		least, high time.Duration
	}{
		{"a negative constant counts as 0", Constant(-5), 0, 0},
		{"the longest constant", Constant(most), most, most},
		{"a negative mean counts as 0", Exponential(-5), 0, 0},
		{"a mean of 0", Exponential(0), 0, 0},
		{"a huge mean saturates", Exponential(most), 0, most},
		{"a huge median saturates", logNormal(t, most/2, most), 1 << 56, most},
		{"a negative least counts as 0", Uniform(-5, 10), 0, 9},
		{"most below least counts as least", Uniform(10, 5), 10, 10},
		{"most far below least counts as least", Uniform(10, math.MinInt64), 10, 10},
		{"the widest uniform", Uniform(0, most), 0, most - 1},
		{"one value", empiric(t, 7), 7, 7},
		{"a Pareto tail is cut", aPareto(t, 3, 1_000_000), 3, 3 << 30},
		{"a huge least saturates", aPareto(t, most/2, 1_000_000), most / 2, most},
		{"the least of a mix comes first", aMix(t, Part{1, Constant(9)}, Part{Certain - 1, Constant(2)}), 2, 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.d.shape == lognormal {
				assert.Greater(t, c.d.Sample(0), c.least)
			} else {
				assert.Equal(t, c.least, c.d.Sample(0))
			}
			assert.Equal(t, c.high, c.d.Sample(math.MaxUint64))
		})
	}
	constant, drawn := Constant(0), Uniform(0, 0)
	assert.True(t, constant.IsZero())
	assert.False(t, Draws(&constant))
	assert.True(t, Draws(&drawn))
}

func TestDistributionsRefused(t *testing.T) {
	for _, c := range []struct {
		median, p99 time.Duration
		ok          bool
	}{
		{0, ms, false}, {-1, ms, false}, {ms, ms - 1, false}, {ms, 1000 * ms, true}, {ms, 1000*ms + 1, false},
		{math.MaxInt64 / 2, math.MaxInt64, true},
	} {
		_, err := LogNormal(c.median, c.p99)
		if c.ok {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, fmt.Sprintf("lognormal: want 0 < median <= p99 <= 1000 * median, got median %v and p99 %v", c.median, c.p99))
		}
	}
	_, err := Empirical(nil)
	assert.EqualError(t, err, "empirical: want at least one duration")
	_, err = Empirical([]time.Duration{5, -1})
	assert.EqualError(t, err, "empirical: a duration is negative: -1ns")
}

func TestEmpiricalKeepsACopy(t *testing.T) {
	values := []time.Duration{3, 1, 2}
	d := empiric(t, values...)
	assert.Equal(t, []time.Duration{3, 1, 2}, values)
	values[0], values[1], values[2] = 9, 9, 9
	assert.Equal(t, []time.Duration{1, 2, 3}, []time.Duration{d.Sample(0), d.Sample(math.MaxUint64 / 2), d.Sample(math.MaxUint64)})
}

// TestLogNormalAsWritten: the 99th percentile is printed as it was asked for, not as it is
// sampled, which is a little beside it.
func TestLogNormalAsWritten(t *testing.T) {
	for _, p99 := range []time.Duration{30 * time.Second, 12345 * ms, 999 * time.Second} {
		assert.Equal(t, fmt.Sprintf("{lognormal: {median: 1s, p99: %v}}", p99), logNormal(t, time.Second, p99).String())
	}
}
