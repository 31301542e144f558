package stats

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"fencepost/sim"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pairedProgram has a total, values and a ratio; in the other program they stand in
// another order, beside one that the first has not.
func pairedPrograms() (base, other sim.Program) {
	total, values := sim.Measure{Name: "total", Total: true}, sim.Measure{Name: "values", Unit: sim.Duration}
	ratio := sim.Measure{Name: "ratio", Per: "total"}
	base = sim.Program{Properties: []string{"safe", "only-here"}, Measures: []sim.Measure{total, values, ratio}}
	other = sim.Program{Properties: []string{"live", "safe"}, Measures: []sim.Measure{{Name: "more"}, ratio, values, total}}
	return base, other
}

// ran is the result of a run with these values of the measures with these indices.
func ran(verdicts []sim.Verdict, samples ...sim.Sample) *sim.Result {
	r := &sim.Result{Samples: samples}
	for _, v := range verdicts {
		r.Properties = append(r.Properties, sim.Finding{Verdict: v})
	}
	return r
}

var bothHold = []sim.Verdict{sim.Holds, sim.Holds}

// TestPairedMeans is against numbers worked out by hand.
func TestPairedMeans(t *testing.T) {
	base, other := pairedPrograms()
	p := NewPaired(&base, &other)
	require.Equal(t, []string{"total", "values", "ratio"}, []string{p.Measures[0].Name, p.Measures[1].Name, p.Measures[2].Name})
	t.Run("totals", func(t *testing.T) {
		p.Clear()
		for i, v := range [][2]int64{{10, 11}, {12, 14}, {9, 12}, {11, 15}, {13, 18}} {
			half := v[0] / 2
			p.Add(ran(bothHold, sim.Sample{Measure: 0, Value: half}, sim.Sample{Measure: 0, Value: v[0] - half}), ran(bothHold, sim.Sample{Measure: 3, Value: v[1]}))
			require.Equal(t, i+1, p.Runs)
		}
		d, i, ok := p.Measures[0].Difference() // 1 to 5: 3, and 2.776 times the root of 2.5/5
		require.True(t, ok)
		assert.Equal(t, 3.0, d)
		assert.InDelta(t, 1.037, i.Low, 1e-3)
		assert.InDelta(t, 4.963, i.High, 1e-3)
		assert.False(t, i.Holds(0))
		assert.Equal(t, 5, p.Measures[0].Differ)
		_, _, ok = p.Measures[1].Difference()
		assert.False(t, ok, "there are no values")
	})
	t.Run("different numbers of values", func(t *testing.T) {
		p.Clear()
		p.Add(ran(bothHold, sim.Sample{Measure: 1, Value: 1}, sim.Sample{Measure: 1, Value: 3}), ran(bothHold, sim.Sample{Measure: 2, Value: 2}))
		p.Add(ran(bothHold, sim.Sample{Measure: 1, Value: 5}), ran(bothHold, sim.Sample{Measure: 2, Value: 4}, sim.Sample{Measure: 2, Value: 9}))
		d, i, ok := p.Measures[1].Difference() // 15/3 - 9/3; what is left of the pairs is -1/3 and 1/3
		require.True(t, ok)
		assert.Equal(t, 2.0, d)
		assert.InDelta(t, 2-12.706*2/3, i.Low, 1e-9)
		assert.InDelta(t, 2+12.706*2/3, i.High, 1e-9)
		assert.True(t, i.Holds(0))
	})
	t.Run("ratios", func(t *testing.T) {
		p.Clear()
		p.Add(ran(bothHold, sim.Sample{Measure: 0, Value: 4}, sim.Sample{Measure: 2, Value: 2}), ran(bothHold, sim.Sample{Measure: 3, Value: 4}, sim.Sample{Measure: 1, Value: 3}))
		p.Add(ran(bothHold, sim.Sample{Measure: 0, Value: 2}, sim.Sample{Measure: 2, Value: 1}), ran(bothHold, sim.Sample{Measure: 3, Value: 2}, sim.Sample{Measure: 1, Value: 3}))
		d, _, ok := p.Measures[2].Difference() // 6/6 - 3/6
		require.True(t, ok)
		assert.Equal(t, 0.5, d)
	})
	t.Run("one pair", func(t *testing.T) {
		p.Clear()
		p.Add(ran(bothHold, sim.Sample{Measure: 0, Value: 4}), ran(bothHold, sim.Sample{Measure: 3, Value: 7}))
		d, i, ok := p.Measures[0].Difference()
		require.True(t, ok)
		assert.Equal(t, 3.0, d)
		assert.True(t, math.IsInf(i.Low, -1) && math.IsInf(i.High, 1))
	})
	t.Run("the same", func(t *testing.T) {
		p.Clear()
		for v := range int64(3) {
			p.Add(ran(bothHold, sim.Sample{Measure: 0, Value: v}), ran(bothHold, sim.Sample{Measure: 3, Value: v}))
		}
		d, i, _ := p.Measures[0].Difference()
		assert.Equal(t, 0.0, d)
		assert.Equal(t, Interval{}, i)
		assert.Zero(t, p.Measures[0].Differ)
	})
}

