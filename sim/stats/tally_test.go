package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fencepost/sim"

	"github.com/stretchr/testify/require"
)

var tallied = sim.Program{
	Properties: []string{"mutual-exclusion", "no-lost-update"},
	Measures: []sim.Measure{
		{Name: "wait", Unit: sim.Duration},
		{Name: "messages", Total: true},
		{Name: "acquired", Total: true},
		{Name: "messages-per-acquire", Per: "acquired"},
		{Name: "skew", Unit: sim.Duration},
		{Name: "status", Unit: sim.Code, Total: true},
	},
}

// results are runs as different from each other as results can be.
func results(n int) []*sim.Result {
	r := rand.New(rand.NewPCG(1, 2))
	var all []*sim.Result
	for i := range n {
		one := &sim.Result{Seed: uint64(100 + i), Steps: r.Uint64N(50), Digest: r.Uint64(),
			Faults:     []sim.Injection{{First: sim.Never}, {Count: i % 3, First: sim.Time(i)}},
			Properties: []sim.Finding{{Verdict: sim.Holds}, {Verdict: sim.Verdict(i % 2)}},
		}
		if i%7 == 5 {
			one.Properties[0] = sim.Finding{Verdict: sim.Violated, Violations: 2, First: sim.Time(10 * i), Nodes: [2]sim.NodeID{1, 2}}
		}
		if i%20 == 19 {
			one.Panic = &sim.Panic{At: sim.Time(i), Value: "broken"}
		}
		for range r.IntN(5) {
			one.Samples = append(one.Samples, sim.Sample{Measure: 0, Value: r.Int64N(1e10)}, sim.Sample{Measure: 1, Value: r.Int64N(9)}, sim.Sample{Measure: 2, Value: 1}, sim.Sample{Measure: 3, Value: 4})
			one.Samples = append(one.Samples, sim.Sample{Measure: 4, Value: r.Int64N(2000) - 1000})
		}
		one.Samples = append(one.Samples, sim.Sample{Measure: 5, Value: int64(200 + i%3)})
		all = append(all, one)
	}
	return all
}

func tally(rs []*sim.Result) *Tally {
	t := NewTally(&tallied, 2)
	for _, r := range rs {
		t.Add(r)
	}
	return t
}

func TestTallyCountsRuns(t *testing.T) {
	got := tally(results(60))
	require.Equal(t, 60, got.Runs)
	require.Equal(t, 3, got.Panics)
	require.Equal(t, &PanicAt{Run: 20, Seed: 119, Panic: sim.Panic{At: 19, Value: "broken"}}, got.FirstPanic)
	require.Equal(t, []Injected{{First: sim.Never}, {Runs: 40, Total: 60, First: 1}}, got.Faults)

	p := got.Properties[0]
	require.Equal(t, &Violation{Run: 6, Seed: 105, At: 50, Nodes: [2]sim.NodeID{1, 2}}, p.First)
	// Runs 6, 13, ..., 55 are violated; 40 and 60 panicked without a violation, so
	// nobody knows whether they would have held.
	require.Equal(t, []int{8, 50, 2, 16, 58}, []int{p.Violated, p.Held, p.NotExercised, p.Violations, p.Runs()})
	require.Equal(t, sim.Violated, p.Verdict())
	require.Equal(t, sim.Holds, got.Properties[1].Verdict())
	require.Equal(t, sim.NotExercised, (&Checked{NotExercised: 3}).Verdict())
}

func TestTalliesMergeToTheSame(t *testing.T) {
	rs := results(60)
	want := tally(rs)
	for _, cuts := range [][]int{{1, 2, 3}, {20}, {0, 0, 59, 60}, {7, 14, 21, 28, 35}} {
		whole := NewTally(&tallied, 2)
		part := NewTally(&tallied, 2)
		from := 0
		for _, to := range append(cuts, len(rs)) {
			part.Clear() // and its memory used again
			for _, r := range rs[from:to] {
				part.Add(r)
			}
			whole.Merge(part)
			from = to
		}
		require.Equal(t, want, whole, "cut at %v", cuts)
	}
}

func TestTallyDigestOfOneRunIsItsOwn(t *testing.T) {
	rs := results(3)
	require.Equal(t, rs[0].Digest, tally(rs[:1]).Digest())
	require.NotEqual(t, tally(rs).Digest(), tally(rs[:2]).Digest())
}

