package traffic

import (
	"fmt"
	"hash/fnv"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

func perSecond(n int64) *Rate { return &Rate{n, time.Second} }

func dist(d sim.Dist) *sim.Dist { return &d }

// one is traffic of one class.
func one(length time.Duration, c Class) Params { return Params{For: length, Class: c} }

// all are the requests of a stream, or its first ones.
func all(p Params, seed uint64, most int) (list []Request) {
	s := New(p, seed)
	for len(list) < most {
		r, ok := s.Next()
		if !ok {
			break
		}
		list = append(list, r)
	}
	return list
}

// chiSquare is the sum of (got - want)^2 / want.
func chiSquare(got, want []float64) (x float64) {
	for i, w := range want {
		x += (got[i] - w) * (got[i] - w) / w
	}
	return x
}

// counts are the requests in equal parts of a length.
func counts(list []Request, length time.Duration, parts int) []float64 {
	n := make([]float64, parts)
	for _, r := range list {
		n[int(float64(r.At)/float64(length)*float64(parts))]++
	}
	return n
}

func repeat(x float64, n int) []float64 { return slices.Repeat([]float64{x}, n) }

// "1000/s for 1 s gives exactly 1000": instants are k*per/n, and no rest gets lost.
func TestConstantIsExact(t *testing.T) {
	for _, r := range []Rate{{1000, time.Second}, {7, time.Second}, {3, time.Nanosecond * 10}, {1, 3}, {999_999_937, time.Second}, {1, time.Hour}} {
		list := all(one(24*time.Hour, Class{Arrivals: "constant", Rate: &r}), 1, 25)
		require.NotEmpty(t, list, r)
		for k, q := range list {
			require.Equal(t, sim.Time(int64(k)*int64(r.Per)/r.Requests), q.At, "request %d of %v", k, r)
		}
	}
	assert.Len(t, all(one(time.Second, Class{Arrivals: "constant", Rate: perSecond(1000)}), 1, 1e6), 1000)
}

// The number in each of 1000 parts is Poisson with the same mean: both the sum and the
// spread come out, within five standard deviations.
func TestPoisson(t *testing.T) {
	for _, r := range []Rate{{1000, time.Second}, {7_000_003, 7 * time.Second}, {1_000_000_000, time.Second}, {60_000, time.Minute}, {1, time.Minute}} {
		const parts, mean = 1000, 100.0
		length := time.Duration(parts * mean * float64(r.Per) / float64(r.Requests))
		got := counts(all(one(length, Class{Arrivals: "poisson", Rate: &r}), 7, 1e6), length, parts)
		sum := 0.0
		for _, n := range got {
			sum += n
		}
		assert.InDelta(t, mean*parts, sum, 5*sqrt(mean*parts), "%v: requests", r)
		// Sum of (n-mean)^2/mean: mean 1000, deviation sqrt(2*1000+1000/mean).
		assert.InDelta(t, parts, chiSquare(got, repeat(mean, parts)), 5*sqrt(2*parts+parts/mean), "%v: spread", r)
	}
}

func sqrt(x float64) float64 {
	r := x
	for range 100 {
		r = (r + x/r) / 2
	}
	return r
}

// Each part of the day has its share, and the mean is the rate.
func TestDiurnalFollowsTheCurve(t *testing.T) {
	curve := []int64{1, 0, 3, 10, 2, 8}
	length, rate := 600*time.Second, 1000.0
	got := counts(all(one(length, Class{Arrivals: "diurnal", Rate: perSecond(1000), Day: 60 * time.Second, Curve: curve}), 3, 1e7), length, 60)
	var seen, want []float64
	for part, w := range curve {
		n := 0.0
		for i := part; i < 60; i += 6 {
			n += got[i]
		}
		if w == 0 {
			assert.Zero(t, n, "nothing comes in a part of weight 0")
			continue
		}
		seen, want = append(seen, n), append(want, rate*600*float64(w)/24)
	}
	assert.Less(t, chiSquare(seen, want), 20.5, "99.9 % of chi-square with 5 degrees are below")
}

func TestDayCurveHasMeanRate(t *testing.T) {
	day := 24 * time.Minute
	got := all(one(10*day, Class{Arrivals: "diurnal", Rate: perSecond(100), Day: day}), 5, 1e7)
	want := 100 * (10 * day).Seconds()
	assert.InDelta(t, want, float64(len(got)), 5*sqrt(want))
}

// All requests come while it is on, first of all from the start, at the rate.
func TestOnOff(t *testing.T) {
	c := Class{Arrivals: "on-off", Rate: perSecond(1000), On: dist(sim.Constant(2 * time.Second)), Off: dist(sim.Constant(8 * time.Second)), Start: 3 * time.Second}
	list := all(one(103*time.Second, c), 11, 1e7)
	for _, r := range list {
		require.Less(t, (time.Duration(r.At)-3*time.Second)%(10*time.Second), 2*time.Second)
	}
	assert.InDelta(t, 20_000, float64(len(list)), 5*sqrt(20_000))
	c.On, c.Off = dist(sim.Exponential(time.Second)), dist(sim.Exponential(3*time.Second))
	// 2000 cycles of 4 s; the share of time that is on varies by about 1/sqrt(2000)*0.75*sqrt2.
	got := float64(len(all(one(8000*time.Second, c), 12, 1e7)))
	assert.InEpsilon(t, 2_000_000, got, 5*0.024)
}

// Repeats change neither the arrivals nor their clients, and come when they should.
func TestRepeats(t *testing.T) {
	c := Class{Arrivals: "poisson", Rate: perSecond(50), Clients: 9, Repeats: 4, Gap: 300 * time.Millisecond, Cost: 3}
	got := all(one(20*time.Second, c), 5, 1e7)
	c.Repeats, c.Gap = 0, 0
	var want []Request
	for _, r := range all(one(20*time.Second, c), 5, 1e7) {
		for range 5 {
			if r.At < sim.Time(20*time.Second) {
				want = append(want, r)
			}
			r.At = r.At.Add(300 * time.Millisecond)
		}
	}
	order := func(a, b Request) int { return int(a.At - b.At) }
	slices.SortStableFunc(want, order)
	assert.True(t, slices.IsSortedFunc(got, order))
	assert.ElementsMatch(t, want, got)
	assert.Len(t, all(one(time.Second, Class{Arrivals: "constant", Rate: perSecond(1), Repeats: 5}), 1, 1e6), 6, "no gap: six at once")
}

// "What one class does leaves the others as they were."
func TestClassesAreIndependent(t *testing.T) {
	of := func(list []Request, class int) (mine []Request) {
		for _, r := range list {
			if r.Class == class {
				mine = append(mine, r)
			}
		}
		return mine
	}
	p := Params{For: time.Minute, Classes: Mix()}
	before := all(p, 9, 1e7)
	p.Classes[1].Rate = perSecond(50)
	after := all(p, 9, 1e7)
	for _, class := range []int{0, 2, 3, 4} {
		assert.NotEmpty(t, of(before, class))
		assert.Equal(t, of(before, class), of(after, class))
	}
	assert.NotEqual(t, of(before, 1), of(after, 1))
	assert.NotEqual(t, of(before, 0), of(all(p, 10, 1e7), 0), "another seed")
}

func TestOrderAndBounds(t *testing.T) {
	p := Params{For: 3 * time.Minute, Requests: 50_000}
	list := all(p, 1, 1e7)
	assert.Len(t, list, 50_000)
	assert.EqualValues(t, 10_153, p.Keys())
	assert.Equal(t, []string{"normal", "bursty", "abuser", "crawler", "retry-storm"}, p.Names())
	for i, r := range list {
		require.True(t, i == 0 || list[i-1].At < r.At || list[i-1].At == r.At && list[i-1].Class <= r.Class, "(At, class) at %d", i)
		require.EqualValues(t, r.Class, r.Key>>32)
		require.Positive(t, r.Cost)
	}
	quiet := one(time.Minute, Class{Arrivals: "constant", Rate: perSecond(1), Start: 10 * time.Second, Stop: 20 * time.Second})
	got := all(quiet, 1, 1e7)
	assert.Len(t, got, 10)
	assert.Equal(t, sim.Time(10*time.Second), got[0].At)
	turns := all(one(time.Minute, Class{Arrivals: "constant", Rate: perSecond(1), Clients: 3, Pick: "in-turn"}), 1, 5)
	assert.Equal(t, []uint64{0, 1, 2, 0, 1}, []uint64{turns[0].Key, turns[1].Key, turns[2].Key, turns[3].Key, turns[4].Key})
}

// kinds are one class of each kind of arrivals.
func kinds() map[string]Params {
	return map[string]Params{
		"constant":         one(time.Hour, Class{Arrivals: "constant", Rate: perSecond(7), Clients: 100, Repeats: 2, Gap: time.Second}),
		"poisson":          one(time.Hour, Class{Arrivals: "poisson", Rate: perSecond(1000), Clients: 1000, Zipf: 1000}),
		"on-off":           one(time.Hour, Class{Arrivals: "on-off", Rate: perSecond(100), Clients: 10, On: dist(sim.Exponential(time.Second)), Off: dist(sim.Uniform(0, 5*time.Second)), Repeats: 2, Gap: time.Second}),
		"diurnal":          one(300*time.Hour, Class{Arrivals: "diurnal", Rate: &Rate{100, time.Minute}, Clients: 500, Zipf: 1250}),
		"boundary":         one(300*time.Hour, Class{Arrivals: "boundary", Limit: 5, Window: time.Minute, Clients: 3}),
		"sliding-boundary": one(300*time.Hour, Class{Arrivals: "sliding-boundary", Limit: 5, Window: time.Minute, Clients: 3}),
		"mix":              {For: time.Hour},
	}
}

// digest is of the first 10,000 requests.
func digest(list []Request) string {
	h := fnv.New64a()
	for _, r := range list {
		fmt.Fprintln(h, int64(r.At), r.Key, r.Class, r.Cost)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// The requests of a seed are the same on every processor and in every release.
func TestGolden(t *testing.T) {
	golden := map[string]string{
		"constant":         "07ad4298c15ab6b8",
		"poisson":          "117803bf548f33cb",
		"on-off":           "13fc5f5ef3a1ca7a",
		"diurnal":          "84d45ab7ff78d027",
		"boundary":         "39e617f39ec3e3a0",
		"sliding-boundary": "78e16c09965086cd",
		"mix":              "83298666ef3eb548",
	}
	for name, want := range golden {
		t.Run(name, func(t *testing.T) {
			list := all(kinds()[name], 42, 10_000)
			require.Len(t, list, 10_000)
			assert.Equal(t, want, digest(list))
		})
	}
	assert.Len(t, golden, len(kinds()))
}

func TestNextAllocatesNothing(t *testing.T) {
	for name, p := range kinds() {
		p.For = 360 * 24 * time.Hour
		s := New(p, 1)
		for range 100_000 { // queues of repeats reach their size
			s.Next()
		}
		ok := true
		assert.Zero(t, testing.AllocsPerRun(10_000, func() { _, ok = s.Next() }), name)
		assert.True(t, ok, name)
	}
}

func BenchmarkNext(b *testing.B) {
	for name, p := range kinds() {
		b.Run(name, func(b *testing.B) {
			p.For = MaxFor
			s := New(p, 1)
			for b.Loop() {
				if _, ok := s.Next(); !ok {
					s = New(p, 1)
				}
			}
		})
	}
}
