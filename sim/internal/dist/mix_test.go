package dist

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"fencepost/internal/splitmix"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// diskWrites is the fit of writes to disks by Bailis et al., VLDB 2012, table 3.
func diskWrites(t testing.TB) Dist {
	return aMix(t, Part{38 * Certain / 100, aPareto(t, 1050*time.Microsecond, 1_510_000)},
		Part{62 * Certain / 100, Exponential(5464481)})
}

// "Relative error of the quantiles: under 4e-6", also far into the tail.
func TestParetoQuantiles(t *testing.T) {
	const least = 1e12 // so that whole nanoseconds do not count
	for _, alpha := range []float64{1, 1.51, 3.35, 10, 1000} {
		d := aPareto(t, least, int64(alpha*millionths))
		for i := range uint64(2000) {
			for _, u := range []uint64{splitmix.Mix(i) >> (i % 30), ^(splitmix.Mix(i) >> (i % 30))} {
				beyond := (float64(^u) + 0.5) / (1 << 63) / 2
				want := math.Pow(beyond, -1/alpha)
				if want >= 1<<30 {
					continue
				}
				got := float64(d.Sample(u)) / least
				if want*least > math.MaxInt64 {
					require.Equal(t, time.Duration(math.MaxInt64), d.Sample(u))
					continue
				}
				require.InDelta(t, 1, got/want, 4e-6, "alpha %v at %#x", alpha, u)
			}
		}
	}
}

// "the quantiles are as exact as those of the parts": the share of the draws up to x is
// the sum of the shares of the parts.
func TestMixIsTheSumOfItsParts(t *testing.T) {
	d := diskWrites(t)
	const n = 1_000_000
	xs := []float64{0.1e6, 1.05e6, 1.2e6, 2e6, 5e6, 20e6, 100e6, 1000e6}
	below := make([]int, len(xs))
	for i := range uint64(n) {
		v := float64(d.Sample(i*(math.MaxUint64/n) + math.MaxUint64/n/2)) // evenly spread: no chance involved
		for j, x := range xs {
			if v <= x {
				below[j]++
			}
		}
	}
	for j, x := range xs {
		want := 0.62*-math.Expm1(-x/5464481) + 0.38*max(0, 1-math.Pow(1.05e6/x, 1.51))
		assert.InDelta(t, want, float64(below[j])/n, 4e-6, "P(up to %v)", time.Duration(x))
	}
}

// "this holds within each part, and draw 0 gives the shortest".
func TestMixIsMonotoneWithinAPart(t *testing.T) {
	d := diskWrites(t)
	border := d.parts[1].from
	require.Equal(t, uint64(math.MaxUint64/100*62), border&^0xFF|math.MaxUint64/100*62&0xFF)
	last, fell := time.Duration(0), 0
	for i := range uint64(100_000) {
		u := i * (math.MaxUint64 / 100_000)
		v := d.Sample(u)
		if v < last {
			fell++
			require.Less(t, u-border, uint64(math.MaxUint64/100_000), "at %#x", u)
		}
		last = v
	}
	require.Equal(t, 1, fell)
	require.Zero(t, d.Sample(0))
	require.Equal(t, 1050*time.Microsecond, d.Sample(border))
	far := aMix(t, Part{Certain / 2, Exponential(time.Hour)}, Part{Certain / 2, Constant(ms)})
	require.Equal(t, Constant(ms), far.parts[1].of)
	require.Equal(t, far.parts[0].of.Most(), far.Most(), "the longest is not that of the last draw")
	require.Equal(t, ms, far.Sample(math.MaxUint64))
}

func TestMixesRefused(t *testing.T) {
	half := Part{Certain / 2, Constant(ms)}
	nested := aMix(t, half, half)
	for want, parts := range map[string][]Part{
		"mix: want 2 to 16 parts, got 0":                                     nil,
		"mix: want 2 to 16 parts, got 1":                                     {{Certain, Constant(ms)}},
		"mix: want 2 to 16 parts, got 17":                                    make([]Part, 17),
		"mix: part 2: want a share above 0% and below 100%, got 0%":          {half, {}},
		"mix: part 1: want a share above 0% and below 100%, got -0.0000001%": {{-1, Constant(ms)}, half},
		"mix: part 1: want a share above 0% and below 100%, got 100%":        {{Certain, Constant(ms)}, half},
		"mix: the shares add up to 99.5%: want 100%":                         {half, {Certain / 1000 * 495, Constant(ms)}},
		"mix: part 2 is a mix: want its parts here":                          {half, {Certain / 2, nested}},
	} {
		_, err := Mix(parts...)
		assert.EqualError(t, err, want)
	}
	for want, p := range map[string]struct {
		least time.Duration
		alpha int64
	}{
		"pareto: want a least above 0s, got 0s":                           {0, millionths},
		"pareto: want a least above 0s, got -1ns":                         {-1, millionths},
		"pareto: want an alpha from 1 to 1000, got 0.999999":              {ms, millionths - 1},
		"pareto: want an alpha from 1 to 1000, got 1000.000001":           {ms, 1000*millionths + 1},
		"pareto: want an alpha from 1 to 1000, got -9223372036854.775808": {ms, math.MinInt64},
	} {
		_, err := Pareto(p.least, p.alpha)
		assert.EqualError(t, err, want)
	}
}

func TestMixJSON(t *testing.T) {
	for _, d := range []Dist{aPareto(t, ms, 1_510_000), diskWrites(t), aMix(t, Part{1, Constant(3)}, Part{Certain - 1, empiric(t, 5, 6)})} {
		text, err := json.Marshal(d)
		require.NoError(t, err)
		var back Dist
		require.NoError(t, json.Unmarshal(text, &back), string(text))
		require.Equal(t, d, back, string(text))
	}
	text, err := json.Marshal(diskWrites(t))
	require.NoError(t, err)
	require.Equal(t, `{"mix":[{"share":620000000,"of":{"exponential":[5464481]}},{"share":380000000,"of":{"pareto":[1050000,1510000]}}]}`, string(text))
	half := `{"share": 500000000, "of": 5}`
	for text, want := range map[string]string{
		`{"pareto":[1]}`:         "pareto: the numbers are too few",
		`{"pareto":[0,1000000]}`: "pareto: want a least above 0s",
		`{"mix":5}`:              "mix: want a list of parts",
		`{"mix":[]}`:             "mix: want 2 to 16 parts, got 0",
		`{"mix":[5]}`:            "mix: want a list of parts",
		`{"mix":[{"of":5}]}`:     "mix: part 1: want share and of",
		`{"mix":[` + half + `,{"share":500000000,"of":-5}]}`:                                 "mix: part 2: a length is negative: -5",
		`{"mix":[` + half + `,{"share":500000000,"of":{"mix":[]}}]}`:                         "mix: part 2 is a mix",
		`{"mix":[` + strings.Repeat(half+",", 99_999) + half + `]}`:                          "mix: want 2 to 16 parts, got 17",
		strings.Repeat(`{"mix":[{"share":1,"of":`, 3000) + `5` + strings.Repeat(`}]}`, 3000): "mix: part 1 is a mix",
	} {
		var d Dist
		assert.ErrorContains(t, json.Unmarshal([]byte(text), &d), want)
	}
}