func TestTallyMeasures(t *testing.T) {
	got := NewTally(&tallied, 0)
	// Messages 2, 4, 6 in three runs: mean 4, deviation 2, t = 4.303, so that the
	// interval is 4 ± 4.303*2/√3 = 4 ± 4.969.
	for i, n := range []int64{2, 4, 6} {
		got.Add(&sim.Result{Seed: uint64(i), Samples: []sim.Sample{{Measure: 1, Value: n - 1}, {Measure: 1, Value: 1}, {Measure: 2, Value: 1}, {Measure: 3, Value: n}}})
	}
	m := &got.Measures[1]
	require.Equal(t, 4.0, m.Mean())
	require.Equal(t, "12", m.Sum().String())
	require.Equal(t, []int64{2, 6}, []int64{m.Min(), m.Max()})
	i, ok := m.MeanInterval()
	require.True(t, ok)
	require.InDelta(t, 4-4.9686, i.Low, 1e-3)
	require.InDelta(t, 4+4.9686, i.High, 1e-3)
	require.Equal(t, Quantile{}, m.Quantile(500))

	own, other, ok := got.Ratio(3)
	require.True(t, ok)
	require.Equal(t, []string{"12", "3"}, []string{own.String(), other.String()})
	_, _, ok = got.Ratio(1)
	require.False(t, ok, "messages is no ratio")
	_, ok = got.RatioInterval(1)
	require.False(t, ok, "messages is no ratio")
	i, ok = got.RatioInterval(3)
	require.True(t, ok)
	require.InDelta(t, 4-4.9686, i.Low, 1e-3, "to 1 in each run: as the mean of the totals")
	require.InDelta(t, 4+4.9686, i.High, 1e-3)
	_, _, ok = NewTally(&tallied, 0).Ratio(3)
	require.False(t, ok, "0 acquired")
}

// TestMeanOfNoneOrOne: a count of 0 or 1 is a share of the runs; any other total is not.
func TestMeanOfNoneOrOne(t *testing.T) {
	for name, c := range map[string]struct {
		totals []int64
		share  bool
	}{
		"some":    {[]int64{1, 0, 1, 1, 1}, true},
		"none":    {[]int64{0, 0, 0, 0, 0}, true},
		"all":     {[]int64{1, 1}, true},
		"two":     {[]int64{1, 0, 2}, false},
		"below 0": {[]int64{0, -1, 1}, false},
	} {
		got := NewTally(&sim.Program{Measures: []sim.Measure{{Name: "won", Total: true}, {Name: "time", Unit: sim.Duration, Total: true}}}, 0)
		sum := 0
		for _, v := range c.totals {
			got.Add(&sim.Result{Samples: []sim.Sample{{Measure: 0, Value: v}, {Measure: 1, Value: v}}})
			sum += int(v)
		}
		i, ok := got.Measures[0].MeanInterval()
		require.True(t, ok, name)
		require.Equal(t, c.share, i == Wilson(sum, len(c.totals)), name)
		i, ok = got.Measures[1].MeanInterval()
		require.True(t, ok, name)
		require.NotEqual(t, Wilson(sum, len(c.totals)), i, "%s: a length of time is no count", name)
	}
	one := NewTally(&tallied, 0)
	one.Add(&sim.Result{Samples: []sim.Sample{{Measure: 1, Value: 1}}})
	_, ok := one.Measures[1].MeanInterval()
	require.False(t, ok, "one run")
}

// The ratios of the runs are 1 and 3/2, and that of the totals is 4/3. The runs are off by
// 1/3 on either side, so that the interval is 4/3 ± 12.706*√(2*(2/9)/9) = 4/3 ± 2.8236.
func TestRatioInterval(t *testing.T) {
	first, second := NewTally(&tallied, 0), NewTally(&tallied, 0)
	first.Add(&sim.Result{Samples: []sim.Sample{{Measure: 2, Value: 1}, {Measure: 3, Value: 1}}})
	_, ok := first.RatioInterval(3)
	require.False(t, ok, "one run")
	second.Add(&sim.Result{Samples: []sim.Sample{{Measure: 2, Value: 1}, {Measure: 2, Value: 1}, {Measure: 3, Value: 3}}})
	first.Merge(second)
	i, ok := first.RatioInterval(3)
	require.True(t, ok)
	require.InDelta(t, 4.0/3-2.8236, i.Low, 1e-3)
	require.InDelta(t, 4.0/3+2.8236, i.High, 1e-3)
	first.Clear()
	_, ok = first.RatioInterval(3)
	require.False(t, ok, "0 acquired")
}