// TestPairedCountsOfNoneOrOne are differences of shares.
func TestPairedCountsOfNoneOrOne(t *testing.T) {
	both := &sim.Program{Measures: []sim.Measure{{Name: "won", Total: true}, {Name: "time", Unit: sim.Duration, Total: true}}}
	p := NewPaired(both, both)
	add := func(base, other int64) {
		p.Add(&sim.Result{Samples: []sim.Sample{{Measure: 0, Value: base}, {Measure: 1, Value: base}}}, &sim.Result{Samples: []sim.Sample{{Measure: 0, Value: other}, {Measure: 1, Value: other}}})
	}
	for i := range 100 {
		switch {
		case i < 1:
			add(1, 0)
		case i < 10:
			add(0, 1)
		default:
			add(int64(i%2), int64(i%2))
		}
	}
	d, want, _ := (&PairedProperty{Runs: 100, OnlyBase: 1, OnlyOther: 9}).Difference()
	got, i, ok := p.Measures[0].Difference()
	require.True(t, ok)
	assert.InDelta(t, d, got, 1e-9)
	assert.Equal(t, want, i)
	_, i, _ = p.Measures[1].Difference()
	assert.NotEqual(t, want, i, "a length of time is no count")
	add(2, 0)
	_, i, _ = p.Measures[0].Difference()
	_, want, _ = p.Measures[1].Difference()
	assert.Equal(t, want, i, "two in one run")

	means := &sim.Program{Measures: []sim.Measure{{Name: "asked", Total: true}, {Name: "won-per-asked", Total: true, Per: "asked"}, {Name: "value"}}}
	p = NewPaired(means, means)
	for i := range int64(10) {
		base, other := &sim.Result{}, &sim.Result{Samples: []sim.Sample{{Measure: 1, Value: i % 2}, {Measure: 2, Value: i % 2}}}
		for _, r := range []*sim.Result{base, other} {
			r.Samples = append(r.Samples, sim.Sample{Measure: 0, Value: 2}, sim.Sample{Measure: 2, Value: 0}, sim.Sample{Measure: 2, Value: 0})
		}
		p.Add(base, other)
	}
	for name, want := range map[int]float64{1: 0.25, 2: 5.0 / 30} {
		d, i, ok := p.Measures[name].Difference()
		require.True(t, ok)
		assert.InDelta(t, want, d, 1e-9, "a ratio and a mean of values are no counts of a run")
		assert.True(t, i.Holds(d))
		assert.InDelta(t, d, (i.Low+i.High)/2, 1e-9)
	}
}

// TestPairedProportions is against numbers worked out by hand.
func TestPairedProportions(t *testing.T) {
	for _, c := range []struct {
		name          string
		runs          int
		base, other   int
		d, low, high  float64
		lopsided, saw bool
	}{
		{"seen", 100, 1, 9, 0.08, 0.013631, 0.143232, true, true}, // P(at most 1 of 10) = 11/1024
		{"the other way", 100, 9, 1, -0.08, -0.143232, -0.013631, true, true},
		{"not seen", 100, 2, 8, 0.06, -0.006755, 0.124402, false, false},   // P(at most 2 of 10) = 56/1024
		{"not by the test", 1000, 3, 11, 0.008, 0, 0.015793, false, false}, // 470/16384 is more than 2.5 %
		{"none discordant", 1000, 0, 0, 0, -0.002766, 0.002766, false, false},
		{"all", 10, 0, 10, 1, 0.520580, 1, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := PairedProperty{Runs: c.runs, OnlyBase: c.base, OnlyOther: c.other}
			d, i, ok := q.Difference()
			require.True(t, ok)
			assert.InDelta(t, c.d, d, 1e-9)
			assert.InDelta(t, c.low, i.Low, 1e-6)
			assert.InDelta(t, c.high, i.High, 1e-6)
			assert.Equal(t, c.lopsided, q.lopsided())
			assert.Equal(t, c.saw, !i.Holds(0))
		})
	}
	_, _, ok := (&PairedProperty{}).Difference()
	assert.False(t, ok)
}

