package adaptive

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAIMDVectors(t *testing.T) {
	t.Run("AD-01", func(t *testing.T) {
		a := DefaultAIMD()
		a.Start(100)
		var got []int64
		for range 12 {
			got = append(got, a.Limit()*9/10)
			a.Update(Sample{RTT: ms, Inflight: 100, Dropped: true})
		}
		assert.Equal(t, []int64{90, 81, 72, 64, 57, 51, 45, 40, 36, 32, 28, 25}, got)
		for n := range 1001 {
			assert.Equal(t, int(float64(n)*0.9), n*9/10, "%d", n)
		}
	})
	t.Run("AD-02", func(t *testing.T) {
		a := DefaultAIMD()
		a.Start(20)
		a.Update(Sample{RTT: ms, Inflight: 20, Dropped: true})
		assert.EqualValues(t, 20, a.Limit())
	})
	for _, v := range []struct {
		limit, inflight, want int64
		rtt                   time.Duration
	}{{100, 50, 101, ms}, {100, 49, 100, ms}, {100, 100, 90, 5001 * ms}, {200, 200, 200, ms}} {
		t.Run(fmt.Sprintf("AD-03 %d %d", v.limit, v.inflight), func(t *testing.T) {
			a := DefaultAIMD()
			a.Start(v.limit)
			a.Update(Sample{RTT: v.rtt, Inflight: v.inflight})
			assert.Equal(t, v.want, a.Limit())
		})
	}
}

func TestVegasVectors(t *testing.T) {
	for _, v := range []struct {
		id                                string
		limit, rtt, inflight, queue, want int64
		dropped                           bool
	}{
		{"AD-04", 20, 100, 20, 0, 26, false},
		{"AD-05", 20, 110, 20, 2, 21, false},
		{"AD-06", 20, 125, 20, 4, 20, false},
		{"AD-07", 20, 150, 20, 7, 19, false},
		{"AD-08", 20, 100, 9, 0, 20, false},
		{"AD-09 a", 100, 103, 100, 3, 102, false},
		{"AD-09 b", 20, 100, 20, 0, 19, true},
	} {
		t.Run(v.id, func(t *testing.T) {
			a := DefaultVegas()
			a.Start(v.limit)
			a.Update(Sample{RTT: 100 * ms, Inflight: v.inflight}) // rtt0
			require.Equal(t, v.limit, a.Limit())
			assert.Equal(t, v.queue, a.queue(time.Duration(v.rtt)*ms))
			a.Update(Sample{RTT: time.Duration(v.rtt) * ms, Inflight: v.inflight, Dropped: v.dropped})
			assert.Equal(t, v.want, a.Limit())
		})
	}
}

// "probe rtt0 every 30*L samples": a service that has become slower looks overloaded until
// then, and not after it.
func TestVegasProbes(t *testing.T) {
	a := DefaultVegas()
	a.Start(10)
	a.Update(Sample{RTT: 100 * ms, Inflight: 10})
	least, probed := a.Limit(), 0
	for n := 0; n < 400 && a.shortest == 100*ms; n++ {
		a.Update(Sample{RTT: 500 * ms, Inflight: a.Limit()})
		least, probed = min(least, a.Limit()), n
	}
	assert.EqualValues(t, 1, a.clamp(0))
	assert.Less(t, least, int64(10))
	assert.Equal(t, 500*ms, a.shortest, "after %d samples", probed)
	before := a.Limit()
	a.Update(Sample{RTT: 500 * ms, Inflight: a.Limit()})
	assert.Greater(t, a.Limit(), before)
	a.Probe, a.shortest = 0, 100*ms
	for range 10_000 {
		a.Update(Sample{RTT: 500 * ms, Inflight: a.Limit()})
	}
	assert.Equal(t, 100*ms, a.shortest, "without probes it never learns")
}

func TestGradient2Vectors(t *testing.T) {
	for _, v := range []struct {
		id                string
		short, long       time.Duration
		inflight, inMille int64
	}{
		{"AD-09 equal", 100 * ms, 100 * ms, 100, 100_800},
		{"AD-09 twice", 200 * ms, 100 * ms, 100, 95_800},
		{"AD-09 ten times", 1000 * ms, 100 * ms, 100, 90_800},
		{"AD-09 unused", 100 * ms, 100 * ms, 49, 100_000},
	} {
		t.Run(v.id, func(t *testing.T) {
			g := DefaultGradient2()
			g.Start(100)
			g.WarmUp, g.Window = 0, 1<<40 // the average stands still
			g.mean.value = v.long
			g.Update(Sample{RTT: v.short, Inflight: v.inflight})
			assert.Equal(t, v.inMille, g.limit)
		})
	}
}

