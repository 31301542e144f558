package rare

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
// have to be too long at once.
func TestTheIntervalHasTheExactTail(t *testing.T) {
	for _, p := range []float64{1e-3, 1e-6, 1e-9} {
		for name, o := range map[string]*Options{
			"exponential": paused(lease, exponential(p), 1), "pareto": paused(lease, pareto(t, p), 1),
			"two": paused(lease, exponential(math.Sqrt(p)), 2), "three": paused(lease, pareto(t, math.Cbrt(p)), 3),
		} {
			t.Run(fmt.Sprintf("%s %g", name, p), func(t *testing.T) {
				s := SumOf(repetitions(t, o, 20), o.Population)
				t.Logf("%+v", s)
				assert.True(t, s.Interval.Holds(p), "%v is not in %v", p, s.Interval)
				assert.Less(t, s.Interval.High-s.Probability, 0.5*p, "half of the interval")
				assert.False(t, s.Bound)
			})
		}
	}
}

// TestTheIntervalCoversAsOftenAsItSays: of 100 estimates, each of ten repetitions, the 95% intervals of about 95 have the truth,
// and the mean of the 1000 repetitions lies where an unbiased one does, within 3 standard errors.
func TestTheIntervalCoversAsOftenAsItSays(t *testing.T) {
	const p = 1e-4
	o := paused(lease, exponential(p), 1)
	o.Population, o.Moves = 100, 10
	held, sum, squares := 0, 0.0, 0.0
	for seed := range uint64(100) {
		o.Seed = seed
		list := repetitions(t, o, 10)
		if SumOf(list, o.Population).Interval.Holds(p) {
			held++
		}
		for i := range list {
			x := list[i].Estimate(o.Population) / p
			sum, squares = sum+x, squares+x*x
		}
	}
	mean := sum / 1000
	deviation := math.Sqrt(squares/1000 - mean*mean)
	t.Logf("%d of 100 intervals; the mean is %.3f of the truth, a repetition deviates by %.2f", held, mean, deviation)
	assert.GreaterOrEqual(t, held, 88, "Student's interval is a little too narrow for skewed estimates")
	assert.InDelta(t, 1, mean, 3*deviation/math.Sqrt(1000))
	assert.Less(t, deviation, 0.8)
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
	assert.True(t, s.Bound)
	assert.Equal(t, 3, s.Zero)
	assert.Equal(t, stats.Wilson(0, 3*o.Population), s.Interval)
	assert.Zero(t, s.Plain)
}

// TestACertainViolationHasProbabilityOne, and needs no threshold but itself.
func TestACertainViolationHasProbabilityOne(t *testing.T) {
	o := paused(lease, sim.Constant(20*time.Second), 1)
	list := repetitions(t, o, 2)
	s := SumOf(list, o.Population)
	assert.Equal(t, 1.0, s.Probability)
	assert.Equal(t, stats.Interval{Low: 1, High: 1}, s.Interval)
	assert.Equal(t, o.Population, list[0].Runs)
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
