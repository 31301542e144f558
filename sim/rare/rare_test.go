package rare

import (
	"context"
	"flag"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
	"fencepost/sim/batch"
	"fencepost/sim/stats"
)

// lease is how long the workers of most tests have: they are late if a pause takes longer than tooLong.
const (
	lease   = 10 * time.Second
	tooLong = lease - time.Second/2
)

// exponential is a pause that is too long with a probability.
func exponential(p float64) sim.Dist {
	return sim.Exponential(time.Duration(float64(tooLong) / -math.Log(p)))
}

// pareto is the same with a heavy tail: of at least five seconds.
func pareto(t testing.TB, p float64) sim.Dist {
	const least = 5 * time.Second
	d, err := sim.Pareto(least, int64(math.Round(1e6*math.Log(p)/-math.Log(tooLong.Seconds()/least.Seconds()))))
	require.NoError(t, err)
	return d
}

// TestTheIntervalHasTheExactTail of an exponential and of a Pareto pause, down to 1e-9, and of two and three that
// have to be too long at once. Without -whole each form and each probability is there, but not each with each.
func TestTheIntervalHasTheExactTail(t *testing.T) {
	forms := []struct {
		name string
		of   func(p float64) *Options
	}{
		{"exponential", func(p float64) *Options { return paused(lease, exponential(p), 1) }},
		{"pareto", func(p float64) *Options { return paused(lease, pareto(t, p), 1) }},
		{"two", func(p float64) *Options { return paused(lease, exponential(math.Sqrt(p)), 2) }},
		{"three", func(p float64) *Options { return paused(lease, pareto(t, math.Cbrt(p)), 3) }},
	}
	for i, p := range []float64{1e-3, 1e-6, 1e-9} {
		for j, form := range forms {
			if !whole.Takes(i*len(forms)+j, 3) {
				continue
			}
			t.Run(fmt.Sprintf("%s %g", form.name, p), func(t *testing.T) {
				o := form.of(p)
				s := SumOf(repetitions(t, o, 20), o.Population)
				t.Logf("%+v", s)
				assert.True(t, s.Interval.Holds(p), "%v is not in %v", p, s.Interval)
				assert.Less(t, s.Interval.High-s.Interval.Low, p, "the width of the interval")
				assert.Equal(t, LogNormal, s.Kind)
			})
		}
	}
}

// The test of coverage makes so many estimates, of ten repetitions each, of a probability.
var (
	estimates = flag.Int("estimates", 100, "how many estimates the test of coverage makes")
	tailOf    = flag.Float64("tail", 0, "the probability that they are of: 0 for 0.0001 with -whole, and else for 0.001")
)

// covered is the probability that the estimates are of.
func covered() float64 {
	switch {
	case *tailOf > 0:
		return *tailOf
	case whole.Tests():
		return 1e-4
	}
	return 1e-3
}

// TestTheIntervalCoversAlmostAsOftenAsItSays: 95% intervals of five and of ten repetitions have the truth in 92% to 94% of all cases,
// of which docs/search.md has the numbers. The bound is three binomial deviations below 92%, 84 of 100 estimates by ten: it is missed once in
// 700 choices of seeds. Student's intervals have it less often. The mean of all repetitions lies where an unbiased one does, within three
// standard errors.
func TestTheIntervalCoversAlmostAsOftenAsItSays(t *testing.T) {
	p := covered()
	o := paused(lease, exponential(p), 1)
	o.Population, o.Moves = 100, 10
	var all [][]float64
	sum, squares, n := 0.0, 0.0, float64(10**estimates)
	for seed := range *estimates {
		o.Seed = uint64(seed)
		var one []float64
		for _, r := range repetitions(t, o, 10) {
			x := r.Estimate(o.Population) / p
			one, sum, squares = append(one, x), sum+x, squares+x*x
		}
		all = append(all, one)
	}
	mean := sum / n
	deviation := math.Sqrt(squares/n - mean*mean)
	t.Logf("the mean is %.3f of the truth, a repetition deviates by %.2f", mean, deviation)
	assert.InDelta(t, 1, mean, 3*deviation/math.Sqrt(n))
	for _, size := range []int{2, 3, LeastRepetitions, 10} {
		held, student, total := coverage(t, all, size)
		t.Logf("by %d repetitions: %.1f%% of %.0f intervals have the truth, of Student's %.1f%%", size, 100*held/total, total, 100*student/total)
		if size >= LeastRepetitions {
			assert.GreaterOrEqual(t, held, 0.92*total-3*math.Sqrt(0.92*0.08*total), "by %d", size)
			assert.Greater(t, held, student, "by %d", size)
		}
	}
}