// The average of the original, in floating point, is the same to a microsecond.
func TestGradient2Average(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m mean
		value, sum := 0.0, 0.0
		for i := range 200 {
			x := rapid.Int64Range(int64(ms), int64(time.Second)).Draw(t, "rtt")
			if i < 10 {
				sum += float64(x)
				value = sum / float64(i+1)
			} else {
				value = value*(1-2.0/601) + float64(x)*2.0/601
			}
			require.InDelta(t, value, float64(m.add(time.Duration(x), 600, 10)), float64(time.Microsecond))
		}
	})
}

func TestCPUVectors(t *testing.T) {
	for _, v := range []struct {
		id    string
		delay int
		want  []int64
	}{
		{"AD-10 no delay", 0, []int64{200, 180, 162, 145, 130, 117, 105, 94, 84, 75, 67, 67, 67}},
		{"AD-10 three samples", 3, []int64{200, 180, 162, 145, 130, 117, 105, 94, 84, 75, 67, 60, 54, 48, 48, 48}},
	} {
		t.Run(v.id, func(t *testing.T) {
			c := CPU{Bounds: Bounds{Min: 20, Max: 200}, High: 70, Backoff: 900}
			c.Start(200)
			limits := []int64{200}
			for i := 1; i < len(v.want); i++ {
				seen := limits[max(0, i-1-v.delay)]
				c.Update(Sample{CPU: min(100, seen), Inflight: c.Limit()})
				limits = append(limits, c.Limit())
			}
			assert.Equal(t, v.want, limits)
		})
	}
	c := DefaultCPU()
	c.Start(100)
	for _, v := range []struct{ cpu, inflight, want int64 }{{70, 100, 100}, {60, 100, 100}, {59, 100, 101}, {59, 50, 101}, {80, 100, 101}, {81, 100, 90}} {
		c.Update(Sample{CPU: v.cpu, Inflight: v.inflight})
		assert.Equal(t, v.want, c.Limit(), "%+v", v)
	}
}

// controllers are one of each.
func controllers(b Bounds) map[string]Controller {
	list := map[string]Controller{}
	for _, k := range []Algorithm{ByAIMD, ByVegas, ByGradient2, ByCPU} {
		c := NewController(k)
		c.SetBounds(b)
		list[algorithmNames[k]] = c
	}
	return list
}

// "min<=L<=max; no growth unless used", whatever the samples.
func TestLimitInRangeAndNoGrowthUnused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.Int64Range(1, 100).Draw(t, "min")
		most := least + rapid.Int64Range(0, 200).Draw(t, "more")
		for name, c := range controllers(Bounds{Min: least, Max: most}) {
			c.Start(rapid.Int64Range(0, 400).Draw(t, "initial"))
			for range 50 {
				before := c.Limit()
				s := Sample{RTT: time.Duration(rapid.Int64Range(1, int64(10*time.Second)).Draw(t, "rtt")),
					Inflight: rapid.Int64Range(0, 400).Draw(t, "inflight"), Dropped: rapid.Bool().Draw(t, "dropped"), CPU: rapid.Int64Range(0, 100).Draw(t, "cpu")}
				c.Update(s)
				require.GreaterOrEqual(t, c.Limit(), least, name)
				require.LessOrEqual(t, c.Limit(), most, name)
				if 2*s.Inflight < before {
					require.LessOrEqual(t, c.Limit(), before, name)
				}
			}
		}
	})
}

// "app-limited guard missing -> L drifts to max".
func TestUnguardedDrifts(t *testing.T) {
	for name, c := range controllers(Bounds{Min: 20, Max: 200, Unguarded: true}) {
		c.Start(20)
		guarded := c
		guarded.SetBounds(Bounds{Min: 20, Max: 200})
		for range 500 {
			quiet := Sample{RTT: 100 * ms, Inflight: 1, CPU: 5}
			c.Update(quiet)
			guarded.Update(quiet)
		}
		assert.EqualValues(t, 200, c.Limit(), name)
		assert.EqualValues(t, 20, guarded.Limit(), name)
	}
}

func TestBounds(t *testing.T) {
	b := Bounds{Min: 0, Max: -1}
	require.EqualError(t, b.Validate(), "min: must be 1 to 1048576, got 0\nmax: must be min to 1048576, got -1")
	b = Bounds{Min: 1, Max: 1}
	require.NoError(t, b.Validate())
}

// A sample is taken in without memory.
func BenchmarkUpdate(b *testing.B) {
	for _, a := range []Algorithm{ByAIMD, ByVegas, ByGradient2, ByCPU} {
		b.Run(algorithmNames[a], func(b *testing.B) {
			c := NewController(a)
			c.Start(100)
			b.ReportAllocs()
			for i := int64(0); b.Loop(); i++ {
				c.Update(Sample{RTT: time.Duration(100+i%50) * ms, Inflight: c.Limit(), CPU: 50 + i%50})
			}
		})
	}
}