// The interval of a share lies within 0 and what it never exceeds. In the middle it is nearly what
// it is without that bound; of runs that all agree it is a point.
func TestRatioIntervalOfAShare(t *testing.T) {
	interval := func(most int64, own ...int64) Interval {
		tally := NewTally(&sim.Program{Measures: []sim.Measure{{Name: "asked", Total: true}, {Name: "answered", Per: "asked", Most: most}}}, 0)
		for _, n := range own {
			tally.Add(&sim.Result{Samples: []sim.Sample{{Measure: 0, Value: 100}, {Measure: 1, Value: n}}})
		}
		i, ok := tally.RatioInterval(1)
		require.True(t, ok)
		return i
	}
	require.Greater(t, interval(0, 100, 100, 100, 96).High, 1.0)
	for _, own := range [][]int64{{100, 100, 100, 96}, {0, 0, 0, 4}, {100, 0}, {1, 0}} {
		i, ratio := interval(1, own...), float64(0)
		for _, n := range own {
			ratio += float64(n) / float64(100*len(own))
		}
		require.True(t, 0 <= i.Low && i.Low < ratio && ratio < i.High && i.High <= 1, "%v: %v", own, i)
	}
	free, share := interval(0, 50, 51, 49, 50), interval(1, 50, 51, 49, 50)
	require.InDelta(t, free.Low, share.Low, 1e-4)
	require.InDelta(t, free.High, share.High, 1e-4)
	require.Equal(t, Interval{0.5, 0.5}, interval(1, 50, 50))
	require.Equal(t, Interval{1, 1}, interval(1, 100, 100))
	hundredths := interval(100, 5000, 5100, 4900, 5000)
	require.InDelta(t, 100*share.High, hundredths.High, 1e-9)
}

// Ten runs of 1,000 independent trials that all succeed: the interval is that of 10,000 trials, and
// not a point. Of dependent ones only the runs count, and they do not differ.
func TestRatioIntervalOfIndependentTrials(t *testing.T) {
	p := sim.Program{Measures: []sim.Measure{
		{Name: "trials", Total: true}, {Name: "independent", Total: true, Per: "trials", Independent: true}, {Name: "dependent", Total: true, Per: "trials"},
	}}
	tally := NewTally(&p, 0)
	for range 10 {
		tally.Add(&sim.Result{Samples: []sim.Sample{{Measure: 0, Value: 1000}, {Measure: 1, Value: 1000}, {Measure: 2, Value: 1000}}})
	}
	i, ok := tally.RatioInterval(1)
	require.True(t, ok)
	require.Equal(t, Wilson(10_000, 10_000), i)
	require.InDelta(t, 1-3.84/10_000, i.Low, 1e-6)
	i, ok = tally.RatioInterval(2)
	require.True(t, ok)
	require.Equal(t, Interval{1, 1}, i)
}

// Against a baseline that is 0 in each run the difference is the ratio itself, and so is
// its interval.
func TestRatioIntervalIsThatOfADifference(t *testing.T) {
	measured := &sim.Program{Measures: tallied.Measures}
	got, paired := NewTally(measured, 0), NewPaired(measured, measured)
	for i := range int64(50) {
		r := &sim.Result{Samples: []sim.Sample{{Measure: 2, Value: 1 + i%7}, {Measure: 3, Value: i * i % 23}}}
		got.Add(r)
		paired.Add(&sim.Result{Samples: []sim.Sample{{Measure: 2, Value: 1}}}, r)
	}
	of := func(name string) *PairedMeasure {
		for i := range paired.Measures {
			if paired.Measures[i].Name == name {
				return &paired.Measures[i]
			}
		}
		return nil
	}
	_, want, ok := of(tallied.Measures[3].Name).Difference()
	require.True(t, ok)
	i, ok := got.RatioInterval(3)
	require.True(t, ok)
	require.InDelta(t, want.Low, i.Low, 1e-9)
	require.InDelta(t, want.High, i.High, 1e-9)
}

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{
		{0, 200, 0, 0.018845},
		{200, 200, 0.981155, 1},
		{58, 1000, 0.045134, 0.074251},
		{1, 2, 0.094531, 0.905469},
		{0, 0, 0, 1},
	} {
		got := Wilson(c.k, c.n)
		require.InDelta(t, c.low, got.Low, 1e-5, "%d of %d", c.k, c.n)
		require.InDelta(t, c.high, got.High, 1e-5, "%d of %d", c.k, c.n)
	}
	require.Zero(t, Wilson(0, 7).Low)
	require.Equal(t, 1.0, Wilson(7, 7).High)
}