// coverage is how many intervals of so many estimates hold 1, of those that have one, and how many by Student's t.
func coverage(t *testing.T, all [][]float64, size int) (held, student, total float64) {
	quantile := map[int]float64{2: 12.706, 3: 4.303, 5: 2.776, 10: 2.262}[size]
	var widths []float64
	for _, list := range all {
		for ; len(list) >= size; list = list[size:] {
			some := list[:size]
			if slices.Contains(some, 0) {
				continue
			}
			total++
			i := stats.LogNormal(some)
			if i.Holds(1) {
				held++
			}
			mean, variance := 0.0, 0.0
			for _, x := range some {
				mean += x / float64(size)
			}
			for _, x := range some {
				variance += (x - mean) * (x - mean) / float64(size*(size-1))
			}
			if math.Abs(mean-1) <= quantile*math.Sqrt(variance) {
				student++
			}
			widths = append(widths, i.High/mean)
		}
	}
	slices.Sort(widths)
	at := func(q float64) float64 { return widths[int(q*float64(len(widths)-1))] }
	t.Logf("by %d repetitions the upper end is %.2f of the estimate in the median, %.2f to %.2f in nine of ten", size, at(0.5), at(0.05), at(0.95))
	return held, student, total
}

// TestPlainRunsAgree where there are enough of them that violate the property.
func TestPlainRunsAgree(t *testing.T) {
	o := paused(lease, exponential(0.1), 2)
	s := SumOf(repetitions(t, o, 20), o.Population)
	tally, _, err := batch.Runs(context.Background(), batch.Options{Program: o.Program, Config: o.Config, Runs: 100_000}, nil)
	require.NoError(t, err)
	plain := stats.Wilson(tally.Properties[0].Violated, tally.Runs)
	assert.Less(t, s.Interval.Low, plain.High)
	assert.Greater(t, s.Interval.High, plain.Low)
	assert.True(t, plain.Holds(0.01))
}

// TestTheAnswerDependsOnTheSeedOnly, not on how many repetitions are done at once, nor on where.
func TestTheAnswerDependsOnTheSeedOnly(t *testing.T) {
	o := paused(lease, exponential(1e-5), 2)
	o.Population = 40
	ctx := context.Background()
	l, err := Pilot(ctx, o)
	require.NoError(t, err)
	o.Jobs = 1
	want, err := Repetitions(ctx, o, l, 0, 6, nil)
	require.NoError(t, err)
	o.Jobs = 3
	seen := 0
	got, err := Repetitions(ctx, o, l, 0, 6, func(list []Repetition) { seen = len(list) })
	require.NoError(t, err)
	assert.Equal(t, want, got)
	assert.Equal(t, 6, seen)
	got, err = Repetitions(ctx, o, l, 4, 6, nil)
	require.NoError(t, err)
	assert.Equal(t, want[4:], got)
	o.Seed++
	got, err = Repetitions(ctx, o, l, 0, 6, nil)
	require.NoError(t, err)
	assert.NotEqual(t, want, got)
}

// TestWhatIsDoneIsKept when ctx ends.
func TestWhatIsDoneIsKept(t *testing.T) {
	o := paused(lease, exponential(1e-5), 1)
	o.Jobs = 1
	ctx, cancel := context.WithCancel(context.Background())
	l, err := Pilot(ctx, o)
	require.NoError(t, err)
	list, err := Repetitions(ctx, o, l, 0, 100, func(list []Repetition) {
		if len(list) == 2 {
			cancel()
		}
	})
	assert.ErrorIs(t, err, context.Canceled)
	assert.GreaterOrEqual(t, len(list), 2)
	assert.Less(t, len(list), 100)
	_, err = Pilot(ctx, o)
	assert.ErrorIs(t, err, context.Canceled)
}