// TestPairedJudged counts the pairs that were checked on both sides.
func TestPairedJudged(t *testing.T) {
	base, other := pairedPrograms()
	p := NewPaired(&base, &other)
	require.Len(t, p.Properties, 1)
	panicked := ran([]sim.Verdict{sim.Holds, sim.Holds})
	panicked.Panic = &sim.Panic{}
	for _, pair := range [][2]*sim.Result{
		{ran([]sim.Verdict{sim.Violated, sim.Holds}), ran([]sim.Verdict{sim.Holds, sim.Holds})},
		{ran([]sim.Verdict{sim.Holds, sim.Holds}), ran([]sim.Verdict{sim.Holds, sim.Violated})},
		{ran([]sim.Verdict{sim.Violated, sim.Holds}), ran([]sim.Verdict{sim.Holds, sim.Violated})},
		{ran([]sim.Verdict{sim.Holds, sim.Holds}), ran([]sim.Verdict{sim.Violated, sim.Holds})},
		{ran([]sim.Verdict{sim.NotExercised, sim.Holds}), ran([]sim.Verdict{sim.Holds, sim.Violated})},
		{panicked, ran([]sim.Verdict{sim.Holds, sim.Violated})},
	} {
		p.Add(pair[0], pair[1])
	}
	q := p.Properties[0]
	assert.Equal(t, []int{6, 4, 1, 1}, []int{p.Runs, q.Runs, q.OnlyBase, q.OnlyOther})
}

// TestPairedMerges gives the same bits however the pairs are divided, and the interval
// of the textbook where each run has one value.
func TestPairedMerges(t *testing.T) {
	base, other := pairedPrograms()
	r := rand.New(rand.NewPCG(1, 2))
	whole, left, right := NewPaired(&base, &other), NewPaired(&base, &other), NewPaired(&base, &other)
	var sum, squares float64
	const n = 200
	for i := range n {
		a, b := r.Int64N(1e6)-5e5, r.Int64N(1e6)-5e5
		d := float64(b - a)
		sum, squares = sum+d, squares+d*d
		x := ran([]sim.Verdict{sim.Verdict(r.IntN(3)), sim.Holds}, sim.Sample{Measure: 0, Value: a}, sim.Sample{Measure: 1, Value: r.Int64() >> 1}, sim.Sample{Measure: 2, Value: 5})
		y := ran([]sim.Verdict{sim.Holds, sim.Verdict(r.IntN(3))}, sim.Sample{Measure: 3, Value: b}, sim.Sample{Measure: 2, Value: r.Int64() >> 1}, sim.Sample{Measure: 1, Value: 7})
		part := left
		if i >= 71 {
			part = right
		}
		whole.Add(x, y)
		part.Add(x, y)
	}
	left.Merge(right)
	require.Equal(t, whole.Properties, left.Properties)
	require.Equal(t, whole.Measures, left.Measures)
	d, i, _ := whole.Measures[0].Difference()
	mean := sum / n
	half := student(n-1) * math.Sqrt((squares-n*mean*mean)/(n-1)/n)
	assert.InDelta(t, mean, d, 1e-6)
	assert.InDelta(t, mean-half, i.Low, 1e-4)
	assert.InDelta(t, mean+half, i.High, 1e-4)
	whole.Clear()
	assert.Equal(t, NewPaired(&base, &other).Measures, whole.Measures)
}

// TestProducts are those of the largest numbers.
func TestProducts(t *testing.T) {
	numbers := []int64{math.MinInt64, math.MinInt64 + 1, -3, -1, 0, 1, 2, math.MaxInt64}
	var sum int192
	want := new(big.Int)
	for _, x := range numbers {
		for _, y := range numbers {
			var one int192
			one.add(x, y)
			exact := new(big.Int).Mul(big.NewInt(x), big.NewInt(y))
			require.Equal(t, exact.String(), one.big().String(), "%d * %d", x, y)
			sum.merge(one)
			want.Add(want, exact)
		}
	}
	require.Equal(t, want.String(), sum.big().String())
}