func TestRanks(t *testing.T) {
	for _, c := range []struct {
		p         float64
		n         uint64
		low, high uint64
	}{
		{0.5, 5, 0, 6}, // 1 - 2/32 is less than 95 %
		{0.5, 6, 1, 6}, // 1 - 2/64 is more
		{0.5, 10, 2, 9},
		{0.5, 100, 40, 61}, // as in the tables of the sign test
		{0.99, 100, 97, 101},
		{0.99, 367, 359, 368}, // 0.99^367 is 2.501 %
		{0.99, 368, 360, 368}, // and 0.99^368 is 2.476 %
		{0.5, 10_000, 4902, 5099},
		{0.99, 10_000, 9880, 9921},
	} {
		low, high := ranks(c.p, c.n)
		require.Equal(t, []uint64{c.low, c.high}, []uint64{low, high}, "%v of %d", c.p, c.n)
	}
}

func TestStudent(t *testing.T) {
	for degrees, want := range map[uint64]float64{1: 12.706, 10: 2.228, 11: 2.201, 20: 2.086, 30: 2.042, 100: 1.984, 1e9: 1.960} {
		require.InDelta(t, want, student(degrees), 0.002*want, "%d", degrees)
	}
}

func TestHistogramIsExactForFewValues(t *testing.T) {
	m := Measured{}
	for range 1000 {
		m.record(6_940_000_123)
	}
	q := m.Quantile(990)
	require.Equal(t, int64(6_940_000_123), q.Value)
	require.Equal(t, int64(6_940_000_123), *q.High)

	m = Measured{}
	for _, v := range []int64{30, 10, 20} {
		m.record(v)
	}
	require.Equal(t, Quantile{Value: 20}, m.Quantile(500))
	require.Equal(t, int64(30), m.Quantile(990).Value)
	require.Equal(t, 20.0, m.Mean())
}

func TestHistogramQuantilesAreObservedAndNear(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, draw := range map[string]func() int64{
		"any":      func() int64 { return int64(r.Uint64()) },
		"long":     func() int64 { return int64(math.Exp(r.NormFloat64()*3 + 15)) },
		"small":    func() int64 { return r.Int64N(300) - 150 },
		"negative": func() int64 { return -r.Int64N(1e12) },
	} {
		t.Run(name, func(t *testing.T) {
			var h histogram
			var all []int64
			for range 5000 {
				v := draw()
				h.add(v)
				all = append(all, v)
			}
			slices.Sort(all)
			require.Equal(t, []int64{all[0], all[len(all)-1]}, []int64{h.min, h.max})
			for k := 1; k <= len(all); k += 7 {
				got, want := h.rank(uint64(k)), all[k-1]
				_, seen := slices.BinarySearch(all, got)
				require.True(t, seen, "rank %d: %d never occurred", k, got)
				require.GreaterOrEqual(t, got, want)
				require.LessOrEqual(t, float64(got)-float64(want), math.Abs(float64(want))/128+1, "rank %d", k)
			}
		})
	}
}

func TestHistogramTakesEveryValue(t *testing.T) {
	var h histogram
	for _, v := range []int64{math.MinInt64, math.MinInt64 + 1, -1, 0, 1, 127, 128, 255, 256, math.MaxInt64 - 1, math.MaxInt64} {
		h.add(v)
	}
	require.Equal(t, int64(math.MinInt64), h.rank(1))
	require.Equal(t, int64(-1), h.rank(3))
	require.Equal(t, int64(0), h.rank(4))
	require.Equal(t, int64(math.MaxInt64), h.rank(11))
	require.Equal(t, "764", h.sum.big().String())
}

func TestSumsOfSquaresAreExact(t *testing.T) {
	var s int192
	for range 5 {
		s.add(math.MinInt64, math.MinInt64)
	}
	require.Equal(t, "425352958651173079329218259289710264320", s.big().String()) // 5 * 2^126
}

func TestTallyAddAllocatesNothingOnceWarm(t *testing.T) {
	rs := results(18) // without a panic
	got := tally(rs)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		for _, r := range rs {
			got.Add(r)
		}
	}))
}

func BenchmarkTallyAdd(b *testing.B) {
	rs := results(18)
	got := tally(rs)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		got.Add(rs[i%len(rs)])
	}
}