// TestAFindIsARunWithOverrides, which any world makes, and which violates the property.
func TestAFindIsARunWithOverrides(t *testing.T) {
	o := paused(lease, exponential(1e-5), 2)
	r := repetitions(t, o, 1)[0]
	require.True(t, r.Violates())
	list, err := Overrides(o, &r)
	require.NoError(t, err)
	require.NotEmpty(t, list)
	c := o.Config
	c.Overrides = list
	w, err := o.Program.NewWorld(c)
	require.NoError(t, err)
	assert.Equal(t, sim.Violated, w.Run(r.Seed).Properties[0].Verdict)
	assert.Equal(t, int64(Violation), w.Near(0))
	c.Overrides = list[:len(list)-1]
	w, err = o.Program.NewWorld(c)
	require.NoError(t, err)
	assert.Equal(t, sim.Holds, w.Run(r.Seed).Properties[0].Verdict)
}

// TestNothingReachedIsAnUpperBound of the independent runs, and none of the thresholds.
func TestNothingReachedIsAnUpperBound(t *testing.T) {
	o := paused(lease, sim.Uniform(0, 9*time.Second), 1)
	s := SumOf(repetitions(t, o, 3), o.Population)
	assert.Zero(t, s.Probability)
	assert.Equal(t, Bound, s.Kind)
	assert.Equal(t, 3, s.Zero)
	assert.Equal(t, stats.Wilson(0, 3*o.Population), s.Interval)
	assert.Zero(t, s.Plain)
}

// TestACertainViolationHasProbabilityOne, and needs no threshold but itself.
func TestACertainViolationHasProbabilityOne(t *testing.T) {
	o := paused(lease, sim.Constant(20*time.Second), 1)
	list := repetitions(t, o, LeastRepetitions)
	s := SumOf(list, o.Population)
	assert.Equal(t, 1.0, s.Probability)
	assert.Equal(t, stats.Interval{Low: 1, High: 1}, s.Interval)
	assert.Equal(t, o.Population, list[0].Runs)
}

// TestThereIsNoIntervalOfFewRepetitions, nor where one of them is 0: it is 0 to 1. The estimate is their mean.
func TestThereIsNoIntervalOfFewRepetitions(t *testing.T) {
	of := func(reached ...int) (list []Repetition) {
		for _, n := range reached {
			list = append(list, Repetition{Reached: []int{n}, Runs: 10})
		}
		return list
	}
	for _, list := range [][]Repetition{of(2), of(1, 2, 3, 2), of(2, 2, 2, 2, 2, 0, 4)} {
		s := SumOf(list, 10)
		assert.Equal(t, None, s.Kind)
		assert.Equal(t, stats.Interval{Low: 0, High: 1}, s.Interval)
		assert.InDelta(t, 0.2, s.Probability, 1e-12)
		assert.Zero(t, s.Plain)
	}
	s := SumOf(of(2, 1, 3, 2, 2), 10)
	assert.Equal(t, LogNormal, s.Kind)
	assert.Equal(t, stats.LogNormal([]float64{0.2, 0.1, 0.3, 0.2, 0.2}), s.Interval)
	assert.Positive(t, s.Plain)
	assert.Equal(t, []string{"none", "log-normal", "bound"}, []string{None.String(), LogNormal.String(), Bound.String()})
}

// TestPanicIsAnError: a run that ends there has come as near as nobody knows.
func TestPanicIsAnError(t *testing.T) {
	o := paused(lease, exponential(1e-5), 1)
	o.Program = sim.NewProgram(func() sim.System[tick] {
		return sim.System[tick]{Kinds: []string{"start", "done"}, Notes: []sim.Kind{done}, Nodes: []sim.Spec[tick]{sim.Place[tick]("a", worker{Panics: true})},
			Properties: []sim.Property[tick]{&inTime{lease: lease, workers: 1}}}
	})
	_, err := Pilot(context.Background(), o)
	assert.ErrorContains(t, err, "a panics at ")
	assert.ErrorContains(t, err, "handling done: too late")
}

func TestOptionsThatMakeNoSenseAreRefused(t *testing.T) {
	o := paused(lease, exponential(0.1), 1)
	o.Property, o.Population, o.Moves, o.Config.Minimal = 1, 1, 0, true
	assert.EqualError(t, o.Check(), "property: unleveled has no level\npopulation: want 2 to 100000, got 1\nmoves: want 1 to 100, got 0\n"+
		"all draws are minimal: there is one run, and nothing to estimate")
	o.Property = 2
	assert.ErrorContains(t, o.Check(), "property: want 0 to 1, got 2")
}
